/** The file of a new page, named as the files around it are: in their folder, with their spelling and extension. */

import { type ContentModel, contentModels, modelsByExtension } from '../core/content-models.ts'
import { namespaceIds } from '../core/namespaces.ts'
import { foldTitlePrefix, type Title } from '../core/title.ts'
import type { FileEntry, PageEntry } from './format/entries.ts'
import { meansPage, type PathRules, pathOfTitle } from './format/paths.ts'
import type { PageQuery } from './pages.ts'

/** The existing pages and media files. */
export interface Neighbours {
  readonly pages: (query: PageQuery) => Iterable<Pick<PageEntry, 'key' | 'path'>>
  readonly files: () => Iterable<Pick<FileEntry, 'path'>>
}

/** Number of pages or files that are examined, so that a large wiki takes no longer than a small one. */
const maxExamined = 500
/** Minimum number of names that make a custom of lower-case names, and their minimum share. */
const lowerCaseCustom = { names: 8, share: 0.9 }

/**
 * Names the file of a new page, from the repository's top. It lies in the folder of the pages whose titles begin alike, whatever
 * the case of that folder's name; its extension, spaces and first letter are those of most pages there. If such a path does not mean
 * this title, and in the layout `sharded`, the path is that of `pathOfTitle`.
 */
export function newPath(title: Title, model: ContentModel, rules: PathRules, neighbours: Neighbours): string {
  const plain = pathOfTitle(title, model, rules)
  if (rules.layout === 'sharded') return plain
  const name = nameOf(plain)
  const folder = existingFolder(plain.slice(0, -name.length), title, rules, neighbours)
  const prefix = foldTitlePrefix(startOf(title, 0) ?? '', rules.titles)
  const near = firstOf(neighbours.pages({ prefix })).filter(({ path }) => path === folder + nameOf(path))
  const names = [near, firstOf(neighbours.pages({}))].map(pages => pages.map(({ path }) => nameOf(path)))
  const candidates = [...spellings(name, model, names), name].map(one => folder + one)
  return candidates.find(path => meansPage(path, { title, model }, rules)) ?? plain
}

/**
 * Returns a path at which the disk has no file of another one: the path itself or, where the disk ignores the case in which the two differ,
 * one with an encoded letter (`Foo_Ba%72.wiki`), which means the same title.
 */
export function pathOfItsOwn(path: string, isTaken: (path: string) => boolean): string {
  if (!isTaken(path)) return path
  const [start, end] = [path.lastIndexOf('/') + 1, path.length - endingOf(path).length]
  for (let at = end - 1; at >= start; at--) {
    if (!/[A-Za-z]/.test(path.charAt(at)) || /%.?$/.test(path.slice(start, at))) continue
    const encoded = `${path.slice(0, at)}%${path.charCodeAt(at).toString(16).toUpperCase()}${path.slice(at + 1)}`
    if (!isTaken(encoded)) return encoded
  }
  return path
}

/** Replaces as much of a folder as exists, in whatever case, by its name in git. A folder is empty or ends in a slash. */
function existingFolder(folder: string, title: Title, rules: PathRules, { pages, files }: Neighbours): string {
  const names = folder.split('/').slice(0, -1)
  const top = rules.root === '' ? 0 : rules.root.split('/').length
  for (let depth = names.length; depth > top; depth--) {
    const start = startOf(title, names.length - depth)
    if (start === null) break
    const inside = firstOf(pages({ prefix: foldTitlePrefix(start, rules.titles) }))
    const [wanted, key] = [names.slice(0, depth).join('/').toLowerCase(), start.replaceAll(' ', '_')]
    const there =
      mostCommon(inside.flatMap(page => (page.key.startsWith(key) ? leading(page.path, depth) : []))) ??
      mostCommon(
        firstOf(files()).flatMap(({ path }) => leading(path, depth).filter(one => one.toLowerCase() === wanted)),
      )
    if (there !== undefined) return [there, ...names.slice(depth), ''].join('/')
  }
  return folder
}

/** The first folders of a path, as a list of one; empty if it has fewer. */
function leading(path: string, depth: number): string[] {
  const names = path.split('/')
  return names.length > depth ? [names.slice(0, depth).join('/')] : []
}

/** Beginning of a title that its folder stands for, or the folder that many levels above; null where there is none. */
function startOf({ text, namespace }: Title, above: number): string | null {
  const parts = text.split('/')
  if (parts.length > above + 1) return `${parts.slice(0, -1 - above).join('/')}/`
  const isNamespace = parts.length === above + 1 && namespace !== namespaceIds.main
  return isNamespace ? text.slice(0, text.indexOf(':') + 1) : null
}

/** Spells a name as the first of the lists does that shows a custom; a second spelling keeps the first letter. */
function spellings(name: string, model: ContentModel, lists: readonly string[][]): string[] {
  if (contentModels[model].extensionInTitle) return [name]
  const extension =
    lists.map(names => mostCommon(names.map(endingOf).filter(isOf(model)))).find(one => one) ?? endingOf(name)
  const stem = name.slice(0, -endingOf(name).length)
  const hasSpaces = lists.map(usesSpaces).find(one => one !== null) ?? false
  const spaced = hasSpaces ? stem.replaceAll('_', ' ') : stem
  const begun =
    isLowerCase(lists[0] ?? []) && !/^.\p{Lu}/u.test(spaced) ? spaced.replace(/^./u, one => one.toLowerCase()) : spaced
  return [begun + extension, spaced + extension]
}

/** Names that tools prescribe, such as `CODE_OF_CONDUCT.md` and `ISSUE_TEMPLATE.md`, show nobody's custom. */
const prescribed = /^[A-Z_]+\./

/** Returns true if most names of several words have spaces between them; null if no name has several words. */
function usesSpaces(names: readonly string[]): boolean | null {
  const [spaces, underscores] = [/[^ _] /, /[^ _]_/].map(
    pattern => names.filter(name => pattern.test(name) && !prescribed.test(name)).length,
  ) as [number, number]
  return spaces + underscores === 0 ? null : spaces > underscores
}

function isLowerCase(names: readonly string[]): boolean {
  const cased = names.filter(name => /^[\p{Lu}\p{Ll}]/u.test(name))
  const lower = cased.filter(name => /^\p{Ll}/u.test(name))
  return cased.length >= lowerCaseCustom.names && lower.length >= cased.length * lowerCaseCustom.share
}

function isOf(model: ContentModel): (ending: string) => boolean {
  return ending => modelsByExtension.get(ending.slice(1).toLowerCase()) === model
}

/** Extension of a name with its dot. */
function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.'))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The most frequent of some values, the first of several. */
function mostCommon(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce<[string | undefined, number]>(
    (best, one) => (one[1] > best[1] ? one : best),
    [undefined, 0],
  )[0]
}

function firstOf<Item>(items: Iterable<Item>): Item[] {
  const found: Item[] = []
  for (const item of items) if (found.push(item) === maxExamined) break
  return found
}
