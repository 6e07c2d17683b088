/** Finds pages that include a changed page, as a template or by way of others, so that the change may break them. */

import type { Readers } from '../linking/text-links.ts'
import { linkText } from '../naming/link-resolver.ts'
import { type Needle, nameOf, pagesNaming, searchForIncluded, searchForNames } from './affected-pages.ts'
import { foldedText } from './anchors.ts'
import { redirectKeys } from './file-problems.ts'
import type { LinkedPage, LinkedState } from './page-links.ts'

/** Both states of a change. */
interface States {
  readonly before: LinkedState
  readonly after: LinkedState
}

/** Maximum number of pages between a page and one that it includes, as in the renderer. */
const maxLevels = 40

/** Returns the titles of which an include is another one after the change: the changed pages, and redirects to them. */
export async function changedTitles(
  readers: Readers,
  { before, after }: States,
  changed: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = changed.flatMap(path => [before.keyOf(path), after.keyOf(path)])
  return withRedirects(readers, after, new Set(keys.filter(key => key !== null)))
}

/** Returns the words by which a page may name titles that it includes. */
export function includedNames(keys: Iterable<string>): ReadonlySet<Needle> {
  const lastPart = (key: string): string => key.slice(Math.max(key.lastIndexOf(':'), key.lastIndexOf('/')) + 1)
  return new Set([...keys].map(key => foldedText(lastPart(key)).replace(/^-/, '')))
}

/**
 * Lists pages, equal in both states, that include a page of these titles. `candidates` name one of them. A page that computes
 * the name is not found.
 */
export async function pagesIncluding(
  readers: Readers,
  { before, after }: States,
  { titles, candidates }: { readonly titles: ReadonlySet<string>; readonly candidates: readonly string[] },
): Promise<readonly string[]> {
  const found = new Set<string>()
  let [keys, naming] = [titles, candidates]
  for (let level = 0; level < maxLevels && naming.length > 0; level++) {
    const next = new Set<string>()
    for (const path of naming) {
      const page = found.has(path) ? null : await after.read(path)
      if (page === null || !includesAny(after, page, keys)) continue
      found.add(path)
      next.add(page.linkingPage.title.key)
    }
    keys = await withRedirects(readers, after, next)
    const searches = [searchForIncluded(includedNames(keys))]
    naming = (await pagesNaming(readers, { before: before.state, after: after.state }, searches))[0] ?? []
  }
  return [...found]
}

/** Lists pages, equal in both states, with a link to a section of one of these pages. */
export async function pagesWithSections(
  readers: Readers,
  { before, after }: States,
  paths: readonly string[],
): Promise<readonly string[]> {
  const needles = paths.flatMap(path => {
    const name = nameOf(path)
    return [`${name}#`, `${name}${path.slice(path.lastIndexOf('.')).toLowerCase()}#`]
  })
  const found = await pagesNaming(readers, { before: before.state, after: after.state }, [searchForNames(needles)])
  return found[0] ?? []
}

async function withRedirects(
  { store }: Readers,
  { state }: LinkedState,
  keys: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const all = new Set(keys)
  if (all.size > 0) for (const [from, to] of await redirectKeys(store, state)) if (keys.has(to)) all.add(from)
  return all
}

function includesAny(
  { resolver }: LinkedState,
  { text, linkingPage, links }: LinkedPage,
  keys: ReadonlySet<string>,
): boolean {
  return (links ?? []).some(range => {
    if (range.form !== 'template' && range.form !== 'function') return false
    const key = resolver.read(linkText(text, range), linkingPage)?.title.key
    return key !== undefined && keys.has(key)
  })
}
