/** Lints the wikitext of pages and files, with line numbers. */

import { kinds } from '../checks/kinds.ts'
import { longestSource } from '../checks/line-column.ts'
import type { Problem } from '../checks/problem.ts'
import type { Report } from '../checks/report.ts'
import { modelOfPath } from '../core/content-models.ts'
import { isWikiError } from '../core/errors.ts'
import { parseTitle } from '../core/title.ts'
import type { PageEntry } from '../store/format/entries.ts'
import { pathRules, titleOfPath } from '../store/format/paths.ts'
import type { Store } from '../store/store.ts'
import type { Lint } from '../wikitext/index.ts'
import { type LintType, lintTypes } from '../wikitext/lint/types.ts'
import { shownText } from './access/hidden.ts'
import type { FoundProblem } from './checking/found-problem.ts'
import { describeKind, findProblems, levelOf, textProblems } from './checking/text-problems.ts'
import { lintAmong } from './render-page.ts'
import { findPage, latestOf } from './resources/find-page.ts'
import { enumParam } from './resources/params.ts'
import type { Wiki } from './wiki.ts'
import { type TitledChange, titledChanges } from './work-tree/work-changes.ts'
import { readWorkFile } from './work-tree/work-text.ts'

/** Kinds beside those of lint. */
const textKinds = [
  'conflict-marker',
  'conflict-in-code',
  'not-utf8',
  'unclosed-link',
  'unclosed-template',
  'bad-front-matter',
  'reasonless-ignore',
  'unread-page',
] as const

type TextKind = (typeof textKinds)[number]

/** A text to check. */
export interface LintSubject {
  /** Title of the page, reading form: magic words and links depend on it. */
  readonly title: string
  /** Path of the file in messages, or `stdin`. */
  readonly path: string
  readonly text: string
  /** Its bytes; null if they are known to be UTF-8. */
  readonly bytes?: Buffer | null
}

/** Kinds of problems: lints, and those found from characters. */
export type ProblemType = LintType | TextKind

/** A problem with its line. */
export interface LocatedLint extends Omit<Lint, 'type'> {
  readonly type: ProblemType
  /** From 1. */
  readonly line: number
  /** From 1, in characters. */
  readonly column: number
  /** The line, without its end, truncated to 2,000 UTF-16 units. */
  readonly source: string
}

export interface LintedText {
  readonly title: string
  readonly path: string
  readonly problems: readonly LocatedLint[]
}

/** Pages to lint: those with these titles, or all. If neither is given, the pages changed in the work tree. */
export interface LintChoice {
  readonly titles?: readonly string[]
  readonly all?: boolean
}

/** Describes a kind of problem and its fix. */
export function describeLint(type: ProblemType): { readonly says: string; readonly hint: string } {
  return type in kinds ? kinds[type as TextKind] : lintTypes[type as LintType]
}

/** Parses comma-separated names of kinds of problems; null for all kinds. Errors: badvalue. */
export function lintTypesParam(text: string | undefined): ReadonlySet<ProblemType> | null {
  if (text === undefined) return null
  const types: ProblemType[] = [...(Object.keys(lintTypes) as LintType[]), ...textKinds]
  return new Set(text.split(',').map(name => enumParam('type', name.trim(), types)))
}

/**
 * Reads the texts of pages, preferably from the work tree, so that an edit is checked before it is committed. Files
 * that are not pages yet are included. Errors: rest-invalid-title, rest-nonexistent-title.
 */
export async function* lintSubjects(wiki: Wiki, { titles = [], all = false }: LintChoice): AsyncGenerator<LintSubject> {
  const { store } = wiki
  await store.refresh()
  const changes = titledChanges(store, all ? [] : await store.checkout.changes())
  const added = changes.filter(change => change.kind === 'added' && isLinted(change.path))
  for (const title of titles) {
    const { key } = parseTitle(title, store.titles)
    const file = store.findPage(key) === undefined ? added.find(change => change.key === key) : undefined
    if (file !== undefined) yield await addedSubject(store, file)
    else yield* pageSubject(store, findPage(store, { title }))
  }
  if (titles.length > 0) return
  const pages = all ? store.pages() : changes.flatMap(({ key }) => (key === null ? [] : (store.findPage(key) ?? [])))
  for (const page of [...pages]) yield* pageSubject(store, page)
  for (const file of added)
    if (file.key === null || store.findPage(file.key) === undefined) yield await addedSubject(store, file)
}

async function* pageSubject(store: Store, page: PageEntry): AsyncGenerator<LintSubject> {
  if (!isLinted(page.path)) return
  yield { title: page.title, path: page.path, ...(await currentText(store, page)) }
}

async function addedSubject(store: Store, { path, title }: TitledChange): Promise<LintSubject> {
  return { title: title ?? path, path, ...textOf(await readWorkFile(store, path)) }
}

/** Text of a file, with its bytes if they may not be UTF-8. */
export function textOf(bytes: Buffer): Pick<LintSubject, 'text' | 'bytes'> {
  const text = bytes.toString('utf8')
  return { text, bytes: text.includes('\ufffd') ? bytes : null }
}

/** Text of a saved page, likewise. A hidden text is empty. */
export async function savedText(store: Store, page: PageEntry): Promise<Pick<LintSubject, 'text' | 'bytes'>> {
  const latest = latestOf(store, page)
  const text = shownText(latest, await store.text(latest))
  return { text, bytes: text.includes('\ufffd') ? await store.bytes(latest.blob) : null }
}

function isLinted(path: string): boolean {
  const model = modelOfPath(path)
  return model === 'wikitext' || model === 'markdown'
}

/** Returns the title under which a file is checked: that of its page, or its own name. */
export function titleOfFile({ store }: Wiki, path: string): string {
  const name = path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '')
  try {
    return titleOfPath(path.replaceAll('\\', '/'), pathRules(store.config, store.titles))?.title.text ?? name
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return name
    throw error
  }
}

/**
 * Finds the problems of a text, as `wiki check` does, limited to the requested kinds and without those that wiki.json
 * switches off. Errors: rest-invalid-title.
 */
export async function lintText(
  wiki: Wiki,
  { title, path, text, bytes = null }: LintSubject,
  types: ReadonlySet<ProblemType> | null = null,
): Promise<LintedText> {
  const { config } = wiki.store
  const checks = { config, lint: (source: { text: string; title: string }) => lintAmong(wiki, source) }
  const found = await findProblems(checks, { path: isLinted(path) ? path : `${path}.wiki`, title, text, bytes })
  const wanted = found
    .filter(({ kind }) => !Object.hasOwn(config.checks.levels, kind) || levelOf(kind, config.checks) !== 'off')
    .map(foundLint)
    .filter(({ type }) => types === null || types.has(type))
  return { title, path, problems: locate(text, wanted) }
}

/** Builds the report on many texts, in the form of `wiki check`, without the program's version. */
export async function lintReport(
  wiki: Wiki,
  subjects: AsyncIterable<LintSubject>,
  types: ReadonlySet<ProblemType> | null = null,
): Promise<Omit<Report, 'version'>> {
  const { config } = wiki.store
  const checks = { config, lint: (source: { text: string; title: string }) => lintAmong(wiki, source) }
  const [problems, paths]: [Problem[], string[]] = [[], []]
  for await (const { title, path, text, bytes = null } of subjects) {
    paths.push(path)
    for (const problem of await textProblems(checks, { path, title, text, bytes }))
      if (types === null || types.has(problem.kind as ProblemType)) problems.push(problem)
  }
  return { problems, known: [], gone: 0, paths, base: null, head: null, describe: describeKind }
}

type FoundLint = Omit<Lint, 'type'> & { readonly type: ProblemType }

function foundLint({ kind, start, end, lint }: FoundProblem): FoundLint {
  return lint ?? { type: kind as ProblemType, dsr: [start, end, null, null], params: {}, templateInfo: null }
}

async function currentText(store: Store, page: PageEntry): Promise<Pick<LintSubject, 'text' | 'bytes'>> {
  try {
    return textOf(await readWorkFile(store, page.path))
  } catch (error) {
    if (!isWikiError(error, 'wiki-no-work-tree') && !isWikiError(error, 'wiki-bad-work-file')) throw error
    return savedText(store, page)
  }
}

/** Problems are sorted by position, so one pass over the text finds all lines, and one over each line its columns. */
function locate(text: string, lints: readonly FoundLint[]): LocatedLint[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  let counted = { line: -1, at: 0, column: 1 }
  return lints.map(lint => {
    const at = lint.dsr[0]
    const line = lineAt(starts, at)
    const start = starts[line]!
    const from = counted.line === line && counted.at <= at ? counted : { at: start, column: 1 }
    counted = { line, at, column: from.column + charactersIn(text, from.at, at) }
    const end = (starts[line + 1] ?? text.length + 1) - 1
    const source = text.slice(start, Math.min(end, start + longestSource)).replace(/\r$/, '')
    return { ...lint, line: line + 1, column: counted.column, source }
  })
}

function charactersIn(text: string, start: number, end: number): number {
  let count = 0
  for (const _ of text.slice(start, end)) count++
  return count
}

/** Returns the number, from 0, of the last line that starts at or before an offset. */
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
