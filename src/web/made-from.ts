/**
 * The revision that a form was made from: its id and the blob of its text. An id alone may name another revision when the form comes
 * back, after a server was started again on another branch.
 */

import { baseTexts, revisionOfText } from '../operations/editing/base-texts.ts'
import type { Wiki } from '../operations/wiki.ts'
import type { EditState } from './parts/edit-state.ts'

/** Returns the id and the blob of a revision, for the form; "" if there is none. */
export function madeFrom({ store }: Wiki, id: number): string {
  const revision = store.revision(id)
  return revision === undefined ? '' : `${id} ${revision.blob}`
}

type FormBase = Pick<EditState, 'key' | 'made' | 'base'>

/** Returns the commit of the revision that a text is based on, if its form tells; undefined if only the id is known. */
export function commitOfBase({ store }: Wiki, { key, made, base }: FormBase): string | undefined {
  const { id, blob } = partsOf(made)
  const revision = store.revision(base)
  if (id !== base || revision === undefined) return undefined
  return revision.blob === blob ? revision.commit : revisionOfText(store, key, blob)?.commit
}

/** Returns true if the text's base may be another one than the revision that has its id now. */
export function isBaseLost({ store }: Wiki, { key, made, base }: FormBase): boolean {
  const page = store.findPage(key)
  if (page === undefined) return false
  if (made === '') return baseTexts(store, page, { id: base }).length > 1
  const { id, blob } = partsOf(made)
  const named = store.revision(id)
  if (named?.page === page.id && named.blob === blob) return false
  // After a pull the revision has another id. A script that merged newer revisions took them for those after the one that has the id now.
  return id !== base || revisionOfText(store, key, blob) === undefined
}

function partsOf(made: string): { readonly id: number; readonly blob: string } {
  const [id = '', blob = ''] = made.split(' ')
  return { id: Number(id), blob }
}
