/** Namespaces: MediaWiki's standard table, with the additions and new names of a wiki. */

import { foldTitle, trimUnderscores, underscoreTitle } from './title-text.ts'
import type { WikiConfig } from './wiki-config.ts'

export interface Namespace {
  readonly id: number
  /** Canonical name, URL form; "" for the main namespace. */
  readonly name: string
  /** Aliases that are also accepted, in URL form. */
  readonly aliases: readonly string[]
  /**
   * Name of its folder in the repository: the standard English name, or for an added namespace the name in wiki.json.
   */
  readonly folder: string
  /** True if a slash in a title separates subpages. */
  readonly subpages: boolean
}

/** Ids of the namespaces that the rules for titles and paths refer to. */
export const namespaceIds = {
  media: -2,
  special: -1,
  main: 0,
  talk: 1,
  user: 2,
  project: 4,
  projectTalk: 5,
  file: 6,
  mediawiki: 8,
  template: 10,
  category: 14,
} as const

/** MediaWiki's standard namespaces: id, name, subpages, aliases. Source: MediaWiki NamespaceInfo, MessagesEn.php. */
const standardRows: readonly [id: number, name: string, subpages: boolean, ...aliases: string[]][] = [
  [-2, 'Media', false],
  [-1, 'Special', false],
  [0, '', false],
  [1, 'Talk', true],
  [2, 'User', true],
  [3, 'User_talk', true],
  [4, 'Project', true],
  [5, 'Project_talk', true],
  [6, 'File', false, 'Image'],
  [7, 'File_talk', true, 'Image_talk'],
  [8, 'MediaWiki', true],
  [9, 'MediaWiki_talk', true],
  [10, 'Template', true],
  [11, 'Template_talk', true],
  [12, 'Help', true],
  [13, 'Help_talk', true],
  [14, 'Category', false],
  [15, 'Category_talk', true],
]

/** The standard namespaces, under their English names. */
export const standardNamespaces: readonly Namespace[] = standardRows.map(([id, name, subpages, ...aliases]) => ({
  id,
  name,
  aliases,
  folder: name,
  subpages,
}))

/** Lists the namespaces of a wiki by id: the standard ones with the wiki's names, then the added ones. */
export function namespacesOf(config: Pick<WikiConfig, 'name' | 'namespaces'>): ReadonlyMap<number, Namespace> {
  const namespaces = new Map(standardNamespaces.map(namespace => [namespace.id, namespace]))
  for (const [id, { name, aliases, subpages }] of Object.entries(config.namespaces)) {
    const standard = namespaces.get(Number(id))
    const added = { id: Number(id), name: '', aliases: [], folder: underscoreTitle(name), subpages: false }
    const renamed = rename(standard ?? added, name, aliases)
    namespaces.set(Number(id), subpages === undefined ? renamed : { ...renamed, subpages })
  }
  return withProjectName(namespaces, config)
}

/** Lists every name and alias with its namespace. The main namespace has none. */
export function namespaceNames(namespaces: Iterable<Namespace>): [name: string, id: number][] {
  return [...namespaces].flatMap(({ id, name, aliases }) =>
    [name, ...aliases].filter(text => text !== '').map((text): [string, number] => [text, id]),
  )
}

function rename(namespace: Namespace, name: string, aliases: readonly string[]): Namespace {
  const old = namespace.name === '' ? [] : [namespace.name]
  const names = new Set([...old, ...namespace.aliases, ...aliases.map(underscoreTitle)])
  const shown = underscoreTitle(name)
  names.delete(shown)
  return { ...namespace, name: shown, aliases: [...names] }
}

/** Shows the project namespace under the site's name, unless wiki.json names it or another namespace has that name. */
function withProjectName(
  namespaces: Map<number, Namespace>,
  config: Pick<WikiConfig, 'name' | 'namespaces'>,
): ReadonlyMap<number, Namespace> {
  const { project, projectTalk } = namespaceIds
  const name = config.namespaces[project]?.name ?? projectName(config.name)
  const wanted = [
    [project, name],
    [projectTalk, `${name}_talk`],
  ] as const
  const owners = new Map(namespaceNames(namespaces.values()).map(([name, id]) => [foldTitle(name), id]))
  const areFree = wanted.every(([id, name]) => (owners.get(foldTitle(name)) ?? id) === id)
  if (name === '' || !areFree) return namespaces
  for (const [id, name] of wanted) {
    if (!config.namespaces[id]) namespaces.set(id, rename(namespaces.get(id)!, name, []))
  }
  return namespaces
}

/** Replaces characters that are invalid in a namespace name with underscores. Site names may contain any. */
function projectName(siteName: string): string {
  const legal = siteName.replace(/[\p{Cc}\p{Surrogate}\ufffd-\uffff:/\\<>[\]{}|#%&?+~]+/gu, '_')
  return trimUnderscores(underscoreTitle(legal))
}
