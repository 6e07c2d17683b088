/** Builds the responses that the API's specification requires where a recorded one differs. */

const reasons = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
}

/** The headers that every response has, as recorded. */
function commonHeaders({ headers: { vary, 'x-content-type-options': options } }) {
  return { ...(vary && { vary }), ...(options && { 'x-content-type-options': options }) }
}

/** An error in place of a recorded response. Those of reads are not kept. */
export function failed(recorded, status, errorKey, data = {}) {
  const isRead = /^(?:no-store|(?:private, )?no-cache)$/.test(recorded.headers['cache-control'] ?? '')
  const kept = isRead && { 'cache-control': 'no-store' }
  return {
    status,
    headers: { 'content-type': 'application/json', ...kept, ...commonHeaders(recorded) },
    body: { ...data, errorKey, messageTranslations: ['en'], httpCode: status, httpReason: reasons[status] },
  }
}

/** The error of a missing field of a body. */
export function missingField(recorded, name) {
  const data = {
    error: 'parameter-validation-failed',
    name,
    value: null,
    failureCode: 'missingparam',
    failureData: null,
  }
  return failed(recorded, 400, 'rest-body-validation-error', data)
}

/** A success with a JSON body in place of a recorded error. */
export function succeeded(recorded, { status = 200, headers, body }) {
  return { status, headers: { 'content-type': 'application/json', ...commonHeaders(recorded), ...headers }, body }
}

/** The response to a write that saved the sent text. */
export function saved(recorded, { request, license, page }) {
  const isNew = request.method === 'POST'
  const title = (isNew ? request.body.title : decodeURIComponent(/\/page\/([^/?]*)/.exec(request.path)[1])).replaceAll(
    '_',
    ' ',
  )
  const key = title.replaceAll(' ', '_')
  const headers = {
    'cache-control': 'private,must-revalidate,s-maxage=0',
    ...(isNew && { location: `http://WIKI/rest.php/v1/page/${key}` }),
  }
  const body = {
    id: `page ${key}`,
    title,
    key,
    latest: { id: 'new', timestamp: 'now' },
    license,
    content_model: page?.model ?? 'wikitext',
    source: request.body.source.trimEnd(),
  }
  return succeeded(recorded, { status: page === null ? 201 : 200, headers, body })
}
