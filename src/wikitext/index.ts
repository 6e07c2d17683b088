/** The engine: converts wikitext to HTML and collects metadata of the page. It has no git and no input or output. */

import type { ContentModel } from '../core/content-models.ts'
import { offsetsInText, unsayable, withLineFeeds, withPlainEnds } from '../core/line-ends.ts'
import { parseRedirect } from '../core/redirect.ts'
import { parseTitle, type Title } from '../core/title.ts'
import { convertPage } from './convert.ts'
import { writeDocument } from './document.ts'
import { type PreSaveOptions, preSaveTransform } from './expand/pre-save.ts'
import type { FunctionDefinition } from './expansion/function.ts'
import type { Effort } from './expansion/limits.ts'
import type { Extension } from './extensions/extension.ts'
import { standardExtensions } from './extensions/standard.ts'
import { type FinishedPage, finishPage } from './finish.ts'
import { embedNotes } from './links/embeds.ts'
import { resolveWritten } from './links/path-links.ts'
import { type Lint, lintTree } from './lint/lint.ts'
import { modelNodes } from './models/models.ts'
import { changeForReaders, type ReaderForm, type SourceSection } from './passes/for-readers.ts'
import type { TocEntry } from './passes/headings.ts'
import { enoughHeadings } from './passes/toc.ts'
import type { PageReferences } from './references.ts'
import { escapeTitle } from './sanitize/urls.ts'
import { serialise } from './serialise/html.ts'
import { type SiteSettings, siteOf } from './site.ts'
import { type FragmentNode, fragment, type NodeData } from './tree/node.ts'
import { stepsOf } from './tree/walk.ts'
import type { WikiSource } from './wiki-source.ts'

export { type PreSaveOptions, preSaveTransform } from './expand/pre-save.ts'
export type { FunctionCall, FunctionDefinition } from './expansion/function.ts'
export { type Effort, EffortExceeded } from './expansion/limits.ts'
export { callData, type Extension, type ExtensionCall, type ExtensionContext } from './extensions/extension.ts'
export { standardExtensions } from './extensions/standard.ts'
export { type DistinctLink, type DistinctLinks, distinctLinks } from './link-ranges/distinct-links.ts'
export { findMarkdownLinks } from './link-ranges/in-markdown.ts'
export { findWikitextLinks } from './link-ranges/in-wikitext.ts'
export type { FoundLinks, LinkForm, LinkRange } from './link-ranges/link-range.ts'
export { type ReadTarget, readTarget, writtenTarget } from './link-ranges/read-target.ts'
export type { Lint } from './lint/lint.ts'
export { type MemoryWiki, memoryWiki } from './memory-wiki.ts'
export { readFrontMatter } from './models/front-matter.ts'
export type { ReaderForm } from './passes/for-readers.ts'
export type { TocEntry } from './passes/headings.ts'
export type { PageReferences } from './references.ts'
export { decodeEntities } from './sanitize/entities.ts'
export { escapeId, escapeLegacyId } from './sanitize/ids.ts'
export { type Site, siteOf } from './site.ts'
export type { ChildNode, CommentNode, ElementNode, FragmentNode, NodeData, SourceRange, TextNode } from './tree/node.ts'
export { element, fragment, textNode } from './tree/node.ts'
export type { FileMetadata, SourcePage, WikiSource } from './wiki-source.ts'

export interface RenderOptions {
  readonly title: string
  readonly wiki: WikiSource
  /** `edit` has `data-parsoid`, from which the conversion back finds the source of every node. */
  readonly flavor?: 'view' | 'edit'
  /** Only the content of the body. */
  readonly bodyOnly?: boolean
  readonly page?: {
    readonly id: number
    readonly revision: number
    readonly timestamp: string
    /** Name of the user who saved the revision. */
    readonly user?: string
  } | null
  /** The time for the page's magic words. */
  readonly now?: Date
  /** `http://host:port`. */
  readonly server?: string
  readonly settings?: RenderSettings
  /** Limits on expansion. Beyond them it throws `EffortExceeded`. */
  readonly effort?: Effort | null
  /** Form of the page inside a site's page; absent for a document of its own. */
  readonly reading?: ReaderForm | undefined
}

/** Settings that few callers change. */
export interface RenderSettings extends SiteSettings {
  /** False: headings are not put into sections. */
  readonly sections?: boolean
  /** False: elements get no ids for editors. */
  readonly elementIds?: boolean
  /** False: errors of extensions have only their message keys, in `data-mw-i18n`. */
  readonly messages?: boolean
  /** Pixels of a thumbnail without an explicit size. */
  readonly thumbnailWidth?: number
  /** Addresses of style sheets for the document. */
  readonly stylesheets?: readonly string[]
  /** Extension tags that replace the standard ones. */
  readonly extensions?: readonly Extension[]
  /** Names of tags that mark ranges of the text for other programs; those of the Translate extension by default. */
  readonly annotations?: readonly string[]
  /** IANA name of the time zone of the LOCAL... magic words and `#timel`; UTC by default. */
  readonly timeZone?: string
  /** Parser functions that extend or replace the standard ones. */
  readonly functions?: readonly FunctionDefinition[]
  /** If true, parser functions appear in the form of HTML 3.0: `parserfunction` instead of `template`. */
  readonly describesFunctions?: boolean
}

export interface Rendered {
  readonly html: string
  readonly references: PageReferences
  readonly toc: readonly TocEntry[]
  /** Argument of DISPLAYTITLE; null if the page has none. */
  readonly displayTitle: string | null
  /** Target of the redirect as written; null if the page is not a redirect. */
  readonly redirect: string | null
  /** Language code of the content. */
  readonly language: string
  /** True if the time was read, so that the HTML may be another one later. */
  readonly showsTime: boolean
  /** Sections that can be edited separately; present if the page was rendered for readers. */
  readonly sections?: readonly SourceSection[]
}

/**
 * Renders wikitext, which may hold characters that no page can: they stay, as in MediaWiki's parser. Throws
 * `rest-invalid-title`.
 */
export async function wikitextToHtml(text: string, options: RenderOptions): Promise<Rendered> {
  return renderWikitext({ text, read: withPlainEnds(text) }, options)
}

/** Renders the text of a file as it is read. */
async function renderWikitext(
  { text, read }: { readonly text: string; readonly read: string },
  options: RenderOptions,
): Promise<Rendered> {
  const finished = forReading(await readPage(read, options), options)
  return {
    ...renderedOf(finished, options),
    html: writePage(finished, text, options),
    redirect: parseRedirect(text, options.wiki.config.language),
  }
}

/** Models whose HTML is one element without a document around it. Source: MediaWiki 1.43. */
const bareModels: ReadonlySet<ContentModel> = new Set(['css', 'javascript', 'text'])

/** Options of a save: the user, the page and the time. */
export type SaveOptions = Omit<PreSaveOptions, 'tags'>

/** Returns the text to store: substitutions expanded, signatures written, links labelled. */
export async function saveWikitext(text: string, options: SaveOptions): Promise<string> {
  const tags = new Set(standardExtensions().flatMap(extension => extension.tags))
  return preSaveTransform(text, { ...options, tags })
}

/** Renders the text of any content model. Throws `rest-invalid-title`. */
export async function contentToHtml(text: string, model: ContentModel, options: RenderOptions): Promise<Rendered> {
  if (model === 'wikitext') return renderWikitext({ text, read: withLineFeeds(text) }, options)
  const isBare = bareModels.has(model)
  const settings = { ...options.settings, sections: false, ...(isBare && { elementIds: false }) }
  const finished = forReading(await readPage('', { ...options, settings }, { model, content: withoutControls(text) }), {
    ...options,
    settings,
  })
  const html = writePage(finished, text, { ...options, settings, ...(isBare && { bodyOnly: true, flavor: 'view' }) })
  return { ...renderedOf(finished, options), html, redirect: null }
}

/** Code and Markdown keep their line ends, which their parsers know. */
function withoutControls(text: string): string {
  return text.replace(unsayable, '\ufffd')
}

/** Adapts the page for readers if that is requested. A page that wants no table of contents then has none. */
function forReading(page: ReadPage, { reading, settings }: RenderOptions): ReadablePage {
  if (reading === undefined) return page
  // Markdown has no magic words for it.
  const isLongEnough = settings?.sections === false && page.toc.length >= enoughHeadings
  const { hasContents, sections } = changeForReaders(stepsOf(page.body), escapeTitle(page.title.key), reading)
  return { ...page, sections, ...(!hasContents && !isLongEnough && { toc: [] }) }
}

type ReadablePage = ReadPage & Pick<Rendered, 'sections'>

function renderedOf(
  { expander, references, toc, showsTime, sections }: ReadablePage,
  { wiki }: RenderOptions,
): Omit<Rendered, 'html' | 'redirect'> {
  const { displayTitle } = expander.properties
  return { references, toc, displayTitle, language: wiki.config.language, showsTime, ...(sections && { sections }) }
}

/** Lists the problems of a page's wikitext. Throws `rest-invalid-title`. Source: MediaWiki's lint errors. */
export async function lintWikitext(text: string, options: RenderOptions): Promise<Lint[]> {
  const settings = { ...options.settings, sections: false }
  const { body, problems } = await readPage(withLineFeeds(text), { ...options, settings }, { lints: true })
  const lints = lintTree(body, problems)
  const offsets = offsetsInText(text)
  return offsets === null ? lints : lints.map(lint => ({ ...lint, dsr: rangeInText(lint.dsr, offsets) }))
}

/** A page as a tree, before serialisation. */
export interface ParsedPage {
  /** The page's content: elements, texts and comments, each with its range in the source. See tree/node.ts. */
  readonly body: FragmentNode
  readonly references: PageReferences
  readonly toc: readonly TocEntry[]
}

/** Parses a page's wikitext to a tree. Throws `rest-invalid-title`. */
export async function parseWikitext(text: string, options: RenderOptions): Promise<ParsedPage> {
  const { body, references, toc } = await readPage(withLineFeeds(text), options)
  const offsets = offsetsInText(text)
  if (offsets !== null) for (const { data } of stepsOf(body).map(step => step.element)) moveRange(data, offsets)
  return { body, references, toc }
}

type Widths = readonly [start: number, end: number, openWidth: number | null, closeWidth: number | null]

/** Converts a range in a text with LF line ends to a range in its original. */
function rangeInText([start, end, openWidth, closeWidth]: Widths, offsets: (offset: number) => number): Widths {
  const [from, to] = [offsets(start), offsets(end)]
  const open = openWidth === null ? null : offsets(start + openWidth) - from
  return [from, to, open, closeWidth === null ? null : to - offsets(end - closeWidth)]
}

function moveRange(data: NodeData, offsets: (offset: number) => number): void {
  if (data.range == null || data.range.start < 0) return
  const { start, end, openWidth, closeWidth } = data.range
  const [from, to, open, close] = rangeInText([start, end, openWidth, closeWidth], offsets)
  data.range = { start: from, end: to, openWidth: open, closeWidth: close }
}

/** Alternatives to the HTML of wikitext: lint problems, or the content of another model. */
type Reading = {
  readonly lints?: boolean
  readonly content?: string
  readonly model?: Exclude<ContentModel, 'wikitext'>
}

/** A page, and whether it read the time. */
type ReadPage = FinishedPage & Pick<Rendered, 'showsTime'>

/** A time that tells whether it was read: its words have names in many languages, and templates make names. */
class WatchedTime extends Date {
  wasRead = false

  override getTime(): number {
    this.wasRead = true
    return super.getTime()
  }
}

async function readPage(text: string, options: RenderOptions, reading: Reading = {}): Promise<ReadPage> {
  const now = new WatchedTime(options.now ?? Date.now())
  const page = await readPageAt(now, text, options, reading)
  return { ...page, showsTime: now.wasRead }
}

async function readPageAt(now: Date, text: string, options: RenderOptions, reading: Reading): Promise<FinishedPage> {
  const { lints = false, content = '', model } = reading
  const { wiki, server = '', page = null, settings = {}, effort = null } = options
  const site = siteOf(wiki.config, settings)
  const title = parseTitle(options.title, site.rules)
  const {
    thumbnailWidth = 250,
    sections = true,
    messages = true,
    functions = [],
    describesFunctions = false,
    timeZone = 'UTC',
    annotations,
  } = settings
  const extensions = settings.extensions ?? standardExtensions()
  const asked = {
    ...{ timeZone, functions, describesFunctions, extensions, thumbnailWidth, lints },
    ...(annotations && { annotations }),
  }
  const converted = await convertPage(text, { site, title, wiki, now, server, page, effort, ...asked })
  if (model === undefined) return finishPage(converted, { text, title, site, extensions, sections, messages })
  const { rules } = site
  const { inTime } = converted.context
  const body = fragment(await modelNodes(content, model, { rules, title, inTime }))
  const render = (text: string, note: Title) =>
    modelNodes(text, model, { rules, title: note, inTime, isEmbedded: true })
  if (model === 'markdown') await embedNotes(body, title, { sourceCache: converted.sourceCache, rules, render })
  await resolveWritten(body, { site, sourceCache: converted.sourceCache, thumbnailWidth })
  return finishPage({ ...converted, body }, { text: content, title, site, extensions, sections, messages })
}

function writePage(finished: FinishedPage, text: string, options: RenderOptions): string {
  const { flavor = 'view', bodyOnly = false, settings = {} } = options
  const { body, title } = finished
  const nextId = settings.elementIds === false ? undefined : elementIds()
  const toBytes = flavor === 'edit' ? byteOffsets(text) : undefined
  const source = withPlainEnds(text)
  const html = serialise(body.children, {
    flavor,
    ...(nextId && { nextId }),
    ...(toBytes && { toBytes, source }),
  })
  if (bodyOnly) return html
  const { wiki, page = null, server = '' } = options
  const { language, mainPage } = wiki.config
  return writeDocument(html, {
    title,
    source: text,
    language,
    page,
    isMainPage: title.text === mainPage,
    server,
    stylesheets: settings.stylesheets ?? [],
  })
}

/** Ids of elements: `mwAQ`, `mwAg` ... A number in base 64; mwAA is the body's. */
function elementIds(): () => string {
  let count = 0
  return () => {
    count++
    const low = count & 255
    const first = `mw${digits[low >> 2]}`
    if (count < 256) return first + digits[(low & 3) << 4]
    const middle = (count >> 8) & 255
    const second = first + digits[((low & 3) << 4) | (middle >> 4)]
    if (count < 65_536) return second + digits[(middle & 15) << 2]
    const high = (count >> 16) & 255
    return second + digits[((middle & 15) << 2) | (high >> 6)] + digits[high & 63]
  }
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Returns a function from UTF-16 offsets in the text, its line ends normalised to LF, to offsets in its UTF-8 bytes. */
function byteOffsets(text: string): (offset: number) => number {
  const offsets = new Uint32Array(text.length + 1)
  let bytes = 0
  let count = 0
  for (let at = 0; at < text.length; at++) {
    offsets[count++] = bytes
    const unit = text.charCodeAt(at)
    if (unit === 13 && text.charCodeAt(at + 1) === 10) {
      bytes++
      at++
    }
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else bytes += unit >= 0xd800 && unit <= 0xdfff ? 2 : 3
  }
  offsets[count] = bytes
  return offset => (offset <= count ? offsets[offset]! : bytes)
}
