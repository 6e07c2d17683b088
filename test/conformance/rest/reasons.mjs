/**
 * Reasons for differences between our responses and the recorded ones.
 *
 * A rule changes the recorded response to the one that MediaWiki's REST API reference or a documented difference requires
 * (https://www.mediawiki.org/wiki/API:REST_API/Reference, docs/reference/differences-from-mediawiki.md); if the result still
 * differs, it is open. The other reasons are states that no wiki of ours has. No rule names an exchange.
 */

import { decodeSafely } from './recording.mjs'
import { searchReasons } from './search-reasons.mjs'

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)
const paramOf = (path, name) => new URLSearchParams(path.slice(path.indexOf('?'))).get(name)
const isOk = ({ status }) => status === 200
const mapRevisions = (answer, change) => ({
  ...answer,
  body: { ...answer.body, revisions: answer.body.revisions.map(change) },
})

/** The recorded response with another error; its detail members are ours. */
function asError(recorded, ours, status, keys) {
  if (ours.status !== status || !keys.includes(ours.body?.errorKey)) return undefined
  return { ...recorded, ...ours, status, body: { ...ours.body, httpCode: status } }
}

/** True if all results have the members of recorded ones. */
function areShaped(theirs, own) {
  const shapes = new Set(theirs.map(page => JSON.stringify(Object.keys(page))))
  return shapes.size === 0 || own.every(page => shapes.has(JSON.stringify(Object.keys(page))))
}

/** Copies the target of a redirect, and its page for people, from our response. */
function withLocation(recorded, location) {
  const { location: old } = recorded.headers
  return {
    ...recorded,
    headers: { ...recorded.headers, location },
    body: recorded.body.replaceAll(escapeHtml(old), escapeHtml(location)),
  }
}

/** True for two JSON texts with the same value. */
function isSameJson(one, other) {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
  } catch {
    return false
  }
}

const escapeHtml = text => text.replaceAll('&', '&amp;')
const fileMembers = ['preferred', 'thumbnail']

/** References without what newer and older versions of Cite write differently. */
function plainReferences(html) {
  return typeof html !== 'string'
    ? html
    : html
        .replace(/ style="counter-reset: mw-Ref \d+;"/g, '')
        .replace(/<span class="cite-bracket">([[\]])<\/span>/g, '$1')
        .replace(/ data-mw-footnote-number="\d+"/g, '')
        .replace(/(<ol class="mw-references references"[^>]*>)\n/g, '$1')
        .replace(/↑ (?=<\/span>)/g, '↑')
}

const rules = [
  {
    name: 'references as the newest Cite writes them (newer)',
    change: (recorded, { ours }) => {
      const [theirs, own] = [recorded, ours].map(({ body }) => (isObject(body) ? body.html : body))
      if (theirs === own || plainReferences(theirs) !== plainReferences(own)) return undefined
      return { ...recorded, body: isObject(recorded.body) ? { ...recorded.body, html: own } : own }
    },
  },
  {
    name: 'every error has a key and sentences',
    change: (recorded, { ours }) =>
      recorded.status === ours.status && recorded.status < 500 && recorded.body?.message && ours.body?.errorKey
        ? { ...recorded, body: ours.body }
        : undefined,
  },
  {
    name: 'revisions of a history carry their page',
    change: (recorded, { ours }) =>
      isOk(recorded) && Array.isArray(recorded.body?.revisions) && recorded.body.revisions.length > 0
        ? mapRevisions(recorded, (revision, at) => ({ ...revision, page: ours.body?.revisions?.[at]?.page }))
        : undefined,
  },
  {
    name: 'a write does not cut a fragment off its title (docs/reference/rest-api.md)',
    change: (recorded, { exchange, ours }) =>
      exchange.request.body?.title?.includes?.('#')
        ? asError(recorded, ours, 400, ['apierror-invalidtitle'])
        : undefined,
  },
  {
    name: 'a title that is none is 404',
    change: (recorded, { ours }) =>
      recorded.body?.errorKey === 'rest-permission-denied-title'
        ? asError(recorded, ours, 404, ['rest-invalid-title'])
        : undefined,
  },
  {
    name: 'redirect is a boolean',
    change: (recorded, { ours }) =>
      recorded.body?.name === 'redirect' && recorded.body.failureCode === 'badvalue' && [200, 307].includes(ours.status)
        ? ours
        : undefined,
  },
  {
    name: 'one hop for wiki redirects (newer)',
    change: (recorded, { exchange: { request } }) => {
      if (recorded.status !== 307) return undefined
      const [path, query = ''] = recorded.headers.location.split('?')
      const parameters = new URLSearchParams(query)
      parameters.set('redirect', 'no')
      return paramOf(request.path, 'redirect') === 'no' ? undefined : withLocation(recorded, `${path}?${parameters}`)
    },
  },
  {
    name: "MediaWiki's redirect to {type} (marked as a bug)",
    change: (recorded, { exchange: { request } }) => {
      const type = /\/counts\/([^/?]*)/.exec(request.path)?.[1]
      if (recorded.status !== 301 || !recorded.headers.location.includes('{type}')) return undefined
      return withLocation(recorded, recorded.headers.location.replace('{type}', type))
    },
  },
  {
    name: '500 only above 2,000 minor edits',
    change: (recorded, { ours }) =>
      recorded.body?.errorKey === 'rest-pagehistorycount-too-many-revisions' && ours.body?.count <= 1000
        ? ours
        : undefined,
  },
  {
    name: 'an internal error of MediaWiki (marked as a bug): 400 or 404',
    change: (recorded, { ours }) => (recorded.status === 500 && [400, 404].includes(ours.status) ? ours : undefined),
  },
  {
    name: 'section levels 1 to 4',
    change: recorded => {
      if (!isObject(recorded.body?.from) || !Array.isArray(recorded.body.diff)) return undefined
      const side = value => ({ ...value, sections: value.sections.filter(({ level }) => level <= 4) })
      return { ...recorded, body: { ...recorded.body, from: side(recorded.body.from), to: side(recorded.body.to) } }
    },
  },
  {
    name: 'original in Get file only, thumbnail everywhere',
    change: (recorded, { ours }) => {
      if (!Array.isArray(recorded.body?.files)) return undefined
      const files = recorded.body.files.map(({ original, ...file }, at) => {
        const thumbnail = ours.body?.files?.[at]?.thumbnail
        return original === undefined ? file : { ...file, thumbnail }
      })
      return { ...recorded, body: { files } }
    },
  },
  {
    name: 'preferred and thumbnail are objects, durations are lengths',
    change: (recorded, { ours }) => {
      const members = file => fileMembers.filter(name => file?.[name] === null)
      const fill = (file, own) => ({
        ...file,
        ...Object.fromEntries(members(file).map(name => [name, own?.[name]])),
        ...(file.original?.duration === 0 && { original: { ...file.original, duration: own?.original?.duration } }),
      })
      if (Array.isArray(recorded.body?.files)) {
        const files = recorded.body.files.map((file, at) => fill(file, ours.body?.files?.[at]))
        return { ...recorded, body: { files } }
      }
      return members(recorded.body).length > 0 ? { ...recorded, body: fill(recorded.body, ours.body) } : undefined
    },
  },
  {
    name: 'a missing token of a cookie session is 400',
    change: (recorded, { ours }) =>
      recorded.body?.errorKey === 'rest-badtoken' && ours.body?.name === 'token' ? { ...recorded, ...ours } : undefined,
  },
  {
    name: 'only cookie sessions need a token',
    change: (recorded, { exchange: { as_user, request }, ours }) =>
      recorded.body?.errorKey === 'rest-badtoken' && as_user === 'anonymous' && !request.headers.Authorization
        ? [200, 201].includes(ours.status)
          ? ours
          : undefined
        : undefined,
  },
  {
    name: 'a bearer token that is none is refused',
    change: (_recorded, { exchange: { request }, ours }) =>
      request.headers.Authorization?.startsWith('Bearer') && ours.status === 401 ? ours : undefined,
  },
  {
    name: 'an edit conflict tells both differences',
    change: (recorded, { ours }) => {
      if (recorded.body?.errorKey !== 'edit-conflict' || !Array.isArray(ours.body?.local?.diff)) return undefined
      const { base, current, local, remote } = ours.body
      return { ...recorded, body: { base, current, local, remote, ...recorded.body } }
    },
  },
  {
    name: "another content model than the page's is 400",
    change: (recorded, { exchange: { request }, ours }) =>
      isOk(recorded) && request.method === 'PUT' && request.body?.content_model
        ? asError(recorded, ours, 400, ['rest-bad-content-model'])
        : undefined,
  },
  {
    name: 'JSON is accepted as application/json (marked as a bug)',
    change: (recorded, { exchange: { request }, ours }) =>
      recorded.status === 406 && isOk(ours) && request.headers.Accept === 'application/json' ? ours : undefined,
  },
  {
    name: 'the flavor fragment (marked as a bug)',
    change: (recorded, { exchange: { request }, ours }) =>
      recorded.status === 404 && isOk(ours) && paramOf(request.path, 'flavor') === 'fragment' ? ours : undefined,
  },
  {
    name: 'an excerpt is a string',
    change: (recorded, { ours }) => {
      if (!Array.isArray(recorded.body?.pages) || !recorded.body.pages.some(({ excerpt }) => excerpt === null))
        return undefined
      const own = new Map(ours.body?.pages?.map(page => [page.key, page.excerpt]))
      const pages = recorded.body.pages.map(page =>
        page.excerpt === null && typeof own.get(page.key) === 'string' ? { ...page, excerpt: own.get(page.key) } : page,
      )
      return { ...recorded, body: { pages } }
    },
  },
  {
    name: 'what a title search gives as excerpt is the title',
    change: (recorded, { exchange: { request } }) => {
      if (!request.path.includes('/search/title') || !Array.isArray(recorded.body?.pages)) return undefined
      return { ...recorded, body: { pages: recorded.body.pages.map(page => ({ ...page, excerpt: page.title })) } }
    },
  },
  {
    name: "the order of what a search finds is the engine's",
    change: (recorded, { ours }) => {
      const [theirs, own] = [recorded, ours].map(({ body }) => body?.pages)
      if (!Array.isArray(theirs) || !Array.isArray(own)) return undefined
      const keys = pages => JSON.stringify(pages.map(({ key }) => key).sort())
      return keys(theirs) === keys(own) && areShaped(theirs, own) ? { ...recorded, body: ours.body } : undefined
    },
  },
  {
    name: "what a search finds is the engine's",
    change: (recorded, { ours, exchange: { request }, dump }) => {
      const [theirs, own] = [recorded, ours].map(({ body }) => body?.pages)
      if (!Array.isArray(theirs) || !Array.isArray(own) || !areShaped(theirs, own)) return undefined
      const reasons = searchReasons(request.path, { theirs, own }, dump)
      return reasons === null || reasons.length === 0 ? undefined : { ...recorded, body: ours.body, reasons }
    },
  },
  {
    name: 'the description of the search names routes of the API',
    change: (recorded, { ours }) =>
      recorded.headers['content-type'] === 'application/opensearchdescription+xml'
        ? { ...recorded, body: ours.body }
        : undefined,
  },
  {
    name: 'pages can be deleted (docs/reference/rest-api.md)',
    change: (recorded, { exchange: { request }, ours }) => {
      if (request.method === 'DELETE' && recorded.status === 405)
        return ours.status === 400 && ours.body?.name === 'latest' ? { ...recorded, ...ours } : undefined
      const lists = ['allow', 'access-control-allow-methods'].filter(
        name => recorded.headers[name] === 'HEAD, GET, PUT' && ours.headers[name] === 'HEAD, GET, PUT, DELETE',
      )
      if (lists.length === 0) return undefined
      const headers = { ...recorded.headers, ...Object.fromEntries(lists.map(name => [name, ours.headers[name]])) }
      return { ...recorded, headers }
    },
  },
  {
    name: 'OPTIONS tells Allow, and If-Match is spelt right (marked as a bug)',
    change: (recorded, { exchange: { request }, ours }) => {
      if (request.method !== 'OPTIONS' || recorded.status !== 204) return undefined
      const headers = { ...recorded.headers, ...(ours.headers.allow && { allow: ours.headers.allow }) }
      const allowed = 'access-control-allow-headers'
      headers[allowed] = ours.headers[allowed]?.includes('If-Match') ? ours.headers[allowed] : headers[allowed]
      headers.vary = ours.headers.vary
      return { ...recorded, headers }
    },
  },
  {
    name: 'tags and dates tell what is hidden, so that a cache forgets it (ours)',
    change: (recorded, { ours }) => {
      const isHidden = recorded.body?.user === null || recorded.body?.comment === null
      if (!isHidden || !/-[0-9a-f]{12}"$/.test(ours.headers.etag ?? '')) return undefined
      const { etag, 'last-modified': modified } = ours.headers
      return { ...recorded, headers: { ...recorded.headers, etag, 'last-modified': modified } }
    },
  },
  {
    name: 'answers are compressed, and say so (docs/reference/rest-api.md)',
    change: (recorded, { ours }) =>
      ours.headers.vary === `Accept-Encoding, ${recorded.headers.vary}`
        ? { ...recorded, headers: { ...recorded.headers, vary: ours.headers.vary } }
        : undefined,
  },
  {
    name: 'JSON is saved as it is sent (docs/reference/differences-from-mediawiki.md)',
    change: (recorded, { exchange: { request }, ours }) => {
      if (recorded.body?.content_model !== 'json' || ours.body?.source !== request.body?.source) return undefined
      return isSameJson(recorded.body.source, ours.body.source)
        ? { ...recorded, body: { ...recorded.body, source: ours.body.source } }
        : undefined
    },
  },
  {
    name: 'scripts of foreign HTML are dropped, and signatures in it escaped (docs/reference/differences-from-mediawiki.md)',
    change: (recorded, { exchange: { request }, ours }) => {
      if (!request.path.includes('/html/to/wikitext') || typeof recorded.body !== 'string') return undefined
      if (recorded.body === ours.body || typeof ours.body !== 'string') return undefined
      const plain = text => text.replace(/<(script|style)\b[^>]*>.*?<\/\1>\s*/gs, '').replace(/<\/?nowiki>/g, '')
      const isOnlyThat = /<script|<style|~~~/.test(recorded.body) && plain(recorded.body) === plain(ours.body)
      return isOnlyThat ? { ...recorded, body: ours.body } : undefined
    },
  },
  {
    name: 'what MediaWiki sends without a tag has one of its bytes (docs/reference/differences-from-mediawiki.md)',
    change: (recorded, { exchange: { request }, ours }) => {
      const isTagged = /\/search(?:\/(?:page|title))?(?:\?|$)|\/compare\//.test(request.path)
      if (!isTagged || recorded.headers.etag !== undefined || !/^"[0-9a-f]{40}"$/.test(ours.headers.etag ?? ''))
        return undefined
      if (ours.status === 304) return ours
      return { ...recorded, headers: { ...recorded.headers, etag: ours.headers.etag } }
    },
  },
]

/** Errors that only user rights, protection and blocks cause. */
const rightsErrors = new Set(['protectedinterface', 'protectedpagetext', 'blockedtext', 'badaccess-groups'])

/** Returns the reason why an exchange cannot be repeated; null if it can. */
export function inexpressible({ request, mw143: { body, headers } }) {
  if (request.method !== request.method.toUpperCase()) return 'the web server answered before the service'
  if (typeof body === 'string' && body.includes('nginx')) return 'the web server answered before the service'
  if (rightsErrors.has(body?.errorKey)) return 'rights, protection and blocks: no wiki of ours has them'
  if (/^"message\//.test(headers.ETag ?? '')) return 'a system message of MediaWiki'
  return null
}

function keyOf(path) {
  return decodeSafely(/\/page\/([^/?]*)/.exec(path)?.[1] ?? '')
}

function hasHiddenText({ pages }, key) {
  return pages.some(page => page.key === key && page.revisions.some(({ hidden }) => hidden.includes('text')))
}

/** Returns the state that causes a difference, if no wiki of ours can have it; null for the others. */
export function missingState({ request, as_user, mw143: { headers, body } }, ours, { dump }) {
  if (request.headers['Accept-Language'] !== undefined && /\+lang:/.test(headers.ETag ?? '')) return 'language variants'
  const reads = request.method === 'GET' && /\/revision\/|\/history/.test(request.path)
  if (reads && ['Oversight', 'Admin'].includes(as_user)) return 'rights to see what is hidden'
  if (reads && hasHiddenText(dump, body?.page?.key ?? keyOf(request.path))) return 'an export has no hidden texts'
  if (/[^\0-\x7f]/.test(request.path) && ours.status === 400)
    return "bytes beyond ASCII on the request line: Node's parser"
  if (/\/file\/[^/?]*\.txt/i.test(request.path) && ours.status === 404) return 'a text file is a page here'
  if (body?.files?.some(({ title }) => /\.txt$/i.test(title))) return 'a text file is a page here'
  if (body?.latest && ours.body?.content_model && body.content_model !== ours.body.content_model) {
    return 'the content model of a page does not change'
  }
  return null
}

/** Changes a recorded response by the rules; returns the names of the rules that applied. */
export function explain(recorded, context) {
  let expected = recorded
  const applied = []
  for (const { name, change } of rules) {
    const changed = change(expected, context)
    if (changed === undefined || JSON.stringify(changed) === JSON.stringify(expected)) continue
    const { reasons, ...answer } = changed
    expected = answer
    applied.push(reasons === undefined ? name : `${name}: ${reasons.join(', ')}`)
  }
  return { expected, rules: applied }
}
