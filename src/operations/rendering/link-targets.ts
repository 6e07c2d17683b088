/** Links that are not titles: paths and names, looked up in an index of all pages and files. */

import { possibleTitle } from '../../core/title.ts'
import type { LinkSetting } from '../../core/wiki-config.ts'
import {
  dialectOf,
  gollumTitles,
  hasPageExtension,
  isGollumPage,
  type LinkNames,
  type LinkTarget,
  linkNames,
  type Named,
  resolveLink,
  type WrittenLink,
} from '../../links/index.ts'
import type { Store } from '../../store/store.ts'

/** The names of a wiki at one state of its branch. */
interface KnownNames {
  readonly tip: string | null
  readonly names: LinkNames
}

/** Built on the first lookup, and again after the branch has moved. */
const known = new WeakMap<Store, KnownNames>()

/** Resolves links, in order; null for each that leads to no page or file. */
export function linkTargets(store: Store, links: readonly WrittenLink[]): (LinkTarget | null)[] {
  if (links.length === 0) return []
  const isGollum = looksLikeGollum(store)
  return links.map(link => {
    const dialect = dialectOf(store.config.links, { isGollum, isMarkdown: link.syntax !== 'title' })
    // In a MediaWiki-style wiki a red link is never a path, so no index is needed.
    if (link.syntax === 'title' && !dialect.names && !hasPageExtension(link.target)) return null
    const { names } = namesOf(store)
    const page = store.findPage(link.from)
    const path = insideRoot(page?.path ?? link.from, store.config.root)
    return resolveLink(link, {
      path,
      dialect,
      names,
      keyOf: target => possibleTitle(target.replace(/^:/, ''), store.titles)?.key ?? null,
    })
  })
}

function namesOf(store: Store): KnownNames {
  const before = known.get(store)
  if (before !== undefined && before.tip === store.tip) return before
  const made: KnownNames = { tip: store.tip, names: linkNames(namedOf(store)) }
  known.set(store, made)
  return made
}

/** Returns the link rules of the wiki: the setting, or the detected kind of wiki. */
export function linkDialect(store: Store): LinkSetting {
  const { links } = store.config
  return links === 'auto' && looksLikeGollum(store) ? 'gollum' : links
}

/** Returns true if the repository has the start pages of Gollum, GitHub and Gitea wikis. */
function looksLikeGollum(store: Store): boolean {
  return gollumTitles.some(title => isGollumPage(insideRoot(store.findPage(title)?.path ?? '', store.config.root)))
}

/** Lists the pages and files of a wiki, with paths from the root of the wiki. */
export function* namedOf(store: Store): Iterable<Named> {
  const { root } = store.config
  for (const { key, path } of store.pages()) yield { kind: 'page', key, path: insideRoot(path, root) }
  for (const { key, path } of store.files()) yield { kind: 'file', key, path: insideRoot(path, root) }
}

/** Converts a path from the top of the repository to one from the root of the wiki. */
export function insideRoot(path: string, root: string): string {
  return root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
