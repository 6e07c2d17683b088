/** Refuses misspelt parameters of a query. */

import { WikiError } from '../core/errors.ts'
import { nearest } from '../core/nearest-name.ts'
import { withGuess } from './fields.ts'
import type { Route } from './route.ts'

/** Maximum number of parameters that are compared with the route's, and characters of each that an error repeats. */
const [mostChecked, longest] = [100, 100]

/**
 * Checks the names of parameters. A read ignores those that resemble none of the route's, as MediaWiki does, because caches
 * and counters add some. A write, or a transform, refuses them: it would not do what the sender meant. Errors:
 * wiki-unknown-parameters.
 */
export function checkQuery({ path, method, about: { parameters = {} } }: Route, search: string): void {
  if (search.length < 2) return
  const known = Object.entries(parameters).flatMap(([name, { isHeader }]) =>
    isHeader || path.includes(`{${name}}`) ? [] : [name],
  )
  const sent = new Set([...new URLSearchParams(search).keys()].map(name => name.split('[', 1)[0]!))
  const unknown = [...sent]
    .slice(0, mostChecked)
    .filter(name => !known.includes(name))
    .map(name => ({ name: name.slice(0, longest), meant: nearest(name, known) }))
  const refused = method === 'GET' ? unknown.filter(({ meant }) => meant !== undefined) : unknown
  if (refused.length === 0) return
  const labels = refused.map(({ name, meant }) => withGuess(name, meant))
  throw new WikiError('wiki-unknown-parameters', { params: [labels.join(', ').slice(0, 1000)] })
}
