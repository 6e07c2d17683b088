/** Updates an index to a commit: numbers new commits, then adds data from one pass over the new blobs. */

import { parseRedirect } from '../../core/redirect.ts'
import type { PathRules } from '../format/paths.ts'
import type { GitBackend } from '../git/backend.ts'
import { textContent } from '../git/lfs.ts'
import { missingObject } from '../repository/missing-object.ts'
import { ownText } from './bytes.ts'
import { nameDeletion } from './deletions.ts'
import { numberHistory } from './numbering.ts'
import { type Era, fileKey, IndexRecordWriter, kindOfPath, pageName } from './record-writer.ts'
import type { RevisionIndex } from './revision-index.ts'

export interface UpdateOptions {
  readonly rules: PathRules
  readonly eras: readonly Era[]
  /** Common git directory, where Git LFS keeps contents. */
  readonly directory: string
  /** Called with the number of numbered chain commits and their total. */
  readonly progress?: ((done: number, total: number) => void) | undefined
}

/** Adds the commits from the index's tip to `tip`; false, without a change, if the tip is not on the new chain. */
export async function updateIndex(
  index: RevisionIndex,
  backend: GitBackend,
  tip: string,
  options: UpdateOptions,
): Promise<boolean> {
  const { rules: paths, eras, directory, progress } = options
  const kindOf = kindsUnder(paths.root)
  const history = await backend.history(index.state.tip, tip, path => kindOf(path) !== null)
  if (history === null) return false
  const firstRevision = index.revisionCount
  const records = new IndexRecordWriter(index, { rules: paths, eras })
  let done = 0
  const rules = { root: paths.root, kindOf, isRedirect: (blob: string) => isRedirect(backend, blob) }
  await numberHistory(history.batches, records, rules, () => progress?.(++done, history.chainLength))
  await fillSizes(index, backend, firstRevision, [...records.changedFiles])
  await fillRedirects(index, { backend, directory }, [...records.changedPages])
  index.state = { ...index.state, tip }
  return true
}

/** Classifies paths for the numbering. Repeated queries for one path are cached. */
function kindsUnder(root: string): (path: string) => ReturnType<typeof kindOfPath> {
  let last: [path: string, kind: ReturnType<typeof kindOfPath>] = ['', null]
  return path => {
    if (last[0] !== path) last = [path, kindOfPath(path, root)]
    return last[1]
  }
}

/** Renames every page and file, after wiki.json changed the meaning of paths. */
export function renameAll(index: RevisionIndex, rules: PathRules): void {
  for (let ordinal = 0; ordinal < index.pages.count; ordinal++) {
    const row = index.pages.at(ordinal)
    const name = pageName(row.path, rules)
    if (name.key === row.key && name.namespace === row.namespace) continue
    index.pages.set(ordinal, { ...row, ...name })
    if (row.deleted) nameDeletion(index, ordinal)
  }
  for (let ordinal = 0; ordinal < index.files.count; ordinal++) {
    const row = index.files.at(ordinal)
    const key = fileKey(row.path, rules)
    if (key !== row.key) index.files.set(ordinal, { ...row, key })
  }
}

async function fillSizes(
  index: RevisionIndex,
  backend: GitBackend,
  firstRevision: number,
  files: readonly number[],
): Promise<void> {
  const { log, revisionCount } = index
  let revision = firstRevision
  const texts = blobsOf(firstRevision, revisionCount, ordinal => log.blobOf(ordinal))
  for await (const sizes of backend.textSizes(texts)) {
    for (const size of sizes) {
      log.setSize(revision, size ?? missing(log.blobOf(revision)))
      revision++
    }
  }
  let at = 0
  const media = blobsOf(0, files.length, place => index.files.at(files[place] as number).blob)
  for await (const sizes of backend.sizes(media)) {
    for (const size of sizes) {
      const file = files[at++] as number
      const row = index.files.at(file)
      index.files.set(file, { ...row, size: size ?? missing(row.blob) })
    }
  }
}

function* blobsOf(from: number, to: number, blobAt: (place: number) => string): Generator<string> {
  for (let place = from; place < to; place++) yield blobAt(place)
}

/** Refuses to index a missing text: the error would remain in the index after the text is back. */
function missing(blob: string): never {
  throw missingObject(blob)
}

async function fillRedirects(
  index: RevisionIndex,
  { backend, directory }: { readonly backend: GitBackend; readonly directory: string },
  changed: readonly number[],
): Promise<void> {
  const latest = (ordinal: number) => index.pages.at(ordinal).latest
  const pages = changed.filter(ordinal => index.pages.at(ordinal).model === 'wikitext')
  // Texts of one time are neighbours in a pack, each a delta of another.
  pages.sort((a, b) => latest(a) - latest(b))
  const blobs = function* () {
    for (const ordinal of pages) yield index.log.blobOf(latest(ordinal))
  }
  let at = 0
  for await (const content of backend.readBlobs(blobs())) {
    const ordinal = pages[at++] as number
    const row = index.pages.at(ordinal)
    // Ids never depend on what this clone has of Git LFS; the target of a redirect may.
    const text = await textContent(content ?? missing(index.log.blobOf(row.latest)), directory).catch(() => null)
    const target = text === null ? null : parseRedirect(startOf(text))
    const redirect = target === null ? null : ownText(target)
    if (redirect !== row.redirect) index.pages.set(ordinal, { ...row, redirect })
  }
}

/** A redirect's target is at the beginning; the rest of a long text need not be decoded. */
function startOf(content: Buffer): string {
  return content.toString('utf8', 0, 4096)
}

async function isRedirect(backend: GitBackend, blob: string): Promise<boolean> {
  return parseRedirect(startOf((await backend.read(blob)).content)) !== null
}
