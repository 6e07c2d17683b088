/** The stages from wikitext to a tree, in their order. */

import type { Title } from '../core/title.ts'
import { resolveLists } from './constructs/lists.ts'
import { resolveParagraphs } from './constructs/paragraphs.ts'
import { resolvePre } from './constructs/pre.ts'
import { resolveQuotes } from './constructs/quotes.ts'
import { createExpander } from './expand/expander.ts'
import { prefetch } from './expand/prefetch.ts'
import type { Expander } from './expansion/expansion.ts'
import type { Frame, FramedTag } from './expansion/frame.ts'
import type { FunctionDefinition } from './expansion/function.ts'
import type { Effort } from './expansion/limits.ts'
import type { PageRevision } from './expansion/page-context.ts'
import { createSourceCache, type SourceCache } from './expansion/source-cache.ts'
import type { Extension, ExtensionContext, ParseOptions } from './extensions/extension.ts'
import { callOf, renderTag } from './extensions/render.ts'
import { readTitle } from './links/target.ts'
import { badFilesPage, type FileLookups, findFile, readBadFiles } from './media/file-lookup.ts'
import { wrapAnnotations } from './passes/annotations.ts'
import { wrapLooseText, wrapMovedText } from './passes/loose-text.ts'
import { computeRanges } from './passes/ranges.ts'
import { dropResumed } from './passes/resumed.ts'
import { moveMarkers } from './passes/template-markers.ts'
import { moveTrailingLinks } from './passes/trailing-links.ts'
import { moveTrailingNewlines } from './passes/trailing-newlines.ts'
import { wrapTransclusions } from './passes/transclusions.ts'
import { trimSpaces } from './passes/trim.ts'
import { unwrapNodes } from './passes/wrappers.ts'
import type { ExtensionTag } from './preprocess/nodes.ts'
import type { Site } from './site.ts'
import { annotationNames, annotationPattern, annotationTagPattern } from './tokenize/annotation-tags.ts'
import { galleryItem } from './tokenize/files.ts'
import { scanTo } from './tokenize/page.ts'
import { scanRedirect } from './tokenize/redirects.ts'
import { type PageRun, type Scan, scanText } from './tokenize/scan.ts'
import type { Token } from './tokenize/token.ts'
import { type BuiltTree, buildTree } from './tree/build.ts'
import { type ChildNode, type FragmentNode, fragment, type Problem, textNode } from './tree/node.ts'
import { withoutPlaces } from './tree/walk.ts'
import type { WikiSource } from './wiki-source.ts'

export interface ConvertOptions {
  readonly site: Site
  readonly title: Title
  readonly wiki: WikiSource
  readonly extensions: readonly Extension[]
  readonly functions?: readonly FunctionDefinition[]
  /** Names of tags that mark ranges of the text. */
  readonly annotations?: readonly string[]
  /** IANA name of the time zone of the LOCAL... magic words. */
  readonly timeZone?: string
  /** If true, parser functions appear in the form of HTML 3.0. */
  readonly describesFunctions?: boolean
  readonly now: Date
  readonly server: string
  readonly thumbnailWidth: number
  /** True to collect the page's problems instead of the page. */
  readonly lints: boolean
  /** Limits on each pass over the page; null for those of a page. */
  readonly effort?: Effort | null
  readonly page: (Omit<PageRevision, 'user'> & { readonly user?: string }) | null
}

/** A page as a tree, before the final stages. */
export interface ConvertedPage {
  readonly body: FragmentNode
  readonly expander: Expander
  readonly sourceCache: SourceCache
  readonly context: ExtensionContext
  /** Problems at places without a node. */
  readonly problems: readonly Problem[]
}

/** Maximum number of passes over a page whose templates name further templates. */
const maxRounds = 60

/** Converts a page, in as many passes as it takes until all templates and files that it names are known. */
export async function convertPage(text: string, options: ConvertOptions): Promise<ConvertedPage> {
  const sourceCache = createSourceCache(options.wiki)
  await prefetch(text, options.site, sourceCache)
  for (let round = 0; ; round++) {
    const page = readPage(text, options, sourceCache)
    if (!sourceCache.isIncomplete() || round === maxRounds) return page
    await sourceCache.fetch()
  }
}

/** Reads a text of its own, of whose wiki nothing is known, such as a piece that is about to be written. */
export function readAlone(text: string, options: ConvertOptions): FragmentNode {
  return readPage(text, options, createSourceCache(options.wiki)).body
}

function readPage(text: string, options: ConvertOptions, sourceCache: SourceCache): ConvertedPage {
  const reading = createReading(text, options, sourceCache)
  const { run } = reading
  const frame = run.expander.pageFrame(text)
  const scan = scanOf(reading, { text, frame, base: 0 })
  scanRedirect(scan)
  const body = fragment(readBlocks(reading, scan))
  return {
    body,
    expander: run.expander,
    sourceCache,
    context: contextOf(reading, frame, { isPage: true }),
    problems: run.problems,
  }
}

/** One pass over the page. */
interface Reading {
  readonly text: string
  readonly options: ConvertOptions
  readonly sourceCache: SourceCache
  readonly run: PageRun
  readonly extensions: ReadonlyMap<string, Extension>
  readonly states: Map<string, unknown>
  /** True for a text that is not part of the page, so its offsets are not the page's. */
  readonly isDetached: boolean
}

function createReading(text: string, options: ConvertOptions, sourceCache: SourceCache): Reading {
  const annotations = options.annotations ?? annotationNames
  const extensions = new Map(options.extensions.flatMap(one => one.tags.map(tag => [tag, one] as const)))
  const { site, title } = options
  const expander = expanderFor(options, sourceCache, { annotations, tags: new Set(extensions.keys()) })
  const questions = fileLookups(options.site, sourceCache)
  const badFiles = (): ReturnType<typeof readBadFiles> | null => badFilesOf(questions)
  let count = 0
  let annotationCount = 0
  const run: PageRun = {
    site,
    expander,
    title,
    about: () => `#mwt${++count}`,
    annotationId: () => `mwa${annotationCount++}`,
    scanTo,
    describesFunctions: options.describesFunctions ?? false,
    inlineNodes: tokens => readInline(reading, tokens),
    renderTag: (tag, scan) => readTag(reading, tag, scan),
    findFile: file => {
      expander.spendSteps(fileSteps)
      return findFile(file, questions)
    },
    isBadFile: file => badFiles()?.get(file.name)?.has(title.key) === false,
    annotations: annotationPattern(annotations),
    thumbnailWidth: options.thumbnailWidth,
    problems: [],
  }
  const reading: Reading = { text, options, sourceCache, run, extensions, states: new Map(), isDetached: false }
  return reading
}

function expanderFor(
  options: ConvertOptions,
  sourceCache: SourceCache,
  { annotations, tags }: { readonly annotations: readonly string[]; readonly tags: ReadonlySet<string> },
): Expander {
  const { site, title, now, server, page } = options
  return createExpander({
    title,
    config: site.config,
    sourceCache,
    tags,
    now,
    server,
    page: page === null ? null : { ...page, user: page.user ?? '' },
    functions: options.functions ?? [],
    timeZone: options.timeZone ?? 'UTC',
    annotationTags: annotationTagPattern(annotations),
    effort: options.effort ?? null,
  })
}

/** The same pass, for a text that an extension produced, such as the lines of a poem. */
function detachedReading(reading: Reading, text: string): Reading {
  const run: PageRun = {
    ...reading.run,
    problems: [],
    inlineNodes: tokens => readInline(detached, tokens),
    renderTag: (tag, scan) => readTag(detached, tag, scan),
  }
  const detached: Reading = { ...reading, text, run, isDetached: true }
  return detached
}

function readTag(reading: Reading, tag: ExtensionTag, scan: Scan): ChildNode[] {
  reading.run.expander.spendSteps(tagSteps)
  const framed = scan.framedTags.get(tag.start)
  const found = callOf(tag, scan)
  const call = reading.isDetached ? { ...found, range: null, bodyOffset: null } : found
  const made = framed?.made && { body: call.body, tags: framed.made.bodyTags }
  const context = contextOf(reading, framed?.frame ?? scan.frame, { made, isPage: scan.base !== -1 })
  return renderTag(call, reading.extensions.get(tag.name)!, { context, about: reading.run.about })
}

function fileLookups(site: Site, sourceCache: SourceCache): FileLookups {
  return {
    file: sourceCache.file,
    pageText: page => {
      const found = sourceCache.page(page)
      return found === undefined ? undefined : (found?.text ?? null)
    },
    language: site.language,
    readTitle: text => readTitle(text, site),
  }
}

function badFilesOf({ pageText, readTitle: read }: FileLookups): ReturnType<typeof readBadFiles> | null {
  const page = read(`MediaWiki:${badFilesPage}`)
  const text = page === null ? null : pageText(page)
  return text === null || text === undefined ? null : readBadFiles(text, read)
}

interface ScanStart {
  readonly text: string
  readonly frame: Frame
  readonly base: number
  /** Extension tags in the text, if it is expanded already. */
  readonly tags?: readonly FramedTag[] | undefined
}

function scanOf({ run }: Reading, { text, frame, base, tags }: ScanStart): Scan {
  const { expander } = run
  expander.spendSteps(scanSteps)
  const preprocessed = tags === undefined ? expander.preprocess(text) : expander.preprocessExpanded(text)
  return scanText(run, { text, frame: expander.withText(frame, text), preprocessed, ...(tags && { tags }) }, { base })
}

/** Steps beside the tokens, in proportion to time: for a text to be scanned, a separate tree, an extension tag, a file. */
const scanSteps = 10
const treeSteps = 3
const tagSteps = 25
const fileSteps = 8

/** Text with paragraphs, as a page has it. */
function readBlocks(reading: Reading, scan: Scan): ChildNode[] {
  scanTo(scan, scan.end)
  const lined = resolveLists(resolveQuotes(resolvePre(scan.out)))
  const tokens = resolveParagraphs(lined)
  reading.run.expander.spendSteps(treeSteps + tokens.length)
  const tree = buildTree(tokens, { marksStrays: reading.options.lints })
  if (tree.hasResumed) dropResumed(tree.root)
  wrapMovedText(tree.root)
  wrapLooseText(tree.root)
  return finishTree(reading, tree, scan.base, scan.text.length)
}

/** The whole text without paragraphs. */
function readLine(reading: Reading, scan: Scan): ChildNode[] {
  scanTo(scan, scan.text.length)
  return readInline(reading, scan.out)
}

/** Text without paragraphs, as inside a paragraph. */
function readInline(reading: Reading, tokens: readonly Token[]): ChildNode[] {
  if (tokens.length === 0) return []
  reading.run.expander.spendSteps(treeSteps)
  if (tokens.every(token => token.kind === 'text'))
    return [textNode(tokens.map(token => (token.kind === 'text' ? token.text : '')).join(''))]
  const settled = resolveLists(resolveQuotes(tokens))
  reading.run.expander.spendSteps(settled.length)
  const tree = buildTree(settled, { marksStrays: reading.options.lints })
  if (tree.hasResumed) dropResumed(tree.root)
  wrapMovedText(tree.root)
  const start = tokens[0]!.start
  return finishTree(reading, tree, start, start === -1 ? 0 : tokens.at(-1)!.end - start)
}

function finishTree({ text, run }: Reading, tree: BuiltTree, base: number, length: number): ChildNode[] {
  const { root, hasMarkers, hasWrappers, hasAnnotations } = tree
  if (base !== -1) {
    if (hasMarkers) moveMarkers(root)
    moveTrailingNewlines(root)
    moveTrailingLinks(root)
    computeRanges(root, text, base, base + length)
    if (hasMarkers) wrapTransclusions(root, text)
  }
  if (hasAnnotations) wrapAnnotations(root, run.annotationId)
  if (hasWrappers) unwrapNodes(root)
  trimSpaces(root)
  const children = root.children.splice(0)
  for (const child of children) child.parent = null
  return children
}

/** Position of the extension tag that is being rendered. */
interface TagPlace {
  /** Body of a tag made by a function, and the tags in it. */
  readonly made?: { readonly body: string | null; readonly tags: readonly FramedTag[] } | undefined
  /** False in a template's text. */
  readonly isPage: boolean
}

function contextOf(reading: Reading, frame: Frame, { made, isPage }: TagPlace): ExtensionContext {
  const { run, options, states } = reading
  const { site, title } = options
  const scan = (own: Reading, text: string, base: number, given = frame): Scan =>
    scanOf(own, { text, frame: given, base, tags: made && (text === made.body ? made.tags : []) })
  const parse = (
    text: string,
    { offset = null, withoutArguments, isMidLine = false }: ParseOptions,
    read: typeof readBlocks,
  ): ChildNode[] => {
    const given = withoutArguments ? run.expander.pageFrame(text) : frame
    const begin = (own: Reading, base: number): Scan => {
      const begun = scan(own, text, base, given)
      begun.lineStart &&= !isMidLine
      return begun
    }
    if (!isPage || offset !== null) return read(reading, begin(reading, offset ?? -1))
    const detached = detachedReading(reading, text)
    return withoutPlaces(read(detached, begin(detached, 0)))
  }
  return {
    parseBlocks: (text, parseOptions = {}) => parse(text, parseOptions, readBlocks),
    parseInline: (text, parseOptions = {}) => parse(text, parseOptions, readLine),
    parseMedia: (target, parts, { size, offset }) => galleryItem(scan(reading, parts, offset ?? -1), target, size),
    state: (name, make) => {
      if (!states.has(name)) states.set(name, make())
      return states.get(name) as ReturnType<typeof make>
    },
    inTime: run.expander.inTime,
    about: run.about,
    message: key => {
      const page = readTitle(`MediaWiki:${key}`, site)
      return page === null ? null : (reading.sourceCache.page(page)?.text ?? null)
    },
    pageHref: `./${title.key}`,
    language: site.language,
    title: title.text,
  }
}
