/** An index of the paths and names of a wiki's pages and files. */

import { contentModels } from '../core/content-models.ts'

/** A page or file that links can lead to. */
export interface Named {
  readonly kind: 'page' | 'file'
  readonly key: string
  /** From the root of the wiki. */
  readonly path: string
}

/** Name and extension that a target asks for. */
export interface Wanted {
  /** Without the extension of a page; of a file with its extension. */
  readonly stem: string
  /** Extension of a page, lower case; null if none is given. */
  readonly extension: string | null
}

export interface LinkNames {
  /** Finds what lies at a path; with `loose`, spaces, dashes and underscores are equal. */
  readonly at: (wanted: Wanted, loose: boolean) => readonly Named[]
  /** Finds what has this name, or a path that ends in it, in any folder. */
  readonly anywhere: (wanted: Wanted) => readonly Named[]
  /** Returns the page or file of a title. */
  readonly withKey: (key: string) => Named | undefined
}

/** Extensions that are no part of a title. */
const extensions = Object.values(contentModels).flatMap(rule => (rule.extensionInTitle ? [] : rule.extensions))
const pageExtension = new RegExp(`\\.(${extensions.join('|')})$`, 'i')

/** Splits a path into its stem and the extension of a page. */
export function wantedOf(path: string): Wanted {
  const extension = pageExtension.exec(path)?.[1]?.toLowerCase() ?? null
  return { stem: extension === null ? path : path.slice(0, -extension.length - 1), extension }
}

/** Returns true if a target ends like the file of a page. */
export function hasPageExtension(path: string): boolean {
  return pageExtension.test(path)
}

/** Folds a name: Unicode form, case; spaces, dashes and underscores are one dash. */
export function foldName(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_-]+/gu, '-')
    .replace(/^-+|-+(?=\/|$)|(?<=\/)-+/g, '')
}

/** Makes the index. Takes time and memory in proportion to the number of entries. */
export function linkNames(entries: Iterable<Named>): LinkNames {
  const byStem = new Map<string, Named[]>()
  const byBase = new Map<string, Named[]>()
  const byKey = new Map<string, Named>()
  for (const entry of entries) {
    const folded = foldName(wantedOf(entry.path).stem)
    add(byStem, folded, entry)
    add(byBase, baseOf(folded), entry)
    byKey.set(entry.key, entry)
  }
  return {
    at: (wanted, loose) => closest(byStem.get(foldName(wanted.stem)) ?? [], wanted, loose),
    anywhere: wanted => {
      const folded = foldName(wanted.stem)
      const found = byBase.get(baseOf(folded)) ?? []
      return closest(
        found.filter(({ path }) => endsWith(foldName(wantedOf(path).stem), folded)),
        wanted,
        true,
      )
    },
    withKey: key => byKey.get(key),
  }
}

function add(map: Map<string, Named[]>, name: string, entry: Named): void {
  const known = map.get(name)
  if (known === undefined) map.set(name, [entry])
  else known.push(entry)
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function endsWith(path: string, part: string): boolean {
  return path === part || path.endsWith(`/${part}`)
}

/** Keeps the entries of the extension that was asked for, then those spelled most as asked for. */
function closest(entries: readonly Named[], { stem, extension }: Wanted, loose: boolean): readonly Named[] {
  const fitting = entries.filter(({ path }) => extension === null || path.toLowerCase().endsWith(`.${extension}`))
  const spelled = (spelling: (text: string) => string) =>
    fitting.filter(({ path }) => endsWith(spelling(wantedOf(path).stem), spelling(stem)))
  for (const spelling of spellings) {
    const found = spelled(spelling)
    if (found.length > 0) return found
  }
  return loose ? fitting : []
}

/** From the strictest to the one that a title's key needs, whose first letter is a capital and whose spaces are underscores. */
const spellings: readonly ((text: string) => string)[] = [
  text => text.normalize('NFC'),
  text => text.normalize('NFC').replaceAll('_', ' '),
  text => text.normalize('NFC').toLowerCase().replaceAll('_', ' '),
]
