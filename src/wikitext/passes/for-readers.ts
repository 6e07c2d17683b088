/**
 * Adapts a page for display inside a site: links independent of the page's URL, headings below the level of the page
 * title, tables that scroll separately, and a link to each section's source. Data for editors and programs is removed.
 */

import { keepInside } from '../sanitize/inside-box.ts'
import { appendChild, detach, type ElementNode, element, replaceWith, textNode } from '../tree/node.ts'
import type { Step } from '../tree/walk.ts'
import { isHeading } from './headings.ts'

/** Options of a text for readers. They can be sent to a worker. */
export interface ReaderForm {
  /** Prefix of the addresses of pages: `/wiki/`. */
  readonly base: string
  /** Prefix of the server's other addresses, such as `/team`; "" at the root of a host. */
  readonly prefix: string
  /** Address of the form that edits a section, to which its number is appended; null if sections have no such links. */
  readonly sections: string | null
  readonly words: {
    /** Text of the link to a section's source, e.g. `edit`. */
    readonly edit: string
    /** Accessible name of that link, `$1` being the heading. */
    readonly editSection: string
    /** Name of a table without a caption, `$1` being its number. */
    readonly table: string
    /** Name of the front matter before a Markdown text, which is collapsed. */
    readonly properties: string
  }
}

/** Number of pictures that are loaded at once; others are loaded when they come near the screen. */
const earlyPictures = 2

/** Attributes for editors and programs only. */
const editorAttributes: readonly string[] = [
  ...['about', 'resource', 'property', 'content', 'datatype'],
  ...['data-mw', 'data-mw-i18n', 'data-mw-footnote-number'],
  ...['data-file-width', 'data-file-height', 'data-file-type'],
]

/** Attributes that are lists of words, from which those for editors are removed; styles use those of pictures. */
const mixedAttributes: readonly (readonly [name: string, editors: RegExp])[] = [
  ['rel', /^(?:mw|dc):/],
  ['typeof', /^(?!mw:File)/],
]

/** Attributes that may be addresses of the server's files. */
const fileAttributes: readonly string[] = ['src', 'srcset', 'href', 'poster']

/** A section that can be edited separately. */
export interface SourceSection {
  /** Number of its heading among all of the page. */
  readonly number: number
  /** 1 to 6. */
  readonly level: number
  /** Offset of its heading in the page's text, whose lines end in LF: UTF-16 units. */
  readonly start: number
}

/** Data of a page that was changed for readers. */
export interface ReaderPage {
  /** True if the page has a table of contents. */
  readonly hasContents: boolean
  /** In their order. */
  readonly sections: readonly SourceSection[]
}

interface Work {
  readonly reading: ReaderForm
  readonly sections: SourceSection[]
  /** Prefix of links within the page: `./Tides#`. */
  readonly self: string
  /** Styles that were read, with what is kept of them: the cells of a table have the same. */
  readonly styles: Map<string, string>
  pictures: number
  tables: number
  /** Links without a text. */
  links: number
}

/** Changes a page's tree for readers; `key` is that of the page. */
export function changeForReaders(steps: readonly Step[], key: string, reading: ReaderForm): ReaderPage {
  const work: Work = { reading, sections: [], self: `./${key}#`, styles: new Map(), pictures: 0, tables: 0, links: 0 }
  let hasContents = false
  for (const { element: node, embedded } of steps) {
    hasContents ||= node.attributes.get('property') === 'mw:PageProp/toc'
    if (embedded) continue
    delete node.data.mw
    delete node.data.variant
    changers[node.name]?.(node, work)
    changeAttributes(node, work)
  }
  return { hasContents, sections: work.sections }
}

const changers: Readonly<Record<string, (node: ElementNode, work: Work) => void>> = {
  meta: detach,
  link: detach,
  section: addSectionLink,
  ...Object.fromEntries(['h2', 'h3', 'h4', 'h5', 'h6'].map(name => [name, addMarkdownSection])),
  h1: (node, work) => {
    addMarkdownSection(node, work)
    node.name = 'h2'
    node.attributes.set('class', `${node.attributes.get('class') ?? ''} first-level`.trim())
  },
  table: makeScroll,
  img: changePicture,
  a: numberLink,
  summary: nameProperties,
}

function changeAttributes({ attributes }: ElementNode, { self, styles, reading: { base, prefix } }: Work): void {
  keepInside(attributes, styles)
  if (attributes.get('class') === 'new' && attributes.get('typeof')?.includes('mw:Transclusion') === true)
    attributes.set('class', 'new missing-template')
  for (const name of editorAttributes) attributes.delete(name)
  for (const [name, editors] of mixedAttributes) {
    const words = attributes.get(name)?.split(/\s+/)
    const shown = words?.filter(word => !editors.test(word)).join(' ')
    if (shown === '') attributes.delete(name)
    else if (shown !== undefined) attributes.set(name, shown)
  }
  if (prefix !== '')
    for (const name of fileAttributes) {
      const addresses = attributes.get(name)?.replace(/(?<=^|, )\/files\//g, () => `${prefix}/files/`)
      if (addresses !== undefined) attributes.set(name, addresses)
    }
  const href = attributes.get('href')
  if (href === undefined || !href.startsWith('./')) return
  attributes.set('href', href.startsWith(self) ? href.slice(self.length - 1) : base + href.slice(2))
}

/** Adds the link to a section's source after its heading. Sections of templates have no number on this page. */
function addSectionLink(section: ElementNode, work: Work): void {
  const number = Number(section.attributes.get('data-mw-section-id'))
  section.attributes.delete('data-mw-section-id')
  const heading = section.children.find(child => child.kind === 'element')
  if (!(number > 0) || heading === undefined || !isHeading(heading)) return
  const start = heading.data.range?.start ?? -1
  if (start >= 0) addSection(heading, number, start, work)
}

/** Markdown has no elements around its sections. */
function addMarkdownSection(heading: ElementNode, work: Work): void {
  const { section } = heading.data
  if (section !== undefined) addSection(heading, section.number, section.start, work)
}

function addSection(heading: ElementNode, number: number, start: number, { reading, sections }: Work): void {
  sections.push({ number, level: Number(heading.name[1]), start })
  if (reading.sections === null) return
  const name = reading.words.editSection.replace('$1', () => textIn(heading))
  const attributes = { class: 'edit-section', href: reading.sections + number, 'aria-label': name }
  const link = element('a', Object.entries(attributes), [textNode(reading.words.edit)])
  const row = element('div', [['class', 'heading']])
  replaceWith(heading, [row])
  appendChild(row, heading)
  appendChild(row, link)
}

/** Wraps a table in a scrolling box. A floating table stays as it is, because a box would take the full width. */
function makeScroll(table: ElementNode, work: Work): void {
  const { attributes } = table
  if (isBesideText(attributes) || isInside(table, 'table') || attributes.get('role') === 'presentation') return
  const caption = table.children.find(child => child.kind === 'element' && child.name === 'caption')
  const number = ++work.tables
  const named = caption === undefined ? '' : `${textIn(caption as ElementNode)} `
  const label = named + work.reading.words.table.replace('$1', String(number))
  const box = element('div', [
    ['class', 'scroll'],
    ['role', 'region'],
    ['tabindex', '0'],
    ['aria-label', label],
  ])
  replaceWith(table, [box])
  appendChild(box, table)
}

function isBesideText(attributes: ElementNode['attributes']): boolean {
  const style = attributes.get('style') ?? ''
  const classes = attributes.get('class') ?? ''
  return (
    /float\s*:\s*(?:left|right)/i.test(style) ||
    /\b(?:infobox|float(?:left|right)|tright|tleft)\b/.test(classes) ||
    /^(?:left|right)$/i.test(attributes.get('align') ?? '')
  )
}

function isInside(node: ElementNode, name: string): boolean {
  for (let at = node.parent; at !== null && at.kind === 'element'; at = at.parent) if (at.name === name) return true
  return false
}

function nameProperties(summary: ElementNode, { reading }: Work): void {
  const { parent } = summary
  if (parent?.kind !== 'element' || parent.attributes.get('class') !== 'front-matter') return
  for (const child of [...summary.children]) detach(child)
  appendChild(summary, textNode(reading.words.properties))
}

/** A link without a text shows its number: MediaWiki's style sheet does this, which is not there in feeds, in exports and for readers without styles. */
function numberLink(link: ElementNode, work: Work): void {
  const isNumbered = link.attributes.get('class')?.split(' ').includes('autonumber') === true
  if (isNumbered && link.children.length === 0) appendChild(link, textNode(`[${++work.links}]`))
}

/** A picture without alternative text is named after its file, because a link around it would have no name. */
function changePicture({ attributes }: ElementNode, work: Work): void {
  const name = (attributes.get('resource') ?? '').replace(/^\.\/[^:]*:/, '').replaceAll('_', ' ')
  if (!attributes.has('alt')) attributes.set('alt', decoded(name))
  if (++work.pictures > earlyPictures) attributes.set('loading', 'lazy')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Maximum characters of a name. */
const longestName = 200

/** The text inside an element, cut short, without recursion. */
function textIn(node: ElementNode): string {
  let text = ''
  const pending = node.children.toReversed()
  for (let next = pending.pop(); next !== undefined && text.length < longestName; next = pending.pop()) {
    if (next.kind === 'text') text += next.text
    else if (next.kind === 'element') for (const child of next.children.toReversed()) pending.push(child)
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, longestName)
}
