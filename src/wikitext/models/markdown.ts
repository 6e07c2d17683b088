/** Renders Markdown pages: GitHub's Markdown with notes, alerts, front matter, `[[links]]` and allowed HTML. */

import type { MarkdownIt } from 'markdown-it'
import { headingSlug } from '../../core/anchors.ts'
import { possibleTitle, type Title, type TitleRules } from '../../core/title.ts'
import type { InTime } from '../bounded-time.ts'
import { isHeading } from '../passes/headings.ts'
import { escapeId } from '../sanitize/ids.ts'
import { escapeTitle } from '../sanitize/urls.ts'
import { type ChildNode, type ElementNode, element, type ParentNode } from '../tree/node.ts'
import { parseHtml } from '../tree/parse-html.ts'
import { stepsOf, textOf } from '../tree/walk.ts'
import { addAutolinks } from './autolinks.ts'
import { addClassLines } from './class-lines.ts'
import { colouredCode } from './code.ts'
import { frontMatterTable, readFrontMatter } from './front-matter.ts'
import { cleanMarkdown } from './markdown-tree.ts'
import { addNoteMarkup } from './note-markup.ts'
import { addPairedMarks, highlight, strikethrough } from './paired-marks.ts'
import { addWikiLinks } from './wiki-link-rule.ts'

export interface MarkdownOptions {
  readonly rules: TitleRules
  /** The page itself: `[x](#part)` is a link within it. */
  readonly title: Title
  /** True for a note within a page: it has neither front matter nor categories there. */
  readonly isEmbedded?: boolean
  /** Runs code of unknown duration, as `ExtensionContext.inTime`. */
  readonly inTime: InTime
}

/** Maximum length of a text rendered as Markdown, UTF-16 units; a longer one is shown as source. */
const maxMarkdownLength = 2 * 1024 * 1024

/** Makes the nodes of a Markdown text; null if it is too long, or exceeds the remaining time. */
export async function markdownNodes(page: string, options: MarkdownOptions): Promise<ChildNode[] | null> {
  if (page.length > maxMarkdownLength) return null
  const [{ default: markdownIt }, { default: footnotes }] = await Promise.all([
    import('markdown-it'),
    import('markdown-it-footnote'),
  ])
  const matter = await readFrontMatter(page)
  const { text } = matter
  const { rows, tags } = options.isEmbedded ? { rows: null, tags: [] } : matter
  const parser = markdownIt({ html: true }).use(footnotes)
  addAutolinks(parser)
  addPairedMarks(parser, [strikethrough, highlight])
  numberFootnotes(parser)
  filterTags(parser)
  addWikiLinks(parser)
  addNoteMarkup(parser)
  addClassLines(parser)
  if (!options.isEmbedded) numberHeadings(parser)
  const html = options.inTime(() => parser.render(text))
  if (html === undefined) return null
  const body = parseHtml(html)
  if (rows !== null) prepend(body, frontMatterTable(rows))
  const starts = offsetsOfLines(page)
  const lines = offsetsOfLines(page.slice(0, page.length - text.length)).length - 1
  findSections(
    stepsOf(body).map(step => step.element),
    line => starts[line + lines],
  )
  cleanMarkdown(body, options.title)
  await colourCode(
    stepsOf(body).map(step => step.element),
    options.inTime,
  )
  addSlugs(stepsOf(body).map(step => step.element))
  const nodes = [...body.children, ...tags.flatMap(tag => tagNode(tag, options.rules))]
  return nodes.map(child => Object.assign(child, { parent: null }))
}

/** A tag of the front matter puts the page into a category. */
function tagNode(tag: string, rules: TitleRules): ElementNode[] {
  const title = possibleTitle(`Category:${tag.replace(/^#/, '')}`, rules)
  if (title === null) return []
  const node = element('link', [
    ['rel', 'mw:PageProp/Category'],
    ['href', `./${escapeTitle(title.key)}`],
  ])
  node.data.category = { key: title.key, sort: '' }
  return [node]
}

/** Each note has one number, and its places lead back by theirs. Source: https://docs.github.com/get-started/writing-on-github (Footnotes) */
function numberFootnotes(parser: MarkdownIt): void {
  const { rules } = parser.renderer
  rules.footnote_caption = (tokens, at) => String(placeOf(tokens[at]!).id + 1)
  const anchor = rules.footnote_anchor!
  rules.footnote_anchor = (tokens, at, ...rest) => {
    const { subId } = placeOf(tokens[at]!)
    return anchor(tokens, at, ...rest).replace('</a>', subId > 0 ? `<sup>${subId + 1}</sup></a>` : '</a>')
  }
}

/** Number of a note, and of its place among those of the note. */
function placeOf({ meta }: { readonly meta: unknown }): { readonly id: number; readonly subId: number } {
  return meta as ReturnType<typeof placeOf>
}

/** Tags that are shown instead of read. Source: https://github.github.com/gfm/#disallowed-raw-html-extension- */
const disallowed = /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s/>]|$))/gi

function filterTags(parser: MarkdownIt): void {
  for (const rule of ['html_block', 'html_inline'] as const)
    parser.renderer.rules[rule] = (tokens, at) => tokens[at]!.content.replace(disallowed, '&lt;')
}

/** Attribute with the line of a heading in the text. */
const lineAttribute = 'data-mw-line'

/** Marks headings with their lines, except those in quotes and lists: these begin no section. */
function numberHeadings(parser: MarkdownIt): void {
  parser.core.ruler.push('heading_lines', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'heading_open' && token.level === 0 && token.map !== null)
        token.attrSet(lineAttribute, String(token.map[0]))
  })
}

/** Numbers the sections. A line that HTML of the page claims before it, or claims again, begins none. */
function findSections(elements: readonly ElementNode[], startOf: (line: number) => number | undefined): void {
  let number = 0
  let last = -1
  for (const node of elements) {
    const line = Number(node.attributes.get(lineAttribute) ?? -1)
    const start = startOf(line)
    if (!isHeading(node) || line <= last || start === undefined) continue
    last = line
    node.attributes.delete(lineAttribute)
    node.data.section = { number: ++number, start }
  }
}

function prepend(body: ParentNode, node: ElementNode): void {
  node.parent = body
  body.children.unshift(node)
}

/** markdown-it counts lines of any line end. */
function offsetsOfLines(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ 0: end, index }) => index + end.length)]
}

/** Gives each heading the id that it has on GitHub, or the next one that is free. */
function addSlugs(elements: readonly ElementNode[]): void {
  const used = new Set(elements.flatMap(({ attributes }) => attributes.get('id') ?? []))
  const counts = new Map<string, number>()
  for (const node of elements) {
    if (!isHeading(node) || node.attributes.has('id')) continue
    const base = ownId(node) ?? headingSlug(textOf(node.children))
    let count = counts.get(base) ?? 0
    let id = count === 0 ? base : `${base}-${count}`
    while (used.has(id)) id = `${base}-${++count}`
    counts.set(base, count + 1)
    used.add(id)
    node.attributes.set('id', id)
  }
}

/** `## Title {#id}`, `{: #id .class}`: the id that Docusaurus, kramdown, MkDocs, Pandoc and mdBook read at the end of a heading. */
function ownId(node: ElementNode): string | null {
  const last = node.children.at(-1)
  const [marker, id = ''] =
    last?.kind === 'text'
      ? (/\{:?[ \t]{0,9}#([\p{L}\p{N}_.:-]{1,200})(?:[ \t][^{}\n]{0,200})?\}\s{0,9}$/u.exec(last.text) ?? [])
      : []
  if (marker === undefined || last?.kind !== 'text') return null
  last.text = last.text.slice(0, -marker.length).trimEnd()
  return escapeId(id)
}

/** Turns fenced code into the block of wikitext's highlighter. */
async function colourCode(elements: readonly ElementNode[], inTime: InTime): Promise<void> {
  for (const pre of elements) {
    const [code] = pre.children
    if (pre.name !== 'pre' || code?.kind !== 'element' || code.name !== 'code') continue
    const language = /(?:^|\s)language-([\w+#.-]+)/.exec(code.attributes.get('class') ?? '')?.[1]?.toLowerCase() ?? ''
    const classes = `mw-highlight${language === '' ? '' : ` mw-highlight-lang-${language}`} mw-content-ltr`
    const coloured = element('pre', [], await colouredCode(textOf(code.children), language, inTime))
    becomeBlock(pre, classes, coloured)
  }
}

function becomeBlock(node: ElementNode, classes: string, content: ElementNode): void {
  Object.assign(node, { name: 'div', children: [content] })
  content.parent = node
  node.attributes.clear()
  node.attributes.set('class', classes)
  node.attributes.set('dir', 'ltr')
}
