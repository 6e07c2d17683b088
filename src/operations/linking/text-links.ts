/** Links of texts as written, cached by the hashes of the texts, so that each text is read once. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isWikiError } from '../../core/errors.ts'
import { appendToFile, makeFolder, replaceFile } from '../../files/private-files-async.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { type FoundLinks, type LinkForm, type LinkRange, readFrontMatter } from '../../wikitext/index.ts'
import { frontMatterNames } from '../naming/aliases.ts'
import { type LinkText, linkText } from '../naming/link-world.ts'
import { findLinks, type LinksJob, notStarted } from '../threads/job.ts'
import type { JobThreads } from '../threads/job-threads.ts'

/** A link as its page writes it. */
export interface TextLink extends LinkText {
  readonly form: LinkForm
  /** Readings of the page that include it: as itself (1), as a template (2), or both (3). */
  readonly readings: number
  /** True for a picture or a transcluded page. */
  readonly isEmbed: boolean
}

/** Everything that a page's text says about other pages. */
export interface TextLinks {
  readonly links: readonly TextLink[]
  /** Categories that front matter names. */
  readonly tags: readonly string[]
  /** Names that front matter gives to the page. */
  readonly aliases: readonly string[]
}

/** The store, and the reader of long texts. */
export interface Readers {
  readonly store: Store
  readonly threads: () => JobThreads | null
  readonly client: string
}

/** Length from which a text is read in a worker, if there is one. UTF-16 units. */
const longText = 4000
/** Maximum links of one page: bounds the cost of a page. */
const mostLinks = 20_000

/** Finds the links of a text; null if it is too large or takes too long. Errors: wiki-work-limit where the pool takes no job now. */
export async function findLinksAside(
  { threads, client }: Readers,
  page: Pick<LinksJob, 'text' | 'model'>,
): Promise<FoundLinks | null> {
  const aside = page.text.length < longText ? null : threads()
  if (aside === null) return findLinks(page)
  return aside.run({ task: 'links', client, ...page }).catch(error => {
    if (isWikiError(error, 'wiki-work-limit') && error.cause !== notStarted) return null
    throw error
  })
}

const signs = ['[[', '{{', '](', ']:', '<a', '<A', '<img', '<IMG', '<gallery']

/** Returns false for a text that certainly has no link. */
export function mayHaveLinks(text: string): boolean {
  return signs.some(sign => text.includes(sign))
}

/** Returns true for a page whose kind has links. */
export function isLinking({ model }: Pick<PageEntry, 'model'>): boolean {
  return model === 'wikitext' || model === 'markdown'
}

const none: TextLinks = { links: [], tags: [], aliases: [] }
const noLinks: FoundLinks = { links: [], computed: [] }
const readingBits = { page: 1, transcluded: 2, both: 3 } as const

/** Null for a text whose links cannot be found. */
async function readTextLinks(readers: Readers, text: string, model: LinksJob['model']): Promise<TextLinks | null> {
  const found = mayHaveLinks(text) ? await findLinksAside(readers, { text, model }) : noLinks
  if (found === null) return null
  const matter = model === 'markdown' ? await readFrontMatter(text) : null
  const [tags, aliases] = matter === null ? [[], []] : [matter.tags, frontMatterNames(matter)]
  const links = new Map<string, TextLink>()
  for (const range of found.links) {
    const link = textLink(text, range)
    links.set(JSON.stringify(link), link)
    if (links.size === mostLinks) break
  }
  return links.size + tags.length + aliases.length === 0 ? none : { links: [...links.values()], tags, aliases }
}

function textLink(text: string, range: LinkRange): TextLink {
  return { ...linkText(text, range), readings: readingBits[range.reading ?? 'page'], isEmbed: range.isEmbed === true }
}

export type PageAndLatest = readonly [page: PageEntry, latest: RevisionEntry]

/** Reads the links of the latest text of one page. Errors: wiki-work-limit. */
export async function linksOf(readers: Readers, [page, { blob }]: PageAndLatest): Promise<TextLinks> {
  if (!isLinking(page)) return none
  const text = (await readers.store.bytes(blob)).toString('utf8')
  return (await readTextLinks(readers, text, page.model as LinksJob['model'])) ?? none
}

const recordFile = 'texts.jsonl'
/** Version of the file format; files of another version are rebuilt. */
const version = 'links 2'
/** Maximum share of records in the file whose texts no page has any more. */
const staleShare = 0.5

/** Links of texts by hash, in a file beside the index. */
export interface LinkRecords {
  /** Returns the links of the pages' latest texts, in order; reads texts that are not cached. Errors: wiki-work-limit. */
  readonly of: (readers: Readers, pages: readonly PageAndLatest[]) => Promise<TextLinks[]>
}

/** Opens the records in a folder, which need not exist. Damaged lines are ignored. */
export function openLinkRecords(folder: string): LinkRecords {
  const path = join(folder, recordFile)
  /** Not in the file: another process, or a machine with less load, may read them. */
  const unread = new Set<string>()
  const readMissing = async (readers: Readers, missing: readonly PageAndLatest[], fresh: Map<string, TextLinks>) => {
    const left = missing.values()
    for await (const [{ blob }, text] of readers.store.texts(missing.map(([, revision]) => revision))) {
      const [page] = left.next().value as PageAndLatest
      const links = await readTextLinks(readers, text, page.model as LinksJob['model'])
      if (links === null) unread.add(keyOf(page, blob))
      else fresh.set(keyOf(page, blob), links)
    }
  }
  return {
    of: async (readers, pages) => {
      // The graph is made of them once: they do not stay in memory beside it.
      const known = await readRecords(path)
      const isKnown = (key: string) => known.has(key) || unread.has(key)
      const missing = pages.filter(([page, { blob }]) => isLinking(page) && !isKnown(keyOf(page, blob)))
      const fresh = new Map<string, TextLinks>()
      const keys = pages.map(([page, { blob }]) => keyOf(page, blob))
      try {
        await readMissing(readers, missing, fresh)
      } finally {
        for (const [key, links] of fresh) known.set(key, links)
        if (fresh.size > 0) await keepRecords(folder, path, { known, fresh, keys })
      }
      return keys.map(key => known.get(key) ?? none)
    },
  }
}

function keyOf({ model }: PageEntry, blob: string): string {
  return `${model[0]}${blob}`
}

/** Appends new records; rewrites the file if many records are unused. An unwritable folder costs only time. */
async function keepRecords(
  folder: string,
  path: string,
  {
    known,
    fresh,
    keys,
  }: {
    readonly known: Map<string, TextLinks>
    readonly fresh: ReadonlyMap<string, TextLinks>
    readonly keys: readonly string[]
  },
): Promise<void> {
  const isWhole = fresh.size === known.size || keys.length < known.size * staleShare
  const kept = isWhole ? new Map(keys.flatMap(key => (known.has(key) ? [[key, known.get(key)!] as const] : []))) : known
  try {
    await makeFolder(folder)
    if (isWhole) await replaceFile(path, `${version}\n${linesOf(kept)}`)
    else await appendToFile(path, linesOf(fresh))
  } catch {
    // It is read again next time.
  }
}

/** Directory of the records of a wiki, and of the graph that is made of them. */
export function linkFolder({ cacheDirectory }: Store): string {
  return join(cacheDirectory, 'links')
}

/** Targets that recorded texts link to, for a search among all of them. */
export interface RecordedTargets {
  /**
   * Returns the targets of a text as they are written, with | between them. Null if there is no record of all of them; empty where the test
   * refuses the record, which it gets as JSON: to read them all takes longer.
   */
  readonly of: (model: LinksJob['model'], blob: string, mayMatter: (json: string) => boolean) => string | null
}

/** Opens what is recorded now. Nothing is read that has no record. */
export async function recordedTargets(store: Store): Promise<RecordedTargets> {
  const lines = new Map<string, string>()
  for (const line of await readLines(join(linkFolder(store), recordFile))) lines.set(line.slice(2, 43), line)
  return {
    of: (model, blob, mayMatter) => {
      const line = lines.get(`${model[0]}${blob}`)
      if (line === undefined || !mayMatter(line)) return line === undefined ? null : ''
      const links = readLine(line)?.[1].links ?? null
      return links === null || links.length >= mostLinks
        ? null
        : links.map(({ target, second = '' }) => `${target}|${second}`).join('|')
    },
  }
}

type Row = readonly [form: LinkForm, readings: number, isEmbed: 0 | 1, target: string, second?: string]

function linesOf(records: ReadonlyMap<string, TextLinks>): string {
  let lines = ''
  for (const [key, { links, tags, aliases }] of records) {
    const rows = links.map(({ form, readings, isEmbed, target, second }): Row => {
      const row = [form, readings, isEmbed ? 1 : 0, target] as const
      return second === undefined ? row : [...row, second]
    })
    lines += `${JSON.stringify([key, rows, tags, aliases])}\n`
  }
  return lines
}

async function readRecords(path: string): Promise<Map<string, TextLinks>> {
  const records = new Map<string, TextLinks>()
  for (const line of await readLines(path)) {
    const record = readLine(line)
    if (record !== null) records.set(...record)
  }
  return records
}

async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [first, ...lines] = text.split('\n')
  return first === version ? lines : []
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
