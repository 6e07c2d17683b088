/** Changes of the work tree under the titles of their pages. */

import { isWikiError } from '../../core/errors.ts'
import { pathRules, titleOfPath } from '../../store/format/paths.ts'
import type { Store } from '../../store/store.ts'
import type { WorkTrace } from '../../store/work-tree/work-trace.ts'
import type { WorkTreeChange } from '../../store/work-tree/work-tree.ts'
import { reasonOf } from '../resources/find-page.ts'
import { type Behind, behindOf, isBehind, workBase } from './work-base.ts'
import { readWorkFile } from './work-text.ts'

/** A file of the work tree that differs from the tip. */
export interface TitledChange extends WorkTreeChange {
  /** Prefixed title in URL form; null if the file's name is not a valid title. */
  readonly key: string | null
  /** Prefixed title in reading form. */
  readonly title: string | null
  /** Reason why there is no title: `it has one of < > [ ] { } |`. */
  readonly problem?: string
  /** Revisions that the file lacks, if it is behind the branch. */
  readonly behind?: Behind
}

/** Returns the changes with the titles of their files. */
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

/** Adds to each change whether its file is behind the branch. An unreadable file or index counts as not behind. */
export async function withBehind(store: Store, changes: readonly TitledChange[]): Promise<TitledChange[]> {
  const traceOf = await store.workTraces(changes.map(({ path }) => path)).catch(() => null)
  if (traceOf === null) return [...changes]
  const told: TitledChange[] = []
  for (const change of changes) {
    const behind = await behindAt(store, change, traceOf(change.path)).catch((error: unknown) => {
      if (!isWikiError(error)) throw error
    })
    told.push(behind === undefined ? change : { ...change, behind })
  }
  return told
}

async function behindAt(store: Store, { path, kind }: TitledChange, trace: WorkTrace): Promise<Behind | undefined> {
  if (kind === 'conflicted') return undefined
  if (trace.passed.length === 0 && trace.entry === trace.latest) return undefined
  const content = kind === 'deleted' ? null : await readWorkFile(store, path)
  const base = await workBase(store, { path, content }, trace)
  return isBehind(base, content) ? behindOf(store, path, base) : undefined
}
