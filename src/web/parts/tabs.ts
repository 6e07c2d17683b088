/** The tabs of a page, and the menu of further actions. */

import { namespaceIds } from '../../core/namespaces.ts'
import { possibleTitle } from '../../core/title.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { attributes, html, type Markup } from '../markup.ts'
import type { TabName, WebRequest } from '../request.ts'
import { canWrite } from '../rights.ts'
import type { WordKey } from '../words/words.ts'
import { keyOf } from './keys.ts'

interface Tab {
  readonly name: TabName
  readonly word: WordKey
  readonly address: string
}

/** Shortcuts of the tabs, which do not depend on their labels. */
const tabKeys: Readonly<Record<TabName, string | null>> = {
  read: keyOf('read'),
  talk: keyOf('talk'),
  edit: keyOf('edit'),
  history: keyOf('history'),
  other: null,
}

/** Reports which actions and special pages exist. */
export interface KnownRoutes {
  readonly hasAction: (name: string) => boolean
  readonly hasSpecial: (name: string) => boolean
}

/** Writes the tabs of the page with this key. */
export function tabsOf(request: WebRequest, key: string, current: TabName, routes: KnownRoutes): Markup {
  const { words } = request
  const exists = request.wiki.store.findPage(key) !== undefined
  const mayWrite = canWrite(request, key)
  const tabs = tabList(request, key, { exists, mayWrite, routes })
  const more = exists ? moreLinks(key, mayWrite, routes) : []
  return html`<nav class="tabs" aria-label="${words.say('page')}">
${tabs.map(({ name, word, address }) => html`<a href="${address}"${attributes({ 'aria-current': name === current ? 'page' : null, accesskey: tabKeys[name] })}>${words.say(word)}</a>`)}
${more.length === 0 ? null : html`<details class="menu" data-ui-menu><summary>${words.say('more')}</summary><ul>${more.map(([word, address]) => html`<li><a href="${address}"${attributes({ accesskey: keyOf(word) })}>${words.say(word)}</a></li>`)}</ul></details>`}
</nav>`
}

function tabList(
  { wiki }: WebRequest,
  key: string,
  { exists, mayWrite, routes }: { readonly exists: boolean; readonly mayWrite: boolean; readonly routes: KnownRoutes },
): Tab[] {
  const talk = talkKey(wiki.store.titles, key)
  const tabs: Tab[] = [{ name: 'read', word: 'read', address: pageAddress(key, exists ? {} : { redlink: 1 }) }]
  if (talk !== null && wiki.store.findPage(talk) !== undefined)
    tabs.push({ name: 'talk', word: 'talk', address: pageAddress(talk) })
  if (routes.hasAction('edit') && (exists || mayWrite))
    tabs.push({
      name: 'edit',
      word: editWord(mayWrite, exists),
      address: pageAddress(key, { action: 'edit' }),
    })
  if (routes.hasAction('history') && exists)
    tabs.push({ name: 'history', word: 'history', address: pageAddress(key, { action: 'history' }) })
  return tabs
}

function editWord(mayWrite: boolean, exists: boolean): WordKey {
  if (!mayWrite) return 'viewSource'
  return exists ? 'edit' : 'create'
}

/** Returns the key of a page's talk page; null if it cannot have one. */
function talkKey(rules: WebRequest['wiki']['store']['titles'], key: string): string | null {
  const title = possibleTitle(key, rules)
  if (title === null || title.namespace < 0 || title.namespace % 2 === 1) return null
  const talk = rules.namespaces.get(title.namespace + 1)
  const own = title.namespace === namespaceIds.main ? key : key.slice(key.indexOf(':') + 1)
  return talk === undefined ? null : `${talk.name.replaceAll(' ', '_')}:${own}`
}

interface MoreLink {
  readonly word: WordKey
  /** A special page that receives the page as its target, or an action of the page. */
  readonly special?: string
  readonly action?: string
  readonly writes?: true
}

/** Actions other than reading and editing. */
const moreTable: readonly MoreLink[] = [
  { word: 'whatLinksHere', special: 'WhatLinksHere' },
  { word: 'neighbourhood', action: 'links' },
  { word: 'authors', action: 'authors' },
  { word: 'pageInfo', action: 'info' },
  { word: 'rawText', action: 'raw' },
  { word: 'move', special: 'MovePage', writes: true },
  { word: 'delete', special: 'DeletePage', writes: true },
]

type Link = readonly [word: WordKey, address: string]

function moreLinks(key: string, mayWrite: boolean, routes: KnownRoutes): Link[] {
  return moreTable.flatMap(({ word, special = '', action = '', writes = false }): Link[] => {
    if (writes && !mayWrite) return []
    if (routes.hasSpecial(special)) return [[word, specialAddress(`${special}/${key}`)]]
    return routes.hasAction(action) ? [[word, pageAddress(key, { action })]] : []
  })
}
