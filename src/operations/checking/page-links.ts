/** The links of pages in one state, with their targets in that state. */

import { modelOfPath } from '../../core/content-models.ts'
import { parseTitle } from '../../core/title.ts'
import type { Named } from '../../links/names.ts'
import { pathRules, vaultFolder } from '../../store/format/paths.ts'
import { kindOfPath } from '../../store/index/record-writer.ts'
import { comparePrecedence } from '../../store/pages.ts'
import type { Store } from '../../store/store.ts'
import type { LinkRange } from '../../wikitext/index.ts'
import { isHiddenAt } from '../access/hidden-at.ts'
import { findLinksInWorker, mayHaveLinks, type Readers } from '../linking/text-links.ts'
import { type Aliases, aliasesOf } from '../naming/aliases.ts'
import { type LinkingPage, type LinkResolver, linkResolver, linkText } from '../naming/link-resolver.ts'
import { othersAmong } from '../naming/wiki-names.ts'
import { insideRoot } from '../resources/link-dialect.ts'
import { titleAt } from './file-problems.ts'
import type { WikiState } from './wiki-state.ts'

/** A page with its links. */
export interface LinkedPage {
  /** Path from the top of the repository. */
  readonly path: string
  /** Title in reading form. */
  readonly title: string
  readonly text: string
  readonly linkingPage: LinkingPage
  /** Null if finding them takes too long. */
  readonly links: readonly LinkRange[] | null
}

/** Pages and files of a state by name, with their links. */
export interface LinkedState {
  readonly state: WikiState
  readonly resolver: LinkResolver
  /** Returns the path of a page or file of the wiki, from the top of the repository. */
  readonly pathOf: (key: string) => string | undefined
  /** Returns the key of a page or file by its path; null for a path that has no title. */
  readonly keyOf: (path: string) => string | null
  /** Reads the links of a page; null if the path is not a page, or cannot be read. */
  readonly read: (path: string) => Promise<LinkedPage | null>
  /** Returns the keys of the pages and files that a page links to, without the page itself. */
  readonly targets: (page: LinkedPage) => ReadonlySet<string>
}

/** Returns the content model of a path if its pages have links; otherwise null. */
export function linkingModel(path: string): 'wikitext' | 'markdown' | null {
  const model = modelOfPath(path)
  return model === 'wikitext' || model === 'markdown' ? model : null
}

const linkedStates = new WeakMap<WikiState, Promise<LinkedState>>()

/** Indexes the names of a state once. Takes time and memory proportional to the number of its files. */
export function linkedState(readers: Readers, state: WikiState): Promise<LinkedState> {
  const linked = linkedStates.get(state) ?? readState(readers, state)
  linkedStates.set(state, linked)
  return linked
}

async function readState(readers: Readers, state: WikiState): Promise<LinkedState> {
  const { config, titles } = readers.store
  const rules = pathRules(config, titles)
  const paths = new Map<string, string>()
  const named = [...state.blobs.keys()].sort(comparePrecedence).flatMap((path): Named[] => {
    const title = titleAt(path, rules)
    if (title === null || typeof title === 'string') return []
    if (!paths.has(title.key)) paths.set(title.key, path)
    const kind = kindOfPath(path, config.root) === 'file' ? 'file' : 'page'
    return [{ kind, key: title.key, path: insideRoot(path, config.root) }]
  })
  const others = othersAmong(await state.otherPaths(), config.root, path => state.blobs.has(path))
  const extras = { others, aliases: await aliasesAt(readers.store, state, paths) }
  const isVault = (await state.otherPaths()).some(path => path.startsWith(`${vaultFolder(config.root)}/`))
  const resolver = linkResolver(named, { config, isVault }, extras)
  return {
    ...{ state, resolver, pathOf: key => paths.get(key) },
    keyOf: path => {
      const title = titleAt(path, rules)
      return title === null || typeof title === 'string' ? null : title.key
    },
    targets: page => targetsOf(resolver, page),
    read: async path => {
      const model = linkingModel(path)
      const text = model === null || !state.blobs.has(path) ? null : await state.text(path)
      const title = titleAt(path, rules)
      if (model === null || text === null || title === null || typeof title === 'string') return null
      const found = mayHaveLinks(text) ? await findLinksInWorker(readers, { text, model }) : { links: [] }
      const linkingPage = { title: parseTitle(title.key, titles), path: insideRoot(path, config.root) }
      return { path, title: title.text, text, linkingPage, links: found?.links ?? null }
    },
  }
}

/** Reads the aliases in front matter for a state, which may differ from those of the tip. */
function aliasesAt(store: Store, state: WikiState, paths: ReadonlyMap<string, string>): Promise<Aliases> {
  const texts = [...paths].flatMap(([key, path]) => {
    const blob = state.blobs.get(path) ?? null
    const isRead = linkingModel(path) === 'markdown' && (blob === null || !isHiddenAt(store, path, blob))
    return isRead ? [{ key, blob, path }] : []
  })
  return aliasesOf(store, texts, async function* (missing) {
    const byPath = new Map(missing.map(text => [text.path, text]))
    for await (const [path, text] of state.texts([...byPath.keys()])) yield [byPath.get(path)!, text] as const
  })
}

/** Lists a path and its parent folders, because a link may lead to a folder. */
export function withFolders(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

function targetsOf(resolver: LinkResolver, { text, linkingPage, links }: LinkedPage): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const range of links ?? []) {
    const destination = resolver.resolve(linkText(text, range), linkingPage)
    if (
      destination !== null &&
      destination.key !== linkingPage.title.key &&
      resolver.named(destination.key) !== undefined
    )
      keys.add(destination.key)
  }
  return keys
}
