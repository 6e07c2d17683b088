/** The app over fake operations: a few pages, and a record of the requests to each operation. */

import type { H3 } from 'h3'
import { vi } from 'vitest'
import { defaultConfig } from '../../src/core/config.ts'
import { WikiError } from '../../src/core/errors.ts'
import { titleRules } from '../../src/core/title.ts'
import * as comparisons from '../../src/operations/compare-revisions.ts'
import * as counts from '../../src/operations/count-history.ts'
import * as creations from '../../src/operations/create-page.ts'
import * as histories from '../../src/operations/page-history.ts'
import * as readPages from '../../src/operations/read-page.ts'
import * as readRevisions from '../../src/operations/read-revision.ts'
import { TitleRedirect } from '../../src/operations/resources/title-redirect.ts'
import * as searches from '../../src/operations/search-pages.ts'
import * as updates from '../../src/operations/update-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createTurns } from '../../src/operations/workers/turns.ts'
import { type AppOptions, createApp } from '../../src/rest/app.ts'

export interface Call {
  readonly operation: string
  readonly params: Record<string, unknown>
}

/** Calls of the operations, oldest first. */
export const calls: Call[] = []

interface TitleParams {
  readonly title: string
  readonly base: string
  readonly exact?: boolean
}

interface FakePage {
  readonly id: number
  readonly latest: { readonly id: number; readonly timestamp: string }
  readonly redirect?: string
}

const latest = (id: number) => ({ id, timestamp: '2024-01-01T01:00:00Z' })

/** Key to page. */
const pages: Readonly<Record<string, FakePage>> = {
  Main_Page: { id: 1, latest: latest(6209) },
  'A/B': { id: 2, latest: latest(7) },
  'C++': { id: 3, latest: latest(8) },
  Ünïcode_日本: { id: 4, latest: latest(9) },
  Moved: { id: 5, latest: latest(10), redirect: 'A/B' },
}

const license = { url: '', title: '' }

/** Title rules in one line each: enough to have invalid, missing and not canonical titles. */
function find({ title, exact }: TitleParams): [key: string, page: FakePage] {
  if (title === 'Lost') throw new WikiError('wiki-objects-missing', { params: ['3f2a91c'] })
  if (title === 'Bug') throw new TypeError('the secret at /etc/passwd')
  if (/[<>\0-\x1f\uFFFD]/.test(title)) throw new WikiError('rest-invalid-title', { params: [title, 'for a reason'] })
  const plain = title.replace(/[ _]+/g, '_').replace(/#.*/, '')
  const key = plain.slice(0, 1).toUpperCase() + plain.slice(1)
  const page = Object.hasOwn(pages, key) ? pages[key] : undefined
  if (page === undefined) throw new WikiError('rest-nonexistent-title', { params: [title], hint: 'never sent' })
  if (exact && key !== title) throw new TitleRedirect(key, page.latest)
  return [key, page]
}

function pageObject(key: string, { id, latest }: FakePage) {
  return { id, key, title: key.replaceAll('_', ' '), latest, content_model: 'wikitext', license }
}

/** A promise that the page `Slow` waits for before it is read. */
export const slow = { started: () => {}, finished: Promise.resolve() }

async function readPage(_: unknown, params: TitleParams) {
  if (params.title === 'Slow') {
    slow.started()
    await slow.finished
    return { ...pageObject('Slow', pages.Main_Page!), source: 'at last' }
  }
  const [key, page] = find(params)
  const target = page.redirect && { redirect_target: `/v1/page/${encodeURIComponent(page.redirect)}` }
  return { ...pageObject(key, page), source: `Ünï "${key}" </source>`, ...target }
}

function readPageBare(_: unknown, params: TitleParams) {
  const [key, page] = find(params)
  return { ...pageObject(key, page), html_url: `${params.base}/page/${encodeURIComponent(key)}/html` }
}

function readRevision(_: unknown, { id }: { id: number }) {
  if (id !== 6209) throw new WikiError('rest-nonexistent-revision', { params: [id] })
  return { ...latest(id), size: 3, source: 'old' }
}

function pageHistory(_: unknown, params: TitleParams) {
  const [key] = find(params)
  return { revisions: [], latest: `${params.base}/page/${encodeURIComponent(key)}/history` }
}

function countHistory(_: unknown, params: TitleParams) {
  find(params)
  return { count: 3, limit: false }
}

function compareRevisionsAsJson(_: unknown, { from, to }: { from: number; to: number }) {
  return JSON.stringify({ from: { id: from }, to: { id: to }, diff: [] })
}

const search = () => ({ results: { pages: [] }, missing: 0 })

function createPage(_: unknown, { title, source }: { title: string; source: string }) {
  if (title in pages) throw new WikiError('apierror-articleexists', { params: [title] })
  if (title === '') throw new WikiError('apierror-invalidtitle', { params: ['', 'it is empty'] })
  const key = title.replaceAll(' ', '_')
  return { page: { id: 9, title, key, latest: latest(99), license, content_model: 'wikitext', source }, leftAlone: [] }
}

function updatePage(_: unknown, { title, source }: { title: string; source: string }) {
  if (title === 'Conflict') throw new WikiError('edit-conflict', { params: [title], data: { base: 1, current: 2 } })
  return { created: !(title in pages), changed: true, merged: false, page: { id: 9, title, source }, leftAlone: [] }
}

type Play = (wiki: unknown, params: never) => unknown

const played: readonly (readonly [module: object, operations: Readonly<Record<string, Play>>])[] = [
  [readPages, { readPage, readPageBare }],
  [readRevisions, { readRevision, readRevisionBare: readRevision }],
  [histories, { pageHistory }],
  [counts, { countHistory }],
  [comparisons, { compareRevisionsAsJson }],
  [searches, { findPages: search, findTitles: search }],
  [creations, { createPage }],
  [updates, { updatePage }],
]

/** Replaces the operations by fake ones until the test file ends. */
export function playOperations(): void {
  for (const [module, operations] of played)
    for (const [operation, play] of Object.entries(operations))
      vi.spyOn(module as Record<string, Play>, operation).mockImplementation(async (wiki, params) => {
        calls.push({ operation, params })
        return play(wiki, params)
      })
}

export const fakeWiki = {
  // A different state each time, so no response is cached.
  store: {
    refresh: async () => {},
    shareCheck: () => () => {},
    readAhead: async () => {},
    snapshot() {
      return this
    },
    close: () => {},
    cacheBytes: () => 0,
    formerRevisions: () => [],
    revision: () => undefined,
    timesFrom: () => [],
    revisionsOnLeftBranches: () => [],
    // Conditions of writes look the page up.
    titles: titleRules(defaultConfig()),
    findPage: () => undefined,
    rebuild: async () => {},
    repository: { commonDirectory: '/no/such/folder' },
    config: {
      ...{ name: 'Harbour', language: 'en', license, anonymousEdits: false, allowedOrigins: [], hidden: {} },
      limits: { source: 2 * 1024 * 1024, html: 10 * 1024 * 1024, file: 100 * 1024 * 1024 },
    },
    get state() {
      return String(states++)
    },
    ...{ tip: '', lineage: '', configText: '', follows: () => true, pageById: () => undefined },
  },
  turns: createTurns(),
} as unknown as Wiki

let states = 0

/** Makes the app over the fake operations. */
export function fakeApp(options: AppOptions = {}): H3 {
  playOperations()
  return createApp(fakeWiki, options)
}
