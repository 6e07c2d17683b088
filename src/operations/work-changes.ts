/** Changes of the work tree under the titles of their pages. */

import { isWikiError } from '../core/errors.ts'
import { pathRules, titleOfPath } from '../store/paths.ts'
import type { Store } from '../store/store.ts'
import type { WorkTreeChange } from '../store/work-tree.ts'
import { reasonOf } from './find-page.ts'

/** A file of the work tree that differs from the tip. */
export interface TitledChange extends WorkTreeChange {
  /** Prefixed title, URL form; null if the name of the file makes no legal title. */
  readonly key: string | null
  /** Prefixed title, reading form. */
  readonly title: string | null
  /** Why there is no title: `it has one of < > [ ] { } |`. */
  readonly problem?: string
}

/** Gives the changes with the titles of their files. */
export function titledChanges(store: Store, changes: readonly WorkTreeChange[]): TitledChange[] {
  const rules = pathRules(store.config, store.titles)
  return changes.map(change => ({ ...change, ...titleAt(change.path, rules) }))
}

function titleAt(path: string, rules: ReturnType<typeof pathRules>): Omit<TitledChange, keyof WorkTreeChange> {
  try {
    const title = titleOfPath(path, rules)?.title
    return title === undefined ? { key: null, title: null } : { key: title.key, title: title.text }
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    return { key: null, title: null, problem: reasonOf(error) }
  }
}
