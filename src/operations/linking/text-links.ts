/** Links of texts as written, cached by the hashes of the texts, so that each text is read once. */

import { join } from 'node:path'
import { isWikiError } from '../../core/errors.ts'
import { appendLines, makeFolder, replaceFile } from '../../files/private-files-async.ts'
import { readTextLater } from '../../files/read-file.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { type DistinctLink, type FoundLinks, type LinkForm, readFrontMatter } from '../../wikitext/index.ts'
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
const maxLinks = 20_000

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
): Promise<readonly DistinctLink[] | null> {
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

const none: TextLinks = { links: [], tags: [], aliases: [] }

/** Null for a text whose links cannot be found. */
async function readTextLinks(readers: Readers, text: string, model: LinksJob['model']): Promise<TextLinks | null> {
  const links = mayHaveLinks(text) ? await findDistinctInWorker(readers, { text, model }) : []
  if (links === null) return null
  const matter = model === 'markdown' ? await readFrontMatter(text) : null
  const [tags, aliases] = matter === null ? [[], []] : [matter.tags, frontMatterNames(matter)]
  return links.length + tags.length + aliases.length === 0 ? none : { links, tags, aliases }
}

export type PageAndLatest = readonly [page: PageEntry, latest: RevisionEntry]

/** Reads the links of the latest text of one page. Errors: wiki-work-limit. */
export async function linksOf(readers: Readers, [page, { blob }]: PageAndLatest): Promise<TextLinks> {
  if (!isLinking(page)) return none
  const bytes = await readers.store.readableBytes(blob)
  if (bytes === null) return none
  return (await readTextLinks(readers, bytes.toString('utf8'), page.model as LinksJob['model'])) ?? none
}

const recordFile = 'texts.jsonl'
/** Version of the file format; files of another version are rebuilt. */
const version = 'links 7'
/** First line of the file: the links of a text depend on the language of the wiki. */
function headerOf({ config }: Store): string {
  return `${version} ${config.language}`
}

/** Maximum fraction of unused records in the file. */
const staleShare = 0.5

/** Links of texts by hash, in a file beside the index. */
export interface LinkRecords {
  /**
   * Returns the links of the pages' latest texts, in order; reads texts that are not cached. `areAll` says that no other pages link,
   * so that records of other texts may be dropped. Errors: wiki-work-limit.
   */
  readonly of: (
    readers: Readers,
    pages: readonly PageAndLatest[],
    scope: { readonly areAll: boolean },
  ) => Promise<TextLinks[]>
}

/** Opens the records in a folder, which need not exist. Damaged lines are ignored. */
export function openLinkRecords(folder: string): LinkRecords {
  const path = join(folder, recordFile)
  /** Texts not in the file. Another process, or a less loaded machine, may read them. */
  const unread = new Set<string>()
  const readMissing = async (readers: Readers, missing: readonly PageAndLatest[], fresh: Map<string, TextLinks>) => {
    const left = missing.values()
    for await (const [{ blob }, text] of readers.store.presentTexts(missing.map(([, revision]) => revision))) {
      const [page] = left.next().value as PageAndLatest
      // Its content may come later.
      if (text === null) continue
      const links = await readTextLinks(readers, text, page.model as LinksJob['model'])
      if (links === null) unread.add(keyOf({ model: page.model, blob }))
      else fresh.set(keyOf({ model: page.model, blob }), links)
    }
  }
  return {
    of: async (readers, pages, { areAll }) => {
      // The graph is built from them once, so they do not stay in memory beside it.
      const header = headerOf(readers.store)
      const records = await readRecords(path, header)
      const isRead = (key: string) => records.has(key) || unread.has(key)
      const missing = pages.filter(([page, { blob }]) => isLinking(page) && !isRead(keyOf({ model: page.model, blob })))
      const fresh = new Map<string, TextLinks>()
      const keys = pages.map(([page, { blob }]) => keyOf({ model: page.model, blob }))
      try {
        await readMissing(readers, missing, fresh)
      } finally {
        for (const [key, links] of fresh) records.set(key, links)
        if (fresh.size > 0)
          await keepRecords(folder, { header, records, fresh, keys: areAll ? keys : [...records.keys()] })
      }
      return keys.map(key => records.get(key) ?? none)
    },
  }
}

function keyOf({ model, blob }: { readonly model: string; readonly blob: string }): string {
  return `${model[0]}${blob}`
}

/** Appends new records; rewrites the file if many records are unused. */
async function keepRecords(
  folder: string,
  {
    header,
    records,
    fresh,
    keys,
  }: {
    readonly header: string
    readonly records: Map<string, TextLinks>
    readonly fresh: ReadonlyMap<string, TextLinks>
    readonly keys: readonly string[]
  },
): Promise<void> {
  const isWhole = fresh.size === records.size || keys.length < records.size * staleShare
  const used = isWhole
    ? new Map(keys.flatMap(key => (records.has(key) ? [[key, records.get(key)!] as const] : [])))
    : records
  await writeLines(folder, { header, isWhole, text: await linesOf(isWhole ? used : fresh) })
}

interface Lines {
  readonly header: string
  readonly isWhole: boolean
  readonly text: string
}

/** Writes all records, or appends some. An unwritable folder costs only time. */
async function writeLines(folder: string, { header, isWhole, text }: Lines) {
  const path = join(folder, recordFile)
  try {
    await makeFolder(folder)
    if (isWhole) await replaceFile(path, `${header}\n${text}`)
    else await appendLines(path, text)
  } catch {
    // The text is read again next time.
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
  const folder = linkFolder(store)
  const path = join(folder, recordFile)
  const header = headerOf(store)
  const [lines, added] = [new Map<string, string>(), new Map<string, string>()]
  for (const line of await readLines(path, header)) lines.set(line.slice(2, 43), line)
  return {
    size: lines.size,
    has: name => lines.has(keyOf(name)),
    of: (name, mayMatter) => {
      const line = lines.get(keyOf(name))
      if (line === undefined || line.endsWith(unreadable)) return null
      if (!mayMatter(line)) return ''
      const links = readLine(line)?.[1].links ?? null
      return links === null || links.length >= maxLinks
        ? null
        : links.map(({ form, target, second = '' }) => `${included.has(form) ? '{{' : ''}${target}|${second}`).join('|')
    },
    add: async (readers, name, text) => {
      const links = await readTextLinks(readers, text, name.model)
      const line = links === null ? JSON.stringify([keyOf(name), null]) : lineOf(keyOf(name), links)
      lines.set(keyOf(name), line)
      added.set(keyOf(name), line)
    },
    save: async texts => {
      if (added.size === 0) return
      const isWhole = added.size === lines.size || texts.length < lines.size * staleShare
      const written = isWhole ? texts.flatMap(name => lines.get(keyOf(name)) ?? []) : [...added.values()]
      await writeLines(folder, { header, isWhole, text: written.map(line => `${line}\n`).join('') })
    },
  }
}

/** End of the record of a text whose links cannot be found; those who need all links read it again. */
const unreadable = ',null]'

type Row = readonly [form: LinkForm, readings: number, isEmbed: 0 | 1, target: string, second?: string]

async function linesOf(records: ReadonlyMap<string, TextLinks>): Promise<string> {
  const pause = createPause()
  let lines = ''
  for (const [key, links] of records) {
    lines += `${lineOf(key, links)}\n`
    await pause()
  }
  return lines
}

function lineOf(key: string, { links, tags, aliases }: TextLinks): string {
  const rows = links.map(({ form, readings, isEmbed, target, second }): Row => {
    const row = [form, readings, isEmbed ? 1 : 0, target] as const
    return second === undefined ? row : [...row, second]
  })
  return JSON.stringify([key, rows, tags, aliases])
}

async function readRecords(path: string, header: string): Promise<Map<string, TextLinks>> {
  const pause = createPause()
  const records = new Map<string, TextLinks>()
  for (const line of await readLines(path, header)) {
    const record = readLine(line)
    if (record !== null) records.set(...record)
    await pause()
  }
  return records
}

async function readLines(path: string, header: string): Promise<string[]> {
  const text = await readTextLater(path).catch(() => '')
  const [first, ...lines] = text.split('\n')
  return first === header ? lines : []
}

function readLine(line: string): [key: string, links: TextLinks] | null {
  try {
    const [key, rows, tags, aliases] = JSON.parse(line) as [string, Row[], string[], string[]]
    const links = rows.map(([form, readings, embed, target, second]) => ({
      ...{ form, readings, isEmbed: embed === 1, target },
      ...(second !== undefined && { second }),
    }))
    return [key, { links, tags, aliases }]
  } catch {
    return null
  }
}
