/**
 * Matches a path to a route. h3's router equates `/page/A/` with `/page/A`, allows no empty title, and resolves `..`;
 * MediaWiki's API matches exact segments.
 */

import { decodeSegment } from '../http/params.ts'
import { encodeSegment } from '../operations/resources/routes.ts'
import type { Method, Route, RouteTable } from './route.ts'

/** A path of the table, and its supported methods. */
export interface Pattern {
  /** As in the table, e.g. `/page/{title}/bare`. */
  readonly path: string
  readonly segments: readonly string[]
  readonly methods: ReadonlyMap<Method, Route>
  /** The methods in the form of the `Allow` header. */
  readonly allow: string
}

/** A pattern that matches a request's path. */
export interface Match {
  /** Mount point of the API, e.g. `/rest.php/v1`. */
  readonly mount: string
  readonly pattern: Pattern
  /** Segments of the path below the mount, as many as the pattern has, still percent-encoded. */
  readonly segments: readonly string[]
}

/** Compiles tables of routes to a function from a raw path to its match, null for none. The first table wins. */
export function createMatcher(tables: readonly RouteTable[]): (path: string) => Match | null {
  const prepared = tables.map(({ mounts, routes }) => ({ mounts, patterns: groupByPath(routes) }))
  return path => {
    for (const { mounts, patterns } of prepared) {
      const mount = mounts.find(mount => path === mount || path.startsWith(`${mount}/`))
      if (mount === undefined) continue
      const segments = path.slice(mount.length).split('/')
      const pattern = patterns.find(candidate => fits(candidate.segments, segments))
      if (pattern !== undefined) return { mount, pattern, segments }
    }
    return null
  }
}

/** Decodes the parameters of a match. Throws as `decodeSegment` does. */
export function decodeParams({ pattern, segments }: Match): Record<string, string> {
  const params: Record<string, string> = {}
  pattern.segments.forEach((segment, index) => {
    if (!isParam(segment)) return
    const name = segment.slice(1, -1)
    const raw = isRest(segment) ? segments.slice(index).join('/') : (segments[index] ?? '')
    params[name.replace('*', '')] = decodeSegment(name, raw)
  })
  return params
}

/** Builds a path from a pattern and values for its parameters, each percent-encoded. */
export function fillPattern({ path }: Pattern, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(values[name] ?? ''))
}

function groupByPath(routes: readonly Route[]): Pattern[] {
  const paths = new Map<string, Map<Method, Route>>()
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<Method, Route>()
    paths.set(route.path, methods.set(route.method, route))
  }
  return [...paths].map(([path, methods]) => ({
    path,
    segments: path.split('/'),
    methods,
    allow: [...(methods.has('GET') ? ['HEAD'] : []), ...methods.keys()].join(', '),
  }))
}

const isParam = (segment: string): boolean => segment.startsWith('{')
const isRest = (segment: string): boolean => segment.endsWith('*}')

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpen = isRest(pattern.at(-1) ?? '')
  return (
    (isOpen ? pattern.length <= segments.length : pattern.length === segments.length) &&
    pattern.every((segment, index) => isParam(segment) || segment === segments[index])
  )
}
