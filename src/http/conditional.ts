/** Conditional requests: entity tags, 304 and 412. Source: RFC 9110 section 13; tags begin as in MediaWiki 1.43. */

import { createHash, hash } from 'node:crypto'
import type { Wiki } from '../operations/wiki.ts'

/** Content codings of responses, best first. */
export const codings = ['br', 'zstd', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** Tag and date of a response. */
export interface Validators {
  /** Quoted, strong, of the uncompressed response; null if it has none. */
  readonly etag: string | null
  /** Milliseconds since 1970; null if it has none. */
  readonly lastModified: number | null
  /** Since when the server has known the response to be as it is, milliseconds since 1970; null if it does not. */
  readonly known: number | null
}

/** Validators of a resource that has none, or that does not exist. */
export const noValidators: Validators = { etag: null, lastModified: null, known: null }

/** Ends a tag: a fingerprint of the bytes. */
const fingerprint = /-[0-9a-f]{16}"$/

/**
 * Returns the tag of a response: its beginning, which names what is shown as MediaWiki's tags do, and a fingerprint of its bytes. The
 * beginning alone would stay while the licence, a title, a hidden name or another part of the body changes. A response without a beginning
 * has the hash of its bytes.
 */
export function tagOf(
  beginning: string | undefined,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string | Uint8Array },
): string {
  if (beginning === undefined) return `"${hash('sha1', body)}"`
  const about = `${headers['content-type']} ${headers['content-language']} `
  const digest = createHash('sha256').update(about).update(body).digest('hex')
  return `"${beginning}-${digest.slice(0, 16)}"`
}

/**
 * Returns the beginning of the tags of a page and of its latest revision. Its commit distinguishes what an id names before and after a
 * rebase, so that a write with the tag is a write to what the client has read. Source: MediaWiki 1.43 PageSourceHandler.
 */
export function pageTag(store: Pick<Wiki['store'], 'revision'>, { id }: { readonly id: number }): string {
  const commit = store.revision(id, { deleted: true })?.commit ?? ''
  return `${hash('sha1', `${id}a1`)}-${hash('sha1', commit).slice(0, 16)}`
}

/** Returns the beginning of the tags of a page's history. */
export function historyTag({ id }: { readonly id: number }): string {
  return String(id)
}

/** Returns the beginning of the tags of a page's lists of links. */
export function linkTag({ id, timestamp }: { readonly id: number; readonly timestamp: string }): string {
  return `${id}@${timestamp.replace(/\D/g, '')}`
}

/**
 * Returns the validators of a response in a coding. Each coding has a tag of its own, because a cache may use a 304 for every stored
 * response with its tag, also for clients that do not accept that one's coding. Source: RFC 9110 8.8.3.3, RFC 9111 4.3.4.
 */
export function validatorsInCoding(validators: Validators, coding: Coding | null): Validators {
  const { etag } = validators
  return coding === null || etag === null ? validators : { ...validators, etag: `${etag.slice(0, -1)}/${coding}"` }
}

/** Writes validators as headers. */
export function validatorHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { etag }),
    ...(lastModified === null ? {} : { 'last-modified': new Date(lastModified).toUTCString() }),
  }
}

/**
 * Evaluates the request's conditions: 304 (not modified), 412 (precondition failed), or null to proceed. `coding` is that of the response
 * to a read. A date confirms what the server has known since then: `Last-Modified` alone does not tell two states of one second apart, and
 * a commit may have any date. Source: RFC 9110 13.2.2; MediaWiki 1.43 ConditionalHeaderUtil (an asterisk matches any tag).
 */
export function precondition(
  method: string,
  headers: Headers,
  validators: Validators,
  coding: Coding | null = null,
): 304 | 412 | null {
  return unmetMatch(headers, validators) ? 412 : unchanged(method, headers, validators, coding)
}

function unmetMatch(headers: Headers, validators: Validators): boolean {
  const tags = headers.get('if-match')
  if (tags !== null) return !listsState(tags, validators.etag)
  const since = readHttpDate(headers.get('if-unmodified-since'))
  return since !== null && !isKnownSince(since, validators)
}

function isKnownSince(since: number, { known }: Validators): boolean {
  return known !== null && known < since
}

function unchanged(method: string, headers: Headers, validators: Validators, coding: Coding | null): 304 | 412 | null {
  const tags = headers.get('if-none-match')
  const isRead = method === 'GET' || method === 'HEAD'
  if (tags === null) {
    const since = isRead ? readHttpDate(headers.get('if-modified-since')) : null
    // A date in the future is invalid. Source: RFC 9110 13.1.3.
    return since !== null && since <= Date.now() && isKnownSince(since, validators) ? 304 : null
  }
  if (!isRead) return listsState(tags, validators.etag) ? 412 : null
  return listsTag(tags, validatorsInCoding(validators, coding).etag) ? 304 : null
}

/** Returns true if a list of entity tags contains this one, as it is or as a proxy changed it. */
function listsTag(list: string, etag: string | null): boolean {
  return etag !== null && (list.trim() === '*' || tagsIn(list).includes(etag))
}

/**
 * Returns true if a list of entity tags contains this one in any coding: a client that was sent the page compressed knows its text. Weak tags
 * count, since only proxies make them. A write is compared with the beginning alone, which all forms of a page have in common.
 */
function listsState(list: string, etag: string | null): boolean {
  if (etag === null) return false
  const plain = tagsIn(list).map(tag => tag.replace(ownCoding, '"'))
  return list.trim() === '*' || plain.some(tag => tag === etag || tag.replace(fingerprint, '"') === etag)
}

const ownCoding = new RegExp(`/(?:${codings.join('|')})"$`)

/**
 * Endings that compressing proxies append to a tag: Apache and Caddy `-gzip`, Jetty `--gzip`, LiteSpeed `;gz`; nginx, Cloudflare and h2o make it
 * weak. Source: Apache's DeflateAlterETag and BrotliAlterETag, Caddy's `encode`, Jetty's CompressedContentFormat.
 */
const proxyCoding = /(?:--?|;|:)(?:br|deflate|gz|gzip|zstd)"$/

/** Returns the tags of a list as they were before a proxy changed them. */
function tagsIn(list: string): string[] {
  return Array.from(list.matchAll(/"[^"]*"/g), ([tag]) => tag.replace(proxyCoding, '"'))
}

const clock = String.raw`\d\d:\d\d:\d\d`
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'

/** The three date formats, newest first, with the replacement that makes `Date.parse` read each as UTC. */
const dateForms = [
  { form: new RegExp(`^[A-Z][a-z]{2}, \\d\\d ${month} \\d{4} ${clock} GMT$`), zone: '' },
  { form: new RegExp(`^[A-Z][a-z]{5,8}, \\d\\d-${month}-\\d\\d ${clock} GMT$`), zone: '' },
  { form: new RegExp(`^[A-Z][a-z]{2} ${month} [ \\d]\\d ${clock} \\d{4}$`), zone: ' GMT' },
]

/** Parses an HTTP date to milliseconds; null if it is invalid. Source: RFC 9110 5.6.7. */
export function readHttpDate(text: string | null): number | null {
  const match = text === null ? undefined : dateForms.find(({ form }) => form.test(text))
  const time = match === undefined ? Number.NaN : Date.parse(`${text}${match.zone}`)
  return Number.isNaN(time) ? null : time
}
