/**
 * Conditional requests: entity tags, dates, 304 and 412. Source: RFC 9110 section 13; tags and dates as in MediaWiki
 * 1.43.
 */

import { hash } from 'node:crypto'
import { historyVisibility, revisionVisibility, type Visibility } from '../operations/access/visibility.ts'
import type { Wiki } from '../operations/wiki.ts'

/** Content codings of responses, best first. */
export const codings = ['br', 'zstd', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** Validators that distinguish the states of a resource. */
export interface Validators {
  /** Quoted, strong, of the uncompressed response; null if the resource has none. */
  readonly etag: string | null
  /** ISO 8601; null if the resource has none. */
  readonly lastModified: string | null
}

/** Validators of a resource that has none, or that does not exist. */
export const noValidators: Validators = { etag: null, lastModified: null }

/** The fields of a revision that its validators depend on. */
interface Dated {
  readonly id: number
  readonly timestamp: string
}

/**
 * Returns the validators of a page, from its latest revision. The response contains no user and no comment, and a
 * hidden text is refused.
 */
export function pageValidators({ id, timestamp }: Dated): Validators {
  return { etag: `"${hash('sha1', `${id}a1`)}"`, lastModified: timestamp }
}

/**
 * Returns the validators of a revision. Unless something of it was hidden, they equal those of the page that shows it.
 */
export function revisionValidators(revision: Dated, wiki: Wiki): Validators {
  return visibleValidators(pageValidators(revision), revisionVisibility(wiki, revision.id))
}

/** Returns the validators of a page's history, which are the same for every part of it. */
export function historyValidators({ id, timestamp }: Dated, wiki: Wiki): Validators {
  return visibleValidators({ etag: `"${id}"`, lastModified: timestamp }, historyVisibility(wiki, id))
}

/** Returns the validators of counts in a page's history. */
export function countValidators({ id, timestamp }: Dated, wiki: Wiki): Validators {
  return visibleValidators({ etag: null, lastModified: timestamp }, historyVisibility(wiki, id))
}

/**
 * Changes the validators whenever parts of the covered revisions were hidden or shown again. Otherwise they stay
 * unchanged.
 */
export function visibleValidators({ etag, lastModified }: Validators, visibility: Visibility | null): Validators {
  if (visibility === null) return { etag, lastModified }
  const tagged = etag === null ? null : `${etag.slice(0, -1)}-${visibility.tag}"`
  return { etag: tagged, lastModified: datedValidator(lastModified, visibility.since) }
}

/** Changes the validators after a pull, a rebase or a switch of branches has given ids to other revisions. Otherwise they stay unchanged. */
export function numberedValidators(validators: Validators, { store }: Wiki): Validators {
  const { renumbered, lastSwitch } = store
  if (renumbered === 0 && lastSwitch === null) return validators
  const since = Math.ceil((Math.max(renumbered, lastSwitch?.time ?? 0) + 1) / 1000) * 1000
  return visibleValidators(validators, { tag: `${renumbered.toString(36)}${lastSwitch?.tag ?? ''}`, since })
}

/** Returns the later of both times; null if it is unknown. */
function datedValidator(lastModified: string | null, since: number | null): string | null {
  if (lastModified === null || since === null) return null
  return `${new Date(Math.max(Date.parse(lastModified), since)).toISOString().slice(0, 19)}Z`
}

/** Returns the validators of a page's lists of links. */
export function linkValidators(latest: { readonly id: number; readonly timestamp: string }): Validators {
  return { etag: `"${latest.id}@${latest.timestamp.replace(/\D/g, '')}"`, lastModified: latest.timestamp }
}

/** Returns the validators of a response that is identified by its bytes. */
export function bodyValidators(body: string | Uint8Array): Validators {
  return { etag: `"${hash('sha1', body)}"`, lastModified: null }
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
 * to a read. Invalid dates are ignored. Source: RFC 9110 13.2.2; MediaWiki 1.43 ConditionalHeaderUtil (an asterisk matches any tag).
 */
export function precondition(
  method: string,
  headers: Headers,
  validators: Validators,
  coding: Coding | null = null,
): 304 | 412 | null {
  return unmetMatch(headers, validators) ? 412 : unchanged(method, headers, validators, coding)
}

function unmetMatch(headers: Headers, { etag, lastModified }: Validators): boolean {
  const tags = headers.get('if-match')
  if (tags !== null) return !listsState(tags, etag)
  const since = readHttpDate(headers.get('if-unmodified-since'))
  return since !== null && (lastModified === null || Date.parse(lastModified) > since)
}

function unchanged(method: string, headers: Headers, validators: Validators, coding: Coding | null): 304 | 412 | null {
  const { lastModified } = validators
  const reads = method === 'GET' || method === 'HEAD'
  const tags = headers.get('if-none-match')
  if (tags !== null) {
    if (!reads) return listsState(tags, validators.etag) ? 412 : null
    return listsTag(tags, validatorsInCoding(validators, coding).etag) ? 304 : null
  }
  const since = readHttpDate(headers.get('if-modified-since'))
  return reads && since !== null && lastModified !== null && Date.parse(lastModified) <= since ? 304 : null
}

/** Returns true if a list of entity tags contains this one, as it is or as a proxy changed it. */
function listsTag(list: string, etag: string | null): boolean {
  return etag !== null && (list.trim() === '*' || tagsIn(list).includes(etag))
}

/**
 * Returns true if a list of entity tags contains the tag of this state in any coding: a client that was sent the page compressed knows
 * its text. Weak tags count, since only proxies make them: here equal tags are equal bytes.
 */
function listsState(list: string, etag: string | null): boolean {
  return etag !== null && (list.trim() === '*' || tagsIn(list).some(tag => tag.replace(ownCoding, '"') === etag))
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
