/** Links of pages, and lists of pages by links. MediaWiki's REST API has no such routes. */

import { categoryBody, categoryMembers, linkLists, listBody, listByLinks } from '../../operations/link-lists.ts'
import type { ListPart } from '../../operations/linking/cursor.ts'
import { linkKinds } from '../../operations/linking/table-parts.ts'
import { incomingBody, incomingLinks, leavingKinds, outgoingBody, outgoingLinks } from '../../operations/page-links.ts'
import { boundedInteger, enumParam, optionalInteger, requiredParam } from '../../operations/resources/params.ts'
import { encodeSegment, partRoute } from '../../operations/resources/routes.ts'
import type { Reply, RestRequest } from './handler.ts'

export async function linksHere(request: RestRequest): Promise<Reply> {
  const part = await incomingLinks(request.wiki, linkQuery(request, linkKinds))
  return { body: incomingBody(part, nextRoute(request, part)) }
}

export async function linksOut(request: RestRequest): Promise<Reply> {
  const part = await outgoingLinks(request.wiki, linkQuery(request, [...linkKinds, ...leavingKinds]))
  return { body: outgoingBody(part, nextRoute(request, part)) }
}

export async function category(request: RestRequest): Promise<Reply> {
  const name = requiredParam('name', request.path.name)
  const part = await categoryMembers(request.wiki, { name, ...cut(request) })
  return { body: categoryBody(part, nextRoute(request, part)) }
}

export async function pageList(request: RestRequest): Promise<Reply> {
  const list = enumParam('name', requiredParam('name', request.path.name), Object.keys(linkLists))
  const namespace = optionalInteger('namespace', request.query('namespace'))
  const part = await listByLinks(request.wiki, { list, namespace, ...cut(request) })
  return { body: listBody(part, nextRoute(request, part)) }
}

function linkQuery<Kind extends string>(request: RestRequest, kinds: readonly Kind[]) {
  const kind = request.query('kind')
  return {
    title: requiredParam('title', request.path.title),
    kind: kind === undefined ? undefined : enumParam('kind', kind, kinds),
    ...cut(request),
  }
}

function cut({ query }: RestRequest): { limit: number; after: string | undefined } {
  const limit = query('limit')
  return {
    limit: limit === undefined ? 100 : boundedInteger('limit', limit, { min: 1, max: 500 }),
    after: query('after'),
  }
}

/** The route of the next part repeats the query. */
function nextRoute({ base, route, path, query }: RestRequest, { next }: ListPart<unknown>): string | null {
  const filled = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(path[name] ?? ''))
  const given = { kind: query('kind'), namespace: query('namespace'), limit: query('limit') }
  return partRoute(`${base}${filled}`, given, next)
}
