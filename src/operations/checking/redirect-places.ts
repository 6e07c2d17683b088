/** Locates redirects in their texts, and finds the final target of double redirects. */

import { placesIn } from '../../checks/line-column.ts'
import type { Problem } from '../../checks/problem.ts'
import { parseRedirect } from '../../core/redirect.ts'
import { possibleTitle } from '../../core/title.ts'
import type { Store } from '../../store/store.ts'
import type { LinkedState } from './page-links.ts'

/** Maximum length of a chain of redirects. */
const maxSteps = 10

/** Returns the problem of a redirect with its position, and for a double one a fix if its final target is a page. */
export async function placedRedirect(store: Store, linked: LinkedState, problem: Problem): Promise<Problem> {
  const { path, text: target } = problem
  const text = await linked.state.text(path)
  const start = text?.indexOf(target, text.indexOf('[[')) ?? -1
  if (text === null || start === -1) return problem
  const end = start + target.length
  const place = placesIn(text)(start, end)
  const last = problem.kind === 'double-redirect' ? await endOf(store, linked, target) : null
  return { ...problem, place, ...(last !== null && { fix: { start, end, was: target, text: last, place } }) }
}

/** Returns the title at the end of a chain of redirects; null for a circular or broken chain. */
async function endOf(store: Store, linked: LinkedState, target: string): Promise<string | null> {
  const seen = new Set<string>()
  let [written, at] = [target, target.replace(/#.*$/s, '')]
  for (let step = 0; step < maxSteps; step++) {
    const title = possibleTitle(at, store.titles)
    const path = title === null || seen.has(title.key) ? undefined : linked.pathOf(title.key)
    if (title === null || path === undefined) return null
    seen.add(title.key)
    const next = parseRedirect((await linked.state.text(path)) ?? '', store.titles.language)
    if (next === null) return written === target ? null : written
    ;[written, at] = [next, next.replace(/#.*$/s, '')]
  }
  return null
}
