/** Links of texts as written, cached by the hashes of the texts, so that each text is read once. */

import { join } from 'node:path'
import { isWikiError } from '../../core/errors.ts'
import { appendLines, makeFolder, replaceFile } from '../../files/private-files-async.ts'
import { readTextLater } from '../../files/read-file.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import {
  type DistinctLink,
  type DistinctLinks,
  type FoundLinks,
  type LinkForm,
  readFrontMatter,
} from '../../wikitext/index.ts'
import { frontMatterNames } from '../naming/aliases.ts'
import { type LinksJob, notStarted } from '../workers/job.ts'
import { createPause } from '../workers/pause.ts'
import { findDistinctLinks, findLinks } from '../workers/run-job.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import { linkFolder } from './table-state.ts'

/** All links of a page's text, and its front matter. */
export interface TextLinks {
  readonly links: readonly DistinctLink[]
  /** Categories in the front matter. */
  readonly tags: readonly string[]
  /** Aliases in the front matter. */
  readonly aliases: readonly string[]
  /** Links whose target is computed, as written. */
  readonly computed: readonly string[]
}

/** The store, and the reader of long texts. */
export interface Readers {
  readonly store: Store
  readonly workerPool: () => WorkerPool | null
  readonly client: string
}

/** Length in UTF-16 units above which a text is read in a worker, if there is one. */
const longText = 4000
/** Maximum number of links of one page. */
export const maxLinks = 20_000

/**
 * Finds the links of a text; null if it is too large or takes too long. Errors: wiki-work-limit if the pool accepts no
 * job now.
 */
export async function findLinksInWorker(
  { store, workerPool, client }: Readers,
  page: Pick<LinksJob, 'text' | 'model'>,
): Promise<FoundLinks | null> {
  const pool = page.text.length < longText ? null : workerPool()
  const job = { ...page, language: store.config.language }
  return pool === null ? findLinks(job) : whereDone(pool.run({ task: 'links', client, ...job }))
}

/** Like `findLinksInWorker`, but without places: a worker then returns few links of a text that repeats them. */
async function findDistinctInWorker(
  { store, workerPool, client }: Readers,
  page: Pick<LinksJob, 'text' | 'model'>,
): Promise<DistinctLinks | null> {
  const pool = page.text.length < longText ? null : workerPool()
  const job = { ...page, language: store.config.language, most: maxLinks }
  return pool === null ? findDistinctLinks(job) : whereDone(pool.run({ task: 'distinct-links', client, ...job }))
}

async function whereDone<Result>(result: Promise<Result>): Promise<Result | null> {
  return result.catch(error => {
    if (isWikiError(error, 'wiki-work-limit') && error.cause !== notStarted) return null
    throw error
  })
}

const signs = ['[[', '{{', '](', ']:', '<a', '<A', '<img', '<IMG', '<gallery']

/** Returns false for a text that certainly has no links. */
export function mayHaveLinks(text: string): boolean {
  return signs.some(sign => text.includes(sign))
}

/** Returns true for a page of a content model with links. */
export function isLinking({ model }: Pick<PageEntry, 'model'>): boolean {
  return model === 'wikitext' || model === 'markdown'
}

/** The links of a text without any. */
export const noLinks: TextLinks = { links: [], tags: [], aliases: [], computed: [] }

/** Null for a text whose links cannot be found. */
async function readTextLinks(readers: Readers, text: string, model: LinksJob['model']): Promise<TextLinks | null> {
  const found = mayHaveLinks(text) ? await findDistinctInWorker(readers, { text, model }) : noLinks
  if (found === null) return null
  const { links, computed } = found
  const matter = model === 'markdown' ? await readFrontMatter(text) : null
  const [tags, aliases] = matter === null ? [[], []] : [matter.tags, frontMatterNames(matter)]
  return links.length + tags.length + aliases.length + computed.length === 0
    ? noLinks
    : { links, tags, aliases, computed }
}

export type PageAndLatest = readonly [page: PageEntry, latest: RevisionEntry]

/** Reads the links of the latest text of one page. Errors: wiki-work-limit. */
export async function linksOf(readers: Readers, [page, { blob }]: PageAndLatest): Promise<TextLinks> {
  if (!isLinking(page)) return noLinks
  const bytes = await readers.store.readableBytes(blob)
  if (bytes === null) return noLinks
  return (await readTextLinks(readers, bytes.toString('utf8'), page.model as LinksJob['model'])) ?? noLinks
}

const recordFile = 'texts.jsonl'
/** Version of the file format; files of another version are rebuilt. */
const version = 'links 8'
/** First line of the file: the links of a text depend on the language of the wiki. */
function headerOf({ config }: Store): string {
  return `${version} ${config.language}`
}

/** Maximum fraction of unused records in the file. */
const staleShare = 0.5
/** End of the record of a text whose links cannot be found; those who need all links read it again. */
const unreadable = ',null]'
/** End of a record with computed links. */
const withComputed = ']}]'

/** Length of the shortest link in a record. */
const shortestRow = '["link",1,0,""],'.length

/** Returns true if a record may have as many links as are recorded at most: its text may have more. */
function mayBePartial(line: string): boolean {
  return line.length >= maxLinks * shortestRow
}

/** Limits the recorded links to those that are needed. */
export interface RecordScope {
  /** True if no other pages link, so that records of other texts may be dropped. */
  readonly areAll: boolean
  /** Rejects records of pages, as JSON, without a link that matters: to parse them all takes longer. Computed links always matter, and so does a record that may lack some. */
  readonly mayMatter?: (json: string, page: PageEntry) => boolean
}

/** Links of texts by hash, in a file beside the index. */
export interface LinkRecords {
  /**
   * Returns the links of the pages' latest texts, in order: null for a text that cannot be read, and no links for one whose record the scope
   * rejects. Reads texts that are not cached. Errors: wiki-work-limit.
   */
  readonly of: (readers: Readers, pages: readonly PageAndLatest[], scope: RecordScope) => Promise<(TextLinks | null)[]>
}

/** Opens the records in a folder, which need not exist. Damaged lines are ignored. */
export function openLinkRecords(folder: string): LinkRecords {
  /** Texts not in the file. Another process, or a less loaded machine, may read them. */
  const unread = new Set<string>()
  const readMissing = async (readers: Readers, missing: readonly PageAndLatest[], records: RecordFile) => {
    const left = missing.values()
    for await (const [{ blob }, text] of readers.store.presentTexts(missing.map(([, revision]) => revision))) {
      const [page] = left.next().value as PageAndLatest
      // Its content may come later.
      if (text === null) continue
      const key = keyOf({ model: page.model, blob })
      const links = await readTextLinks(readers, text, page.model as LinksJob['model'])
      if (links === null) unread.add(key)
      else records.add(key, lineOf(key, links))
    }
  }
  return {
    of: async (readers, pages, { areAll, mayMatter = () => true }) => {
      // The graph is built from them once, so they do not stay in memory beside it.
      const records = await readRecordFile(folder, headerOf(readers.store))
      const keys = pages.map(([page, { blob }]) => keyOf({ model: page.model, blob }))
      const recorded = (page: PageEntry, key: string): TextLinks | null => {
        const line = records.lines.get(key)
        if (line === undefined || line.endsWith(unreadable)) return null
        const isNeeded = line.endsWith(withComputed) || mayBePartial(line) || mayMatter(line, page)
        return isNeeded ? readLine(line) : noLinks
      }
      const pause = createPause()
      const found: (TextLinks | null)[] = []
      for (const [at, [page]] of pages.entries()) {
        found.push(isLinking(page) ? recorded(page, keys[at] as string) : noLinks)
        await pause()
      }
      const missing = pages.filter((_, at) => found[at] === null && !unread.has(keys[at] as string))
      await readMissing(readers, missing, records).finally(() => records.save(areAll ? keys : null))
      return found.map((links, at) => links ?? recorded((pages[at] as PageAndLatest)[0], keys[at] as string))
    },
  }
}

function keyOf({ model, blob }: { readonly model: string; readonly blob: string }): string {
  return `${model[0]}${blob}`
}

/** The records by key, each as a line of JSON. */
interface RecordFile {
  readonly lines: ReadonlyMap<string, string>
  readonly add: (key: string, line: string) => void
  /**
   * Writes what was added. Given the keys of all texts that link, drops other records once they are many. A folder that takes nothing costs
   * only time: the texts are read again.
   */
  readonly save: (all: readonly string[] | null) => Promise<void>
}

async function readRecordFile(folder: string, header: string): Promise<RecordFile> {
  const path = join(folder, recordFile)
  const text = await readTextLater(path).catch(() => '')
  const [first, ...rest] = text.split('\n')
  const lines = new Map<string, string>()
  const fresh = new Set<string>()
  if (first === header) for (const line of rest) if (line !== '') lines.set(line.slice(2, 43), line)
  const textOf = (keys: Iterable<string>) =>
    [...keys].flatMap(key => (lines.has(key) ? [`${lines.get(key)}\n`] : [])).join('')
  return {
    lines,
    add: (key, line) => {
      lines.set(key, line)
      fresh.add(key)
    },
    save: async all => {
      if (fresh.size === 0) return
      const isStale = all !== null && all.length < lines.size * staleShare
      try {
        await makeFolder(folder)
        if (isStale || fresh.size === lines.size)
          await replaceFile(path, `${header}\n${textOf(isStale ? new Set(all) : lines.keys())}`)
        else await appendLines(path, textOf(fresh))
      } catch {
        // The texts are read again next time.
      }
    },
  }
}

/** Link targets of recorded texts, for a search among all of them. */
export interface RecordedTargets {
  /** Number of recorded texts. */
  readonly size: number
  /** True for a text that was recorded, also as one whose links cannot be found. */
  readonly has: (text: TextName) => boolean
  /**
   * Returns the targets of a text as written, separated by |, those of templates and functions after `{{`. Null if some are not
   * recorded; empty if the test rejects the record. The test gets the JSON, because parsing all records takes longer.
   */
  readonly of: (text: TextName, mayMatter: (json: string) => boolean) => string | null
  /** Records the links of a text, in memory. Errors: wiki-work-limit. */
  readonly add: (readers: Readers, name: TextName, text: string) => Promise<void>
  /** Writes what was added. Drops other records if most of them are of none of these texts; a folder that takes nothing costs only time. */
  readonly save: (texts: readonly TextName[]) => Promise<void>
}

const included: ReadonlySet<LinkForm> = new Set(['template', 'function'])

/** A text by its hash, and the model that it is read by. */
export interface TextName {
  readonly model: LinksJob['model']
  readonly blob: string
}

/** Opens the current record. */
export async function recordedTargets(store: Store): Promise<RecordedTargets> {
  const records = await readRecordFile(linkFolder(store), headerOf(store))
  const { lines } = records
  return {
    size: lines.size,
    has: name => lines.has(keyOf(name)),
    of: (name, mayMatter) => {
      const line = lines.get(keyOf(name))
      if (line === undefined || line.endsWith(unreadable)) return null
      if (!mayBePartial(line) && !mayMatter(line)) return ''
      const links = readLine(line)?.links ?? null
      return links === null || links.length >= maxLinks
        ? null
        : links.map(({ form, target, second = '' }) => `${included.has(form) ? '{{' : ''}${target}|${second}`).join('|')
    },
    add: async (readers, name, text) => {
      const links = await readTextLinks(readers, text, name.model)
      const key = keyOf(name)
      records.add(key, links === null ? `["${key}"${unreadable}` : lineOf(key, links))
    },
    save: texts => records.save(texts.map(keyOf)),
  }
}

type Row = readonly [form: LinkForm, readings: number, isEmbed: 0 | 1, target: string, second?: string]

function lineOf(key: string, { links, tags, aliases, computed }: TextLinks): string {
  const rows = links.map(({ form, readings, isEmbed, target, second }): Row => {
    const row = [form, readings, isEmbed ? 1 : 0, target] as const
    return second === undefined ? row : [...row, second]
  })
  return JSON.stringify([key, rows, tags, aliases, ...(computed.length === 0 ? [] : [{ computed }])])
}

/** Null for a damaged record. */
function readLine(line: string): TextLinks | null {
  try {
    const [, rows, tags, aliases, { computed } = { computed: [] }] = JSON.parse(line) as [
      key: string,
      rows: Row[],
      ...[tags: string[], aliases: string[], more?: { computed: string[] }],
    ]
    const links = rows.map(([form, readings, embed, target, second]) => ({
      ...{ form, readings, isEmbed: embed === 1, target },
      ...(second !== undefined && { second }),
    }))
    return { links, tags, aliases, computed }
  } catch {
    return null
  }
}
