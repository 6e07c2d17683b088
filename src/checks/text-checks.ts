/** Checks that need only the characters of one text. */

/** A problem as found. Offsets are UTF-16 units. */
export interface TextProblem {
  readonly kind:
    | 'conflict-marker'
    | 'conflict-in-code'
    | 'not-utf8'
    | 'unclosed-link'
    | 'unclosed-template'
    | 'reasonless-ignore'
  readonly start: number
  readonly end: number
  /** End of the last line of a conflict. The range covers its first line. */
  readonly closing?: number
}

/** Finds the first of the bytes of a text that are not UTF-8. U+FFFD replaces each in `text`, but can also be in a file. */
export function findInvalidBytes(text: string, bytes: Buffer): TextProblem[] {
  let [from, size] = [0, 0]
  for (let start = text.indexOf('\ufffd'); start !== -1; start = text.indexOf('\ufffd', start + 1)) {
    size += Buffer.byteLength(text.slice(from, start))
    if (bytes.toString('latin1', size, size + 3) !== '\xef\xbf\xbd')
      return [{ kind: 'not-utf8', start, end: start + 1 }]
    from = start
  }
  return []
}

/** Finds conflict markers: a start, a separator and an end line, in this order. */
export function findConflictMarkers(text: string): TextProblem[] {
  const found: TextProblem[] = []
  let begin: TextProblem | null = null
  let isParted = false
  for (const { 0: line, index } of text.matchAll(/^(?:<{7}|>{7}|={7})(?=[ \r\n]|$).*$/gm)) {
    const here: TextProblem = { kind: 'conflict-marker', start: index, end: index + line.trimEnd().length }
    if (line.startsWith('<')) [begin, isParted] = [here, false]
    else if (line.startsWith('=')) isParted = begin !== null
    else if (begin !== null && isParted) {
      found.push({ ...begin, closing: here.end })
      begin = null
    }
  }
  return found
}

/**
 * Finds conflict markers. Those within one code block have the kind `conflict-in-code`: pages about git show such
 * lines, but a merge may also leave them there.
 */
export function findConflicts(text: string, model: 'wikitext' | 'markdown' | 'other'): TextProblem[] {
  const found = findConflictMarkers(text)
  if (found.length === 0 || model === 'other') return found
  const shown = model === 'markdown' ? withoutFences(text) : masked(text)
  return found.map(one =>
    shown.slice(one.start, one.closing).trim() === '' ? { ...one, kind: 'conflict-in-code' } : one,
  )
}

/**
 * Replaces the content of fenced Markdown blocks with spaces, so that offsets do not change. An unclosed block does not
 * count.
 */
function withoutFences(text: string): string {
  let shown = ''
  let block: { readonly fence: string; readonly start: number } | null = null
  let at = 0
  for (const line of text.split(/(?<=\n)/)) {
    const [, fence, info = ''] = /^[ \t>]{0,100}(`{3,}|~{3,})([^\n]*)/.exec(line) ?? []
    if (block === null && fence !== undefined) {
      shown += line
      block = { fence, start: at + line.length }
    } else if (block === null) shown += line
    else if (fence?.startsWith(block.fence) && info.trim() === '') {
      shown += text.slice(block.start, at).replace(/[^\n]/g, ' ') + line
      block = null
    }
    at += line.length
  }
  return shown + (block === null ? '' : text.slice(block.start))
}

/** Start of markup whose content is not wikitext. */
const verbatim =
  /<!--|<(nowiki|pre|source|syntaxhighlight|math|chem|score|graph|templatedata|timeline|hiero|mapframe|maplink|templatestyles)\b[^<>]{0,1000}>/gi

/**
 * Replaces everything that is not wikitext with spaces, so that offsets do not change. Takes linear time: a failed
 * search for an end is not repeated.
 */
function masked(text: string): string {
  const missing = new Set<string>()
  const beginnings = new RegExp(verbatim)
  let shown = ''
  let at = 0
  for (let match = beginnings.exec(text); match !== null; match = beginnings.exec(text)) {
    const [whole, tag] = match
    if (whole.endsWith('/>')) continue
    const end = missing.has(tag?.toLowerCase() ?? '') ? -1 : endOf(text, tag, beginnings.lastIndex)
    if (end === -1) {
      missing.add(tag?.toLowerCase() ?? '')
      // A comment without an end extends to the end of the page.
      if (tag !== undefined) continue
    }
    const stop = end === -1 ? text.length : end
    shown += text.slice(at, match.index) + text.slice(match.index, stop).replace(/[^\n]/g, ' ')
    at = stop
    beginnings.lastIndex = stop
  }
  return shown + text.slice(at)
}

function endOf(text: string, tag: string | undefined, from: number): number {
  const closing = tag === undefined ? /-->/g : new RegExp(`</${tag}\\s{0,100}>`, 'gi')
  closing.lastIndex = from
  const found = closing.exec(text)
  return found === null ? -1 : found.index + found[0].length
}

/**
 * Brackets and paragraph ends. `[[` counts only before a character that can start a title, so nested JSON lists are not
 * links.
 */
const tokens = /\[\[(?=[\p{L}\p{N}:#/_.'(])|\]\]|\{\{+|\}\}+|\n(?:[ \t]*\n)?/gu

/** Finds `[[` without `]]` in its paragraph, and `{{` without `}}`. Takes linear time. */
export function findUnclosed(text: string): TextProblem[] {
  const shown = masked(text)
  const open = new OpenMarkup()
  let isPreformatted = shown.startsWith(' ')
  for (const { 0: sign, index } of shown.matchAll(tokens)) {
    if (sign.startsWith('\n')) {
      isPreformatted = shown[index + sign.length] === ' '
      if (sign.length > 1) open.endParagraph()
    } else if (sign.startsWith('{')) open.beginTemplates(index, sign.length)
    else if (sign.startsWith('}')) open.endTemplates(sign.length)
    else if (sign === ']]') open.endLink()
    // A line that starts with a space more often shows code than links.
    else if (!isPreformatted) open.beginLink(index)
  }
  return open.finish()
}

/** Open links and templates, outermost first. */
class OpenMarkup {
  readonly #open: { readonly isLink: boolean; readonly start: number }[] = []
  readonly #found: TextProblem[] = []
  #templates = 0

  beginLink(start: number): void {
    this.#open.push({ isLink: true, start })
  }

  endLink(): void {
    if (this.#open.at(-1)?.isLink) this.#open.pop()
  }

  endParagraph(): void {
    while (this.#open.at(-1)?.isLink) this.#drop()
  }

  /** `{{{` starts a parameter. Its braces may close in any grouping, so they are counted in pairs. */
  beginTemplates(start: number, braces: number): void {
    for (let at = 0; at + 1 < braces; at += 2, this.#templates++) this.#open.push({ isLink: false, start: start + at })
  }

  endTemplates(braces: number): void {
    for (let left = braces >> 1; left > 0 && this.#templates > 0; left--, this.#templates--) {
      this.endParagraph()
      this.#open.pop()
    }
  }

  finish(): TextProblem[] {
    while (this.#open.length > 0) this.#drop()
    return this.#found.sort((a, b) => a.start - b.start)
  }

  #drop(): void {
    const { isLink, start } = this.#open.pop()!
    this.#found.push({ kind: isLink ? 'unclosed-link' : 'unclosed-template', start, end: start + 2 })
  }
}

/** Comments that silence checks in a page. */
export interface Ignored {
  readonly kinds: ReadonlySet<string>
  /** Comments without a reason, which have no effect. */
  readonly reasonless: readonly TextProblem[]
}

/** Parses `<!-- wiki-check-ignore kind, kind: reason -->`. */
export function readIgnored(text: string): Ignored {
  const kinds = new Set<string>()
  const reasonless: TextProblem[] = []
  for (const { 0: whole, 1: names = '', 2: reason = '', index } of text.matchAll(
    /<!-- {0,9}wiki-check-ignore ([a-z0-9, -]{1,200})(?::([^\n]{0,1000}?))?-->/g,
  )) {
    if (reason.trim() === '') reasonless.push({ kind: 'reasonless-ignore', start: index, end: index + whole.length })
    else for (const name of names.split(',')) kinds.add(name.trim())
  }
  return { kinds, reasonless }
}
