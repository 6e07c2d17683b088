/** The place of front matter in the text of a Markdown file. All of the product finds it here. */

/** Front matter between its fences. Offsets count UTF-16 units. */
export interface FrontMatterPlace {
  readonly format: 'yaml' | 'toml'
  /** Range of the content, without the line end before the closing fence. */
  readonly start: number
  readonly end: number
  /** Offset of the closing fence. */
  readonly fenceAt: number
  /** Offset of the text after it. */
  readonly textAt: number
}

/** Maximum length of front matter, UTF-16 units. A longer one is text. */
export const longestFrontMatter = 20_000

const opening = /^\ufeff?(---|\+\+\+)[ \t]*(?:\r\n?|\n)/
const closings = {
  yaml: /(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/g,
  toml: /(?<=[\r\n])\+\+\+[ \t]*(?:\r\n?|\n|$)/g,
} as const

/**
 * Finds the fences of front matter; null if there are none. Lines may end in any line end, and a byte order mark may precede them. Source:
 * https://jekyllrb.com/docs/front-matter/, https://gohugo.io/content-management/front-matter/, https://yaml.org/spec/1.2.2/#912-document-markers
 */
export function findFrontMatter(page: string): FrontMatterPlace | null {
  const [first, fence] = opening.exec(page) ?? []
  if (first === undefined) return null
  const format = fence === '---' ? 'yaml' : 'toml'
  const beginning = page.slice(0, first.length + longestFrontMatter + 10)
  const closing = closings[format]
  closing.lastIndex = first.length
  const [last = null] = closing.exec(beginning) ?? []
  if (last === null) return null
  const textAt = closing.lastIndex
  const fenceAt = textAt - last.length
  const end = Math.max(first.length, fenceAt - (page.slice(fenceAt - 2, fenceAt) === '\r\n' ? 2 : 1))
  return end - first.length > longestFrontMatter ? null : { format, start: first.length, end, fenceAt, textAt }
}

/** A text without its byte order mark: what a page without front matter shows. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
