/**
 * Texts of pages that a content filter stores in another form, for example encrypted. Readers see the blob, so a text derived
 * from what they saw would pass through the filter a second time.
 */

import { isUtf8 } from 'node:buffer'
import { WikiError } from '../../core/errors.ts'
import { withLineFeeds } from '../../core/line-ends.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import { readPointer } from '../../store/git/lfs.ts'
import { hashBlob } from '../../store/git/objects.ts'
import type { Store } from '../../store/store.ts'

const words = /\S+/g

type Filters = Awaited<ReturnType<Store['checkout']['conversion']>>

/** A blob at a path. */
interface Stored {
  readonly path: string
  readonly blob: string
}

/** Reports whether texts made from those that readers see may be saved. Call `end` when done. */
export interface RewriteCheck {
  /** False if the blob is not UTF-8, or a filter stores the text of the path in another form. */
  readonly isRewritable: (stored: Stored, text: string) => Promise<boolean>
  readonly end: () => void
}

/** Opens a check of the current pages of a wiki. A dry run runs no filter: each text that one may have made counts as one. */
export async function openRewriteCheck(store: Store, isWritten: boolean): Promise<RewriteCheck> {
  const filters = await store.checkout.written(isWritten).conversion()
  return {
    isRewritable: async (stored, text) => {
      const isBroken = text.includes('\ufffd') && !isUtf8(await store.bytes(stored.blob))
      return !isBroken && !(await isFiltered(store, filters, stored))
    },
    end: () => filters.end(),
  }
}

/** A pointer of Git LFS counts even without its filter here: readers see its content, and git would record that as it is. */
async function isFiltered(store: Store, filters: Filters, { path, blob }: Stored): Promise<boolean> {
  const read = () => store.blob(blob)
  if (readPointer(await read()) !== null) return true
  const plain = await filters.unfiltered(path, read)
  return plain !== null && (plain === 'unknown' || textOf(plain) !== textOf(await read()))
}

/** Throws `wiki-conversion-failed` if a filter stores the text of the path in another form; in a dry run also if it may. */
export async function checkUnfiltered(store: Store, stored: Stored, isWritten: boolean): Promise<void> {
  const filters = await store.checkout.written(isWritten).conversion()
  const isRefused = await isFiltered(store, filters, stored).finally(() => filters.end())
  if (isRefused) throw refusal(stored.path, 'it cannot be made of texts that a filter keeps in another form')
}

/** Throws `wiki-conversion-failed` for a text derived from what readers see of a page instead of the text that was saved. */
export async function checkMadeOfPlain(store: Store, page: PageEntry, edit: EditedBlob): Promise<void> {
  const filters = await store.checkout.written().conversion()
  const read = () => store.blob(edit.blob)
  if (readPointer(Buffer.from(edit.text)) !== null) throw madeFromFiltered(page)
  // Readers see the content of a pointer.
  if (readPointer(await read()) !== null) return
  const plain = await filters.unfiltered(page.path, read).finally(() => filters.end())
  if (plain === null) return
  const [shown, original] = [textOf(await read()), plain === 'unknown' ? null : textOf(plain)]
  if (original === shown) return
  if (isOfRevision(store, page, edit.text) || isNearer(edit.text, shown, original)) throw madeFromFiltered(page)
}

function madeFromFiltered({ path }: PageEntry): WikiError {
  return refusal(path, 'the text is made of what the filter made of an earlier one, and would be filtered twice')
}

/** A text to save, and the blob of the page's latest text. */
interface EditedBlob {
  readonly blob: string
  readonly text: string
}

function isOfRevision(store: Store, page: PageEntry, text: string): boolean {
  const blob = hashBlob(Buffer.from(text))
  for (const revision of store.revisionsOf(page)) if (revision.blob === blob) return true
  return false
}

/**
 * Returns true if a text has more words of the blob alone than of the plain text alone; more than half of all words if the plain
 * text is unknown.
 */
function isNearer(text: string, shown: string, plain: string | null): boolean {
  const [ofBlob, ofPlain] = [wordsOf(shown), wordsOf(plain ?? '')]
  let [blobAlone, plainAlone, all] = [0, 0, 0]
  for (const word of wordsOf(text)) {
    if (!/[\p{L}\p{N}]/u.test(word)) continue
    all++
    if (ofBlob.has(word) && !ofPlain.has(word)) blobAlone++
    if (ofPlain.has(word) && !ofBlob.has(word)) plainAlone++
  }
  return plain === null ? blobAlone * 2 > all : blobAlone > plainAlone
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(words))
}

function textOf(content: Uint8Array): string {
  return withLineFeeds(Buffer.from(content).toString('utf8'))
}

function refusal(path: string, reason: string): WikiError {
  return new WikiError('wiki-conversion-failed', {
    params: [path, reason],
    hint: `Edit the file in a work tree, then: wiki commit`,
  })
}
