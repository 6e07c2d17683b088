/** Responses that redirect the client. */

import type { Answer } from '../http/answer.ts'
import { fillPattern, type Match } from './match.ts'

/** Status of a redirect: 301 to another spelling, 307 to another page, 308 to another way in. */
export type RedirectStatus = 301 | 307 | 308

/** Content type of an answer that leads somewhere else. */
export const redirectType = 'text/html; charset=utf-8'

/** Makes the answer that leads to an address. */
export function redirectAnswer(
  status: RedirectStatus,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { 'content-type': redirectType, location, ...headers }, body: redirectBody(location) }
}

/** Writes the page for those who do not follow by themselves. */
export function redirectBody(location: string): string {
  const link = escapeHtml(location)
  return `<!doctype html><title>Redirect</title><a href="${link}">${link}</a>`
}

/** Returns the address of the same route for another title. It starts at the host's root and keeps the query. */
export function routeOfTitle(
  { mount, pattern }: Match,
  { path, search }: { readonly path: Readonly<Record<string, string>>; readonly search: string },
  title: string,
): string {
  return `${mount}${fillPattern(pattern, { ...path, title })}${encodeSearch(search)}`
}

/** Encodes a query again, blanks as plus signs, with these values set; "" for an empty one. */
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

/** Writes text so that it stands for itself in HTML and XML, also inside quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, sign => entities[sign] ?? sign)
}
