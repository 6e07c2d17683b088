/** The table of pages: the actions of a title, and the special pages. */

import { namespaceIds } from '../core/namespaces.ts'
import { findNamespace, possibleTitle } from '../core/title.ts'
import type { Wiki } from '../operations/wiki.ts'
import { allPages, randomPage } from './pages/all-pages.ts'
import { authorsPage } from './pages/blame.ts'
import { specialComparison } from './pages/compare.ts'
import { draftsPage } from './pages/drafts.ts'
import { editPage, submitEdit } from './pages/edit.ts'
import { fileVersion, revertAction } from './pages/file-version.ts'
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
import { deleteAction, moveAction, newPage, restoreAction, uploadAction } from './pages/page-actions.ts'
import { rawText } from './pages/raw.ts'
import { readPage } from './pages/read.ts'
import { contributionsPage, recentChangesPage } from './pages/recent-changes.ts'
import { repositoryFile } from './pages/repository-file.ts'
import { searchPage } from './pages/search.ts'
import { signIn, signInPage, signOut } from './pages/sign-in.ts'
import { lintErrors } from './pages/site/lint-errors.ts'
import { statisticsPage } from './pages/site/statistics.ts'
import { versionPage } from './pages/site/version.ts'
import {
  categories,
  filePath,
  myContributions,
  permanentLink,
  redirectPage,
  redirectToAction,
  redirectToSpecial,
} from './pages/special/redirects.ts'
import { languageOfSpecial, possibleNames } from './pages/special/special-names.ts'
import { type TitleForm, withTitle } from './pages/special/title-form.ts'
import { specialPages, unknownSpecial } from './pages/special-pages.ts'
import { fileNames, parametersOfTemplate, sectionsOfRevision } from './pages/suggestions.ts'
import type { WebRoute } from './request.ts'

/** Actions, by the value of `action`. */
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
  sections: { get: sectionsOfRevision },
  lead: { get: leadPage },
  // MediaWiki's names for actions with a different name here.
  delete: { get: redirectToSpecial('DeletePage') },
  credits: { get: redirectToAction('authors') },
  purge: { get: redirectToAction(undefined) },
}

/** Special pages by their English names in lower case. */
const specials: Readonly<Record<string, WebRoute>> = {
  search: { get: searchPage },
  recentchanges: { get: recentChangesPage },
  contributions: withTitle(
    { name: 'Contributions', heading: 'contributionsTitle', label: 'tokenAuthor', field: 'user' },
    { get: contributionsPage },
  ),
  allpages: { get: allPages },
  prefixindex: { get: allPages },
  whatlinkshere: ofPage('WhatLinksHere', 'whatLinksHere', { get: whatLinksHere }),
  lists: { get: linkListPage },
  ...Object.fromEntries(Object.entries(listNamesOfMediaWiki).map(([name, list]) => [name, { get: listPageOf(list) }])),
  listfiles: { get: filesPage },
  repositoryfile: { get: repositoryFile },
  filenames: { get: fileNames },
  random: { get: randomPage, personal: true },
  diff: form('Diff', 'comparison', 'revisionNumber', { get: specialComparison }),
  newpage: { get: newPage },
  upload: uploadAction,
  fileversion: ofPage('FileVersion', 'fileVersion', { get: fileVersion }),
  revertfile: ofPage('RevertFile', 'revertFile', revertAction),
  movepage: ofPage('MovePage', 'move', moveAction),
  deletepage: ofPage('DeletePage', 'delete', deleteAction),
  restorepage: ofPage('RestorePage', 'restorePage', restoreAction),
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
  pagehistory: ofPage('PageHistory', 'history', { get: redirectToAction('history') }),
  pageinfo: ofPage('PageInfo', 'pageInfo', { get: redirectToAction('info') }),
  editpage: ofPage('EditPage', 'edit', { get: redirectToAction('edit') }),
  purge: ofPage('Purge', 'read', { get: redirectToAction(undefined) }),
  permanentlink: form('PermanentLink', 'permanentLink', 'revisionNumber', { get: permanentLink }),
  filepath: form('FilePath', 'originalFile', 'fileName', { get: filePath }),
  redirect: { get: redirectPage },
  categories: { get: categories },
  mycontributions: { get: myContributions, personal: true },
}

function ofPage(name: string, heading: TitleForm['heading'], route: WebRoute): WebRoute {
  return form(name, heading, 'titleOfPage', route)
}

function form(name: string, heading: TitleForm['heading'], label: TitleForm['label'], route: WebRoute): WebRoute {
  return withTitle({ name, heading, label }, route)
}

/** Names of all actions and special pages, as `findRoute` accepts them. */
export const actionNames: readonly string[] = Object.keys(actions)
export const specialNames: readonly string[] = Object.keys(specials)

export interface FoundRoute {
  readonly route: WebRoute
  /** Title for the handler. For a special page, the part after its name. */
  readonly title: string
}

/** Finds the route of a title and an action; null for an unknown action. */
export function findRoute({ store }: Wiki, title: string, action: string | undefined): FoundRoute | null {
  const special = specialName(title, store.titles)
  if (special !== null) {
    const [name = '', ...rest] = special.split('/')
    const route = findSpecial(name || 'SpecialPages', store.config.language) ?? { get: unknownSpecial }
    return { route, title: rest.join('/') }
  }
  const foreign = action === undefined ? foreignSpecial(store, title) : null
  if (foreign !== null) return foreign
  const route = own(actions, (action ?? 'view').toLowerCase())
  return route === undefined ? null : { route, title }
}

function findSpecial(name: string, language: string): WebRoute | null {
  const found = possibleNames(name, language).find(one => Object.hasOwn(specials, one))
  return found === undefined ? null : specials[found]!
}

/**
 * Resolves `Spezial:Letzte_Änderungen` in a wiki whose special namespace has another name; null for a page, and for
 * unknown special pages.
 */
function foreignSpecial(store: Wiki['store'], title: string): FoundRoute | null {
  const [namespace = '', ...after] = title.split(':')
  const language = after.length === 0 ? null : languageOfSpecial(namespace)
  if (language === null) return null
  const [name = '', ...rest] = after.join(':').split('/')
  const route = findSpecial(name, language)
  const key = possibleTitle(title, store.titles)?.key
  const isPage = key !== undefined && store.findPage(key) !== undefined
  return route === null || isPage ? null : { route, title: rest.join('/') }
}

/** Returns true for the title of a special page, whether or not there is one of that name. */
export function isSpecial({ store }: Wiki, title: string): boolean {
  return specialName(title, store.titles) !== null
}

/** Returns true if a special page of this English name exists. */
export function hasSpecial(name: string): boolean {
  return own(specials, name.split('/', 1)[0]!.toLowerCase()) !== undefined
}

/** Returns true if an action of this name exists. */
export function hasAction(name: string): boolean {
  return own(actions, name) !== undefined
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Returns the name of a special page and the part after it; null for any other title. */
function specialName(title: string, rules: Wiki['store']['titles']): string | null {
  const colon = title.indexOf(':')
  if (colon === -1 || findNamespace(title.slice(0, colon), rules) !== namespaceIds.special) return null
  return title.slice(colon + 1).replace(/^[ _]+/, '')
}
