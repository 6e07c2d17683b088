/** Problems that a change introduces, or all problems of a wiki. */

import { type Baseline, judge } from '../checks/baseline.ts'
import { differenceOf } from '../checks/difference.ts'
import { type Problem, severities } from '../checks/problem.ts'
import type { Report } from '../checks/report.ts'
import { modelOfPath } from '../core/content-models.ts'
import { WikiError } from '../core/errors.ts'
import type { CheckConfig } from '../core/wiki-config.ts'
import { pathRules } from '../store/format/paths.ts'
import { originAddress } from '../store/repository/upstream.ts'
import { wildMatch } from '../store/repository/wild-match.ts'
import type { Store } from '../store/store.ts'
import { changedNames, pagesNaming, searchForIncluded, searchForNames } from './checking/affected-pages.ts'
import { checkSettingsOf } from './checking/check-settings.ts'
import { fileProblems, titleAt } from './checking/file-problems.ts'
import { changedTitles, includedNames, pagesIncluding, pagesWithSections } from './checking/including-pages.ts'
import { linkProblems } from './checking/link-problems.ts'
import { lostLinkProblems, lostTargets, namesOfLost } from './checking/lost-links.ts'
import { linkedState } from './checking/page-links.ts'
import { placedRedirect } from './checking/redirect-places.ts'
import { stateSource } from './checking/state-source.ts'
import { describeKind, isKind, levelOf, textProblems } from './checking/text-problems.ts'
import { emptyState, stagedState, stateOfCommit, type WikiState, workState } from './checking/wiki-state.ts'
import { findCommits } from './comparing/commits.ts'
import { similarFiles } from './comparing/similar-files.ts'
import { lintAmong, renderAmong } from './render-page.ts'
import type { Wiki } from './wiki.ts'
import type { RawSource } from './workers/job.ts'

/** The change to check. */
export interface CheckedChange {
  /** Name of the older commit in git; null to check the whole wiki. */
  readonly from: string | null
  /** Name of the newer commit. `staged` is git's index, `work` the work tree. */
  readonly to: string | { readonly state: 'staged' | 'work' }
  /** True to start at the merge base of the two. */
  readonly sinceParting: boolean
}

export interface CheckChangeRequest extends CheckedChange {
  /** Known problems; by default those of the older commit's baseline. */
  readonly baseline?: Baseline | undefined
  /** Called with the number of texts checked and their total. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Report of a check, without internal members. */
export type ChangeReport = Omit<Report, 'version'> & {
  /** All problems found in the newer state, for a baseline. */
  readonly found: readonly Problem[]
  readonly unneeded: ReturnType<typeof judge>['unneeded']
  /** Names in `checks.levels` of wiki.json that are not kinds of problems. */
  readonly unknownKinds: readonly string[]
  /** True if the change has other `checks` or another baseline than those that judge it. */
  readonly changesSettings: boolean
}

/**
 * Finds the problems that a change introduces: those of the newer state minus those of the older one. An old problem on
 * an edited page is not reported, but a page that a deletion breaks is. Errors: wiki-bad-revision if this clone lacks a
 * commit.
 */
export async function checkChange(wiki: Wiki, request: CheckChangeRequest): Promise<ChangeReport> {
  const { store } = wiki
  await store.refresh()
  const { before, after } = await statesOf(store, request)
  const { checks, baseline, isChanged } = await checkSettingsOf(store, { before, after })
  const isIncluded = (path: string): boolean => !isExcluded(checks, path)
  const changed = changedPaths(before, after)
  const paths = changed.filter(isIncluded)
  const links = before === null ? null : await linksOf(wiki, checks, { before, after, changed })
  const [texts, linking] = [links?.including ?? [], links?.affected ?? []].map(more =>
    [...new Set([...changed, ...more])].filter(isIncluded),
  ) as [string[], string[]]
  const total = texts.length * (before === null ? 1 : 2)
  const look = { wiki, checks, paths, texts, onProgress: (done: number) => request.onProgress?.(done, total) }
  const now = [...(await problemsOf(look, after, 0)), ...(await linkFaults(look, after, linking))]
  const then =
    before === null
      ? []
      : [...(await problemsOf(look, before, texts.length)), ...(await linkFaults(look, before, linking))]
  const moves = before === null ? new Map<string, string>() : await movedPaths(before, after)
  const { added, gone } = differenceOf(then, now, path => moves.get(path) ?? path)
  const lost = (links?.lost ?? []).filter(({ path }) => isIncluded(path))
  const { fresh, known, unneeded } = judge([...added, ...lost], request.baseline ?? baseline ?? {})
  return {
    problems: sorted(await withRedirectPlaces(wiki, after, fresh)),
    known: sorted(known),
    gone,
    paths: paths.filter(path => after.blobs.has(path)),
    base: before?.commit ?? null,
    head: after.commit,
    repository: originAddress(store.repository),
    describe: describeKind,
    found: now,
    unneeded: before === null ? unneeded : [],
    changesSettings: isChanged,
    unknownKinds: Object.keys(store.config.checks.levels).filter(name => !isKind(name)),
  }
}

/** The index knows the redirects, so only reported ones are read. */
async function withRedirectPlaces(wiki: Wiki, state: WikiState, problems: readonly Problem[]): Promise<Problem[]> {
  const isRedirect = ({ kind }: Problem): boolean => kind === 'broken-redirect' || kind === 'double-redirect'
  if (!problems.some(isRedirect)) return [...problems]
  const linked = await linkedState(wiki, state)
  return Promise.all(problems.map(one => (isRedirect(one) ? placedRedirect(wiki.store, linked, one) : one)))
}

/** The two states of a change, and the changed paths. */
interface Change {
  readonly before: WikiState
  readonly after: WikiState
  readonly changed: readonly string[]
}

/** Unchanged pages that a change may break. */
interface Affected {
  /** Pages that include a changed one. */
  readonly including: readonly string[]
  /** Pages whose links may lead elsewhere: those, and others. */
  readonly affected: readonly string[]
  /** Pages that lose the last link to them. */
  readonly lost: readonly Problem[]
}

async function linksOf(wiki: Wiki, checks: CheckConfig, { before, after, changed }: Change): Promise<Affected> {
  const [older, newer] = [await linkedState(wiki, before), await linkedState(wiki, after)]
  const linked = { before: older, after: newer }
  const lost = await lostTargets(wiki.store, { checks, ...linked, changed })
  const titles = await changedTitles(wiki, linked, changed)
  const searches = [
    searchForNames(await changedNames(before, after, changed)),
    searchForNames(await namesOfLost(lost, newer)),
    searchForIncluded(includedNames(titles)),
  ]
  const [named = [], naming = [], candidates = []] = await pagesNaming(wiki, { before, after }, searches)
  const including = await pagesIncluding(wiki, linked, { titles, candidates })
  const affected = [...named, ...including, ...(await pagesWithSections(wiki, linked, including))]
  return { including, affected, lost: await lostLinkProblems(checks, newer, { lost, naming }) }
}

async function linkFaults({ wiki, checks }: Look, state: WikiState, paths: readonly string[]): Promise<Problem[]> {
  const linked = await linkedState(wiki, state)
  const source = await sourceOf(wiki, state)
  return linkProblems({ readers: wiki, checks, linked, render: page => renderAmong(wiki, page, source) }, paths)
}

/** Returns the source of the pages that texts of a state include; undefined for the wiki's present state. */
async function sourceOf(wiki: Wiki, state: WikiState): Promise<RawSource | undefined> {
  return state.commit === wiki.store.tip ? undefined : stateSource(wiki, await linkedState(wiki, state))
}

interface States {
  readonly before: WikiState | null
  readonly after: WikiState
}

async function statesOf(store: Store, { from, to, sinceParting }: CheckedChange): Promise<States> {
  if (from === null && to === 'HEAD' && store.tip === null) return { before: null, after: emptyState(store) }
  if (typeof to === 'string') {
    const commits = await findCommits(store, { from: from ?? to, to, sinceParting })
    const before = from === null ? null : await stateOfCommit(store, commits.from)
    return { before, after: await stateOfCommit(store, commits.to) }
  }
  if (store.repository.workTree === null) throw new WikiError('wiki-no-work-tree')
  const after = to.state === 'staged' ? await stagedState(store) : await workState(store)
  if (from === null) return { before: null, after }
  const commits = await findCommits(store, { from, to: 'HEAD', sinceParting })
  return { before: await stateOfCommit(store, commits.from), after }
}

/** Lists the paths of pages and media whose content differs; all of them if there is no older state. */
function changedPaths(before: WikiState | null, after: WikiState): string[] {
  if (before === null) return [...after.blobs.keys()]
  const paths = new Set([...before.blobs.keys(), ...after.blobs.keys()])
  return [...paths].filter(path => {
    const blob = after.blobs.get(path)
    return blob === null || before.blobs.get(path) !== blob
  })
}

function isExcluded({ exclude }: CheckConfig, path: string): boolean {
  return exclude.some(pattern => wildMatch(pattern, path))
}

/** Finds pages and files that moved, with equal or similar text. Their problems move with them. */
async function movedPaths(before: WikiState, after: WikiState): Promise<ReadonlyMap<string, string>> {
  const gone = [...before.blobs].filter(([path]) => !after.blobs.has(path))
  const come = [...after.blobs].filter(([path]) => !before.blobs.has(path))
  const read = async (state: WikiState, path: string): Promise<string> =>
    modelOfPath(path) !== undefined ? ((await state.text(path)) ?? '') : ''
  return similarFiles({
    ...{ gone: new Map(gone), come: new Map(come) },
    ...{ goneText: path => read(before, path), comeText: path => read(after, path) },
  })
}

interface Look {
  readonly wiki: Wiki
  readonly checks: CheckConfig
  /** Changed files. */
  readonly paths: readonly string[]
  /** Those, and pages that include them. */
  readonly texts: readonly string[]
  readonly onProgress: (done: number) => void
}

type LintedSource = Parameters<typeof lintAmong>[1]

async function problemsOf(
  { wiki, checks, paths, texts, onProgress }: Look,
  state: WikiState,
  done: number,
): Promise<Problem[]> {
  const { store } = wiki
  const rules = pathRules(store.config, store.titles)
  const titleOf = (path: string): string | null => {
    const title = titleAt(path, rules)
    return title === null || typeof title === 'string' ? null : title.text
  }
  const source = await sourceOf(wiki, state)
  const lint = (text: LintedSource) => lintAmong(wiki, text, source)
  const textChecks = { config: { ...store.config, checks }, lint }
  const problems = [
    (await fileProblems({ store, checks }, state, paths)).filter(({ path }) => !isExcluded(checks, path)),
  ]
  for (const [at, path] of texts.entries()) {
    onProgress(done + at)
    if (!state.blobs.has(path) || !isText(path)) continue
    const text = await state.text(path)
    if (text !== null) {
      const bytes = text.includes('\ufffd') ? await state.bytes(path) : null
      problems.push(await textProblems(textChecks, { path, title: titleOf(path), text, bytes }))
    } else if (await state.isTooLong(path)) problems.push(unreadPage(checks, { path, title: titleOf(path) }))
  }
  return problems.flat()
}

function unreadPage(checks: CheckConfig, page: Pick<Problem, 'path' | 'title'>): Problem[] {
  const kind = 'unread-page'
  const severity = levelOf(kind, checks)
  const { says, hint } = describeKind(kind)
  return severity === 'off' ? [] : [{ kind, severity, ...page, message: says, hint, place: null, text: '' }]
}

function isText(path: string): boolean {
  return modelOfPath(path) !== undefined
}

/** Most severe first, then by path and position. */
function sorted(problems: readonly Problem[]): Problem[] {
  const rank = ({ severity }: Problem): number => severities.indexOf(severity)
  const placeOf = ({ place }: Problem): number => (place === null ? 0 : place.line * 10_000 + place.column)
  return [...problems].sort(
    (a, b) => rank(b) - rank(a) || (a.path < b.path ? -1 : a.path > b.path ? 1 : placeOf(a) - placeOf(b)),
  )
}
