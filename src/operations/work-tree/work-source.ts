/** Texts that come from a page's file in the work tree: they were made from what the file was made from. */

import { isWikiError } from '../../core/errors.ts'
import type { Title } from '../../core/title.ts'
import type { RevisionEntry } from '../../store/format/entries.ts'
import { hashBlob } from '../../store/git/objects.ts'
import type { Store } from '../../store/store.ts'
import { defaultModel } from '../editing/edit.ts'
import { fileOfSource } from '../resources/source.ts'
import { wordDistance } from './word-bag.ts'
import { isBehind, workBase } from './work-base.ts'
import { checkedBase } from './work-merge.ts'
import { readWorkFile } from './work-text.ts'

/** Origin of a text. */
export interface TextOrigin {
  /** Revision that the text was made from; undefined where the work tree tells nothing of it. */
  readonly base: RevisionEntry | undefined
  /** Blob of the work tree's file, where the text is that file's; it is to get what is saved. */
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
 * Finds whether a text comes from the changed file of its page: it is that file's, or nearer to it than to the page. Errors:
 * wiki-behind, where it does and the page was created, moved or deleted since the file was made.
 */
export async function originOfText(store: Store, { title, source, hasBase }: TextQuery): Promise<TextOrigin> {
  const { isCheckedOut, workTree } = store.repository
  if (!isCheckedOut || workTree === null) return unknown
  const page = store.findPage(title.key)
  const path = page?.path ?? store.newPath(title, defaultModel(title, store))
  const content = await readWorkFile(store, path).catch((error: unknown) => {
    if (!isWikiError(error, 'wiki-bad-work-file')) throw error
  })
  if (content === undefined) return unknown
  const file = fileOfSource(content.toString('utf8'))
  const isFile = file === fileOfSource(source)
  const made = await workBase(store, { path, content }, (await store.workTraces([path]))(path))
  const latest = made.latest === null ? '' : (await store.bytes(made.latest)).toString('utf8')
  if (!isFile && wordDistance(source, file) > wordDistance(source, latest)) return unknown
  const work = isFile ? hashBlob(content) : undefined
  if (hasBase || !isBehind(made, content)) return { base: undefined, work }
  return { base: checkedBase(store, { path, title: title.text }, { ...made, file: content }), work }
}
