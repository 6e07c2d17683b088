/** The table of pages: the verbs of a title, and the special pages. */

import { namespaceIds } from '../core/namespaces.ts'
import { findNamespace } from '../core/title.ts'
import type { Wiki } from '../operations/wiki.ts'
import { allPages, randomPage } from './pages/all-pages.ts'
import { authorsPage } from './pages/blame.ts'
import { specialComparison } from './pages/compare.ts'
import { deleteDeed, moveDeed, newPage, restoreDeed, uploadDeed } from './pages/deeds.ts'
import { draftsPage } from './pages/drafts.ts'
import { editPage, submitEdit } from './pages/edit.ts'
import { filesPage } from './pages/files.ts'
import { historyPage } from './pages/history.ts'
import { infoPage } from './pages/info.ts'
import { keysPage } from './pages/keys.ts'
import { leadPage } from './pages/lead.ts'
import { linkListPage, listNamesOfMediaWiki, listPageOf } from './pages/link-lists.ts'
import { whatLinksHere } from './pages/links.ts'
import { neighbourhoodPage } from './pages/neighbourhood.ts'
import { saveSettings, settingsPage } from './pages/owner/settings.ts'
import { changeTokens, tokensPage } from './pages/owner/tokens.ts'
import { rawText } from './pages/raw.ts'
import { readPage } from './pages/read.ts'
import { contributionsPage, recentChangesPage } from './pages/recent-changes.ts'
import { repositoryFile } from './pages/repository-file.ts'
import { searchPage } from './pages/search.ts'
import { signIn, signInPage, signOut } from './pages/sign-in.ts'
import { lintErrors } from './pages/site/lint-errors.ts'
import { statisticsPage } from './pages/site/statistics.ts'
import { versionPage } from './pages/site/version.ts'
import { specialPages } from './pages/special-pages.ts'
import { fileNames, parametersOfTemplate } from './pages/suggestions.ts'
import type { WebHandler } from './request.ts'
import { type WordKey, wordsFor } from './words/words.ts'

export interface WebRoute {
  readonly get: WebHandler
  /** Answers a form that is sent; absent if there is none. */
  readonly post?: WebHandler
  /** True if the page depends on the caller, or on chance: it is made again for everybody. */
  readonly personal?: boolean
}

/** Verbs, as `action` names them. */
const actions: Readonly<Record<string, WebRoute>> = {
  view: { get: readPage },
  edit: { get: editPage, post: submitEdit, personal: true },
  submit: { get: editPage, post: submitEdit, personal: true },
  history: { get: historyPage },
  authors: { get: authorsPage },
  info: { get: infoPage },
  links: { get: neighbourhoodPage },
  raw: { get: rawText },
  parameters: { get: parametersOfTemplate },
  lead: { get: leadPage },
}

/** Special pages by their English names in lower case. */
const specials: Readonly<Record<string, WebRoute>> = {
  search: { get: searchPage },
  recentchanges: { get: recentChangesPage },
  contributions: { get: contributionsPage },
  allpages: { get: allPages },
  prefixindex: { get: allPages },
  whatlinkshere: { get: whatLinksHere },
  lists: { get: linkListPage },
  ...Object.fromEntries(Object.entries(listNamesOfMediaWiki).map(([name, list]) => [name, { get: listPageOf(list) }])),
  listfiles: { get: filesPage },
  repositoryfile: { get: repositoryFile },
  filenames: { get: fileNames },
  random: { get: randomPage, personal: true },
  diff: { get: specialComparison },
  newpage: { get: newPage },
  upload: uploadDeed,
  movepage: moveDeed,
  deletepage: deleteDeed,
  restorepage: restoreDeed,
  userlogin: { get: signInPage, post: signIn, personal: true },
  userlogout: { get: signInPage, post: signOut, personal: true },
  settings: { get: settingsPage, post: saveSettings, personal: true },
  tokens: { get: tokensPage, post: changeTokens, personal: true },
  drafts: { get: draftsPage, personal: true },
  specialpages: { get: specialPages },
  keys: { get: keysPage },
  statistics: { get: statisticsPage },
  version: { get: versionPage },
  linterrors: { get: lintErrors },
}

/** Names of all actions, and of all special pages, as `findRoute` knows them. */
export const actionNames: readonly string[] = Object.keys(actions)
export const specialNames: readonly string[] = Object.keys(specials)

export interface FoundRoute {
  readonly route: WebRoute
  /** Title for the handler: for a special page the part after its name. */
  readonly title: string
}

/** Finds the route of a title and an action; null for what there is not. */
export function findRoute({ store }: Wiki, title: string, action: string | undefined): FoundRoute | null {
  const special = specialName(title, store.titles)
  if (special !== null) {
    const [name = '', ...rest] = special.split('/')
    const plain = plainName(name)
    const route = own(specials, plain) ?? own(specials, localNames(store.config.language).get(plain) ?? '')
    return route === undefined ? null : { route, title: rest.join('/') }
  }
  const route = own(actions, action ?? 'view')
  return route === undefined ? null : { route, title }
}

/** Special pages by the sentence that names them in the wiki's language. Source: MediaWiki's special page aliases. */
const namedBy: Readonly<Partial<Record<WordKey, string>>> = {
  search: 'search',
  recentChanges: 'recentchanges',
  allPages: 'allpages',
  whatLinksHere: 'whatlinkshere',
  lists: 'lists',
  files: 'listfiles',
  randomPage: 'random',
  newPage: 'newpage',
  signIn: 'userlogin',
  specialPages: 'specialpages',
  statistics: 'statistics',
  versionTitle: 'version',
  lintTitle: 'linterrors',
  keysTitle: 'keys',
}

const localTables = new Map<string, ReadonlyMap<string, string>>()

function localNames(language: string): ReadonlyMap<string, string> {
  const words = wordsFor(language)
  const table =
    localTables.get(words.language) ??
    new Map(Object.entries(namedBy).map(([word, special]) => [plainName(words.text(word as WordKey)), special]))
  localTables.set(words.language, table)
  return table
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[ _]/g, '')
}

/** Returns true if there is a special page of this English name. */
export function hasSpecial(name: string): boolean {
  return own(specials, name.split('/', 1)[0]!.toLowerCase()) !== undefined
}

/** Returns true if there is an action of this name. */
export function hasAction(name: string): boolean {
  return own(actions, name) !== undefined
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** The name of a special page, with the part after it; null for any other title. */
function specialName(title: string, rules: Wiki['store']['titles']): string | null {
  const colon = title.indexOf(':')
  if (colon === -1 || findNamespace(title.slice(0, colon), rules) !== namespaceIds.special) return null
  return title.slice(colon + 1).replace(/^[ _]+/, '')
}
