/** Names that the front matter of Markdown pages gives them: read once for each text, and kept beside the index. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, replaceFile } from '../../files/private-files-async.ts'
import type { RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { readFrontMatter } from '../../wikitext/index.ts'
import { isHidden } from '../access/hidden.ts'
import { latestOf } from '../resources/page-object.ts'

/** Version of the file: one of another version is rebuilt. */
const version = 'aliases 1'

/** Aliases by the hash of the text. */
type Known = Map<string, readonly string[]>

const remembered = new WeakMap<Store['repository'], Known>()

/** Returns the names that front matter gives to pages, `aliases` and `title`, by the pages' keys; pages without any are left out. */
export async function readAliases(store: Store): Promise<Map<string, readonly string[]>> {
  const path = join(store.cacheDirectory, 'links', 'aliases.jsonl')
  const known = remembered.get(store.repository) ?? (await readKnown(path))
  remembered.set(store.repository, known)
  const pages: (readonly [key: string, latest: RevisionEntry])[] = []
  for (const page of store.pages()) {
    const latest = page.model === 'markdown' ? latestOf(store, page) : null
    if (latest !== null && !isHidden(latest, 'text')) pages.push([page.key, latest])
  }
  const fresh = pages.map(([, latest]) => latest).filter(({ blob }) => !known.has(blob))
  for await (const [{ blob }, text] of store.texts(fresh)) known.set(blob, await aliasesOf(text))
  const used: Known = new Map(pages.map(([, { blob }]) => [blob, known.get(blob) ?? []]))
  if (fresh.length > 0) await keep(path, used)
  const named = pages.flatMap(([key, { blob }]) => {
    const aliases = used.get(blob) ?? []
    return aliases.length === 0 ? [] : [[key, aliases] as const]
  })
  return new Map(named)
}

async function aliasesOf(text: string): Promise<readonly string[]> {
  if (!/^\ufeff?(?:---|\+\+\+)/.test(text)) return []
  const { aliases, title } = await readFrontMatter(text)
  return [...new Set([...aliases, ...(title === null ? [] : [title])])]
}

/** A folder that takes nothing costs only time. */
async function keep(path: string, known: Known): Promise<void> {
  const lines = [...known].map(([blob, aliases]) => `${JSON.stringify([blob, ...aliases])}\n`)
  try {
    await makeFolder(join(path, '..'))
    await replaceFile(path, `${version}\n${lines.join('')}`)
  } catch {
    // It is read again next time.
  }
}

async function readKnown(path: string): Promise<Known> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [first, ...lines] = text.split('\n')
  const known: Known = new Map()
  if (first !== version) return known
  for (const line of lines) {
    try {
      const [blob, ...aliases] = JSON.parse(line) as string[]
      if (blob !== undefined) known.set(blob, aliases.map(String))
    } catch {
      // The last line is empty; a damaged one is as good as none.
    }
  }
  return known
}
