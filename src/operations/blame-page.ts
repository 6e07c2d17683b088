/** Authors of each word of a page. Text that was taken away and brought back keeps its first author. */

import { setImmediate as turn } from 'node:timers/promises'
import type { AuthoredLine, AuthoredRevision, AuthoredSpan, PageAuthorship } from '../core/authorship.ts'
import { WikiError } from '../core/errors.ts'
import { Authorship, type WrittenLine } from '../diff/authorship.ts'
import type { PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { checkShown, isHidden, shownPeople } from './access/hidden.ts'
import { findPage, type TitleQuery } from './resources/find-page.ts'
import { lacksBeginning } from './resources/shallow.ts'
import { sourceOfFile } from './resources/source.ts'
import type { Wiki } from './wiki.ts'

export interface BlamePageQuery extends TitleQuery {
  /** Id of the revision whose text is asked about; the latest one if omitted. */
  readonly at?: number | undefined
  /** Bytes of all revisions' texts together that are read at most; 256 MiB if omitted. */
  readonly maximumBytes?: number | undefined
  /** Bytes that may be remembered of former texts; 256 MiB if omitted. */
  readonly maximumRemembered?: number | undefined
}

const defaultMaximumBytes = 256 * 1024 * 1024

/** Milliseconds after which others have their turn. */
const sliceTime = 8

/**
 * Attributes each word of a page to the revision that first had it. Revisions whose text is hidden are passed over, so that
 * their words count for the next one.
 *
 * Errors: rest-invalid-title, rest-nonexistent-title, rest-nonexistent-title-revision, rest-permission-denied-revision,
 * rest-resource-limit-exceeded for a history that is too large; `TitleRedirect`.
 */
export async function blamePage({ store }: Wiki, query: BlamePageQuery): Promise<PageAuthorship> {
  await store.refresh()
  const page = findPage(store, query)
  const revisions = revisionsUntil(store, page, query)
  const latest = revisions.at(-1) as RevisionEntry
  checkShown(latest)
  const shown = withoutRepeats(revisions.filter(revision => !isHidden(revision, 'text')))
  checkSize(page, shown, query)
  const lines = await followAll(store, page, shown, query.maximumRemembered ?? defaultMaximumBytes)
  const authorship = pageAuthorship(page, latest, shown, lines)
  return lacksBeginning(store, page) ? { ...authorship, shallow: true } : authorship
}

/** Oldest first. */
function revisionsUntil(store: Store, page: PageEntry, { at, title }: BlamePageQuery): RevisionEntry[] {
  const all = [...store.revisionsOf(page)].reverse()
  if (at === undefined) return all
  const end = all.findIndex(({ id }) => id === at)
  if (end === -1) throw new WikiError('rest-nonexistent-title-revision', { params: [at, title] })
  return all.slice(0, end + 1)
}

/** A revision with the text of the one before it has no words of its own. */
function withoutRepeats(revisions: readonly RevisionEntry[]): RevisionEntry[] {
  return revisions.filter(({ blob }, at) => blob !== revisions[at - 1]?.blob)
}

function checkSize(page: PageEntry, revisions: readonly RevisionEntry[], { maximumBytes }: BlamePageQuery): void {
  const most = maximumBytes ?? defaultMaximumBytes
  if (revisions.reduce((sum, { size }) => sum + size, 0) > most) throw tooLarge(page, most)
}

function tooLarge({ title }: PageEntry, most: number): WikiError {
  return new WikiError('rest-resource-limit-exceeded', {
    params: [`history of ${title}`, most],
    hint: 'Its lines, not its words: git blame',
  })
}

async function followAll(
  store: Store,
  page: PageEntry,
  revisions: readonly RevisionEntry[],
  most: number,
): Promise<WrittenLine[]> {
  const authorship = new Authorship()
  let end = performance.now() + sliceTime
  for await (const [, text] of store.texts(revisions))
    for (const _ of authorship.add(sourceOfFile(text))) {
      if (authorship.size > most) throw tooLarge(page, most)
      if (performance.now() < end) continue
      await turn()
      end = performance.now() + sliceTime
    }
  return authorship.lines()
}

function pageAuthorship(
  page: PageEntry,
  { id, timestamp }: RevisionEntry,
  revisions: readonly RevisionEntry[],
  lines: readonly WrittenLine[],
): PageAuthorship {
  const words = new Array<number>(revisions.length).fill(0)
  for (const line of lines) for (const { version } of line.words) words[version] = (words[version] ?? 0) + 1
  return {
    id: page.id,
    key: page.key,
    title: page.title,
    revision: { id, timestamp },
    words: words.reduce((sum, count) => sum + count, 0),
    revisions: revisions.flatMap((revision, version) =>
      words[version] === 0 ? [] : [authoredRevision(revision, words[version] as number)],
    ),
    lines: lines.map(line => authoredLine(line, revisions)),
  }
}

function authoredRevision(revision: RevisionEntry, words: number): AuthoredRevision {
  const { id, timestamp, minor, commit } = revision
  const { user, comment } = shownPeople(revision)
  return { id, timestamp, user, comment, minor, commit, words }
}

function authoredLine({ text, words }: WrittenLine, revisions: readonly RevisionEntry[]): AuthoredLine {
  const first = words[0]
  if (first === undefined) return { revision: null, spans: text === '' ? [] : [{ text, revision: null }] }
  const spans: AuthoredSpan[] = []
  const idOf = (version: number): number => (revisions[version] as RevisionEntry).id
  let [start, version] = [0, first.version]
  for (const word of words) {
    if (word.version === version) continue
    spans.push({ text: text.slice(start, word.start), revision: idOf(version) })
    ;[start, version] = [word.start, word.version]
  }
  spans.push({ text: text.slice(start), revision: idOf(version) })
  return { revision: idOf(mostFrequent(words.map(word => word.version))), spans }
}

/** The highest of those that are there most often. */
function mostFrequent(versions: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const version of versions) counts.set(version, (counts.get(version) ?? 0) + 1)
  return [...counts].reduce((best, next) =>
    next[1] > best[1] || (next[1] === best[1] && next[0] > best[0]) ? next : best,
  )[0]
}
