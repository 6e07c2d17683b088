/** Problems with the files of a state: their names, and the targets of redirects. */

import { conflictCopy } from '../../checks/conflict-copies.ts'
import { caseCollisions, isUnportable } from '../../checks/file-names.ts'
import { kinds } from '../../checks/kinds.ts'
import type { Problem } from '../../checks/problem.ts'
import { modelOfPath } from '../../core/content-models.ts'
import { isWikiError } from '../../core/errors.ts'
import { parseRedirect } from '../../core/redirect.ts'
import { possibleTitle } from '../../core/title.ts'
import type { CheckConfig } from '../../core/wiki-config.ts'
import { type PathRules, pathRules, titleOfPath } from '../../store/format/paths.ts'
import { comparePrecedence } from '../../store/pages.ts'
import type { Store } from '../../store/store.ts'
import { reasonOf } from '../resources/find-page.ts'
import { copyMessage } from './copy-message.ts'
import { levelOf } from './text-problems.ts'
import { unreadMessage } from './unread-message.ts'
import type { WikiState } from './wiki-state.ts'

type Kind = keyof typeof kinds

interface Fault {
  readonly kind: Kind
  readonly path: string
  readonly message: string
  /** Text that identifies the problem. */
  readonly text: string
  readonly pathBytes?: string
}

/** Finds problems with the names and redirects of a state, and files at `changed` without content. */
export async function fileProblems(
  { store, checks }: { readonly store: Store; readonly checks: CheckConfig },
  state: WikiState,
  changed: readonly string[],
): Promise<Problem[]> {
  const rules = pathRules(store.config, store.titles)
  const paths = [...state.blobs.keys()].sort(comparePrecedence)
  const titles = titlesOf(paths, rules)
  const faults = [
    ...titles.faults,
    ...nameFaults(paths),
    ...unreadableNames(await state.misnamedPaths()),
    ...unrenderedFaults(state.blobs.keys()),
    ...(await contentFaults(store, state, changed)),
    ...redirectFaults(store, await redirectsOf(store, state, titles.byPath), titles),
  ]
  return faults.flatMap(({ kind, path, message, text, pathBytes }: Fault): Problem[] => {
    const severity = levelOf(kind, checks)
    if (severity === 'off') return []
    const title = titles.byPath.get(path)?.text ?? null
    const bytes = pathBytes === undefined ? {} : { pathBytes }
    return [{ kind, severity, path, ...bytes, title, message, hint: kinds[kind].hint, place: null, text }]
  })
}

interface StateTitles {
  /** Keys of the pages and files. */
  readonly pathOf: ReadonlyMap<string, string>
  readonly byPath: ReadonlyMap<string, { readonly key: string; readonly text: string }>
  readonly faults: readonly Fault[]
}

function titlesOf(paths: Iterable<string>, rules: PathRules): StateTitles {
  const pathOf = new Map<string, string>()
  const byPath = new Map<string, { key: string; text: string }>()
  const faults: Fault[] = []
  for (const path of paths) {
    const title = titleAt(path, rules)
    if (typeof title === 'string') faults.push({ kind: 'illegal-title', path, message: title, text: path })
    else if (title !== null) {
      byPath.set(path, title)
      const other = pathOf.get(title.key)
      if (other === undefined) pathOf.set(title.key, path)
      else faults.push({ kind: 'title-collision', path, message: `It has the same title as ${other}`, text: other })
    }
  }
  return { pathOf, byPath, faults }
}

/** Returns the title for a path, null if it has none, or the reason why the name is invalid. */
export function titleAt(path: string, rules: PathRules): { key: string; text: string } | string | null {
  try {
    const title = titleOfPath(path, rules)?.title
    return title === undefined ? null : { key: title.key, text: title.text }
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    return `Its name makes no title: ${reasonOf(error)}`
  }
}

/** Of files with one name, the first in the order of the paths is the one that the wiki shows. */
function* nameFaults(all: readonly string[]): Iterable<Fault> {
  for (const path of all) {
    const copy = conflictCopy(path)
    if (copy === null) continue
    yield { kind: 'conflict-copy', path, message: copyMessage(copy), text: copy.original }
  }
  for (const path of all) {
    if (!isUnportable(path)) continue
    yield { kind: 'unportable-name', path, message: 'Windows cannot hold a file of this name', text: path }
  }
  for (const { path, other } of caseCollisions(all)) {
    const message = `Its path differs from ${other} only in case or accents`
    yield { kind: 'case-collision', path, message, text: other }
  }
}

/** Finds pages whose names are not UTF-8. Reports have U+FFFD in such a path, so the message quotes its bytes as git does. */
export function* unreadableNames(paths: readonly string[]) {
  for (const bytes of paths) {
    const path = Buffer.from(bytes, 'latin1').toString('utf8')
    if (modelOfPath(path) === undefined) continue
    const message = `Its name is not UTF-8: ${quotedPath(bytes)} in git`
    yield { kind: 'illegal-title', path, message, text: bytes, pathBytes: bytes } as const
  }
}

/** `"caf\351.md"`, with octal escapes. Source: git-config(1), "core.quotePath". */
function quotedPath(bytes: string): string {
  const escaped = bytes.replace(
    /[^\x20\x21\x23-\x5b\x5d-\x7e]/g,
    byte => `\\${byte === '"' || byte === '\\' ? byte : byte.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `"${escaped}"`
}

/** Formats that are shown as source. For plain text that is intended. */
const sourceFormats = /\.(?:rst|adoc|asciidoc|textile|org|creole|rdoc|pod)$/i

function* unrenderedFaults(paths: Iterable<string>): Iterable<Fault> {
  for (const path of paths)
    if (sourceFormats.test(path))
      yield { kind: 'unrendered-page', path, message: kinds['unrendered-page'].says, text: '' }
}

async function contentFaults(store: Store, { blobs }: WikiState, paths: readonly string[]): Promise<Fault[]> {
  const all = paths.flatMap(path => {
    const blob = blobs.get(path)
    return typeof blob === 'string' ? [[path, blob] as const] : []
  })
  const lacking = await store.lackingContent(all.map(([, blob]) => blob))
  const unread = await store.unreadable(all.map(([, blob]) => blob))
  return all.flatMap(([path, blob]): Fault[] => {
    const isUnread = unread.has(blob)
    const message = isUnread ? unreadMessage(blob) : kinds['missing-content'].says
    return isUnread || lacking.has(blob) ? [{ kind: 'missing-content', path, message, text: blob }] : []
  })
}

/** Maps the key of each redirect of a state to the key that it leads to. */
export async function redirectKeys(store: Store, state: WikiState): Promise<ReadonlyMap<string, string>> {
  const { byPath } = titlesOf([...state.blobs.keys()].sort(comparePrecedence), pathRules(store.config, store.titles))
  const keys = new Map<string, string>()
  for (const [path, target] of await redirectsOf(store, state, byPath)) {
    const title = possibleTitle(target, store.titles)
    if (title !== null) keys.set(byPath.get(path)!.key, title.key)
  }
  return keys
}

/** Returns the target of each redirect, by path. The index knows those of pages that are unchanged at the tip. */
async function redirectsOf(
  store: Store,
  state: WikiState,
  titles: StateTitles['byPath'],
): Promise<ReadonlyMap<string, string>> {
  const redirects = new Map<string, string>()
  const blobsAtTip = store.tip === null ? null : await store.trees.filesOf(store.tip)
  const atTip = new Map<string, string | null>()
  for (const { path, redirect } of store.pages()) atTip.set(path, redirect)
  for (const [path, blob] of state.blobs) {
    if (!titles.has(path) || modelOfPath(path) !== 'wikitext') continue
    const isAtTip = blob !== null && atTip.has(path) && blobsAtTip?.get(path) === blob
    const target = isAtTip ? atTip.get(path) : parseRedirect((await state.text(path)) ?? '', store.titles.language)
    if (target != null) redirects.set(path, target)
  }
  return redirects
}

function* redirectFaults(
  store: Store,
  redirects: ReadonlyMap<string, string>,
  { pathOf }: StateTitles,
): Iterable<Fault> {
  for (const [path, target] of redirects) {
    const title = possibleTitle(target, store.titles)
    if (title === null || title.namespace < 0) continue
    const other = pathOf.get(title.key)
    if (other === undefined) {
      const message = `It redirects to ${title.text}, which does not exist`
      yield { kind: 'broken-redirect', path, message, text: target }
    } else if (redirects.has(other)) {
      const message = `It redirects to ${title.text}, which is a redirect itself`
      yield { kind: 'double-redirect', path, message, text: target }
    }
  }
}
