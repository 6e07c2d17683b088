/** Aliases of Markdown pages in their front matter, read once for each text and cached beside the index. */

import { join } from 'node:path'
import { appendLines, makeFolder, replaceFile } from '../../files/private-files-async.ts'
import { readTextLater } from '../../files/read-file.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { isHidden } from '../access/hidden.ts'
import { latestOf } from '../resources/find-page.ts'
import { createPause } from '../workers/pause.ts'

/** Version of the file format; files of another version are rebuilt. */
const version = 'aliases 5'
/** Maximum fraction of records without a current text, above which the file is rewritten. */
const staleShare = 0.5

/** Aliases by the hash of the text. */
type AliasesByText = Map<string, readonly string[]>

/** Aliases by the keys of their pages. */
export type Aliases = ReadonlyMap<string, readonly string[]>

/** A Markdown text that may contain aliases. */
export interface NamingText {
  /** Key of the page. */
  readonly key: string
  /** Null for an uncommitted text, which is read each time. */
  readonly blob: string | null
}

/** Reads texts, in any order; null for one that cannot be read. */
type ReadTexts<Text> = (missing: readonly Text[]) => AsyncIterable<readonly [Text, string | null]>

const remembered = new WeakMap<Store['repository'], AliasesByText>()

/** Returns the aliases in front matter, `aliases` and `title`, by the pages' keys. Pages without any are left out. */
export async function readAliases(store: Store): Promise<Aliases> {
  const texts = await namingTexts(store, store.pages())
  const aliases = await aliasesOf(store, texts, missing => latestTexts(store, missing))
  await forget(store, texts)
  return aliases
}

/** As `readAliases`, for the given pages. */
export async function aliasesOfPages(store: Store, pages: Iterable<PageEntry>): Promise<Aliases> {
  return aliasesOf(store, await namingTexts(store, pages), missing => latestTexts(store, missing))
}

/** As `readAliases`, for any texts. */
export async function aliasesOf<Text extends NamingText>(
  store: Store,
  texts: readonly Text[],
  read: ReadTexts<Text>,
): Promise<Aliases> {
  const path = fileOf(store)
  const cached = remembered.get(store.repository) ?? (await readCached(path))
  remembered.set(store.repository, cached)
  const aliases = new Map<string, readonly string[]>()
  const fresh: AliasesByText = new Map()
  const pause = createPause()
  const missing = texts.filter(({ blob }) => blob === null || !cached.has(blob))
  for await (const [{ key, blob }, text] of missing.length === 0 ? [] : read(missing)) {
    if (text === null) continue
    const names = await namesIn(text)
    if (blob !== null) fresh.set(blob, names)
    else if (names.length > 0) aliases.set(key, names)
    await pause()
  }
  for (const [blob, names] of fresh) cached.set(blob, names)
  if (fresh.size > 0) await keep(path, fresh, fresh.size < cached.size)
  for (const { key, blob } of texts) {
    const names = blob === null ? undefined : cached.get(blob)
    if (names !== undefined && names.length > 0) aliases.set(key, names)
    await pause()
  }
  return aliases
}

/** Returns the aliases in the front matter of a page. */
export function frontMatterNames({
  aliases,
  title,
}: {
  readonly aliases: readonly string[]
  readonly title: string | null
}): readonly string[] {
  return [...new Set([...aliases, ...(title === null ? [] : [title])])]
}

/** Returns the aliases in the front matter of a text. */
export async function namesIn(text: string): Promise<readonly string[]> {
  if (!/^\ufeff?(?:---|\+\+\+|[\w-]{1,50}:: )/.test(text)) return []
  const { readFrontMatter } = await import('../../wikitext/index.ts')
  return frontMatterNames(await readFrontMatter(text))
}

interface LatestText extends NamingText {
  readonly blob: string
  readonly latest: RevisionEntry
}

/** Hidden texts give no aliases. */
async function namingTexts(store: Store, pages: Iterable<PageEntry>): Promise<LatestText[]> {
  const texts: LatestText[] = []
  const pause = createPause()
  for (const page of pages) {
    await pause()
    const latest = page.model === 'markdown' ? latestOf(store, page) : null
    if (latest !== null && !isHidden(latest, 'text')) texts.push({ key: page.key, blob: latest.blob, latest })
  }
  return texts
}

async function* latestTexts(
  store: Store,
  missing: readonly LatestText[],
): AsyncIterable<readonly [LatestText, string | null]> {
  const left = missing.values()
  for await (const [, text] of store.presentTexts(missing.map(({ latest }) => latest)))
    yield [left.next().value as LatestText, text]
}

function fileOf(store: Store): string {
  return join(store.cacheDirectory, 'links', 'aliases.jsonl')
}

/** Removes the records of texts that no page has any more, once they are many. */
async function forget(store: Store, texts: readonly LatestText[]): Promise<void> {
  const cached = remembered.get(store.repository)
  if (cached === undefined || texts.length >= cached.size * staleShare) return
  const used: AliasesByText = new Map(texts.map(({ blob }) => [blob, cached.get(blob) ?? []]))
  remembered.set(store.repository, used)
  await keep(fileOf(store), used, false)
}

/** An unwritable folder costs only time. */
async function keep(path: string, names: AliasesByText, isMore: boolean): Promise<void> {
  let lines = ''
  const pause = createPause()
  for (const [blob, aliases] of names) {
    lines += `${JSON.stringify([blob, ...aliases])}\n`
    await pause()
  }
  try {
    await makeFolder(join(path, '..'))
    if (isMore) await appendLines(path, lines)
    else await replaceFile(path, `${version}\n${lines}`)
  } catch {
    // The text is read again next time.
  }
}

async function readCached(path: string): Promise<AliasesByText> {
  const text = await readTextLater(path).catch(() => '')
  const [first, ...lines] = text.split('\n')
  const byText: AliasesByText = new Map()
  if (first !== version) return byText
  const pause = createPause()
  for (const line of lines) {
    await pause()
    try {
      const [blob, ...aliases] = JSON.parse(line) as string[]
      if (blob !== undefined) byText.set(blob, aliases.map(String))
    } catch {
      // The last line is empty, and a damaged line counts as missing.
    }
  }
  return byText
}
