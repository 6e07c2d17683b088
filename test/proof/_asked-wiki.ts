/** A wiki that is asked the same questions from several sides: by a running server, by a process that opens it again, and in a copy. */

import { copyFileSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { isWikiError } from '../../src/core/errors.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { missingHeader } from '../../src/rest/log.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import type { Served } from '../rest/_served.ts'
import { type Chance, titles, words } from './_random-words.ts'

/** An answer, as far as the state of a wiki decides it. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly location: string
  readonly body: string
  readonly tag: string | null
  readonly date: string | null
}

/** One process with the wiki open. */
export class Side {
  readonly wiki: Wiki
  readonly #app: ReturnType<typeof createApp>

  private constructor(wiki: Wiki) {
    this.wiki = wiki
    this.#app = createApp(wiki, { allowAnonymous: true, pages: async () => handlePage })
  }

  static async open(directory: string): Promise<Side> {
    return new Side(await openWiki({ directory }))
  }

  async ask(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await this.#app.request(target, { headers })
    const body = Buffer.from(await response.arrayBuffer()).toString('latin1')
    const header = (name: string) => response.headers.get(name)
    return {
      status: response.status,
      type: header('content-type') ?? '',
      location: header('location') ?? '',
      body,
      tag: header('etag'),
      date: header('last-modified'),
    }
  }

  /** Sends a change; returns its status. */
  async send(method: string, target: string, body: object | string | Buffer): Promise<number> {
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
    const init = isJson
      ? { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : { method, body: body as string, headers: { 'content-type': 'application/octet-stream' } }
    const response = await this.#app.request(target, init)
    await response.arrayBuffer()
    return response.status
  }

  close(): Promise<void> {
    return this.wiki.close()
  }
}

/** Asks a built server under the name by which the sides are asked. While its index is built it is asked again. */
export async function askServed(served: Served, target: string): Promise<Answer> {
  for (;;) {
    const { answer, isWhole } = await askOnce(served, target)
    if (isWhole) return answer
  }
}

function askOnce({ port }: Served, path: string): Promise<{ readonly answer: Answer; readonly isWhole: boolean }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, host: '127.0.0.1', headers: { host: 'localhost' }, agent: false }, answer => {
      const chunks: Buffer[] = []
      const {
        'content-type': type = '',
        location = '',
        etag: tag = null,
        'last-modified': date = null,
      } = answer.headers
      answer.on('data', chunk => chunks.push(chunk))
      answer.once('end', () => {
        const body = Buffer.concat(chunks).toString('latin1')
        const isWhole = answer.headers[missingHeader] === undefined
        resolve({ answer: { status: answer.statusCode ?? 0, type, location, body, tag, date }, isWhole })
      })
    })
    sent.once('error', reject).end()
  })
}

/** Opens a side; null if the wiki cannot be opened. */
export async function openedSide(directory: string): Promise<Side | null> {
  try {
    return await Side.open(directory)
  } catch (error) {
    if (isWikiError(error)) return null
    throw error
  }
}

/**
 * Copies a repository without everything that is derived from it (docs/reference/storage.md): of the wiki's files only the ids that
 * a rewrite retired stay. Objects are linked.
 */
export function copyUnderived(from: string, to: string): void {
  copy(from, to, path => {
    if (/^\.git\/wiki\/.*\.json$/.test(path)) return /\/(?:eras|former-ids|tokens)\.json$/.test(path) ? 'copy' : 'omit'
    // A server may take and release a lock meanwhile.
    if (path.startsWith('.git/wiki/') || path.endsWith('.lock')) return 'omit'
    return path.startsWith('.git/objects/') ? 'link' : 'copy'
  })
}

function copy(from: string, to: string, how: (path: string) => 'copy' | 'link' | 'omit', below = ''): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target, path] = [join(from, entry.name), join(to, entry.name), `${below}${entry.name}`]
    if (entry.isDirectory()) copy(source, target, how, `${path}/`)
    else if (how(path) === 'omit') continue
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (how(path) === 'link') linkSync(source, target)
    else copyFileSync(source, target)
  }
}

const pageRoutes = [
  '',
  '/bare',
  '/with_html',
  '/html',
  '/html?redirect=no',
  '/links/language',
  '/links/media',
  '/lint',
  '/history',
  '/history?filter=reverted',
  '/history?filter=bot',
  '/history?filter=anonymous',
  '/authorship',
  '/links/here',
  '/links/out',
  ...['edits', 'anonymous', 'bot', 'editors', 'minor', 'reverted'].map(type => `/history/counts/${type}`),
] as const

const webActions = [
  '',
  '?redirect=no',
  '?action=history',
  '?action=info',
  '?action=links',
  '?action=authors',
  '?action=raw',
] as const

const lists = [
  'wanted',
  'orphaned',
  'dead-end',
  'uncategorized',
  'uncategorized-categories',
  'categories',
  'redirects',
  'broken-redirects',
  'double-redirects',
  'wanted-categories',
  'wanted-templates',
  'wanted-files',
  'unused-files',
  'unused-templates',
  'most-linked',
  'most-linked-categories',
  'long',
  'short',
  'oldest',
  'templates',
] as const

const specials = [
  'RecentChanges',
  'AllPages',
  'AllPages?namespace=10',
  'PrefixIndex?prefix=T',
  'WhatLinksHere/A',
  'WhatLinksHere/Template:T',
  'ListFiles',
  'Statistics',
  'Version',
  'LintErrors',
  'Categories',
  'Contributions/Ada_Example',
  'Lists',
  'SpecialPages',
  'Search?search=tide',
  'FileVersion/P.png',
] as const

/** Questions about the whole wiki. */
function wikiQuestions(chance: Chance): string[] {
  const searches = [
    ...words,
    ...titles.flatMap(title => [`linksto:"${title}"`, `intitle:"${title}"`, `prefix:${title.slice(0, 5)}`]),
    ...['C', 'D', 'Category:C', 'Sort:C'].map(name => `incategory:"${name}"`),
    ...['T', 'Redirect', 'A'].map(name => `hastemplate:${name}`),
    'insource:tide',
    '-crane',
    'crane harbour',
    '"the tide"',
    'all:crane',
    'Template:crane',
    'rbf',
  ]
  const starts = [...titles.map(title => title.slice(0, 1 + chance.below(4))), 'Own', 'Other', 'ti']
  return [
    ...chance.some(searches, 0.5).map(q => `/v1/search/page?limit=20&q=${encodeURIComponent(q)}`),
    ...chance.some(starts, 0.4).map(q => `/v1/search/title?q=${encodeURIComponent(q)}`),
    ...chance.some(starts, 0.3).map(q => `/v1/search/title?match=words&q=${encodeURIComponent(q)}`),
    '/v1/pages',
    '/v1/pages?namespace=14',
    '/v1/files',
    '/v1/changes',
    '/v1/changes?limit=3',
    ...['atom', 'rss', 'json'].map(format => `/v1/feed?format=${format}`),
    '/w/api.php?action=feedrecentchanges',
    ...['C', 'D'].map(name => `/v1/category/${name}`),
    ...chance.some(lists, 0.4).map(name => `/v1/lists/${name}`),
    ...chance.some(specials, 0.4).map(name => `/wiki/Special:${name}`),
    '/style.css',
    '/v1/search',
    ...['P.png', 'Q.svg'].flatMap(name => [`/v1/file/${name}`, `/files/${name}`, `/files/thumb/${name}/60`]),
    '/wiki/File:P.png',
  ]
}

/** Questions about some pages and revisions of the wiki, and about all of it. */
export function questionsOf({ store }: Wiki, chance: Chance): string[] {
  const own = [...store.pages()].map(({ title }) => title)
  const asked = new Set([
    ...chance.some(titles, 0.15),
    ...Array.from({ length: 5 }, () => chance.pick([...titles, ...own])),
  ])
  const pages = [...asked].flatMap(title => {
    const name = encodeURIComponent(title.replaceAll(' ', '_'))
    return [
      ...chance.some(pageRoutes, 0.7).map(route => `/v1/page/${name}${route}`),
      ...chance.some(webActions, 0.5).map(action => `/wiki/${name}${action}`),
    ]
  })
  const last = store.lastRevisionId
  const ids = Array.from({ length: 3 }, () => Math.max(1, last - chance.below(chance.pick([4, 40]))))
  const revisions = ids.flatMap(id => [
    ...['', '/bare', '/html', '/with_html', '/lint'].map(route => `/v1/revision/${id}${route}`),
    `/v1/revision/${id}/compare/${Math.max(1, last - chance.below(5))}`,
    `/wiki/Special:Diff/${id}`,
    `/wiki/Special:PermanentLink/${id}`,
  ])
  return [...new Set([...pages, ...chance.some(revisions, 0.6), ...chance.some(wikiQuestions(chance), 0.7)])]
}
