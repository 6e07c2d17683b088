/** Pages that lose the last link to them by a change. */

import type { Problem } from '../../checks/problem.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseRedirect } from '../../core/redirect.ts'
import { parseTitle } from '../../core/title.ts'
import type { Store } from '../../store/store.ts'
import { isEntrance } from '../linking/entrance.ts'
import { type Needle, nameOf, namesAt } from './affected-pages.ts'
import type { LinkedState } from './page-links.ts'
import { describeKind, levelOf } from './text-problems.ts'

export interface LostLinks {
  readonly before: LinkedState
  readonly after: LinkedState
  /** Paths that the change touches. */
  readonly changed: readonly string[]
  /** Finds pages that the change does not touch and whose texts have one of the words. */
  readonly pagesNaming: (needles: readonly Needle[]) => Promise<ReadonlyMap<string, readonly Needle[]>>
}

const kind = 'orphaned-page'

/** Lists pages of articles that something linked to before the change, and nothing does after it. */
export async function lostLinkProblems(store: Store, lost: LostLinks): Promise<Problem[]> {
  const severity = levelOf(kind, store.config.checks)
  if (severity === 'off') return []
  const orphans = await orphansOf(store, lost)
  const { says, hint } = describeKind(kind)
  return orphans.map(({ path, title }) => ({ kind, severity, path, title, message: says, hint, place: null, text: '' }))
}

async function orphansOf(store: Store, { before, after, changed, pagesNaming }: LostLinks): Promise<Orphan[]> {
  const [linked, left] = [new Set<string>(), new Set<string>()]
  for (const path of changed) {
    for (const key of await targetsAt(before, path)) linked.add(key)
    for (const key of await targetsAt(after, path)) left.add(key)
  }
  const candidates: Orphan[] = []
  for (const key of linked) {
    const path = left.has(key) || before.pathOf(key) === undefined ? undefined : after.pathOf(key)
    if (path !== undefined && (await isArticle(store, after, { key, path })))
      candidates.push({ key, path, title: parseTitle(key, store.titles).text })
  }
  const needles: Needle[] = []
  for (const { path } of candidates) needles.push(nameOf(path), ...(await namesAt(after.state, path)))
  const naming = candidates.length === 0 ? new Map() : await pagesNaming(needles)
  const missing = new Map(candidates.map(one => [one.key, one]))
  for (const path of naming.keys()) {
    if (missing.size === 0) break
    for (const key of await targetsAt(after, path)) missing.delete(key)
  }
  return [...missing.values()]
}

interface Orphan {
  readonly key: string
  readonly path: string
  readonly title: string
}

async function targetsAt(linked: LinkedState, path: string): Promise<ReadonlySet<string>> {
  const page = await linked.read(path)
  return page === null ? new Set() : linked.targets(page)
}

/** Redirects, entrances, talk pages, templates and files need no link. */
async function isArticle(
  store: Store,
  { world, state }: LinkedState,
  { key, path }: { readonly key: string; readonly path: string },
): Promise<boolean> {
  const title = parseTitle(key, store.titles)
  if (world.named(key)?.kind !== 'page' || title.namespace !== namespaceIds.main) return false
  if (isEntrance(store.config, { title: title.text, path })) return false
  return parseRedirect((await state.text(path)) ?? '') === null
}
