/** Finds pages that lose their last incoming link by a change. */

import type { Problem } from '../../checks/problem.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseRedirect } from '../../core/redirect.ts'
import { parseTitle } from '../../core/title.ts'
import type { CheckConfig } from '../../core/wiki-config.ts'
import type { Store } from '../../store/store.ts'
import { isEntryPage } from '../linking/entry-pages.ts'
import { type Needle, nameOf, namesAt } from './affected-pages.ts'
import type { LinkedState } from './page-links.ts'
import { describeKind, levelOf } from './text-problems.ts'

interface Change {
  readonly checks: CheckConfig
  readonly before: LinkedState
  readonly after: LinkedState
  /** Paths in the change. */
  readonly changed: readonly string[]
}

const kind = 'orphaned-page'

/** Lists article pages that had links from the changed pages before the change, and have none after it. */
export async function lostTargets(store: Store, { checks, before, after, changed }: Change): Promise<Orphan[]> {
  if (levelOf(kind, checks) === 'off') return []
  const [linked, left] = [new Set<string>(), new Set<string>()]
  for (const path of changed) {
    for (const key of await targetsAt(before, path)) linked.add(key)
    for (const key of await targetsAt(after, path)) left.add(key)
  }
  const lost: Orphan[] = []
  for (const key of linked) {
    const path = left.has(key) || before.pathOf(key) === undefined ? undefined : after.pathOf(key)
    if (path !== undefined && (await isArticle(store, after, { key, path })))
      lost.push({ key, path, title: parseTitle(key, store.titles).text })
  }
  return lost
}

/** Returns the words by which other pages may refer to them. */
export async function namesOfLost(lost: readonly Orphan[], { state }: LinkedState): Promise<Needle[]> {
  const needles: Needle[] = []
  for (const { path } of lost) needles.push(nameOf(path), ...(await namesAt(state, path)))
  return needles
}

/** Lists those without a link from any unchanged page that contains one of the words. */
export async function lostLinkProblems(
  checks: CheckConfig,
  after: LinkedState,
  { lost, naming }: { readonly lost: readonly Orphan[]; readonly naming: readonly string[] },
): Promise<Problem[]> {
  const severity = levelOf(kind, checks)
  if (severity === 'off') return []
  const missing = new Map(lost.map(one => [one.key, one]))
  for (const path of naming) {
    if (missing.size === 0) break
    for (const key of await targetsAt(after, path)) missing.delete(key)
  }
  const { says, hint } = describeKind(kind)
  return [...missing.values()].map(({ path, title }) => ({
    ...{ kind, severity, path, title, message: says, hint, place: null, text: '' },
  }))
}

/** A page that may have lost its last incoming link. */
export interface Orphan {
  readonly key: string
  readonly path: string
  readonly title: string
}

async function targetsAt(linked: LinkedState, path: string): Promise<ReadonlySet<string>> {
  const page = await linked.read(path)
  return page === null ? new Set() : linked.targets(page)
}

/** Redirects, start pages, talk pages, templates and files need no links. */
async function isArticle(
  store: Store,
  { resolver, state }: LinkedState,
  { key, path }: { readonly key: string; readonly path: string },
): Promise<boolean> {
  const title = parseTitle(key, store.titles)
  if (resolver.named(key)?.kind !== 'page' || title.namespace !== namespaceIds.main) return false
  if (isEntryPage(store.config, { title: title.text, path })) return false
  return parseRedirect((await state.text(path)) ?? '', store.titles.language) === null
}
