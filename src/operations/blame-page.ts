/** Authors of each word of a page. Text that was deleted and restored keeps its first author. */

import type { AuthoredRevision, PageAuthorship } from '../core/authorship.ts'
import { WikiError } from '../core/errors.ts'
import type { PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { checkVisible, isHidden, visiblePeople } from './access/hidden.ts'
import { findWordAuthors, tooLarge, type WordAuthors, writeWordAuthors } from './comparing/word-authors.ts'
import { findPage, type TitleQuery } from './resources/find-page.ts'
import { lacksBeginning } from './resources/shallow.ts'
import { sourceOfFile } from './resources/source.ts'
import type { Wiki } from './wiki.ts'
import { createPause } from './workers/pause.ts'

export interface BlamePageQuery extends TitleQuery {
  /** Id of the revision to blame; the latest one if omitted. */
  readonly at?: number | undefined
  /** Maximum bytes of all revisions' texts together; 256 MiB if omitted. */
  readonly maxBytes?: number | undefined
  /** Maximum bytes of former texts in memory; 256 MiB if omitted. */
  readonly maxRemembered?: number | undefined
}

/** A request to a server, with limits on its cost. */
export interface ServedBlameQuery extends TitleQuery {
  readonly at?: number | undefined
  /** Maximum characters of the lines as JSON; 24 Mi if omitted. */
  readonly maxJson?: number | undefined
}

const defaultMaxBytes = 256 * 1024 * 1024

/** Limits of a server: bytes of a history, and bytes of former texts in memory. The command line allows more. */
const servedBytes = 64 * 1024 * 1024

const defaultMaxJson = 24 * 1024 * 1024

/** Bytes of all revisions' texts up to which the main thread is faster than a worker. */
const smallHistory = 20_000

/**
 * Attributes each word of a page to the revision that introduced it. Revisions with hidden text are skipped, so their
 * words are attributed to the next one. Errors: rest-invalid-title, rest-nonexistent-title,
 * rest-nonexistent-title-revision, rest-permission-denied-revision, rest-resource-limit-exceeded for a history that is
 * too large; `TitleRedirect`.
 */
export async function blamePage({ store }: Wiki, query: BlamePageQuery): Promise<PageAuthorship> {
  await store.refresh()
  const blamed = findBlamed(store, query)
  const authors = await findWordAuthors(followed(store, blamed), createPause())
  const authorship = { ...pageHead(blamed, authors), lines: authors.lines }
  return lacksBeginning(store, blamed.page) ? { ...authorship, shallow: true } : authorship
}

/**
 * Returns the result of `blamePage` as JSON, within a server's limits. A long history is processed in a worker if there is
 * one. Errors: as `blamePage`, and rest-resource-limit-exceeded for a response that is too large; wiki-render-limit for work that
 * takes too long.
 */
export async function blamePageAsJson(wiki: Wiki, query: ServedBlameQuery): Promise<string> {
  const { store, client } = wiki
  await store.refresh()
  const blamed = findBlamed(store, { ...query, maxBytes: servedBytes, maxRemembered: servedBytes })
  const limits = { maxRemembered: blamed.maxRemembered, maxJson: query.maxJson ?? defaultMaxJson }
  const revisions = blamed.revisions.map(({ id, size }) => ({ id, size }))
  const workerPool = sizeOf(blamed.revisions) > smallHistory ? wiki.workerPool() : null
  const texts = (ids: readonly number[]) => textsOf(store, ids)
  const authors =
    workerPool === null
      ? await writeWordAuthors({ ...followed(store, blamed), ...limits })
      : await workerPool.run({ task: 'authorship', client, title: blamed.page.title, revisions, ...limits }, { texts })
  const end = lacksBeginning(store, blamed.page) ? ',"shallow":true}' : '}'
  return `${JSON.stringify(pageHead(blamed, authors)).slice(0, -1)},"lines":${authors.lines}${end}`
}

/** The page, the revision to blame, and those that its words may come from, oldest first. */
interface Blamed {
  readonly page: PageEntry
  readonly latest: RevisionEntry
  readonly revisions: readonly RevisionEntry[]
  readonly maxRemembered: number
}

function findBlamed(store: Store, query: BlamePageQuery): Blamed {
  const page = findPage(store, query)
  const revisions = revisionsUntil(store, page, query)
  const latest = revisions.at(-1) as RevisionEntry
  checkVisible(latest)
  const shown = withoutRepeats(revisions.filter(revision => !isHidden(revision, 'text')))
  const most = query.maxBytes ?? defaultMaxBytes
  if (sizeOf(shown) > most) throw tooLarge(`history of ${page.title}`, most)
  return { page, latest, revisions: shown, maxRemembered: query.maxRemembered ?? defaultMaxBytes }
}

/** Oldest first. */
function revisionsUntil(store: Store, page: PageEntry, { at, title }: BlamePageQuery): RevisionEntry[] {
  const all = [...store.revisionsOf(page)].reverse()
  if (at === undefined) return all
  const end = all.findIndex(({ id }) => id === at)
  if (end === -1) throw new WikiError('rest-nonexistent-title-revision', { params: [at, title] })
  return all.slice(0, end + 1)
}

/** A revision with the text of the previous one introduces no words. */
function withoutRepeats(revisions: readonly RevisionEntry[]): RevisionEntry[] {
  return revisions.filter(({ blob }, at) => blob !== revisions[at - 1]?.blob)
}

function sizeOf(revisions: readonly RevisionEntry[]): number {
  return revisions.reduce((sum, { size }) => sum + size, 0)
}

function followed(store: Store, { page, revisions, maxRemembered }: Blamed) {
  const texts = async function* () {
    for await (const [, text] of store.texts(revisions)) yield sourceOfFile(text)
  }
  return { title: page.title, ids: revisions.map(({ id }) => id), texts: texts(), maxRemembered }
}

async function textsOf(store: Store, ids: readonly number[]): Promise<string[]> {
  const texts: string[] = []
  for await (const [, text] of store.texts(ids.map(id => store.revision(id, { deleted: true }) as RevisionEntry)))
    texts.push(sourceOfFile(text))
  return texts
}

function pageHead(
  { page, latest, revisions }: Blamed,
  { words }: Pick<WordAuthors<unknown>, 'words'>,
): Omit<PageAuthorship, 'lines' | 'shallow'> {
  return {
    id: page.id,
    key: page.key,
    title: page.title,
    revision: { id: latest.id, timestamp: latest.timestamp },
    words: words.reduce((sum, count) => sum + count, 0),
    revisions: revisions.flatMap((revision, version) =>
      words[version] === 0 ? [] : [authoredRevision(revision, words[version] as number)],
    ),
  }
}

function authoredRevision(revision: RevisionEntry, words: number): AuthoredRevision {
  const { id, timestamp, minor, commit } = revision
  const { user, comment } = visiblePeople(revision)
  return { id, timestamp, user, comment, minor, commit, words }
}
