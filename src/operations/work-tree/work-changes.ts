/** Changes of the work tree under the titles of their pages. */

import { isUtf8 } from 'node:buffer'
import { type ConflictCopy, conflictCopy } from '../../checks/conflict-copies.ts'
import { isWikiError } from '../../core/errors.ts'
import { pathRules, titleOfPath } from '../../store/format/paths.ts'
import type { Store } from '../../store/store.ts'
import type { WorkTrace } from '../../store/work-tree/work-trace.ts'
import type { WorkTreeChange } from '../../store/work-tree/work-tree.ts'
import { reasonOf } from '../resources/find-page.ts'
import { staleRevision } from './stale-text.ts'
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
  /** Names the file that this new one is a copy of, by its name (`conflict-copies.ts`). `wiki commit` records it only by its title. */
  readonly copy?: ConflictCopy
  /** Revisions that the file lacks, if it is behind the branch. */
  readonly behind?: Behind
  /** The same for a file that seems to lack edits of others, which `wiki commit` refuses (`stale-text.ts`). */
  readonly stale?: Behind
}

/** Returns the changes with the titles of their files. */
export function titledChanges(store: Store, changes: readonly WorkTreeChange[]): TitledChange[] {
  const rules = pathRules(store.config, store.titles)
  return changes.map(change => {
    const copy = change.kind === 'added' ? conflictCopy(change.path) : null
    return { ...change, ...titleAt(change.path, rules), ...(copy !== null && { copy }) }
  })
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

/**
 * Adds to each change whether its file is behind the branch, or seems to be. `writer` returns the name of who would commit; null:
 * nothing can be said about what others have saved. An unreadable file or index counts as not behind.
 */
export async function withBehind(
  store: Store,
  changes: readonly TitledChange[],
  writer: () => Promise<string | null>,
): Promise<TitledChange[]> {
  const traceOf = await store.checkout.traces(changes.map(({ path }) => path)).catch(() => null)
  if (traceOf === null) return [...changes]
  let name: Promise<string | null> | undefined
  const once = () => (name ??= writer())
  const marked: TitledChange[] = []
  for (const change of changes) {
    const found = await behindAt(store, change, { trace: traceOf(change.path), writer: once }).catch(
      (error: unknown) => {
        if (!isWikiError(error)) throw error
      },
    )
    marked.push({ ...change, ...found })
  }
  return marked
}

async function behindAt(
  store: Store,
  { path, kind }: TitledChange,
  { trace, writer }: { readonly trace: WorkTrace; readonly writer: () => Promise<string | null> },
): Promise<Pick<TitledChange, 'behind' | 'stale'>> {
  if (kind === 'conflicted') return {}
  const content = kind === 'deleted' ? null : await readWorkFile(store, path)
  if (trace.passed.length > 0 || trace.entry !== trace.latest) {
    const base = await workBase(store, { path, content }, trace)
    if (isBehind(base, content)) return { behind: behindOf(store, path, base) }
  }
  const page = store.pageAtPath(path)
  if (page === undefined || content === null || trace.isSettled || !isUtf8(content)) return {}
  const name = await writer()
  if (name === null) return {}
  const made = await staleRevision(store, page, { text: content.toString('utf8'), writer: name })
  return made === undefined ? {} : { stale: { base: made.id, latest: page.latest } }
}
