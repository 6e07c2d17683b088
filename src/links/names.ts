/** An index of the paths and names of a wiki's pages and files. */

import { composed } from '../core/composed-text.ts'
import { contentModels } from '../core/content-models.ts'

/** A page or file that links can lead to. */
export interface Named {
  /** `other`: a file of the repository that is neither a page nor media, or a folder. */
  readonly kind: 'page' | 'file' | 'other'
  /**
   * Key of the title. For an entry without a title it is a colon and the path, because no title starts with a colon.
   */
  readonly key: string
  /** Path from the root of the wiki. A folder's ends in a slash. */
  readonly path: string
  /** Aliases from the page's front matter. */
  readonly aliases?: readonly string[]
}

/** Name and extension in a target. */
export interface TargetName {
  /** A page's name without its extension; a file's name with it. */
  readonly stem: string
  /** Extension of a page in lower case; null if the target has none. */
  readonly extension: string | null
}

/** Entries by path, or by part of a path. */
export interface PathNames {
  /** Finds the entry at a path. With `loose`, in any spelling that the wiki takes for the same name. */
  readonly at: (wanted: TargetName, loose: boolean) => readonly Named[]
  /** Finds entries in any folder with this name, or with a path that ends in it. */
  readonly anywhere: (wanted: TargetName) => readonly Named[]
  /** Finds entries in any folder with this name, in any spelling. */
  readonly alike: (name: string) => readonly Named[]
}

export interface LinkNames extends PathNames {
  /**
   * Pages that are shown as source, by path without the extension. The extension is part of their titles, but links
   * omit it.
   */
  readonly sources: PathNames
  /** Pages of Logseq in a folder by name only: `a___b.md` is the page `a/b`. */
  readonly outlines: PathNames
  /** True if an entry's path, or the end of it, spells a name in any case, with every space and dash. */
  readonly spells: (entry: Named, name: string) => boolean
  /** Finds the pages with this alias in their front matter. */
  readonly withAlias: (name: string) => readonly Named[]
  /** Finds the pages with this address of a site, from its root: those of front matter, or without the numbers that order files. */
  readonly withAddress: (address: string) => readonly Named[]
  /** Returns the folder at a path; undefined if there is none. */
  readonly folder: (path: string) => Named | undefined
  /** Returns the page or file of a title. */
  readonly withKey: (key: string) => Named | undefined
  /**
   * Builds, in steps, what paths and names need; all else is fast without. Whoever skips it waits at the first path or name. With
   * `isPathOnly` for `at` alone.
   */
  readonly prepare: (options?: { readonly isPathOnly?: boolean }) => Generator<void, void>
}

/** Creates the entry of a path without a title. */
export function otherNamed(path: string): Named {
  return { kind: 'other', key: `:${path}`, path }
}

/** Extensions that are not part of a title. */
const extensions = Object.values(contentModels).flatMap(rule => (rule.extensionInTitle ? [] : rule.extensions))
const pageExtension = new RegExp(`\\.(${extensions.join('|')})$`, 'i')
/** Extensions of pages that are shown as source: those of other wiki syntaxes, such as `.rst`. */
const sourceExtension = new RegExp(`\\.(${contentModels.text.extensions.join('|')})$`, 'i')

/** Splits a path into its stem and the extension of a page. */
export function wantedOf(path: string): TargetName {
  const extension = pageExtension.exec(path)?.[1]?.toLowerCase() ?? null
  return { stem: extension === null ? path : path.slice(0, -extension.length - 1), extension }
}

/** Returns true if a target ends with the extension of a page. */
export function hasPageExtension(path: string): boolean {
  return pageExtension.test(path)
}

/** Returns true if links to a page may omit its file's extension. */
export function hasOptionalExtension(path: string): boolean {
  return pageExtension.test(path) || sourceExtension.test(path)
}

/** Returns the key that the spellings of one name have in common. */
export type FoldName = (text: string) => string

/**
 * Normalises a name where spaces may stand for dashes: Unicode form and case, with spaces, dashes, underscores and the plus signs of old
 * wikis of Gitea as one dash.
 */
export const foldDashed: FoldName = text =>
  composed(text)
    .toLowerCase()
    .replace(/(?<=[\p{L}\p{N}])\+(?=[\p{L}\p{N}])|[\s_-]+/gu, '-')
    .replace(/^-+|-+(?=\/|$)|(?<=\/)-+/g, '')

/** Normalises a name elsewhere: Unicode form and case; an underscore is a space, as in titles. */
const foldSpaced: FoldName = text => composed(text).toLowerCase().replace(/[\s_]/g, ' ')

/** Folds a name of front matter, which may be an address of the site. */
function foldAlias(text: string, fold: FoldName): string {
  return fold(text.startsWith('/') ? text.slice(1).replace(/\/$|\.html?$/i, '') : text)
}

/** True for a name that is an address of the site: from its root, or from the page's folder. */
function isAddressOfSite(alias: string): boolean {
  return /^\.?\//.test(alias)
}

/** Number that orders a file among others, as Docusaurus and others read it; no date. */
const orderNumber = /(?<=^|\/)\d{1,4}(?![-_.]\d)[ \t]?[-_.][ \t]?(?=[^/])/g

/**
 * Lists the addresses that a page may have on a site. A site's root is a folder above the page, so an address may begin at any of
 * these.
 */
function addressesOf({ kind, path, aliases = [] }: Named): string[] {
  if (kind !== 'page') return []
  const { stem } = wantedOf(path)
  const folder = stem.includes('/') ? stem.slice(0, stem.lastIndexOf('/')) : ''
  const parents = /\/_?index$/i.test(stem) ? [folder, folder.slice(0, Math.max(0, folder.lastIndexOf('/')))] : [folder]
  const plain = stem.replace(orderNumber, '')
  return [
    ...(plain === stem ? [] : endings(plain)),
    ...aliases
      .filter(alias => alias.startsWith('./'))
      .flatMap(alias => parents.flatMap(up => endings(`${up}/${alias.slice(2)}`))),
    ...aliases.filter(alias => alias.startsWith('/')).flatMap(alias => beginnings(folder).map(up => `${up}${alias}`)),
  ]
}

/** `a/b/c` → `/a/b/c`, `/b/c`, `/c`. */
function endings(path: string): string[] {
  const parts = path.split('/').filter(part => part !== '')
  return parts.map((_, at) => `/${parts.slice(at).join('/')}`)
}

/** `a/b` → ``, `/a`, `/a/b`. */
function beginnings(folder: string): string[] {
  const parts = folder.split('/').filter(part => part !== '')
  return ['', ...parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`)]
}

/**
 * Creates the index. Takes time and memory proportional to the number of entries: little for the keys, and ten times as much for
 * the paths and aliases, which are indexed when one is first sought. `dashes`, asked then, says whether a space may stand for a dash.
 */
export function linkNames(entries: Iterable<Named>, { dashes }: { readonly dashes: () => boolean }): LinkNames {
  const all = [...entries]
  const fold: FoldName = text => (dashes() ? foldDashed : foldSpaced)(text)
  // Of several with one title the first is shown.
  const byKey = new Map(all.map(entry => [entry.key, entry]).reverse() as [string, Named][])
  const others = onFirstUse(() => otherNames(all, fold))
  const folders = onFirstUse(() => foldersOf(all))
  const isSource = ({ kind, path }: Named) => kind === 'page' && sourceExtension.test(path)
  const isOutline = ({ kind, path }: Named) => kind === 'page' && (path.includes('___') || journalDate.test(path))
  const stems = onFirstUse(() => stemsOf(all, { stem: stemOf, fold }))
  const sources = onFirstUse(() => stemsOf(all, { stem: stemOfSource, fold, isMeant: isSource }))
  const outlines = onFirstUse(() => stemsOf(all, { stem: stemOfOutline, fold, isMeant: isOutline }))
  const folder = (path: string) => (folders().has(path) ? otherNamed(`${path}/`) : undefined)
  return {
    ...pathNames(stems, { stem: stemOf, fold }),
    sources: pathNames(sources, { stem: stemOfSource, fold }),
    outlines: pathNames(outlines, { stem: stemOfOutline, fold }),
    spells: (entry, name) => dashes() || endsWith(foldSpaced(stemOf(entry)), foldSpaced(wantedOf(name).stem)),
    withAlias: name =>
      others().byAlias.get(foldAlias(name, fold)) ?? others().byAddress.get(foldAlias(name, fold)) ?? [],
    withAddress: address => others().byAddress.get(foldAlias(`/${address}`, fold)) ?? [],
    folder,
    withKey: key => byKey.get(key) ?? (/^:.*\/$/s.test(key) ? folder(key.slice(1, -1)) : undefined),
    *prepare({ isPathOnly = false } = {}) {
      for (const table of isPathOnly ? [stems] : [stems, sources, outlines, others, folders]) yield* table.prepare()
    },
  }
}

/** A value that is made when it is first used, or in steps before. */
interface Lazy<Value> {
  (): Value
  readonly prepare: () => Generator<void, void>
}

function onFirstUse<Value>(make: () => Generator<void, Value>): Lazy<Value> {
  let made: { readonly value: Value } | null = null
  const prepare = function* (): Generator<void, void> {
    if (made !== null) return
    const value = yield* make()
    made ??= { value }
  }
  const get = (): Value => {
    for (const _ of prepare());
    return made!.value
  }
  return Object.assign(get, { prepare })
}

/** Indexes the aliases of the entries, and their addresses on a site. */
function* otherNames(
  entries: readonly Named[],
  fold: FoldName,
): Generator<void, Readonly<Record<'byAlias' | 'byAddress', Map<string, Named[]>>>> {
  const byAlias = new Map<string, Named[]>()
  const byAddress = new Map<string, Named[]>()
  for (const entry of entries) {
    for (const alias of entry.aliases ?? []) if (!isAddressOfSite(alias)) add(byAlias, foldAlias(alias, fold), entry)
    for (const address of addressesOf(entry)) add(byAddress, foldAlias(address, fold), entry)
    yield
  }
  return { byAlias, byAddress }
}

type StemOf = (entry: Named) => string

/** Rules by which the name of an entry is read from its path, and compared. */
interface NameRules {
  readonly stem: StemOf
  readonly fold: FoldName
}

function pathNames(names: () => Stems, { stem, fold }: NameRules): PathNames {
  return {
    at: (asked, loose) => {
      const wanted = plainWanted(asked)
      return closest(names().byStem.get(fold(wanted.stem)) ?? [], wanted, { loose, stem })
    },
    alike: name => names().byBase.get(baseOf(fold(wantedOf(name).stem))) ?? [],
    anywhere: asked => {
      const wanted = plainWanted(asked)
      const folded = fold(wanted.stem)
      const found = names().byBase.get(baseOf(folded)) ?? []
      const ending = found.filter(entry => endsWith(fold(stem(entry)), folded))
      return closest(ending, wanted, { loose: true, stem })
    },
  }
}

type Stems = Readonly<Record<'byStem' | 'byBase', Map<string, Named[]>>>

function* stemsOf(
  entries: readonly Named[],
  { stem, fold, isMeant = () => true }: NameRules & { readonly isMeant?: (entry: Named) => boolean },
): Generator<void, Stems> {
  const byStem = new Map<string, Named[]>()
  const byBase = new Map<string, Named[]>()
  for (const entry of entries) {
    yield
    if (!isMeant(entry)) continue
    const folded = fold(stem(entry))
    add(byStem, folded, entry)
    // A hidden file is linked by its path only: names mean what readers see.
    if (!(entry.kind === 'other' && entry.path.startsWith('.'))) add(byBase, baseOf(folded), entry)
  }
  return { byStem, byBase }
}

/** Returns the decoded stem of an entry's path. File names may be percent-encoded. */
function stemOf({ path }: Named): string {
  return decodePath(wantedOf(path).stem)
}

function stemOfSource({ path }: Named): string {
  return decodePath(path.replace(sourceExtension, ''))
}

/** A page of Logseq's journal, whose title has the dashes of a date. */
const journalDate = /(?:^|\/)journals\/\d{4}_\d\d_\d\d\.[a-z]+$/

/** Source: https://docs.logseq.com/#/page/namespaces */
function stemOfOutline(entry: Named): string {
  const stem = stemOf(entry)
  return journalDate.test(entry.path) ? stem.replaceAll('_', '-') : stem.replaceAll('___', '/')
}

/** Decodes a target copied from an encoded file name, which is encoded twice. */
function plainWanted({ stem, extension }: TargetName): TargetName {
  return { stem: decodePath(stem), extension }
}

/** Returns true for a Markdown target that is a URL of another site, or an anchor on the same page. */
export function isAddress(target: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target)
}

/** Returns true if a path has the extension of an image. */
export function hasPictureExtension(path: string): boolean {
  return /\.(?:apng|avif|bmp|gif|jpe?g|png|svg|tiff?|webp)$/i.test(path)
}

/** Percent-decodes a path. Returns invalid encodings unchanged. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Lists the folders of the entries. */
function* foldersOf(entries: readonly Named[]): Generator<void, ReadonlySet<string>> {
  const folders = new Set<string>()
  for (const { path } of entries) {
    yield
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

function add(map: Map<string, Named[]>, name: string, entry: Named): void {
  const entries = map.get(name)
  if (entries === undefined) map.set(name, [entry])
  else entries.push(entry)
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function endsWith(path: string, part: string): boolean {
  return path === part || path.endsWith(`/${part}`)
}

/** Filters the entries by the requested extension, and prefers those with the closest spelling. */
function closest(
  entries: readonly Named[],
  { stem, extension }: TargetName,
  by: { readonly loose: boolean; readonly stem: StemOf },
): readonly Named[] {
  const exact = entries.filter(({ kind, path }) => kind === 'other' && path === stem)
  if (exact.length > 0) return exact
  const fitting = entries.filter(({ path }) => extension === null || path.toLowerCase().endsWith(`.${extension}`))
  const spelled = (spelling: (text: string) => string) =>
    fitting.filter(entry => endsWith(spelling(by.stem(entry)), spelling(stem)))
  for (const spelling of spellings) {
    const found = spelled(spelling)
    if (found.length > 0) return found
  }
  return by.loose ? fitting : []
}

/**
 * From the strictest comparison to the loosest, which ignores the case of a title's first letter and treats spaces as
 * underscores.
 */
const spellings: readonly ((text: string) => string)[] = [
  composed,
  text => composed(text).replaceAll('_', ' '),
  text => composed(text).toLowerCase().replaceAll('_', ' '),
]
