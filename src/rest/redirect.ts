/** Responses that redirect the client. */

import { documentText } from '../core/document-text.ts'
import type { PlainResponse } from '../http/response.ts'
import { fillPattern, type Match } from './match.ts'

/** Status of a redirect: 301 to another spelling, 307 to another page, 308 to another entry point. */
export type RedirectStatus = 301 | 307 | 308

/** Content type of a redirect. */
export const redirectType = 'text/html; charset=utf-8'

/** Creates a redirect to a URL. */
export function redirectResponse(
  status: RedirectStatus,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): PlainResponse {
  return { status, headers: { 'content-type': redirectType, location, ...headers }, body: redirectBody(location) }
}

/** Writes the page for clients that do not follow redirects. */
export function redirectBody(location: string): string {
  const link = escapeHtml(location)
  return `<!doctype html><title>Redirect</title><a href="${link}">${link}</a>`
}

/** Returns the URL of the same route for another title. It starts at the host's root and keeps the query. */
export function routeOfTitle(
  { mount, pattern }: Match,
  { path, search }: { readonly path: Readonly<Record<string, string>>; readonly search: string },
  title: string,
): string {
  return `${mount}${fillPattern(pattern, { ...path, title })}${encodeSearch(search)}`
}

/** Encodes a query again with these values set, spaces as plus signs; "" for an empty one. */
export function encodeSearch(search: string, values: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(values)) parameters.set(name, value)
  const query = parameters.toString()
  return query === '' ? '' : `?${query}`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

/** Escapes text for HTML and XML, also inside quotes. */
export function escapeHtml(text: string): string {
  return documentText(text).replace(/[&<>"']/g, sign => entities[sign] ?? sign)
}
