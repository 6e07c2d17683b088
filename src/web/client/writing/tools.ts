/**
 * Markup that buttons and shortcuts insert: bold, links, headings, tables. Pure functions of a text and a selection.
 */

/** A selection, in UTF-16 units of the text. */
export interface Selection {
  readonly from: number
  readonly to: number
}

/** A replacement in the text, and the selection afterwards. */
export interface Edit extends Selection {
  readonly insert: string
  readonly select: Selection
}

/** Names of the tools, in the order of their buttons. */
export const toolNames = ['bold', 'italic', 'link', 'picture', 'template', 'note', 'heading', 'table'] as const
export type ToolName = (typeof toolNames)[number]

/** Markup around a selection. */
type Pair = readonly [before: string, after: string]

const pairs: Readonly<Record<string, Partial<Record<ToolName, Pair>>>> = {
  wikitext: {
    bold: ["'''", "'''"],
    italic: ["''", "''"],
    link: ['[[', ']]'],
    template: ['{{', '}}'],
    note: ['<ref>', '</ref>'],
  },
  markdown: {
    bold: ['**', '**'],
    italic: ['*', '*'],
    link: ['[', ']()'],
    note: ['^[', ']'],
  },
}

/** Returns true if a content model supports a tool. Pictures and tables have dialogs of their own. */
export function hasTool(model: string, tool: ToolName): boolean {
  const own = pairs[model]
  return own !== undefined && (own[tool] !== undefined || ['picture', 'heading', 'table'].includes(tool))
}

/**
 * Returns the edit of a tool, which adds markup around the selection or removes it. Null if the content model lacks the
 * tool.
 */
export function toolEdit(model: string, tool: ToolName, text: string, selection: Selection): Edit | null {
  if (tool === 'heading') return headingEdit(model, text, selection)
  const pair = pairs[model]?.[tool]
  return pair === undefined ? null : pairEdit(pair, text, selection)
}

function pairEdit([before, after]: Pair, text: string, { from, to }: Selection): Edit {
  const inner = text.slice(from, to)
  if (isAround(text, { from, to }, [before, after]))
    return edit({ from: from - before.length, to: to + after.length }, inner, [0, inner.length])
  // A Markdown link continues with its URL.
  const cursor = after.endsWith('()') && inner !== '' ? before.length + inner.length + after.length - 1 : null
  const select = cursor === null ? [before.length, before.length + inner.length] : [cursor, cursor]
  return edit({ from, to }, before + inner + after, select as [number, number])
}

/** Returns true if the pair surrounds the selection. Bold marks do not count as italic ones. */
function isAround(text: string, { from, to }: Selection, [before, after]: Pair): boolean {
  const sign = before[0]!
  if (!text.slice(0, from).endsWith(before) || !text.startsWith(after, to)) return false
  return !"'*".includes(sign) || text[from - before.length - 1] !== sign
}

function headingEdit(model: string, text: string, { from, to }: Selection): Edit {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const lineEnd = text.indexOf('\n', to)
  const stop = lineEnd < 0 ? text.length : lineEnd
  const line = text.slice(start, stop)
  const [open, close] = model === 'markdown' ? ['## ', ''] : ['== ', ' ==']
  const signs = /^(?:=+|#+)/.exec(line)?.[0] ?? ''
  const end = line.endsWith(signs) && signs.startsWith('=') ? line.length - signs.length : line.length
  const words = line.slice(signs.length, Math.max(signs.length, end)).trim()
  const insert = line === open + words + close ? words : open + words + close
  const at = insert === words ? 0 : open.length
  return edit({ from: start, to: stop }, insert, [at, at + words.length])
}

function edit({ from, to }: Selection, insert: string, [start, end]: readonly [number, number]): Edit {
  return { from, to, insert, select: { from: from + start, to: from + end } }
}

/** Parses the tab-separated rows of a table copied from a spreadsheet. Null for other text. */
export function rowsIn(text: string): string[][] | null {
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.every(line => line.includes('\t')) ? lines.map(line => line.split('\t').map(cell => cell.trim())) : null
}

/** Makes rows of empty cells. */
export function emptyRows(rows: number, columns: number): string[][] {
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => ''))
}

/** Writes a table, with its first row as the header. */
export function tableText(model: string, rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows
  if (model === 'markdown') {
    const row = (cells: readonly string[]): string =>
      `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
    return [row(head), `|${head.map(() => ' --- |').join('')}`, ...others.map(row)].join('\n')
  }
  const row = (sign: string, cells: readonly string[]): string =>
    `${sign} ${cells.map(cell => cell.replaceAll('|', '{{!}}')).join(` ${sign}${sign} `)}`
  return ['{| class="wikitable"', row('!', head), ...others.map(cells => `|-\n${row('|', cells)}`), '|}'].join('\n')
}

/** Returns the edit that inserts a block on its own lines. */
export function blockEdit(text: string, { from, to }: Selection, block: string): Edit {
  const before = from === 0 || text[from - 1] === '\n' ? '' : '\n'
  const after = to === text.length || text[to] === '\n' ? '' : '\n'
  const end = before.length + block.length
  return edit({ from, to }, before + block + after, [end, end])
}

/** Markup that means something only at the start of a line. */
const blockStarts: Readonly<Record<string, RegExp>> = {
  wikitext: /^(?:[=*#:;]|\{\||----)/,
  markdown: /^(?:#{1,6} |[-*+] |\d+[.)] |\||>|```)/,
}
/** Markup after which other words of the line would be lost or belong to a block. */
const blockEnds: Readonly<Record<string, RegExp>> = {
  wikitext: /^(?:[*#:;]|\|\}|=.*=$|----)/,
  markdown: /^(?:#{1,6} |\s*[-*+] |\s*\d+[.)] |\||>|```)/,
}

/** Returns the edit that replaces a range by pasted markup: a block that it begins or ends with has lines of its own. */
export function markupEdit(model: string, text: string, { from, to }: Selection, markup: string): Edit {
  const gap = model === 'markdown' ? '\n\n' : '\n'
  const [starts, ends] = [blockStarts[model], blockEnds[model]]
  const isAtStart = from === 0 || text[from - 1] === '\n'
  const isAtEnd = to === text.length || text[to] === '\n'
  const before = !isAtStart && starts?.test(markup) ? gap : ''
  const after = !isAtEnd && ends?.test(markup.slice(markup.lastIndexOf('\n') + 1)) ? gap : ''
  const end = before.length + markup.length
  return edit({ from, to }, before + markup + after, [end, end])
}

/** Writes the markup of an image. */
export function pictureText(
  model: string,
  { name, path, words }: { name: string; path: string; words: string },
): string {
  if (model === 'markdown') return `![${words.replace(/[[\]\\]/g, sign => `\\${sign}`)}](/${encodeURI(path)})`
  return `[[${name}|thumb${words === '' ? '' : `|${words}`}]]`
}
