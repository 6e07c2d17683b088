/** The wiki's folders and pages beside a text, where its titles form folders and no `_Sidebar` stands there. */

import type { Wiki } from '../../operations/wiki.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { attributes, html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'

/** Number of pages from which the list of all pages replaces the tree. */
const maxPages = 2000
/** Entries of one level that are shown around the one that is read. */
const maxEntries = 100
const maxLevels = 8

interface Branch {
  readonly name: string
  /** Key of the page of this name; null for a folder alone. */
  key: string | null
  readonly below: Map<string, Branch>
}

/** Trees of the wikis of this process, each of one state. */
const trees = new WeakMap<object, { readonly state: string; readonly root: Branch | null }>()

/** Writes the tree around a page; null for a wiki without folders, and for one of more pages than a tree is good for. */
export function pageTree(request: WebRequest, key: string): Markup | null {
  const root = treeOf(request.wiki)
  if (root === null) return null
  const all = html`<p><a href="${specialAddress('AllPages')}">${request.words.say('allPages')}</a></p>`
  return html`<div class="page-tree">${level(root, { key, path: '', way: key.split('/') })}${all}</div>`
}

function treeOf({ store }: Wiki): Branch | null {
  const { state } = store
  const found = trees.get(store.repository)
  if (found?.state === state) return found.root
  const root = makeTree(store)
  trees.set(store.repository, { state, root })
  return root
}

/** Null unless half of the pages are in folders: where titles with a slash are an exception, the contents have the place beside the text. */
function makeTree(store: Wiki['store']): Branch | null {
  if (store.countPages() > maxPages) return null
  const root: Branch = { name: '', key: null, below: new Map() }
  let pages = 0
  let inFolders = 0
  for (const { key, redirect } of store.pages({ namespace: 0 })) {
    if (redirect !== null) continue
    const parts = key.split('/')
    pages++
    if (parts.length > 1) inFolders++
    if (parts.length <= maxLevels && !parts.includes('')) branchAt(root, parts).key = key
  }
  return inFolders * 2 >= pages && inFolders > 0 ? root : null
}

function branchAt(root: Branch, parts: readonly string[]): Branch {
  return parts.reduce((branch, name) => {
    const next = branch.below.get(name) ?? { name, key: null, below: new Map<string, Branch>() }
    branch.below.set(name, next)
    return next
  }, root)
}

interface Place {
  /** Key of the page that is read, and its parts from this level on. */
  readonly key: string
  readonly way: readonly string[]
  /** Folders above this level, with a slash at the end. */
  readonly path: string
}

function level(folder: Branch, place: Place): Markup {
  const entries = [...folder.below.values()]
  const own = entries.findIndex(({ name }) => name === place.way[0])
  const start = Math.max(0, Math.min(own - maxEntries / 2, entries.length - maxEntries))
  return html`<ul>${entries.slice(start, start + maxEntries).map(entry => entryOf(entry, place))}</ul>`
}

/** Only folders on the way to the page are open: the others lead to their page, or to the list of what is in them. */
function entryOf(entry: Branch, { key, way, path }: Place): Markup {
  const address =
    entry.key === null ? specialAddress('AllPages', { prefix: `${path}${entry.name}/` }) : pageAddress(entry.key)
  const current = entry.key === key ? 'page' : null
  const link = html`<a href="${address}"${attributes({ 'aria-current': current })}><bdi>${entry.name.replaceAll('_', ' ')}</bdi></a>`
  const isOnWay = entry.name === way[0]
  const mark = entry.below.size > 0 ? html` <span class="meta">${String(entry.below.size)}</span>` : null
  if (!isOnWay || entry.below.size === 0) return html`<li>${link}${mark}</li>`
  return html`<li>${link}${level(entry, { key, way: way.slice(1), path: `${path}${entry.name}/` })}</li>`
}
