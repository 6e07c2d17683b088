/** Entry points of the API: redirects to its description, and the list of its modules. */

import { cookieName } from '../../http/access.ts'
import { contactObject } from '../openapi/contact.ts'
import { redirectBody, redirectType } from '../redirect.ts'
import type { Reply, RestRequest } from './handler.ts'

/**
 * Redirects from the root to the API's description; without a trailing slash, first to the root. The server's own root
 * redirects browsers to a page: they would cache a 308 permanently and never see that page.
 */
export async function apiRoot({ base, route, client }: RestRequest): Promise<Reply> {
  const { pathname } = new URL(base)
  const root = pathname === '/' ? '' : pathname
  const location = route === '' ? `${root}/` : `${root}/specs/v0/discovery`
  const isOwnRoot = root === client.prefix && route === '/'

  const headers = { location, ...(isOwnRoot && { vary: 'Accept' }) }
  return { status: isOwnRoot ? 307 : 308, type: redirectType, headers, body: redirectBody(location) }
}

/** Redirects from the API's own URL to its description, and from `/specs` to the list of APIs. */
export async function specificationRoot({ base, route }: RestRequest): Promise<Reply> {
  const root = withoutModule(new URL(base).pathname.replace(/\/$/, ''))
  const location = `${root}/specs/v0/${route.startsWith('/specs') ? 'discovery' : 'module/content/v1'}`
  return { status: 307, type: redirectType, headers: { location }, body: redirectBody(location) }
}

/** Returns the URL that the module's own one starts with. */
function withoutModule(base: string): string {
  return base.replace(/(?:\/content)?\/v1$/, '')
}

/** Lists the APIs and their descriptions. Source: MediaWiki 1.43 /specs/v0/discovery. */
export async function discovery({ wiki, base }: RestRequest): Promise<Reply> {
  await wiki.store.refresh()
  const { name, license, contact } = wiki.store.config
  const root = withoutModule(base)
  const info = {
    title: name === '' ? 'Wiki' : name,
    version: '1.0.0',
    license: { name: license.title, url: license.url },
    contact: contactObject(contact, root),
  }
  const module = (moduleId: string, path: string) => ({
    ...{ moduleId, info, base: `${root}${path}`, spec: `${root}/specs/v0/module/${moduleId}` },
  })
  const modules = { '-': module('-', '/v1'), 'content/v1': module('content/v1', '/content/v1') }
  return { body: { 'mw-discovery': '1.0.0', info, servers: [{ url: root }], modules } }
}

/** Describes the API. The table of routes is loaded lazily, because it refers to this handler. */
export async function specification({ wiki, base, access }: RestRequest): Promise<Reply> {
  await wiki.store.refresh()
  const [{ openApiDocument }, { routeTables }] = await Promise.all([
    import('../openapi/document.ts'),
    import('../routes.ts'),
  ])
  const root = withoutModule(base)
  return { body: openApiDocument(routeTables, { config: wiki.store.config, root, cookie: cookieName(access.wiki) }) }
}
