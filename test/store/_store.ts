/** Stores for tests: opened and closed, written to in sequence, and queried for everything they have. */

import { onTestFinished } from 'vitest'
import type {
  CommitPlan,
  Committed,
  FileEntry,
  PageEntry,
  RevisionEntry,
  TitleProblem,
} from '../../src/store/format/entries.ts'
import { flagBits, type RevisionFlag } from '../../src/store/index/records.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts'
import { temporaryDirectory } from '../_setup.ts'

/** Opens a store, closed after the test, and refreshes it. */
export async function openFresh(directory: string, options: Omit<StoreOptions, 'directory'> = {}): Promise<Store> {
  const store = openStore({ directory, ...options })
  onTestFinished(() => store.close())
  await store.refresh()
  return store
}

/** Makes an empty repository with a work tree and opens it. */
export async function newStore(options: { bare?: boolean } = {}): Promise<{ store: Store; directory: string }> {
  const directory = await temporaryDirectory()
  initRepository(directory, options)
  return { directory, store: await openFresh(directory) }
}

/** New texts by path; null deletes. */
export type Texts = Readonly<Record<string, string | Uint8Array | null>>

/** The plan of one write, by an author and at a time that are always the same. */
export function planOf(files: Texts, rest: Partial<CommitPlan> = {}): CommitPlan {
  return {
    changes: Object.entries(files).map(([path, text]) => ({
      path,
      content: text === null ? null : Buffer.from(text as string),
    })),
    author: { name: 'Bob Example', address: 'bob@example.org' },
    comment: `Change ${Object.keys(files).join(', ')}`,
    subject: 'Edit',
    time: new Date('2024-02-03T04:05:06Z'),
    ...rest,
  }
}

/** Writes files in one commit. */
export function write(store: Store, files: Texts, rest: Partial<CommitPlan> = {}): Promise<Committed> {
  return store.commit(() => planOf(files, rest))
}

/** All results of a store. */
export interface Answers {
  readonly tip: string | null
  readonly pages: readonly PageEntry[]
  /** Newest first, page by page. */
  readonly revisions: readonly RevisionEntry[]
  readonly files: readonly FileEntry[]
  readonly problems: readonly TitleProblem[]
  /** Revisions by id, those of deleted pages too. */
  readonly ids: readonly (readonly [id: number, commit: string])[]
  /** For each page, the counts of its marks, and its editors. */
  readonly counts: readonly (readonly number[])[]
}

const counted = [...(Object.keys(flagBits) as RevisionFlag[]), 'editors'] as const

/** Reads everything from a store. */
export function answersOf(store: Store): Answers {
  const pages = [...store.pages()]
  return {
    tip: store.tip,
    pages,
    revisions: pages.flatMap(page => [...store.revisionsOf(page)]),
    files: [...store.files()],
    problems: [...store.problems()],
    ids: listIds(store),
    counts: pages.map(page => counted.map(what => store.countOf(page, what))),
  }
}

function listIds(store: Store): [number, string][] {
  const found: [number, string][] = []
  for (let id = 1; id <= store.lastRevisionId; id++) {
    const revision = store.revision(id, { deleted: true })
    if (revision) found.push([id, revision.commit])
  }
  return found
}

/** Titles of all pages, in their order. */
export function titlesOf(store: Store): string[] {
  return [...store.pages()].map(page => page.title)
}
