/** URLs of pages for browsers, on a server without such pages: they redirect to the equivalent API response. */

import { namespaceIds } from '../../core/namespaces.ts'
import { possibleTitle, type Title } from '../../core/title.ts'
import { requiredParam } from '../../operations/resources/params.ts'
import { encodeSegment } from '../../operations/resources/routes.ts'
import { redirectBody, redirectType } from '../redirect.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Redirects the URL of a browser page to the API route with the same information. */
export async function readingPage(request: RestRequest): Promise<Reply> {
  const asked = requiredParam('title', request.path.title)
  await request.wiki.store.refresh()
  const root = new URL(request.base).pathname.replace(/\/wiki$/, '')
  const location = `${root}/v1${specialRoute(asked, request) ?? revisionRoute(request) ?? pageRoute(asked, request)}`
  return { status: 307, type: redirectType, headers: { location }, body: redirectBody(location) }
}

/** Special pages named in responses, with the API routes of the same lists. */
function specialRoute(asked: string, { query }: RestRequest): string | null {
  const [name = '', ...rest] = asked.split('/')
  if (/^special:recent[ _]?changes$/i.test(name)) return '/changes'
  if (/^special:contributions$/i.test(name)) {
    const user = rest.length > 0 ? rest.join('/') : query('user')
    return `/changes${user === undefined ? '' : `?user=${encodeURIComponent(user.replaceAll('_', ' '))}`}`
  }
  const [kind, id = ''] = rest
  if (/^special:redirect$/i.test(name) && kind === 'revision' && isId(id)) return `/revision/${id}/html`
  return null
}

/** Returns the route of a revision, or of a comparison with another. */
function revisionRoute({ query }: RestRequest): string | null {
  const [diff = '', oldid = ''] = [query('diff'), query('oldid')]
  if (!isId(oldid)) return null
  return isId(diff) ? `/revision/${oldid}/compare/${diff}` : `/revision/${oldid}/html`
}

function pageRoute(asked: string, { wiki, query }: RestRequest): string {
  const { store } = wiki
  const title = possibleTitle(asked, store.titles)
  const page = `/page/${encodeSegment(asked)}`
  const exists = title === null || store.findPage(title.key) !== undefined
  if (query('action') === 'history') return exists ? `${page}/history` : `/changes?title=${encodeURIComponent(asked)}`
  return (exists ? null : besidePage(title, wiki.store)) ?? `${page}/html`
}

/** Returns the route for a title without a page: the metadata of a file, or the members of a category. */
function besidePage({ namespace, key, name }: Title, store: RestRequest['wiki']['store']): string | null {
  if (namespace === namespaceIds.file && store.findFile(key) !== undefined) return `/file/${encodeSegment(key)}`
  return namespace === namespaceIds.category ? `/category/${encodeSegment(name)}` : null
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text)
}
