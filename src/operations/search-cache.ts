/**
 * The search index of a wiki, kept between commands: `search.json` in the folder of the derived files. It may be deleted at
 * any time. Its first line tells whether revision ids still mean what they meant when it was stored.
 */

import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SearchIndex } from '../search/search-index.ts'
import type { PageEntry } from '../store/entries.ts'
import type { Store } from '../store/store.ts'
import { latestOf } from './page-object.ts'
import { maximumSourceBytes } from './source.ts'

/** Revisions whose commits are compared: the highest ids, since ids are given in order. */
const anchorCount = 8

/** The index is stored when this part of it has changed. */
const storedChange = 0.01

/** A revision id and the commit that it means. */
type Anchor = readonly [revision: number, commit: string]

interface State {
  readonly index: SearchIndex
  /** Tip that the index answers for; undefined where it has to be brought up to date. */
  tip: string | null | undefined
  /** Pages changed since the index was stored. */
  unsaved: number
}

/** Gives the function that gives the search index of a store's pages as they are when it is called. */
export function searchIndexOf(store: Store): () => Promise<SearchIndex> {
  let loading: Promise<State> | undefined
  let running: Promise<void> | undefined
  return async () => {
    loading ??= load(store)
    const state = await loading
    while (state.tip !== store.tip) {
      running ??= update(store, state).finally(() => {
        running = undefined
      })
      await running
    }
    return state.index
  }
}

async function load(store: Store): Promise<State> {
  const { SearchIndex } = await import('../search/search-index.ts')
  const stored = await readFile(fileOf(store), 'utf8').catch(() => '')
  const end = stored.indexOf('\n')
  const index = end > 0 && holds(store, stored.slice(0, end)) ? SearchIndex.load(stored.slice(end + 1)) : null
  return { index: index ?? SearchIndex.create(), tip: undefined, unsaved: 0 }
}

/** False also where none of the anchors is known any more. */
function holds(store: Store, line: string): boolean {
  const known = parseAnchors(line).flatMap(([id, commit]) => {
    const revision = store.revision(id)
    return revision === undefined ? [] : [revision.commit === commit]
  })
  return known.length > 0 && known.every(Boolean)
}

function parseAnchors(line: string): readonly Anchor[] {
  try {
    const anchors: unknown = JSON.parse(line)
    return Array.isArray(anchors) ? anchors.filter((anchor): anchor is Anchor => Array.isArray(anchor)) : []
  } catch {
    return []
  }
}

async function update(store: Store, state: State): Promise<void> {
  const { index } = state
  const tip = store.tip
  const stale = stalePages(store, index)
  const vanished = [...index.ids()].filter(id => store.pageById(id) === undefined)
  for (const id of vanished) index.delete(id)
  const revisions = [...stale.values()].map(page => latestOf(store, page))
  for await (const [{ id }, text] of store.texts(revisions)) put(index, stale.get(id)!, text)
  state.tip = tip
  state.unsaved += stale.size + vanished.length
  if (state.unsaved > 0 && state.unsaved >= storedChange * [...index.ids()].length) await save(store, state)
}

/** Pages whose latest revision is not indexed, by the id of that revision. */
function stalePages(store: Store, index: SearchIndex): Map<number, PageEntry> {
  const stale = new Map<number, PageEntry>()
  for (const page of store.pages()) if (index.has(page.id) !== page.latest) stale.set(page.latest, page)
  return stale
}

function put(index: SearchIndex, { id, latest, title, namespace }: PageEntry, text: string): void {
  index.put({ id, revision: latest, title, namespace, text: text.slice(0, maximumSourceBytes) })
}

/** A folder that cannot be written to costs time, not answers. */
async function save(store: Store, state: State): Promise<void> {
  const file = fileOf(store)
  const temporary = `${file}.${randomUUID()}`
  try {
    await mkdir(store.cacheDirectory, { recursive: true })
    await writeFile(temporary, `${JSON.stringify(anchorsOf(store))}\n${state.index.toJSON()}`)
    await rename(temporary, file)
    state.unsaved = 0
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}

function anchorsOf(store: Store): Anchor[] {
  const highest: number[] = []
  for (const { latest } of store.pages()) {
    highest.push(latest)
    if (highest.length > 2 * anchorCount) highest.sort((a, b) => b - a).splice(anchorCount)
  }
  const anchors = highest.sort((a, b) => b - a).slice(0, anchorCount)
  return anchors.map(id => [id, store.revision(id)?.commit ?? ''])
}

function fileOf(store: Store): string {
  return join(store.cacheDirectory, 'search.json')
}
