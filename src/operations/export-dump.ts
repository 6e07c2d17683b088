/** Exports pages as MediaWiki XML. */

import { isIP } from 'node:net'
import { join } from 'node:path'
import type { ContentModel } from '../core/content-models.ts'
import { isWikiError } from '../core/errors.ts'
import { namespacesOf } from '../core/namespaces.ts'
import { parseTitle } from '../core/title.ts'
import type { DumpContributor, DumpPage, DumpRevision, DumpSite } from '../dump/dump.ts'
import { dumpEnd, dumpHead, pageEnd, pageHead, revisionXml } from '../dump/write-dump.ts'
import { makeFolder, replaceFile } from '../files/private-files-async.ts'
import type { CommittedRevision } from '../store/committed-revisions.ts'
import type { PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { findPage } from './resources/find-page.ts'
import { sourceOfFile } from './resources/source.ts'
import type { Wiki } from './wiki.ts'

export interface ExportDumpRequest {
  /** Pages to export; all of them if omitted or empty. */
  readonly titles?: readonly string[] | undefined
  /** Only the latest revision of each page. */
  readonly latest?: boolean | undefined
  /** Called with the number of exported pages and their total. */
  readonly progress?: ((done: number, total: number) => void) | undefined
}

/** MediaWiki's format of each content model. Source: MediaWiki ContentHandler::getSupportedFormats. */
const formats: Readonly<Record<ContentModel, string>> = {
  wikitext: 'text/x-wiki',
  markdown: 'text/markdown',
  json: 'application/json',
  css: 'text/css',
  javascript: 'text/javascript',
  text: 'text/plain',
}

/**
 * Returns the export in pieces. Imported revisions keep their original ids; revisions made here have ids above those. Errors:
 * rest-nonexistent-title, rest-invalid-title, before the first piece.
 */
export async function* exportDump({ store }: Wiki, request: ExportDumpRequest = {}): AsyncIterable<string> {
  const { titles = [], latest = false, progress } = request
  await store.refresh()
  const ids = [...(titles.length === 0 ? store.pages() : chosenPages(store, titles))].map(page => page.id)
  yield dumpHead(siteOf(store))
  for (const [done, id] of ids.entries()) {
    const page = store.pageById(id)
    if (page !== undefined) yield* pageXml(store, page, latest)
    progress?.(done + 1, ids.length)
  }
  yield dumpEnd
}

function chosenPages(store: Store, titles: readonly string[]): PageEntry[] {
  const pages = titles.map(title => findPage(store, { title }))
  return [...new Map(pages.map(page => [page.id, page])).values()]
}

function siteOf(store: Store): DumpSite {
  const { name, language, capitalization, mainPage } = store.config
  const slug =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'wiki'
  const isCaseSensitive = capitalization === 'case-sensitive'
  const namespaces = [...namespacesOf(store.config).values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name }) => ({ id, name: name.replaceAll('_', ' '), isCaseSensitive }))
  const base = `https://${slug}.invalid/wiki/${encodeURIComponent(mainPage.replaceAll(' ', '_'))}`
  return { name, database: slug, base, language, isCaseSensitive, namespaces }
}

async function* pageXml(store: Store, page: PageEntry, isLatest: boolean): AsyncIterable<string> {
  yield pageHead(dumpPage(store, page))
  // Collects only ids, because a page may have very many revisions.
  const ids = isLatest ? [page.latest] : Array.from(store.revisionsOf(page), revision => revision.id).reverse()
  let parent: number | null = null
  for await (const committed of store.committed(entriesOf(store, ids))) {
    const revision = dumpRevision(store, committed, parent)
    parent = revision.id
    yield revisionXml(revision)
  }
  yield pageEnd
}

function* entriesOf(store: Store, ids: readonly number[]): Iterable<RevisionEntry> {
  for (const id of ids) {
    const revision = store.revision(id)
    if (revision !== undefined) yield revision
  }
}

function dumpPage(store: Store, { title, namespace, id, redirect }: PageEntry): DumpPage {
  return { title, namespace, id, redirect: redirect === null ? null : titleText(store, redirect) }
}

/** Returns a redirect's target as a title without a section. An invalid title stays unchanged. */
function titleText(store: Store, text: string): string {
  try {
    return parseTitle(text, store.titles).text
  } catch (error) {
    if (isWikiError(error)) return text
    throw error
  }
}

function dumpRevision(
  store: Store,
  { revision, content, address, origin }: CommittedRevision,
  parent: number | null,
): DumpRevision {
  const { hidden, model } = revision
  return {
    id: origin?.revision ?? store.lastOriginal + revision.id,
    parent,
    time: Date.parse(revision.timestamp) / 1000,
    contributor: hidden.includes('user') ? { kind: 'hidden' } : contributorOf(store, revision, address),
    minor: revision.minor,
    comment: hidden.includes('comment') ? null : revision.comment,
    model: origin?.model ?? model,
    format: origin?.model == null ? formats[model] : 'text/plain',
    text: hidden.includes('text') ? null : textOf(content, origin !== undefined),
    sha1: null,
    otherSlots: 0,
  }
}

/** An import stores texts unchanged; texts written here end with an added line feed. */
function textOf(content: Buffer, isImported: boolean): string {
  const text = content.toString('utf8')
  return isImported ? text : sourceOfFile(text)
}

/**
 * User ids that an import stored in email addresses are exported again. In such a wiki all other users get the id 0, because the
 * ids of this wiki could equal those of the other one.
 */
function contributorOf(store: Store, { user }: RevisionEntry, address: string): DumpContributor {
  const { id, name } = user
  if (id === null)
    return isIP(name) !== 0 || !name.includes('>') ? { kind: 'address', address: name } : { kind: 'user', name, id: 0 }
  const imported = /^user-(\d{1,15})@.*\.invalid$/.exec(address)?.[1]
  return { kind: 'user', name, id: imported !== undefined ? Number(imported) : store.lastOriginal > 0 ? 0 : id }
}

/** Writes the media files into a folder, named by their titles; returns their number. */
export async function exportFiles({ store }: Wiki, folder: string): Promise<number> {
  await store.refresh()
  await makeFolder(folder)
  const files = [...store.files()]
  for (const file of files) {
    const { key } = file
    const name = key.slice(key.indexOf(':') + 1).replace(/[/\\:*?"<>|\p{Cc}]/gu, encodeURIComponent)
    await replaceFile(join(folder, name), store.content(await store.withContent(file)))
  }
  return files.length
}
