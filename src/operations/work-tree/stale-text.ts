/**
 * Finds recent edits of others that a text lacks as if it had been made before them: an editor that was open while its file
 * followed the branch saves such a text. It cannot be distinguished from a text whose writer removed those edits on purpose.
 */

import { isUtf8 } from 'node:buffer'
import { WikiError } from '../../core/errors.ts'
import { pathArgument, titleArgument } from '../../core/shell-quote.ts'
import type { Title } from '../../core/title.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { lacksEdit, wordDistance } from '../comparing/word-bag.ts'

/** Time after which everybody who writes has seen an edit. */
const recentMilliseconds = 24 * 60 * 60 * 1000

/** Maximum edits that are examined; each is compared with the text. */
const editLimit = 16

/** Longest text, UTF-16 units, that is compared. */
const longestCompared = 200_000

/** A text to be recorded, and its writer. */
export interface WrittenText {
  readonly text: string
  /** Name of the writer. */
  readonly writer: string
}

/**
 * Returns the revision that a text seems to be made from, if it lacks as a whole what others have saved since, and what its
 * writer has saved after them; undefined if it has something of either. Of several the nearest to the text counts.
 */
export async function staleRevision(
  store: Store,
  page: PageEntry,
  { text, writer }: WrittenText,
): Promise<RevisionEntry | undefined> {
  if (text.length > longestCompared) return undefined
  const edits = await recentEdits(store, page)
  const texts = await Promise.all(edits.map(edit => textOf(store, edit)))
  const [newest] = texts
  if (newest == null) return undefined
  let nearest: { readonly revision: RevisionEntry; readonly distance: number } | undefined
  let [hasOwn, isOthers] = [false, false]
  for (const [at, edit] of edits.slice(0, -1).entries()) {
    const [after, before, revision] = [texts[at], texts[at + 1], edits[at + 1]]
    if (after == null || before == null || revision === undefined) continue
    const isOwn = edit.user.name === writer
    // A text with its writer's own edit was made from it, and so from all edits before.
    if (isOwn && !lacksEdit(text, before, after)) break
    hasOwn ||= isOwn
    isOthers ||= !isOwn && (!hasOwn || lacksEdit(text, before, after))
    if (!lacksEdit(text, before, newest)) continue
    const distance = wordDistance(text, before)
    if (nearest === undefined || distance < nearest.distance) nearest = { revision, distance }
  }
  return isOthers ? nearest?.revision : undefined
}

/** Edits that were saved recently, or came here recently by a pull or a push, newest first, and the revision below them. */
async function recentEdits(store: Store, page: PageEntry): Promise<RevisionEntry[]> {
  const since = Date.now() - recentMilliseconds
  const seen = await store.checkout.blobHereAt(page.path, since)
  const found: RevisionEntry[] = []
  let isSeen = seen === null
  for (const revision of store.revisionsOf(page)) {
    isSeen ||= revision.blob === seen
    const isLast = isSeen && Date.parse(revision.timestamp) < since
    if (found.length < editLimit || isLast) found.push(revision)
    if (isLast) break
  }
  return found
}

async function textOf(store: Store, { blob }: RevisionEntry): Promise<string | null> {
  const bytes = await store.bytes(blob)
  return bytes.length > longestCompared || !isUtf8(bytes) ? null : bytes.toString('utf8')
}

/** Throws if a text from a file, or from a program (`-`), takes back recent edits of others. Errors: wiki-behind. */
export async function checkNotStale(
  store: Store,
  title: Title,
  { file, ...written }: WrittenText & { readonly file: string },
): Promise<void> {
  const page = store.findPage(title.key)
  const error = page && (await staleTextError(store, page, { ...written, name: `"${page.title}"`, file }))
  if (error !== undefined) throw error
}

/** Returns the error for a text that takes back recent edits of others; undefined for any other. `file`: path of the text. */
export async function staleTextError(
  store: Store,
  page: PageEntry,
  { name, file, ...written }: WrittenText & { readonly name: string; readonly file: string },
): Promise<WikiError | undefined> {
  const made = await staleRevision(store, page, written)
  if (made === undefined) return undefined
  const edit = (base: number) => `wiki page edit ${titleArgument(page.title)} --base ${base} -f ${pathArgument(file)}`
  return new WikiError('wiki-behind', {
    params: [name, `it lacks what others saved after revision ${made.id}, as if it was made from that one`],
    hint: `To keep both: ${edit(made.id)}; to remove their edits: ${edit(page.latest)}`,
    data: { path: page.path, base: made.id, current: page.latest },
  })
}
