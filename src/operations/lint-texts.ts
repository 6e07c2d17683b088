/** What is wrong with the wikitext of pages and files, with the lines it is in. */

import { isWikiError } from '../core/errors.ts'
import type { PageEntry } from '../store/format/entries.ts'
import { pathRules, titleOfPath } from '../store/format/paths.ts'
import type { Store } from '../store/store.ts'
import type { Lint } from '../wikitext/index.ts'
import { type LintType, lintTypes } from '../wikitext/lint/types.ts'
import { shownText } from './access/hidden.ts'
import { lintSource } from './render-page.ts'
import { findPage } from './resources/find-page.ts'
import { latestOf } from './resources/page-object.ts'
import { enumParam } from './resources/params.ts'
import type { Wiki } from './wiki.ts'
import { titledChanges } from './work-tree/work-changes.ts'
import { readWorkText } from './work-tree/work-text.ts'

/** A text to be looked at. */
export interface LintSubject {
  /** Title of the page, reading form: magic words and links depend on it. */
  readonly title: string
  /** Where people find it: path of the file, or `stdin`. */
  readonly path: string
  readonly text: string
}

/** A problem with its line. */
export interface LocatedLint extends Lint {
  /** From 1. */
  readonly line: number
  /** From 1, in characters. */
  readonly column: number
  /** The line, without its end. */
  readonly source: string
}

export interface LintedText {
  readonly title: string
  readonly path: string
  readonly problems: readonly LocatedLint[]
}

/** What to look at: pages by their titles, or all of them; the pages changed in the work tree where neither is named. */
export interface LintChoice {
  readonly titles?: readonly string[]
  readonly all?: boolean
}

/** Says what a kind of problem means and how it is mended. */
export function describeLint(type: LintType): { readonly says: string; readonly hint: string } {
  return lintTypes[type]
}

/** Reads names of kinds of problems, separated by commas; null for all kinds. Errors: badvalue. */
export function lintTypesParam(text: string | undefined): ReadonlySet<LintType> | null {
  if (text === undefined) return null
  const known = Object.keys(lintTypes) as LintType[]
  return new Set(text.split(',').map(name => enumParam('type', name.trim(), known)))
}

/**
 * Reads the texts of pages: from the work tree, where it has them, so that an edit is looked at before it is recorded.
 *
 * Errors: rest-invalid-title, rest-nonexistent-title.
 */
export async function* lintSubjects(
  { store }: Wiki,
  { titles = [], all = false }: LintChoice,
): AsyncGenerator<LintSubject> {
  await store.refresh()
  const pages = titles.length > 0 ? titles.map(title => findPage(store, { title })) : await chosenPages(store, all)
  for (const page of pages) {
    if (latestOf(store, page).model === 'wikitext') {
      yield { title: page.title, path: page.path, text: await currentText(store, page) }
    }
  }
}

/** Says under which title a file's text is looked at: that of its page, or its own name. */
export function titleOfFile({ store }: Wiki, path: string): string {
  const name = path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '')
  try {
    return titleOfPath(path.replaceAll('\\', '/'), pathRules(store.config, store.titles))?.title.text ?? name
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return name
    throw error
  }
}

/** Finds what is wrong with a text; only problems of the kinds wanted. Errors: rest-invalid-title. */
export async function lintText(
  wiki: Wiki,
  { title, path, text }: LintSubject,
  types: ReadonlySet<LintType> | null = null,
): Promise<LintedText> {
  const found = await lintSource(wiki, { text, title })
  const wanted = found.filter(({ type }) => types === null || types.has(type))
  return { title, path, problems: locate(text, wanted) }
}

async function chosenPages(store: Store, all: boolean): Promise<PageEntry[]> {
  if (all) return [...store.pages()]
  const changes = titledChanges(store, await store.workTreeChanges())
  return changes.flatMap(({ key }) => (key === null ? [] : (store.findPage(key) ?? [])))
}

async function currentText(store: Store, page: PageEntry): Promise<string> {
  try {
    return (await readWorkText(store, page)).text
  } catch (error) {
    if (!isWikiError(error, 'wiki-no-work-tree') && !isWikiError(error, 'wiki-bad-work-file')) throw error
    const latest = latestOf(store, page)
    return shownText(latest, await store.text(latest))
  }
}

/** Problems come by their places: one pass over the text finds all lines. */
function locate(text: string, lints: readonly Lint[]): LocatedLint[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return lints.map(lint => {
    const at = lint.dsr[0]
    const line = lineAt(starts, at)
    const start = starts[line]!
    const end = (starts[line + 1] ?? text.length + 1) - 1
    const source = text.slice(start, end).replace(/\r$/, '')
    return { ...lint, line: line + 1, column: [...text.slice(start, at)].length + 1, source }
  })
}

/** Number, from 0, of the last line that begins at or before an offset. */
function lineAt(starts: readonly number[], at: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= at) low = middle
    else high = middle
  }
  return low
}
