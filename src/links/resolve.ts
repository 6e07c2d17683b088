/** Resolves links that lead to nothing under MediaWiki's rules. All of the product uses this module. */

import { changeAnchor, headingSlug } from '../core/anchors.ts'
import { composed } from '../core/composed-text.ts'
import type { Dialect } from './dialect.ts'
import { hasExpression, readExpression } from './expression.ts'
import type { LinkTarget, WrittenLink } from './link.ts'
import { decodePath, hasPageExtension, type LinkNames, type Named, type TargetName, wantedOf } from './names.ts'

/** The page that contains a link, and the rules for resolving it. */
export interface LinkPlace {
  /** Path of the page, from the root of the wiki. */
  readonly path: string
  readonly dialect: Dialect
  readonly names: LinkNames
  /** Returns the key of a target by MediaWiki's rules; null if it is not a title. */
  readonly keyOf: (target: string) => string | null
}

/** Longest target that is resolved, in UTF-16 units. */
const longestTarget = 1000
/** Pages that represent their folder. */
const folderPages = ['Home', 'README', 'index', '_index']
/** A language prefix of a path, as Wiki.js writes it. */
const localePrefix = /^[a-z]{2}(?:-[a-z]{2})?\//i
/** The site's root, as Docusaurus writes it. */
const sitePrefix = /^@site\//
/** Prefix of addresses in wikis of GitHub, GitLab and Gitea, which has files of a wiki under `raw`. */
const wikiPrefix = /^(?:(?:[^/]+\/[^/]+\/)?(?:-\/)?(?:wiki|wikis)\/(?:raw\/)?|raw\/)/
/** Words before the branch in the addresses that forges give to files: `owner/repository/blob/main/x.md`. */
const forgeWords: ReadonlySet<string> = new Set(['blob', 'tree', 'raw', 'blame', 'edit', 'branch'])

/**
 * Resolves a link by its exact title or path, which no other file name can change. Returns null for every other link.
 */
export function resolveExactly(link: WrittenLink, place: LinkPlace): LinkTarget | null {
  const { target, second, syntax } = link
  const search = searches.exact[syntax]
  // The second part is the target only if nothing matches the first.
  const isSwapped = second !== undefined && place.dialect.textFirst
  const found = resolveTarget(isSwapped ? second : target, syntax, { ...place, search })
  return isSwapped ? asSecond(found) : found
}

/**
 * Resolves a link. Returns null if it leads to no page and no file.
 *
 * A Markdown path is first resolved relative to the page's folder; for other links MediaWiki's title comes first. Then
 * follow other paths, and names in any folder, nearest first.
 */
export function resolveLink(link: WrittenLink, place: LinkPlace): LinkTarget | null {
  return (
    resolveParts(link, place, searches.all) ??
    (link.second !== undefined && place.dialect.textFirst ? missingSecond : null)
  )
}

type Search = (path: string, place: LinkPlace) => readonly Named[]
type Searches = Readonly<Record<WrittenLink['syntax'], Search>>

function resolveParts(link: WrittenLink, place: LinkPlace, by: Searches): LinkTarget | null {
  const { target, second, syntax } = link
  const search = by[syntax]
  const resolve = (part: string) => resolveTarget(part, syntax, { ...place, search })
  if (second === undefined) return resolve(target)
  const swapped = () => asSecond(resolve(second))
  return place.dialect.textFirst ? (swapped() ?? resolve(target)) : (resolve(target) ?? swapped())
}

const missingSecond: LinkTarget = { kind: 'missing', key: '', fragment: '', rivals: [], isTextFirst: true }

function asSecond(found: LinkTarget | null): LinkTarget | null {
  return found && { ...found, isTextFirst: true }
}

function resolveTarget(
  target: string,
  syntax: WrittenLink['syntax'],
  place: LinkPlace & { readonly search: Search },
): LinkTarget | null {
  if (target.length > longestTarget) return null
  if (syntax === 'path' && hasExpression(target)) {
    const plain = readExpression(target)?.target
    return plain === undefined || hasExpression(plain) ? null : resolveTarget(plain, syntax, place)
  }
  const [written, fragment] = splitFragment(target)
  const path = syntax === 'path' ? decodePath(written.replace(/\?.*/s, '')) : decodePath(written).trim()
  if (path === '') return null
  const found = place.search(path, place)
  const first = found[0]
  if (first === undefined) return null
  const rivals = found.slice(1).map(entry => entry.path)
  return { kind: first.kind, key: first.key, fragment: anchorOf(fragment, syntax, first), rivals, isTextFirst: false }
}

/** Obsidian links name a heading by its text. In a Markdown page the heading's id is a slug. */
function anchorOf(fragment: string, syntax: WrittenLink['syntax'], { path }: Named): string {
  if (syntax !== 'name' || !/\.(?:markdown|mdx?|mkdn?|mdown)$/i.test(path)) return fragment
  return changeAnchor(fragment, anchor => headingSlug(anchor.slice(anchor.lastIndexOf('#') + 1)))
}

const searchPath: Search = (path, place) =>
  firstFound([
    () => atPath(path, place, false),
    () => titled(path, place),
    () => elsewhere(path, place),
    () => atAddress(path, place),
    () => folderAt(path, place),
    () => titled(titleOfPath(path, 'path'), place),
  ])

const searchTitle: Search = (path, place) => firstFound([() => titled(path, place), () => withoutTitle(path, place)])

const withoutTitle: Search = (path, place) =>
  firstFound([
    () => atPath(path, place, false),
    () => elsewhere(path, place),
    () => folderAt(path, place),
    () => aliased(path, place),
  ])

const searchName: Search = (path, place) =>
  firstFound([
    () => spelledTitle(path, place),
    () => withoutTitle(path, place),
    () => titled(path, place),
    () => titled(titleOfPath(path, 'name'), place),
  ])

const exactTitle: Search = (path, place) => firstFound([() => titled(path, place), () => atPath(path, place, false)])

/** Titles have no two spaces in a row, but names of files may. */
const spelledTitle: Search = (path, place) =>
  titled(path, place).filter(entry => entry.kind !== 'page' || place.names.spells(entry, path))

const exactName: Search = (path, place) =>
  firstFound([() => spelledTitle(path, place), () => atPath(path, place, false)])

const elsewhere: Search = (path, place) =>
  firstFound([
    () => (place.dialect.names ? atPath(path, place, true) : []),
    () => upwards(path, place),
    () => anywhere(path, place),
    () => asSource(path, place),
    () => (place.dialect.names ? anywhere(path, { ...place, names: { ...place.names, ...place.names.outlines } }) : []),
    () => asPost(path, place),
    () => belowRoots(path, place),
    () => asPageOfSite(path, place),
    () => asNeighbour(path, place),
  ])

const searches = {
  exact: {
    path: (path, place) => firstFound([() => atPath(path, place, false), () => titled(path, place)]),
    title: exactTitle,
    name: exactName,
  },
  all: { path: searchPath, title: searchTitle, name: searchName },
} as const satisfies Record<string, Searches>

function aliased(path: string, { dialect, names }: LinkPlace): readonly Named[] {
  return dialect.names ? only(names.withAlias(path)) : []
}

/** A page may say which address of the site it has; numbers for the order of pages are not part of it. */
function atAddress(path: string, { path: from, dialect, names }: LinkPlace): readonly Named[] {
  if (!dialect.names) return []
  const address = path.startsWith('/') ? joinPath('', path) : joinPath(folderOf(from), path)
  return only(names.withAddress(address))
}

/** `[[Guide]]` may mean `Guide.rst`, which is shown as source. All rendered pages take precedence. */
function asSource(path: string, place: LinkPlace): readonly Named[] {
  const among: LinkPlace = { ...place, names: { ...place.names, ...place.names.sources } }
  return firstFound([
    () => atPath(path, among, place.dialect.names),
    () => upwards(path, among),
    () => anywhere(path, among),
  ])
}

/** A folder of documents is a site of its own: `/guide/x` in `manual/a.md` may mean `manual/guide/x.md`. */
function belowRoots(path: string, { path: from, dialect, names }: LinkPlace): readonly Named[] {
  if (!dialect.paths || !path.startsWith('/')) return []
  const folders = foldersUpwards(folderOf(from)).reverse()
  return firstFound(folders.map(folder => () => pageOrFolderPage(joinPath(folder, path), names)))
}

/** Static sites made from Markdown link to a page's output: `x.html` for `x.md`, `../x/`. */
function asPageOfSite(path: string, place: LinkPlace): readonly Named[] {
  if (!place.dialect.paths) return []
  const plain = path.replace(/(?:\/index)?\.html?$/i, '')
  if (plain === path || plain === '') return []
  return firstFound([() => atPath(plain, place, false), () => belowRoots(plain, place)])
}

/** The address of a post of Jekyll has its date: `/2020/01/02/first.html` for `_posts/2020-01-02-first.md`. */
function asPost(path: string, { path: from, dialect, names }: LinkPlace): readonly Named[] {
  const [, date, name] = /\/(\d{4}\/\d\d\/\d\d)\/([^/]+?)(?:\.html|\/)?$/.exec(path) ?? []
  if (!dialect.paths || date === undefined || name === undefined) return []
  const found = names.anywhere({ stem: `${date.replaceAll('/', '-')}-${name}`, extension: null })
  return byNearness(found.filter(isPost), folderOf(from))
}

function isPost({ kind, path }: Named): boolean {
  return kind === 'page' && /(?:^|\/)(?:_posts|_?blog|_?news)\//.test(path)
}

/** A site may serve a page as a folder, where relative addresses start: `../b/` in `guide/a.md` may mean `guide/b.md`. */
function asNeighbour(path: string, { path: from, dialect, names }: LinkPlace): readonly Named[] {
  if (!dialect.paths || !path.startsWith('../')) return []
  return pageOrFolderPage(joinPath(wantedOf(from).stem, path), names)
}

/** Finds a folder without a page that represents it. */
function folderAt(path: string, { path: from, dialect, names }: LinkPlace): readonly Named[] {
  if (!dialect.paths) return []
  for (const candidate of candidatePaths(path, folderOf(from))) {
    const folder = names.folder(candidate)
    if (folder !== undefined) return [folder]
  }
  return []
}

function firstFound(searches: readonly (() => readonly Named[])[]): readonly Named[] {
  for (const search of searches) {
    const found = search()
    if (found.length > 0) return found
  }
  return []
}

function titled(path: string, { names, keyOf }: LinkPlace): readonly Named[] {
  const key = keyOf(path)
  const found = key === null ? undefined : names.withKey(key)
  return found === undefined ? [] : [found]
}

/** Returns the title that a path or name in Markdown gives a missing page. A page that has it is the link's last target. */
export function titleOfPath(path: string, syntax: WrittenLink['syntax']): string {
  const plain = syntax === 'path' ? path.replace(/^(?:\.?\/)+/, '').replace(/\?.*$/s, '') : path.replace(/^:/, '')
  return hasPageExtension(plain) ? plain.replace(/\.[^.]*$/, '') : plain
}

/** Looks up a path in the page's folder, then at the root, then without the prefixes of other wiki programs. */
function atPath(path: string, { path: from, dialect, names }: LinkPlace, loose: boolean): readonly Named[] {
  if (!dialect.paths) return []
  return firstFound(
    [...candidatePaths(path, folderOf(from))].map(candidate => () => pageOrFolderPage(candidate, names, loose)),
  )
}

function pageOrFolderPage(path: string, names: LinkNames, loose = false): readonly Named[] {
  const found = names.at(wantedOf(path), loose)
  return found.length > 0 ? only(found) : folderPage(path, names)
}

function* candidatePaths(path: string, folder: string): Iterable<string> {
  const rooted = joinPath('', path.replace(sitePrefix, ''))
  if (!path.startsWith('/')) yield joinPath(folder, path)
  yield rooted
  if (wikiPrefix.test(rooted)) yield rooted.replace(wikiPrefix, '')
  const inBranch = pathInBranch(rooted)
  if (inBranch !== null) yield inBranch
  // Gitea ends a name whose dashes do not stand for spaces with this mark.
  if (rooted.endsWith('.-')) yield joinPath(folder, path.slice(0, -2))
  if (path.startsWith('/') && localePrefix.test(rooted)) yield rooted.replace(localePrefix, '')
}

/** Returns the path of a file from the root of its repository, if a target is an address of a forge. */
function pathInBranch(address: string): string | null {
  const parts = address.split('/')
  const at = parts.findIndex(part => forgeWords.has(part))
  // Gitea writes `src/branch/main`.
  const start = parts[at] === 'branch' ? at - 1 : at
  const isBehindRepository = start === 0 || start === 2 || parts[start - 1] === '-'
  return at >= 0 && isBehindRepository && parts.length > at + 2 ? parts.slice(at + 2).join('/') : null
}

/** A link to a folder leads to the page that represents it. */
function folderPage(path: string, names: LinkNames): readonly Named[] {
  const base = path === '' ? '' : `${path}/`
  return firstFound(folderPages.map(name => () => only(names.at({ stem: base + name, extension: null }, true))))
}

/** Gollum searches each folder from the page's up to the root. */
function upwards(path: string, { path: from, dialect, names }: LinkPlace): readonly Named[] {
  if (!dialect.names || path.startsWith('/')) return []
  const folders = foldersUpwards(folderOf(from))
  return firstFound(folders.map(folder => () => only(names.at(wantedOf(joinPath(folder, path)), true))))
}

function anywhere(path: string, { path: from, dialect, names }: LinkPlace): readonly Named[] {
  if (!dialect.names) return []
  const wanted: TargetName = wantedOf(joinPath('', path))
  return wanted.stem === '' ? [] : byNearness(names.anywhere(wanted), folderOf(from))
}

/** Sorts matches by path. The first one wins, and the others are reported as rivals. */
function only(found: readonly Named[]): readonly Named[] {
  return found.length < 2 ? found : [...found].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Orders by common folders with the page, then by depth, then by path. */
function byNearness(found: readonly Named[], folder: string): readonly Named[] {
  if (found.length < 2) return found
  const common = (entry: Named) => foldersUpwards(folder).find(up => isInside(entry.path, up))?.length ?? 0
  const depth = (entry: Named) => entry.path.split('/').length
  return [...found].sort((a, b) => common(b) - common(a) || depth(a) - depth(b) || (a.path < b.path ? -1 : 1))
}

function isInside(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** `a/b` → `a/b`, `a`, ``. */
function foldersUpwards(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/')
  return [...parts.keys(), parts.length].map(length => parts.slice(0, length).join('/')).reverse()
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

/** A target as written on a page at a path. */
export interface WrittenPlace {
  readonly written: string
  /** `path`: a path from the page's folder, or behind a slash from the root. Any other form names a file in any folder. */
  readonly form: string
  readonly from: string
}

/** Returns true if a target spells the path of a file, or the end of it, letter by letter; a page's extension may be missing. */
export function spellsPath({ written, form, from }: WrittenPlace, path: string): boolean {
  const names = [path, wantedOf(path).stem].map(composed)
  if (form === 'path') {
    const target = decodePath(written.replace(/[?#].*/s, ''))
    const start = target.startsWith('/') ? '' : folderOf(from)
    const place = composed(joinPath(start, target))
    // Other programs read no path that leads out of the wiki.
    if (joinPath(start === '' ? 'up' : `up/${start}`, target) === place) return false
    const isFolder = folderPages.some(page => page === wantedOf(baseOf(path)).stem) && place === folderOf(path)
    return target !== '' && (names.includes(place) || isFolder)
  }
  const name = composed(splitFragment(written)[0].trim().replace(/^\//, ''))
  return name !== '' && names.some(one => one === name || one.endsWith(`/${name}`))
}

/** Joins a path to a folder; `..` does not lead beyond the root. */
export function joinPath(folder: string, path: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

function splitFragment(target: string): [path: string, fragment: string] {
  const at = target.indexOf('#')
  return at === -1 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)]
}
