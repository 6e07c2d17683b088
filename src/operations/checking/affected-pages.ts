/** Finds pages that are equal in two states, but whose links the change may have broken. */

import { type Readers, type RecordedTargets, recordedTargets, type TextName } from '../linking/text-links.ts'
import { namesIn } from '../naming/aliases.ts'
import { foldedText, idsWritten } from './anchors.ts'
import { linkingModel, withFolders } from './page-links.ts'
import type { WikiState } from './wiki-state.ts'

/** A word that the text of a page contains if it links to something that changed: the name of a file, or `#section`. */
export type Needle = string

/** With more words than this all pages are checked, because searching for each word would take longer. */
const maxNeedles = 300

/**
 * Returns the words by which links may refer to anything that only one of the states has: files, folders, sections,
 * aliases.
 */
export async function changedNames(before: WikiState, after: WikiState, changed: readonly string[]): Promise<Needle[]> {
  const [older, newer] = [await everyPath(before), await everyPath(after)]
  const names = new Set<Needle>()
  for (const path of older) if (!newer.has(path)) names.add(nameOf(path))
  for (const path of newer) if (!older.has(path)) names.add(nameOf(path))
  for (const path of changed) {
    for (const needle of await goneSections(before, after, path)) names.add(needle)
    const [old, now] = [await namesAt(before, path), await namesAt(after, path)]
    for (const name of [...old, ...now]) if (!old.includes(name) || !now.includes(name)) names.add(name)
  }
  names.delete('')
  return [...names]
}

async function everyPath(state: WikiState): Promise<ReadonlySet<string>> {
  const paths = new Set([...state.blobs.keys()].flatMap(withFolders))
  for (const path of await state.otherPaths()) for (const one of withFolders(path)) paths.add(one)
  return paths
}

/** Returns the aliases in the front matter of the page at a path. */
export async function namesAt(state: WikiState, path: string): Promise<Needle[]> {
  const text = linkingModel(path) === 'markdown' && state.blobs.has(path) ? await state.text(path) : null
  return text === null ? [] : (await namesIn(text)).map(foldedText)
}

async function goneSections(before: WikiState, after: WikiState, path: string): Promise<Needle[]> {
  if (linkingModel(path) === null || !before.blobs.has(path) || !after.blobs.has(path)) return []
  const [older, newer] = [await before.text(path), await after.text(path)]
  if (older === null || newer === null) return []
  const left = idsWritten(newer)
  return [...idsWritten(older)].filter(id => !left.has(id)).map(id => `#${foldedText(id)}`)
}

/** A search among the links of many texts. */
export interface LinkSearch {
  /** `all` takes every page, because the search would take longer than their checks. */
  readonly takes: 'all' | 'none' | 'found'
  /** A fast test that is true for every text, and every record of links, that the search finds. */
  readonly mayHave: (text: string) => boolean
  /** True for the links of a text, or the whole text. `folded` is the same, folded. */
  readonly has: (text: string, folded: string) => boolean
}

/** Finds texts with one of the words. */
export function searchForNames(names: readonly Needle[]): LinkSearch {
  const needles = [...new Set(names)]
  return {
    takes: needles.length === 0 ? 'none' : needles.length > maxNeedles ? 'all' : 'found',
    mayHave: quickTest(needles),
    has: (_, folded) => needles.some(needle => folded.includes(needle)),
  }
}

/** Finds texts that include a page of one of the names, as in `{{Name|` or `{{#ifexist:Name|`. */
export function searchForIncluded(names: ReadonlySet<Needle>): LinkSearch {
  return {
    takes: names.size === 0 ? 'none' : 'found',
    mayHave: text => text.includes('{{') || text.includes('"template"') || text.includes('"function"'),
    has: text => [...text.matchAll(/\{\{([^{}[\]<>|]{1,300})/g)].some(([, target = '']) => isNamed(target, names)),
  }
}

/** True if a target is one of the names, or a name after a namespace, a function or a path. */
function isNamed(target: string, names: ReadonlySet<Needle>): boolean {
  const folded = foldedText(target.trim())
  const starts = [0, ...[...folded.matchAll(/[:/]/g)].map(({ index }) => index + 1)]
  return starts.some(start => names.has(folded.slice(start).replace(/^-/, '')))
}

/**
 * Finds the pages of a state, unchanged since the other one, that each search finds; a list for each search. Texts
 * without a record of their links are read, once for all of the searches: to read them takes longer than the look at them. Their links are
 * recorded for the next check, except in a shallow clone without any record: CI throws it away.
 */
export async function pagesNaming(
  readers: Readers,
  { before, after }: { readonly before: WikiState; readonly after: WikiState },
  searches: readonly LinkSearch[],
): Promise<readonly (readonly string[])[]> {
  const found = searches.map((): string[] => [])
  if (searches.every(({ takes }) => takes === 'none')) return found
  const paths = [...after.blobs].flatMap(([path, blob]) =>
    linkingModel(path) !== null && blob !== null && before.blobs.get(path) === blob ? [path] : [],
  )
  const sought = searches.flatMap((search, at) => (search.takes === 'found' ? [{ ...search, list: found[at]! }] : []))
  if (sought.length > 0) {
    const mayHave = (text: string): boolean => sought.some(search => search.mayHave(text))
    for await (const [path, text] of namingTexts(readers, { after, paths, mayHave })) {
      const folded = foldedText(text)
      for (const { has, list } of sought) if (has(text, folded)) list.push(path)
    }
  }
  return searches.map(({ takes }, at) => (takes === 'all' ? paths : found[at]!))
}

interface Search {
  readonly after: WikiState
  readonly paths: readonly string[]
  readonly mayHave: (text: string) => boolean
}

/** Yields the recorded links of pages, and the whole texts of pages without a record, filtered by the test. */
async function* namingTexts(
  readers: Readers,
  { after, paths, mayHave }: Search,
): AsyncIterable<readonly [path: string, text: string]> {
  const recorded = await recordedTargets(readers.store)
  const names = new Map(paths.map(path => [path, nameOfText(after, path)]))
  if (!readers.store.shallow || recorded.size > 0) await recordAll(readers, after, { recorded, names })
  const unrecorded: string[] = []
  for (const [path, name] of names) {
    const targets = recorded.of(name, mayHave)
    if (targets === null) unrecorded.push(path)
    else if (targets !== '') yield [path, targets]
  }
  for await (const [path, text] of after.texts(unrecorded)) if (text !== null && mayHave(text)) yield [path, text]
}

/** Unchanged pages have a model, and a blob. */
function nameOfText({ blobs }: WikiState, path: string): TextName {
  return { model: linkingModel(path)!, blob: blobs.get(path)! }
}

interface Recording {
  readonly recorded: RecordedTargets
  readonly names: ReadonlyMap<string, TextName>
}

async function recordAll(readers: Readers, { texts }: WikiState, { recorded, names }: Recording): Promise<void> {
  const missing = [...names].flatMap(([path, name]) => (recorded.has(name) ? [] : [path]))
  try {
    for await (const [path, text] of texts(missing))
      if (text !== null) await recorded.add(readers, names.get(path)!, text)
  } finally {
    await recorded.save([...names.values()])
  }
}

/**
 * Returns a fast test that is true for every text that contains one of the words; folding a text would take ten times
 * as long. Adjacent letters and digits of a word are also adjacent in the text.
 */
function quickTest(needles: readonly Needle[]): (text: string) => boolean {
  const words = needles.map(needle => longestFirst(needle.match(/[a-z0-9]+/g) ?? []))
  return text => {
    const lower = text.toLowerCase()
    return words.some(parts => parts.every(part => lower.includes(part)))
  }
}

function longestFirst(parts: readonly string[]): string[] {
  return [...new Set(parts)].sort((a, b) => b.length - a.length)
}

/** Returns the last part of a path without its extension, as links may contain it. */
export function nameOf(path: string): Needle {
  return foldedText(path.slice(path.lastIndexOf('/') + 1).replace(/(?!^)\.[^.]+$/, ''))
}
