/** Answers that send the client to another address. Source: REST.md 1.2. */

import type { Answer } from './answer.ts'
import { fillPattern, type Match } from './match.ts'

/**
 * Makes the 301 to the same route of the page with this key. The address starts at the host's root and keeps the query.
 */
export function titleRedirectAnswer(
  { mount, pattern }: Match,
  { path, search }: { readonly path: Readonly<Record<string, string>>; readonly search: string },
  key: string,
): Answer {
  const location = `${mount}${fillPattern(pattern, { ...path, title: key })}${encodeSearch(search)}`
  const link = escapeHtml(location)
  return {
    status: 301,
    headers: { 'content-type': 'text/html; charset=utf-8', location },
    body: `<!doctype html><title>Redirect</title><a href="${link}">${link}</a>`,
  }
}

/** Encodes a query anew, blanks as plus signs; "" for an empty one. */
export function encodeSearch(search: string): string {
  const query = new URLSearchParams(search).toString()
  return query === '' ? '' : `?${query}`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, sign => entities[sign] ?? sign)
}
