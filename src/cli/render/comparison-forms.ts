/** Forms of a comparison other than lines for a terminal: two columns and HTML. */

import { headOf } from '../../checks/formats/text.ts'
import type { Problem } from '../../checks/problem.ts'
import type { Comparison, DiffElement } from '../../core/comparison.ts'
import type { Paint } from '../terminal/colour.ts'
import { markRanges } from './comparison.ts'
import { textWidth, truncate, visible } from './text.ts'

/** A line of the comparison on each side; null if a side lacks it. */
interface SideLines {
  readonly from: string | null
  readonly to: string | null
}

type Highlight = (text: string, kind: 'gone' | 'added') => string

/** Extracts one side's text from a line that contains both. `highlight` is applied to text that only this side has. */
function sideText({ text, highlightRanges = [] }: DiffElement, side: 'from' | 'to', highlight: Highlight): string {
  return markRanges(text, highlightRanges, {
    gone: words => (side === 'from' ? highlight(words, 'gone') : ''),
    added: words => (side === 'to' ? highlight(words, 'added') : ''),
  })
}

function sideLines(element: DiffElement, highlight: Highlight): SideLines {
  const { type } = element
  if (type === 0) return { from: visible(element.text), to: visible(element.text) }
  const hasFrom = type !== 1 && type !== 5
  const hasTo = type !== 2 && type !== 4
  return {
    from: hasFrom ? sideText(element, 'from', highlight) : null,
    to: hasTo ? sideText(element, 'to', highlight) : null,
  }
}

/** Minimum columns of a terminal for two texts side by side. */
export const sideBySideWidth = 100

/** Writes both texts side by side, each line truncated to half of the columns. */
export function formatSideBySide({ diff }: Comparison, paint: Paint, columns: number): string {
  const half = Math.floor((columns - 3) / 2)
  const cell = (text: string | null): string => {
    const cut = truncate((text ?? '').replaceAll('\t', '    '), half)
    return cut + ' '.repeat(Math.max(0, half - textWidth(cut)))
  }
  const signs: Readonly<Record<DiffElement['type'], string>> = { 0: ' ', 1: '>', 2: '<', 3: '|', 4: '<', 5: '>' }
  return diff
    .map(element => {
      const { from, to } = sideLines(element, words => words)
      const [left, right] = [cell(from), cell(to).trimEnd()]
      const isChange = element.type !== 0
      return `${isChange ? paint.red(left) : left} ${signs[element.type]} ${isChange ? paint.green(right) : right}`.trimEnd()
    })
    .map(line => `${line}\n`)
    .join('')
}

const htmlNames: Readonly<Record<DiffElement['type'], string>> = {
  0: 'same',
  1: 'added',
  2: 'deleted',
  3: 'changed',
  4: 'moved-away',
  5: 'moved-here',
}

const style = `body{font:14px/1.5 system-ui,sans-serif;margin:2em;color:#202122;background:#fff}
table{border-collapse:collapse;width:100%;table-layout:fixed}
h1{font-size:1.6em}h2{font-size:1.2em;margin:1.6em 0 .4em}h2 small{font-weight:400;color:#54595d}
td{vertical-align:top;padding:.15em .6em;white-space:pre-wrap;overflow-wrap:anywhere;width:50%}
td:empty{background:#f8f9fa}
img{max-width:100%;height:auto}
.deleted td:first-child,.changed td:first-child,.moved-away td:first-child{border-left:4px solid #b32424;background:#fee7e6}
.added td:last-child,.changed td:last-child,.moved-here td:last-child{border-left:4px solid #14866d;background:#d5fdf4}
del{background:#ffb3b0;text-decoration:none}ins{background:#8ff0d6;text-decoration:none}
@media(prefers-color-scheme:dark){body{background:#101418;color:#eaecf0}h2 small{color:#a2a9b1}td:empty{background:#202122}
.deleted td:first-child,.changed td:first-child,.moved-away td:first-child{background:#3b1212}
.added td:last-child,.changed td:last-child,.moved-here td:last-child{background:#0b3329}
del{background:#7d2020}ins{background:#14614f}}`

/** A comparison under a heading. */
export interface HeadedComparison {
  readonly heading: string
  /** Beside the heading, such as the size of the change. */
  readonly note?: string
  readonly comparison: Comparison
}

/** Beginning of a page about many changes. */
export interface Summary {
  readonly heading: string
  /** One sentence each. */
  readonly sentences: readonly string[]
  /** Problems to list, most severe first. */
  readonly problems: readonly Problem[]
}

/** A media file that changed. */
export interface ShownFile {
  readonly heading: string
  /** Beside the heading. */
  readonly note: string
  /** In bytes; null for a side without the file. */
  readonly size: { readonly from: number | null; readonly to: number | null }
  /** Returns the images as `data` URLs; null for one that is missing or cannot be shown. */
  readonly pictures: () => Promise<Pictures>
}

interface Pictures {
  readonly from: string | null
  readonly to: string | null
}

/** Maximum bytes of image files in one page. */
const maxPictures = 37_500_000

/**
 * Writes an HTML page in parts: a table for each comparison, and each image. It loads no resources and contains no
 * scripts.
 */
export class HtmlPage {
  readonly #print: (html: string) => Promise<void>
  readonly #summary: Summary
  #isBegun = false
  #left = maxPictures

  constructor(print: (html: string) => Promise<void>, summary: Summary) {
    this.#print = print
    this.#summary = summary
  }

  async add(one: HeadedComparison): Promise<void> {
    await this.#begin()
    await this.#print(comparisonTable(one))
  }

  /** An image that does not fit is not read. */
  async addFile({ heading, note, size, pictures }: ShownFile): Promise<void> {
    await this.#begin()
    const bytes = (size.from ?? 0) + (size.to ?? 0)
    const shown = bytes > this.#left ? { from: null, to: null } : await pictures()
    if (shown.from !== null || shown.to !== null) this.#left -= bytes
    await this.#print(fileTable({ heading, note, size }, shown))
  }

  async end(): Promise<void> {
    await this.#begin()
    await this.#print(bottom)
  }

  async #begin(): Promise<void> {
    if (!this.#isBegun) await this.#print(topOf(this.#summary.heading) + summaryOf(this.#summary))
    this.#isBegun = true
  }
}

/** Writes the page of a single comparison. */
export function formatHtml(one: HeadedComparison): string {
  return topOf(one.heading) + comparisonTable(one) + bottom
}

function topOf(title: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
`
}

const bottom = '</body>\n</html>\n'

/** Maximum number of problems listed. */
const maxProblems = 100

function summaryOf({ heading, sentences, problems }: Summary): string {
  const paragraphs = sentences.map(sentence => `<p>${escapeHtml(sentence)}</p>\n`).join('')
  const items = problems.slice(0, maxProblems).map(problem => `<li>${escapeHtml(headOf(problem))}</li>\n`)
  const more = problems.length > maxProblems ? `<li>… and ${problems.length - maxProblems} more</li>\n` : ''
  const list = items.length === 0 ? '' : `<ul>\n${items.join('')}${more}</ul>\n`
  return `<h1>${escapeHtml(heading)}</h1>\n${paragraphs}${list}`
}

function comparisonTable({ heading, note, comparison }: HeadedComparison): string {
  return `${headingOf(heading, note)}<table>\n${comparison.diff.map(htmlRow).join('')}</table>\n`
}

function headingOf(heading: string, note: string | undefined): string {
  return `<h2>${escapeHtml(heading)}${note === undefined ? '' : ` <small>${escapeHtml(note)}</small>`}</h2>\n`
}

function fileTable({ heading, note, size }: Omit<ShownFile, 'pictures'>, { from, to }: Pictures): string {
  const cell = (picture: string | null, bytes: number | null, name: string): string => {
    if (bytes === null) return '<td></td>'
    return `<td>${picture === null ? 'Not shown here.' : `<img src="${picture}" alt="${name}">`}<br>${bytes} bytes</td>`
  }
  const cells = `${cell(from, size.from, 'Before')}${cell(to, size.to, 'After')}`
  return `${headingOf(heading, note)}<table>\n<tr class="file">${cells}</tr>\n</table>\n`
}

function htmlRow(element: DiffElement): string {
  // The delimiters are inserted before the text is escaped, as characters that `visible` removes from any text.
  const { from, to } = sideLines(element, (words, kind) => `${delimiters[kind][0]}${words}${delimiters[kind][1]}`)
  const cell = (text: string | null): string => `<td>${text === null ? '' : withTags(escapeHtml(text))}</td>`
  return `<tr class="${htmlNames[element.type]}">${cell(from)}${cell(to)}</tr>\n`
}

/** Control characters, which text prepared for a terminal does not contain. */
const delimiters = { gone: ['\x01', '\x02'], added: ['\x03', '\x04'] } as const

function withTags(text: string): string {
  const tags: Readonly<Record<string, string>> = {
    '\x01': '<del>',
    '\x02': '</del>',
    '\x03': '<ins>',
    '\x04': '</ins>',
  }
  return [...text].map(char => tags[char] ?? char).join('')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
