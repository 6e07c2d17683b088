/** Brings an index to a commit: numbers what is new, then fills in what one pass over the new blobs tells. */

import { parseRedirect } from '../../core/redirect.ts'
import type { GitBackend } from '../git/backend.ts'
import { missingObject } from '../git/missing-object.ts'
import { numberHistory } from '../numbering.ts'
import type { PathRules } from '../paths.ts'
import { type Era, fileKey, IndexLedger, kindOfPath, pageName } from './ledger.ts'
import type { RevisionIndex } from './revision-index.ts'

export interface UpdateOptions {
  readonly rules: PathRules
  readonly eras: readonly Era[]
  /** Told how many commits of the chain are numbered, of how many. */
  readonly progress?: ((done: number, total: number) => void) | undefined
}

/** Adds the commits from the index's tip to `tip`; false, and nothing changed, where the tip is not on the new chain. */
export async function updateIndex(
  index: RevisionIndex,
  backend: GitBackend,
  tip: string,
  options: UpdateOptions,
): Promise<boolean> {
  const { rules: paths, eras, progress } = options
  const kindOf = (path: string) => kindOfPath(path, paths.root)
  const history = await backend.history(index.state.tip, tip, path => kindOf(path) !== null)
  if (history === null) return false
  const firstRevision = index.revisionCount
  const ledger = new IndexLedger(index, { rules: paths, eras })
  let done = 0
  const rules = { root: paths.root, kindOf, isRedirect: (blob: string) => isRedirect(backend, blob) }
  await numberHistory(history.batches, ledger, rules, () => progress?.(++done, history.chainLength))
  await fillSizes(index, backend, firstRevision, [...ledger.changedFiles])
  await fillRedirects(index, backend, [...ledger.changedPages])
  index.state = { ...index.state, tip }
  return true
}

/** Names every page and file anew, after wiki.json changed what paths mean. */
export function renameAll(index: RevisionIndex, rules: PathRules): void {
  for (let ordinal = 0; ordinal < index.pages.count; ordinal++) {
    const row = index.pages.at(ordinal)
    const name = pageName(row.path, rules)
    if (name.key !== row.key || name.namespace !== row.namespace) index.pages.set(ordinal, { ...row, ...name })
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
  const revisions = Array.from({ length: index.revisionCount - firstRevision }, (_, at) => firstRevision + at)
  const blobs = [
    ...revisions.map(ordinal => index.revision(ordinal).blob),
    ...files.map(ordinal => index.files.at(ordinal).blob),
  ]
  const sizes = blobs.length === 0 ? [] : await backend.sizes(blobs)
  const sizeAt = (at: number): number => sizes[at] ?? missing(blobs[at] as string)
  revisions.forEach((ordinal, at) => {
    index.log.setSize(ordinal, sizeAt(at))
  })
  files.forEach((ordinal, at) => {
    index.files.set(ordinal, { ...index.files.at(ordinal), size: sizeAt(revisions.length + at) })
  })
}

/** What the index says of a text that is not there would be wrong for good, also when the text is back. */
function missing(blob: string): never {
  throw missingObject(blob)
}

async function fillRedirects(index: RevisionIndex, backend: GitBackend, changed: readonly number[]): Promise<void> {
  const pages = changed.filter(ordinal => index.pages.at(ordinal).model === 'wikitext')
  const blobs = pages.map(ordinal => index.revision(index.pages.at(ordinal).latest).blob)
  let at = 0
  for await (const content of backend.readBlobs(blobs)) {
    const ordinal = pages[at] as number
    const row = index.pages.at(ordinal)
    const redirect = parseRedirect(startOf(content ?? missing(blobs[at] as string)))
    at++
    if (redirect !== row.redirect) index.pages.set(ordinal, { ...row, redirect })
  }
}

/** A redirect's target stands at the beginning; the rest of a long text need not be decoded. */
function startOf(content: Buffer): string {
  return content.toString('utf8', 0, 4096)
}

async function isRedirect(backend: GitBackend, blob: string): Promise<boolean> {
  return parseRedirect(startOf((await backend.read(blob)).content)) !== null
}
