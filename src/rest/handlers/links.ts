/** Links of pages, and lists of pages by links. MediaWiki's REST API has no such routes. */

import type { Validators } from '../../http/conditional.ts'
import { categoryMembers, linkLists, listByLinks } from '../../operations/link-lists.ts'
import type { ListPart } from '../../operations/linking/cursor.ts'
import { linkKinds } from '../../operations/linking/table-parts.ts'
import { incomingLinks, leavingKinds, outgoingLinks } from '../../operations/page-links.ts'
import { boundedInteger, enumParam, optionalInteger, requiredParam } from '../../operations/resources/params.ts'
import type { Reply, RestRequest } from './handler.ts'
import { encodeWikiUrl } from './writes.ts'

export async function linksHere(request: RestRequest): Promise<Reply> {
  const { wiki } = request
  const part = await incomingLinks(wiki, linkQuery(request, linkKinds))
  const links = part.members.map(({ id, key, title, kind, redirect, through }) => ({
    ...{ id, key, title, kind, redirect, through },
  }))
  return replyOf(request, part, { links })
}

export async function linksOut(request: RestRequest): Promise<Reply> {
  const part = await outgoingLinks(request.wiki, linkQuery(request, [...linkKinds, ...leavingKinds]))
  const links = part.members.map(({ key, title, kind, exists, through }) => ({ key, title, kind, exists, through }))
  return replyOf(request, part, { links })
}

export async function category(request: RestRequest): Promise<Reply> {
  const name = requiredParam('name', request.path.name)
  const { key, title, exists, ...part } = await categoryMembers(request.wiki, { name, ...cut(request) })
  const members = part.members.map(({ rank: _, ...member }) => member)
  return replyOf(request, part, { key, title, exists, members })
}

export async function pageList(request: RestRequest): Promise<Reply> {
  const list = enumParam('name', requiredParam('name', request.path.name), Object.keys(linkLists))
  const namespace = optionalInteger('namespace', request.query('namespace'))
  const part = await listByLinks(request.wiki, { list, namespace, ...cut(request) })
  const pages = part.members.map(({ key, title, rank, target }) => ({
    ...{ key, title },
    ...(part.counts !== null && { [part.counts]: rank }),
    ...(target !== null && { target }),
  }))
  return replyOf(request, part, { list: part.list, pages })
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

/** Query parameters that the route of the next part repeats. */
const repeated = ['kind', 'namespace', 'limit'] as const

function replyOf(request: RestRequest, { next, total }: ListPart<unknown>, body: object): Reply {
  const { store } = request.wiki
  const validators: Validators = { etag: `"${store.tip}-${store.lastRevisionId}"`, lastModified: null }
  return { body: { ...body, total, next: next === null ? null : nextRoute(request, next) }, validators }
}

function nextRoute({ base, route, path, query }: RestRequest, next: string): string {
  const given = repeated.flatMap(name => {
    const text = query(name)
    return text === undefined ? [] : [[name, text] as [string, string]]
  })
  const filled = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeWikiUrl(path[name] ?? ''))
  return `${base}${filled}?${new URLSearchParams([...given, ['after', next]])}`
}
