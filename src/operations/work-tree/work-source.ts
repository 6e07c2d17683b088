/** Finds the base of a text that comes from a page's work-tree file: it equals the file's base. */

import { isWikiError } from '../../core/errors.ts'
import type { Title } from '../../core/title.ts'
import type { RevisionEntry } from '../../store/format/entries.ts'
import { hashBlob } from '../../store/git/objects.ts'
import type { Store } from '../../store/store.ts'
import { wordDistance } from '../comparing/word-bag.ts'
import { defaultModel } from '../editing/edit.ts'
import { fileOfSource } from '../resources/source.ts'
import { isBehind, workBase } from './work-base.ts'
import { checkedBase } from './work-merge.ts'
import { readWorkFile } from './work-text.ts'

/** Origin of a text. */
export interface TextOrigin {
  /** Revision that the text is based on; undefined if the work tree does not reveal it. */
  readonly base: RevisionEntry | undefined
  /** Blob of the work-tree file, if the text equals it. The file then gets the saved text. */
  readonly work: string | undefined
}

const unknown: TextOrigin = { base: undefined, work: undefined }

export interface TextQuery {
  readonly title: Title
  readonly source: string
  /** True if the caller knows the base of the text. */
  readonly hasBase: boolean
}

/**
 * Decides whether a text comes from the changed file of its page: it equals the file, or is closer to it than to the
 * page. Errors: wiki-behind, if it does and the page was created, moved or deleted since the file was edited.
 */
export async function originOfText(store: Store, { title, source, hasBase }: TextQuery): Promise<TextOrigin> {
  const { isCheckedOut, workTree } = store.repository
  if (!isCheckedOut || workTree === null) return unknown
  const page = store.findPage(title.key)
  const path = page?.path ?? store.newPath(title, defaultModel(title, store))
  const content = await readWorkFile(store, path, store.checkout.written()).catch((error: unknown) => {
    if (!isWikiError(error, 'wiki-bad-work-file')) throw error
  })
  if (content === undefined) return unknown
  const file = fileOfSource(content.toString('utf8'))
  const isFile = file === fileOfSource(source)
  const made = await workBase(store, { path, content }, (await store.checkout.traces([path]))(path))
  const latest = made.latest === null ? '' : (await store.bytes(made.latest)).toString('utf8')
  if (!isFile && wordDistance(source, file) > wordDistance(source, latest)) return unknown
  const work = isFile ? hashBlob(content) : undefined
  if (hasBase || !isBehind(made, content)) return { base: undefined, work }
  return { base: checkedBase(store, { path, title: title.text }, { ...made, file: content }), work }
}
