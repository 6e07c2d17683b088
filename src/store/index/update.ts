/** Updates an index to a commit: numbers new commits, then adds data from one pass over the new blobs. */

import { parseRedirect } from '../../core/redirect.ts'
import type { AwaitedFiles } from '../../files/awaited-files.ts'
import type { PathRules } from '../format/paths.ts'
import type { GitBackend } from '../git/backend.ts'
import { textContent } from '../git/lfs.ts'
import { startBytes } from '../git/objects.ts'
import { isTooLarge, isUnreadable } from '../git/read-past-damage.ts'
import { missingObject } from '../repository/missing-object.ts'
import { ownText } from './bytes.ts'
import { nameDeletion } from './deletions.ts'
import { numberHistory } from './numbering.ts'
import { type Era, fileKey, IndexRecordWriter, kindOfPath, pageName } from './record-writer.ts'
import type { RevisionIndex } from './revision-index.ts'
import { createPause } from './slices.ts'

export interface UpdateOptions {
  readonly rules: PathRules
  readonly eras: readonly Era[]
  /** Common git directory, where Git LFS keeps contents. */
  readonly directory: string
  /** Notes contents of Git LFS that this clone lacks. */
  readonly lacking: AwaitedFiles
  /** Called with the number of numbered chain commits and their total. */
  readonly progress?: ((done: number, total: number) => void) | undefined
  /** True if the index was made for another language of the content, whose redirects begin with other words. */
  readonly isOtherLanguage?: boolean
}

/** Adds the commits from the index's tip to `tip`; false, without a change, if the tip is not on the new chain. Errors: wiki-too-large. */
export async function updateIndex(
  index: RevisionIndex,
  backend: GitBackend,
  tip: string,
  options: UpdateOptions,
): Promise<boolean> {
  const { rules: paths, eras, directory, lacking, progress, isOtherLanguage = false } = options
  const kindOf = kindsUnder(paths.root)
  const history = await backend.history(index.state.tip, tip, path => kindOf(path) !== null)
  if (history === null) return false
  const firstRevision = index.revisionCount
  const records = new IndexRecordWriter(index, { rules: paths, eras })
  let done = 0
  const unread = createUnread(index.state.unread)
  const rules = { root: paths.root, kindOf, isRedirect: (blob: string) => isRedirect(backend, blob, unread) }
  await numberHistory(history.batches, records, rules, () => progress?.(++done, history.chainLength))
  const pointers = new Set(index.state.pointers)
  const source = { backend, directory, unread, lacking, pointers }
  await fillSizes(index, source, { firstRevision, files: [...records.changedFiles] })
  const changed = isOtherLanguage
    ? Array.from({ length: index.pages.count }, (_, ordinal) => ordinal)
    : records.changedPages
  await fillRedirects(index, source, [...changed], paths.titles.language)
  const blobs = unread.blobs()
  const known = { ...(blobs.length > 0 && { unread: blobs }), ...(pointers.size > 0 && { pointers: [...pointers] }) }
  index.state = { ...index.state, tip, ...known }
  return true
}

/** Maximum blobs in Git LFS whose content is awaited: usually all of it arrives at once. */
const maxPointers = 100

/** Maximum blobs that an index may lack. A clone without texts is refused. */
const maxUnread = 100

/** Collects the blobs that cannot be read. */
interface Unread {
  /** Errors: wiki-objects-missing if there are too many. */
  readonly add: (blob: string) => void
  readonly blobs: () => string[]
}

function createUnread(earlier: readonly string[] = []): Unread {
  const blobs = new Set(earlier)
  return {
    add(blob) {
      blobs.add(blob)
      if (blobs.size > maxUnread) throw missingObject(blob)
    },
    blobs: () => [...blobs],
  }
}

/** Objects for an update. */
interface Source {
  readonly backend: GitBackend
  readonly directory: string
  readonly unread: Unread
  readonly lacking: AwaitedFiles
  /** Blobs of pages whose content in Git LFS this clone lacks. */
  readonly pointers: Set<string>
}

/** Classifies paths for the numbering. Repeated queries for one path are cached. */
function kindsUnder(root: string): (path: string) => ReturnType<typeof kindOfPath> {
  let last: [path: string, kind: ReturnType<typeof kindOfPath>] = ['', null]
  return path => {
    if (last[0] !== path) last = [path, kindOfPath(path, root)]
    return last[1]
  }
}

/** Renames every page and file, in steps, after wiki.json changed the meaning of paths. */
export function* renameAll(index: RevisionIndex, rules: PathRules): Generator<void, void> {
  for (let ordinal = 0; ordinal < index.pages.count; ordinal++) {
    yield
    const row = index.pages.at(ordinal)
    const name = pageName(row.path, rules)
    if (name.key === row.key && name.namespace === row.namespace) continue
    index.pages.set(ordinal, { ...row, ...name })
    if (row.deleted) nameDeletion(index, ordinal)
  }
  for (let ordinal = 0; ordinal < index.files.count; ordinal++) {
    yield
    const row = index.files.at(ordinal)
    const key = fileKey(row.path, rules)
    if (key !== row.key) index.files.set(ordinal, { ...row, key })
  }
}

async function fillSizes(
  index: RevisionIndex,
  { backend, unread }: Source,
  { firstRevision, files }: { readonly firstRevision: number; readonly files: readonly number[] },
): Promise<void> {
  const sizeOr = (size: number | null, blob: string): number => {
    if (size === null) unread.add(blob)
    return size ?? 0
  }
  const { log, revisionCount } = index
  const pause = createPause()
  let revision = firstRevision
  const texts = blobsOf(firstRevision, revisionCount, ordinal => log.blobOf(ordinal))
  for await (const sizes of backend.textSizes(texts)) {
    for (const size of sizes) {
      log.setSize(revision, sizeOr(size, log.blobOf(revision)))
      revision++
      await pause()
    }
  }
  let at = 0
  const media = blobsOf(0, files.length, place => index.files.at(files[place] as number).blob)
  for await (const sizes of backend.sizes(media)) {
    for (const size of sizes) {
      const file = files[at++] as number
      const row = index.files.at(file)
      index.files.set(file, { ...row, size: sizeOr(size, row.blob) })
      await pause()
    }
  }
}

function* blobsOf(from: number, to: number, blobAt: (place: number) => string): Generator<string> {
  for (let place = from; place < to; place++) yield blobAt(place)
}

async function fillRedirects(
  index: RevisionIndex,
  { backend, directory, unread, lacking, pointers }: Source,
  changed: readonly number[],
  language: string,
): Promise<void> {
  const pause = createPause()
  const pages: { readonly ordinal: number; readonly latest: number }[] = []
  for (const ordinal of changed) {
    const row = index.pages.at(ordinal)
    if (row.model === 'wikitext') pages.push({ ordinal, latest: row.latest })
    // It may have been a page of wikitext under its former name.
    else if (row.redirect !== null) index.pages.set(ordinal, { ...row, redirect: null })
    await pause()
  }
  // Texts of one time are neighbours in a pack, each a delta of another.
  pages.sort((a, b) => a.latest - b.latest)
  const blobs = function* () {
    for (const { latest } of pages) yield index.log.blobOf(latest)
  }
  let at = 0
  for await (const starts of backend.starts(blobs())) {
    for (const start of starts) {
      const { ordinal } = pages[at++]!
      const row = index.pages.at(ordinal)
      if (start === null) unread.add(index.log.blobOf(row.latest))
      // Ids never depend on what this clone has of Git LFS; the target of a redirect may.
      const text = start === null ? null : await textContent(start, { directory, lacking }).catch(() => null)
      if (start !== null && text === null && pointers.size < maxPointers) pointers.add(index.log.blobOf(row.latest))
      const target = text === null ? null : parseRedirect(startOf(text), language)
      const redirect = target === null ? null : ownText(target)
      if (redirect !== row.redirect) index.pages.set(ordinal, { ...row, redirect })
      await pause()
    }
  }
}

/** A redirect's target is at the beginning; the rest of a long text need not be decoded. */
function startOf(content: Buffer): string {
  return content.toString('utf8', 0, startBytes)
}

/** Ids never depend on the settings of a wiki, so that only English words count for them. */
const numberingLanguage = 'en'

/** A text that cannot be read counts as a redirect: where a page was moved from, it most likely is one. */
async function isRedirect(backend: GitBackend, blob: string, unread: Unread): Promise<boolean> {
  try {
    return parseRedirect(startOf((await backend.read(blob)).content), numberingLanguage) !== null
  } catch (error) {
    if (isTooLarge(error)) return false
    if (!isUnreadable(error)) throw error
    unread.add(blob)
    return true
  }
}
