/**
 * Writes comparisons as Markdown for a pull request comment: a table of the pages, then comparisons with marked words,
 * until the maximum size of a comment is reached.
 *
 * Source: https://github.github.com/gfm/#html-blocks, https://github.github.com/gfm/#tables-extension-
 */

import { countsBySeverity } from '../../checks/formats/markdown.ts'
import type { Problem } from '../../checks/problem.ts'
import type { Comparison, DiffElement } from '../../core/comparison.ts'
import { lastArgument } from '../../core/shell-quote.ts'
import type { PageChange } from '../../operations/compare-commits.ts'
import type { FileChange } from '../../operations/comparing/media-changes.ts'
import { markRanges } from './comparison.ts'
import { visible, visibleLine } from './text.ts'

/** Maximum size of a GitHub comment, in UTF-16 units. */
export const commentLimit = 65_536

/** Maximum characters of the table of pages. */
const tableLimit = commentLimit / 2

/** Characters reserved for the first lines, and for the list of omitted parts. */
const [headLimit, closingLimit] = [2000, 2000]

/** Maximum lines of one comparison, and of a new page, which can be read in full in the page itself. */
const [blockLines, newPageLines] = [200, 40]

/** Minimum lines of a comparison, if it has as many. */
const minLines = 5

/** Writes one comparison as a section, for two revisions of a page. */
export function formatMarkdown(comparison: Comparison, heading: string): string {
  const top = `### ${literal(heading)}\n\n`
  return `${top}${block(comparison, { room: commentLimit - top.length, most: blockLines }) ?? 'Too long to show here.\n'}`
}

/** Collects the changes of a range, in order, keeping only as much as the comment can hold. */
export class ChangeComment {
  #rows = ''
  #rowsLeft = 0
  #hasFiles = false
  #blocks = ''
  readonly #unshown: string[] = []
  readonly #counts = new Map<PageChange['kind'], number>()
  readonly #problems = new Map<string, Problem[]>()
  /** Files with problems that are not among the changed ones. */
  readonly #elsewhere: Set<string>

  /** `problems` are those that the change adds, on any page. */
  constructor(problems: readonly Problem[]) {
    for (const problem of problems) {
      const found = this.#problems.get(problem.path)
      if (found === undefined) this.#problems.set(problem.path, [problem])
      else found.push(problem)
    }
    this.#elsewhere = new Set(this.#problems.keys())
  }

  add(page: PageChange, comparison: Comparison): void {
    this.#counts.set(page.kind, (this.#counts.get(page.kind) ?? 0) + 1)
    const row = tableRow(page, this.#problemsAt(page.path))
    if (this.#rows.length + row.length > tableLimit) this.#rowsLeft++
    else this.#rows += row
    // A deleted page is only listed.
    if (page.kind === 'deleted' || comparison.diff.length === 0) return
    const details = detailsOf(
      page,
      comparison,
      commentLimit - tableLimit - headLimit - closingLimit - this.#blocks.length,
    )
    if (details === null) this.#unshown.push(page.title)
    else this.#blocks += details
  }

  addFile({ kind, path, from, size }: FileChange): void {
    this.#hasFiles = true
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    const delta = (size.to ?? 0) - (size.from ?? 0)
    const cutName = (name: string): string =>
      literal(name.length > rowCharacters ? `…${whole(name.slice(-rowCharacters))}` : name)
    const name = from === undefined ? cutName(path) : `${cutName(from)} → ${cutName(path)}`
    const row = `| ${name} | ${kind} | | ${signed(delta)} | | ${this.#problemsAt(path)} |\n`
    if (this.#rows.length + row.length > tableLimit) this.#rowsLeft++
    else this.#rows += row
  }

  /** Returns the comment, at most `commentLimit` characters. `range` tells readers how to see the rest. */
  text(range: string): string {
    if (this.#counts.size === 0) return 'No page is changed.\n'
    const more = this.#rowsLeft === 0 ? '' : `\n… and ${this.#rowsLeft} more pages.\n`
    return `${this.#headline()}\n\n${tableHead}${this.#rows}${more}${this.#blocks}${this.#closing(range)}`
  }

  #problemsAt(path: string): string {
    this.#elsewhere.delete(path)
    return countsBySeverity(this.#problems.get(path) ?? [])
  }

  #headline(): string {
    const { total, byKind } = countsOf(this.#counts, this.#hasFiles)
    return `**${total}:** ${byKind}\n\n${this.#problemLine()}`
  }

  /** Pages that the change breaks without touching them are in no row. */
  #problemLine(): string {
    const all = [...this.#problems.values()].flat()
    if (all.length === 0) return 'No new problems.'
    const line = `**${all.length} new problem${all.length === 1 ? '' : 's'}:** ${countsBySeverity(all)}.`
    const paths = [...this.#elsewhere]
    if (paths.length === 0) return line
    const named = paths.slice(0, namedElsewhere).map(path => literal(whole(path.slice(-namedCharacters))))
    const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : ''
    return `${line} Unchanged, but with new problems: ${named.join(', ')}${more}.`
  }

  /** Lists the omitted parts, with the commands to see them. */
  #closing(range: string): string {
    if (this.#unshown.length === 0) return ''
    const all = `See all with <code>wiki compare --patch ${literalInTag(lastArgument(range.slice(0, 200)))}</code>`
    let names = ''
    let named = 0
    for (const title of this.#unshown) {
      const name = `${named === 0 ? '' : ', '}${literal(title)}`
      if (names.length + name.length > closingLimit - 1500) break
      names += name
      named++
    }
    const others = this.#unshown.length - named
    return `\nNot shown, for length: ${names}${others === 0 ? '' : ` and ${others} more`}. ${all}.\n`
  }
}

const kinds: readonly PageChange['kind'][] = ['changed', 'added', 'moved', 'deleted']

/** `3 pages and files`, and `2 changed, 1 added`. */
export function countsOf(
  counts: ReadonlyMap<PageChange['kind'], number>,
  hasFiles: boolean,
): { readonly total: string; readonly byKind: string } {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const byKind = kinds.flatMap(kind => (counts.has(kind) ? [`${counts.get(kind)} ${kind}`] : [])).join(', ')
  return { total: `${total} ${hasFiles ? 'pages and files' : total === 1 ? 'page' : 'pages'}`, byKind }
}

function signed(delta: number): string {
  return delta > 0 ? `+${delta}` : delta < 0 ? `−${-delta}` : '0'
}

const tableHead = '| Page | Change | Lines | Bytes | Sections | New problems |\n|---|---|---|--:|---|---|\n'

/** Maximum of files named beside the table, and of characters of each, entities not counted. */
const [namedElsewhere, namedCharacters] = [3, 40]

/** Maximum number of sections in a row, and maximum characters of titles and headings, entities not counted. */
const [rowSections, rowCharacters] = [5, 80]

function tableRow({ kind, title, from, lines, delta, sections }: PageChange, problems: string): string {
  const cut = (text: string): string => literal(text.length > rowCharacters ? `${text.slice(0, rowCharacters)}…` : text)
  const name = from === undefined ? cut(title) : `${cut(from.title)} → ${cut(title)}`
  const named = sections.slice(0, rowSections).map(section => cut(section || '(beginning)'))
  const where = `${named.join(', ')}${sections.length > rowSections ? ', …' : ''}`
  const moved = lines.moved > 0 ? ` ${lines.moved} moved` : ''
  const counts = `+${lines.added} −${lines.deleted} ~${lines.changed}${moved}`
  return `| ${name} | ${kind} | ${counts} | ${signed(delta)} | ${where} | ${problems} |\n`
}

function detailsOf(page: PageChange, comparison: Comparison, room: number): string | null {
  const [before, after] = [`\n<details><summary>${literal(page.title)}</summary>\n\n`, '\n</details>\n']
  const most = page.kind === 'added' ? newPageLines : blockLines
  const shown = block(comparison, { room: room - before.length - after.length, most })
  return shown === null ? null : `${before}${shown}${after}`
}

/** Writes a comparison as an HTML block that Markdown does not parse; null if not even its first lines fit. */
function block({ diff }: Comparison, { room, most }: { room: number; most: number }): string | null {
  const [before, after] = ['<pre>\n', '</pre>\n']
  const longest = '… 1000000 more lines\n'.length
  let left = room - before.length - after.length - longest
  let text = ''
  let count = 0
  for (const element of diff) {
    const line = `${diffLine(element)}\n`
    if (line.length > left || count === most) break
    left -= line.length
    text += line
    count++
  }
  if (count < Math.min(minLines, diff.length)) return null
  const rest = diff.length - count
  return `${before}${text}${rest === 0 ? '' : `… ${rest} more lines\n`}${after}`
}

const signs: Readonly<Record<DiffElement['type'], string>> = { 0: ' ', 1: '+', 2: '-', 3: '~', 4: '<', 5: '>' }

function diffLine({ type, text, highlightRanges = [] }: DiffElement): string {
  // The delimiters are inserted before the text is escaped, as characters that visible text never contains.
  const marked = markRanges(text, highlightRanges, {
    gone: words => `\x01${words}\x02`,
    added: words => `\x03${words}\x04`,
  })
  const escaped = escapeHtml(shortened(marked, type)).replace(/[\x01-\x04]/g, mark => tags[mark]!)
  const wrap = type === 1 ? 'ins' : type === 2 ? 'del' : null
  return `${signs[type]} ${wrap === null || escaped === '' ? escaped : `<${wrap}>${escaped}</${wrap}>`}`
}

/** Maximum displayed characters of a line: within changes, and around them. A paragraph is one line of wikitext. */
const [changedCharacters, besideCharacters] = [1000, 100]

/** Shortens the unchanged parts of a long line, except for the words next to a change. */
function shortened(marked: string, type: DiffElement['type']): string {
  if (type !== 0 && type !== 3) return cut(marked, 0, changedCharacters)
  const parts = marked.split(/(\x01[^\x01-\x04]*\x02|\x03[^\x01-\x04]*\x04)/)
  return parts
    .map((part, at) => {
      if (at % 2 === 1) return `${cut(part.slice(0, -1), 0, changedCharacters)}${part.at(-1)}`
      if (part.length <= 3 * besideCharacters) return part
      const before = cut(part, 0, at > 0 || parts.length === 1 ? besideCharacters : 0)
      return before + (at < parts.length - 1 ? whole(part.slice(-besideCharacters)) : '')
    })
    .join('')
}

function cut(text: string, from: number, to: number): string {
  return text.length <= to ? text : `${whole(text.slice(from, to))} … `
}

/** Removes the lone surrogate that truncation may leave. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}

const tags: Readonly<Record<string, string>> = { '\x01': '<del>', '\x02': '</del>', '\x03': '<ins>', '\x04': '</ins>' }

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Inside `<code>` user names and issue numbers do not become links, and Markdown displays entities as text. */
function literal(text: string): string {
  return `<code>${literalInTag(text)}</code>`
}

function literalInTag(text: string): string {
  return visible(visibleLine(text)).replace(/[^\p{L}\p{N} ,-]/gu, char => `&#${char.codePointAt(0)};`)
}
