/** Converts thrown values to error bodies in the form of MediaWiki 1.43. */

import { STATUS_CODES } from 'node:http'
import { type ErrorKey, isWikiError, type WikiError } from '../core/errors.ts'
import { errorMessageIn, messageIn, withoutPlaces } from '../http/messages/messages.ts'
import { jsonResponse, type PlainResponse } from '../http/response.ts'
import { retryHeaders } from '../http/retry-after.ts'
import type { Wiki } from '../operations/wiki.ts'
import { restbaseError, wantsRestbase } from './handlers/restbase.ts'

/** Errors sent without a message, only by key: those raised before a handler runs. */
const sentByName: ReadonlySet<ErrorKey> = new Set(['rest-cross-origin-anon-write'])

/** Errors that MediaWiki raises in its edit action, with their codes there. */
const actionModuleErrorCodes: Partial<Record<ErrorKey, string>> = {
  'apierror-invalidtitle': 'invalidtitle',
  'apierror-pagecannotexist': 'pagecannotexist',
  'apierror-contenttoobig': 'contenttoobig',
  'apierror-no-direct-editing': 'no-direct-editing',
  'invalid-json-data': 'invalid-json-data',
  protectedpagetext: 'protectedpage',
}

/** Headers that tell clients how to react to an error. Source: RFC 6750 section 3. */
const errorHeaders: Partial<Record<ErrorKey, Readonly<Record<string, string>>>> = {
  'wiki-login-required': { 'www-authenticate': 'Bearer realm="wiki"' },
  'wiki-unknown-token': { 'www-authenticate': 'Bearer realm="wiki", error="invalid_token"' },
  'apierror-permissiondenied': { 'www-authenticate': 'Bearer realm="wiki", error="insufficient_scope"' },
  protectedpagetext: { 'www-authenticate': 'Bearer realm="wiki", error="insufficient_scope"' },
}

/**
 * Creates the response for any thrown value. `language` is that of the wiki's content. Values other than `WikiError`
 * reveal no details. RESTBase clients, identified by the request, get more members.
 */
export function errorResponse(thrown: unknown, language = 'en', request: Request | null = null): PlainResponse {
  if (!isWikiError(thrown)) {
    return jsonResponse({ message: 'Error: exception of type Error', ...httpStatus(500) }, { status: 500 })
  }
  const isRestbase = request !== null && wantsRestbase(request.headers) && !sentByName.has(thrown.code)
  const more = isRestbase ? restbaseError(thrown, request) : {}
  return jsonResponse(
    { ...more, ...errorBody(thrown, language) },
    { status: thrown.status, headers: { ...errorHeaders[thrown.code], ...retryHeaders(thrown) } },
  )
}

/**
 * Creates the response for a method that a known path does not support. `allow` lists the supported ones. As in
 * MediaWiki, the body has no key, unless there is a reason to give.
 */
export function wrongMethodResponse(
  method: string,
  allow: string,
  language = 'en',
  reason: WikiError | null = null,
): PlainResponse {
  const headers = { allow }
  if (reason !== null)
    return jsonResponse({ ...errorBody(reason, language), ...httpStatus(405) }, { status: 405, headers })
  const which = allow.includes(',') ? 'one of the allowed methods' : 'the allowed method'
  const sentence = `The request method (${method}) was not ${which} for this path (${allow})`
  const own = messageIn(language, 'rest-wrong-method', { params: [method, allow], english: sentence })
  const body = { messageTranslations: translations(sentence, { language, own }), ...httpStatus(405) }
  return jsonResponse(body, { status: 405, headers })
}

/** Returns the second language of errors, besides English: that of the wiki's content, as last read. */
export async function contentLanguage({ store }: Wiki): Promise<string> {
  await store.refresh().catch(() => {})
  return store.config.language
}

/**
 * Returns the message in the wiki's language, or English without a translation, and in English. Source: MediaWiki
 * ResponseFactory.
 */
function translations(english: string, { language, own }: { language: string; own: string }): Record<string, string> {
  return { [language.toLowerCase()]: own, en: english }
}

function errorBody(error: WikiError, language: string): Record<string, unknown> {
  if (sentByName.has(error.code)) return { error: error.code, ...httpStatus(error.status) }
  const actionModuleErrorCode = actionModuleErrorCodes[error.code]
  return {
    ...(actionModuleErrorCode === undefined ? {} : { actionModuleErrorCode }),
    ...error.data,
    errorKey: error.code,
    messageTranslations: translations(withoutPlaces(error, error.message), {
      language,
      own: errorMessageIn(language, error),
    }),
    ...httpStatus(error.status),
  }
}

function httpStatus(status: number): { httpCode: number; httpReason: string } {
  return { httpCode: status, httpReason: STATUS_CODES[status] ?? '' }
}
