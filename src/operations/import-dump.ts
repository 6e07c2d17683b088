/** Imports a MediaWiki XML export: each revision becomes a commit, in order of time. */

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { defaultConfig, parseConfig, setConfigValue } from '../core/config.ts'
import { isWikiError } from '../core/errors.ts'
import { readDump } from '../dump/read-dump.ts'
import type { Author } from '../store/format/entries.ts'
import { pathRules } from '../store/format/paths.ts'
import type { Import } from '../store/import/import.ts'
import type { Store } from '../store/store.ts'
import { settingsToChange } from './editing/settings-text.ts'
import { listMediaFolder, type MediaFile, mediaTitle, readMedia } from './importing/import-files.ts'
import { type ImportProblem, Reading, type ReadingSummary } from './importing/import-reading.ts'
import type { Wiki } from './wiki.ts'

export interface ImportDumpRequest {
  /** Path of the dump, or its bytes: plain, or compressed with gzip or bzip2. */
  readonly dump: string | AsyncIterable<Uint8Array>
  /** Name of the dump in messages; the file's name if omitted. */
  readonly name?: string | undefined
  /** Maximum bytes that a compressed dump may expand to; the larger of 32 MiB and 250 times its size if omitted. */
  readonly maxUnpacked?: number | undefined
  /** Folder of media files to import with it. */
  readonly files?: string | undefined
  /** Adds revisions to existing pages; without it they are refused. */
  readonly merge?: boolean | undefined
  /** Adds the dump's namespaces and settings to a wiki that has pages; an empty wiki always takes them. */
  readonly settings?: boolean | undefined
  /** Counts and checks; writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Author of the commit of the settings and of the reflog entry. */
  readonly author?: Author | undefined
  /** Called with the progress of reading (bytes of the dump) and writing (revisions); `total` is null if unknown. */
  readonly progress?: ((step: 'reading' | 'writing', done: number, total: number | null) => void) | undefined
}

export interface ImportedDump {
  readonly pages: number
  /** Revisions that were imported, or would be. */
  readonly revisions: number
  readonly files: number
  /** Revisions of the dump that the wiki already has. */
  readonly known: number
  /** Original ids of revisions whose text, user or comment is hidden or lost. */
  readonly hidden: readonly number[]
  /** Pages and files left out, the first thousand: their titles are invalid here. */
  readonly skipped: readonly ImportProblem[]
  readonly skippedPages: number
  readonly skippedRevisions: number
  /** Pages whose titles are spelt differently here. */
  readonly renamed: readonly ImportProblem[]
  /** Number of texts in additional slots of revisions, which are not imported. */
  readonly otherSlots: number
  /** True if wiki.json was written. */
  readonly settings: boolean
  /** The branch's new commit; null if nothing was written. */
  readonly commit: string | null
  readonly leftAlone: readonly string[]
}

const nobody: Author = { name: 'wiki import', address: '' }
/**
 * Number of pages above which a wiki is sharded into 256 folders, because git rewrites a folder whenever a file in it
 * changes.
 */
const flatPages = 1000

/**
 * Imports a dump. It is read completely before anything is written, and the branch moves once, at the end. A killed
 * import resumes when it is run again. Errors: wiki-settings-kept, wiki-bad-dump, wiki-import-namespaces, wiki-import-exists,
 * wiki-import-overtaken, wiki-bad-config, wiki-locked, wiki-repository-busy, wiki-title-collision,
 * wiki-conversion-failed.
 */
export async function importDump({ store }: Wiki, request: ImportDumpRequest): Promise<ImportedDump> {
  await store.refresh()
  const media = request.files === undefined ? [] : await listMediaFolder(request.files)
  if (request.dryRun) return resultOf(await readAll(store, null, request, media), request)
  const session = await store.openImport()
  try {
    return await importInto(store, session, request, media)
  } finally {
    session.close()
  }
}

/** Summary of the reading, stored so that an interrupted import can resume. */
type DumpSummary = ReadingSummary & { readonly files: number }

async function importInto(
  store: Store,
  session: Import,
  request: ImportDumpRequest,
  media: readonly MediaFile[],
): Promise<ImportedDump> {
  try {
    const identity = identityOf(request, media)
    const resumed = session.resume(identity) as DumpSummary | null
    const summary = resumed ?? (await readAll(store, session, request, media))
    if (resumed === null) session.endReading(identity, summary)
    return await commitAll(store, session, summary, request)
  } catch (error) {
    // A busy repository is temporary: the import can be resumed later.
    if (!isWikiError(error, 'wiki-repository-busy') && !isWikiError(error, 'wiki-locked')) session.discard()
    throw error
  }
}

async function commitAll(
  store: Store,
  session: Import,
  summary: DumpSummary,
  request: ImportDumpRequest,
): Promise<ImportedDump> {
  const settings =
    summary.pages > flatPages && isUntouched(store) ? sharded(summary.settings ?? store.configText) : summary.settings
  if (settings !== null) await settingsToChange(store)
  const rules = pathRules(settings === null ? store.config : parseConfig(settings))
  const total = summary.revisions + summary.files
  const { commit, files, leftAlone } = await session.commit({
    rules,
    settings,
    author: request.author ?? nobody,
    pageAt: key => store.findPage(key),
    fileAt: key => store.findFile(key)?.path,
    progress: done => request.progress?.('writing', done, total),
  })
  session.discard()
  await store.refresh()
  return { ...resultOf(summary, request), files, settings: settings !== null && commit !== null, commit, leftAlone }
}

function sharded(json: string): string {
  const config = json.trim() === '' ? defaultConfig() : parseConfig(json)
  return config.layout === 'sharded' ? json : setConfigValue(json, 'layout', 'sharded')
}

async function readAll(
  store: Store,
  session: Import | null,
  request: ImportDumpRequest,
  media: readonly MediaFile[],
): Promise<DumpSummary> {
  const { dump, name, merge = false, settings = false, progress, maxUnpacked } = request
  const isFresh = isUntouched(store)
  const reading = new Reading({ store, session, merge, settings: isFresh ? 'take' : settings ? 'add' : 'leave' })
  const total = typeof dump === 'string' ? statSync(dump).size : null
  const source = {
    file: dump,
    name,
    maxBytes: maxUnpacked,
    progress: (bytes: number) => progress?.('reading', bytes, total),
  }
  for await (const items of readDump(source)) for (const item of items) await reading.take(item)
  reading.checkExisting()
  const files = await readFiles(reading, session, media)
  return { ...reading.summary, files }
}

/** Returns true if a wiki contains at most the commit of `wiki init`. */
function isUntouched(store: Store): boolean {
  if (store.revisionCount > 1) return false
  const [page] = store.pages()
  return page === undefined || store.revision(page.latest)?.comment === 'Initialize the wiki'
}

async function readFiles(reading: Reading, session: Import | null, media: readonly MediaFile[]): Promise<number> {
  const { summary } = reading
  const seen = new Set<string>()
  for (const file of media) {
    const found = mediaTitle(file.name, reading.rules)
    const content =
      'reason' in found ? found.reason : seen.has(found.key) ? 'another file has its title' : await readMedia(file)
    if ('reason' in found || typeof content === 'string') {
      summary.skipped.push({ title: file.name, reason: String(content) })
      continue
    }
    seen.add(found.key)
    const { time, author, comment } = reading.uploads.get(found.key) ?? {
      time: summary.lastTime,
      author: null,
      comment: '',
    }
    // After the page's own revision from the same second.
    const stored = await session?.addText(reading.filePath(found.key), content)
    if (session === null || stored === undefined) continue
    session.addRecord([time, Number.MAX_SAFE_INTEGER], {
      kind: 'file',
      key: found.key,
      blob: stored.text.hash,
      convertedFor: stored.convertedFor,
      time,
      author: author?.author ?? nobody,
      comment,
    })
  }
  return seen.size
}

/** Identifies an import. Only an import with the same identity resumes; bytes from a pipe never match. */
function identityOf(request: ImportDumpRequest, media: readonly MediaFile[]): string {
  const { dump, merge, settings } = request
  const parts =
    typeof dump === 'string' ? [dump, ...media.map(({ path }) => path)].map(fileIdentity) : [String(Math.random())]
  return JSON.stringify([merge ?? false, settings ?? false, ...parts])
}

function fileIdentity(path: string): string {
  const { size, mtimeMs } = statSync(path)
  return `${resolve(path)} ${size} ${mtimeMs}`
}

function resultOf(summary: DumpSummary, { dryRun = false }: ImportDumpRequest): ImportedDump {
  const { pages, revisions, files, known, hidden, skipped, skippedPages, skippedRevisions, renamed, otherSlots } =
    summary
  const counts = {
    pages,
    revisions,
    files,
    known,
    hidden,
    skipped,
    skippedPages,
    skippedRevisions,
    renamed,
    otherSlots,
  }
  return { ...counts, settings: dryRun && summary.settings !== null, commit: null, leftAlone: [] }
}
