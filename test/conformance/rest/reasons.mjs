/**
 * Reasons for differences between our responses and the recorded ones.
 *
 * A reason names the exchanges that it is for, and builds the response that is due there from the recorded one, according to
 * MediaWiki's REST API reference or a documented difference (https://www.mediawiki.org/wiki/API:REST_API/Reference,
 * docs/reference/differences-from-mediawiki.md). Our response must equal it. What only our engine can decide (an excerpt, a time)
 * is taken from our response after a check. `test/conformance-reasons.test.ts` gives each reason wrong responses.
 */
import { failed, missingField, saved, succeeded } from './answers.mjs'
import { decodeSafely } from './recording.mjs'
import { dueSearch } from './search-reasons.mjs'

const isOk = ({ status }) => status === 200
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)
const isRead = ({ method }) => method === 'GET' || method === 'HEAD'
const paramOf = (path, name) => new URLSearchParams(path.split('?')[1] ?? '').getAll(name).at(-1) ?? null
const keyOf = path => decodeSafely(/\/page\/([^/?]*)/.exec(path)?.[1] ?? '').replaceAll(' ', '_')
const withBody = (recorded, body) => ({ ...recorded, body: { ...recorded.body, ...body } })
const withHeaders = (recorded, headers) => ({ ...recorded, headers: { ...recorded.headers, ...headers } })
const escapeHtml = text => text.replaceAll('&', '&amp;')

/** Moves a redirect, and its page for people. */
function withLocation(recorded, location) {
  const body = recorded.body.replaceAll(escapeHtml(recorded.headers.location), escapeHtml(location))
  return { ...withHeaders(recorded, { location }), body }
}

/** Changes the HTML of a page or a revision, alone or in JSON. */
function withHtml(recorded, change) {
  if (typeof recorded.body?.html === 'string') return withBody(recorded, { html: change(recorded.body.html) })
  return typeof recorded.body === 'string' ? { ...recorded, body: change(recorded.body) } : undefined
}

/** References as newer versions of Cite write them: numbered, with brackets of their own. */
function newestReferences(html) {
  return html
    .replace(/ style="counter-reset: mw-Ref \d+;"/g, '')
    .replace(
      /<span class="mw-reflink-text">\[([^\]<]*)\]<\/span>/g,
      '<span class="mw-reflink-text"><span class="cite-bracket">[</span>$1<span class="cite-bracket">]</span></span>',
    )
    .replace(/(<span class="mw-linkback-text">↑) (?=<\/span>)/g, '$1')
    .replace(/(<ol class="mw-references references"[^>]*>)(<li .*?)(?=<\/ol>)/gs, (_, start, items) => {
      let number = 0
      const numbered = () => ` data-mw-footnote-number="${++number}" id="cite_note-`
      return `${start}\n${items.replace(/ id="cite_note-/g, numbered)}`
    })
}

const booleans = {
  yes: true,
  true: true,
  t: true,
  y: true,
  on: true,
  1: true,
  no: false,
  false: false,
  f: false,
  n: false,
  off: false,
  0: false,
  '': false,
}

/** True for a title, or a revision of a page, that cannot be. */
const isImpossible = title => /[<>[\]{}|]/.test(title)
const isForeign = (dump, key, id) =>
  dump.pages.some(page => page.key !== key && page.revisions.some(one => one.id === id))

/** A picture that fits into a box, as MediaWiki describes it. A drawing's picture is made on request, so its size is not known. */
function pictureIn(box, original) {
  const { width, height, mediatype } = original
  if (width === null || height === null) return original
  const scale = Math.min(1, box.width / width, box.height / height)
  if (scale === 1 && mediatype !== 'DRAWING') return original
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  return { ...original, ...size, size: null, url: original.url.replace('file ', 'thumbnail of ') }
}

const [preferredBox, thumbnailBox] = [
  { width: 800, height: 600 },
  { width: 2560, height: 2048 },
]

/** A file as the reference describes it, from a recorded one. */
function dueFile(file, { isList, lengths }) {
  const { preferred, original: recorded, thumbnail, ...rest } = file
  const original = recorded.duration === 0 ? { ...recorded, duration: lengths.get(file.title) ?? 0 } : recorded
  const known = picture =>
    picture.mediatype === 'DRAWING' && picture.url.startsWith('thumbnail') ? null : picture.size
  const due = (picture, box) => (picture ? { ...picture, size: known(picture) } : pictureIn(box, original))
  return {
    ...rest,
    preferred: due(preferred, preferredBox),
    ...(!isList && { original }),
    thumbnail: isList ? pictureIn(thumbnailBox, original) : due(thumbnail, thumbnailBox),
  }
}

/** Parts of a revision that readers of ours do not see. */
function hiddenParts(dump, id) {
  for (const { revisions } of dump.pages) {
    const found = revisions.find(revision => revision.id === id)
    if (found !== undefined) return found.hidden
  }
  return []
}

/** True for a request about a page or a revision of which something is hidden. */
function isPartlyHidden({ request, mw143: { body } }, dump) {
  const id = Number(/\/revision\/(\d+)/.exec(request.path)?.[1])
  const key = body?.page?.key ?? keyOf(request.path)
  return dump.pages.some(
    page =>
      (page.key === key || page.revisions.some(one => one.id === id)) &&
      page.revisions.some(({ hidden }) => hidden.length > 0),
  )
}

/** A revision as it is after an export, which has no hidden texts. `before` is the one below it. */
function exportedRevision(revision, dump) {
  const page = dump.pages.find(({ revisions }) => revisions.some(({ id }) => id === revision.id))
  const at = page?.revisions.findIndex(({ id }) => id === revision.id) ?? -1
  if (at < 0) return revision
  const [own, before] = [page.revisions[at], page.revisions[at - 1]]
  const sizeOf = ({ hidden, text }, size) => (hidden.includes('text') ? 0 : (size ?? Buffer.byteLength(text)))
  const size = sizeOf(own, revision.size)
  const delta = before === undefined || revision.delta === null ? revision.delta : size - sizeOf(before)
  return {
    ...revision,
    size,
    delta,
    ...(own.hidden.includes('comment') && { comment: null }),
    ...(own.hidden.includes('contributor') && { user: null }),
  }
}

/** Errors that only user rights, protection and blocks cause. */
const rightsErrors = new Set(['protectedinterface', 'protectedpagetext', 'blockedtext', 'badaccess-groups'])

/** Reasons whose states no wiki of ours can have: their exchanges show less than others. */
const states = [
  {
    name: 'the web server answered before the service',
    change: (recorded, { exchange: { request }, ours }) => {
      const isAnswer = request.method !== request.method.toUpperCase() || /nginx/.test(recorded.body)
      return isAnswer && [400, 404, 405].includes(ours.status) ? ours : undefined
    },
  },
  {
    name: "bytes beyond ASCII on the request line: Node's parser",
    change: (_, { exchange: { request }, ours }) =>
      /[^\0-\x7f]/.test(request.path) && ours.status === 400 ? ours : undefined,
  },
  {
    name: 'rights, protection and blocks: no wiki of ours has them',
    change: (recorded, context) =>
      rightsErrors.has(recorded.body?.errorKey)
        ? saved(recorded, { ...context, request: context.exchange.request })
        : undefined,
  },
  {
    name: 'a system message of MediaWiki',
    change: (recorded, { exchange }) =>
      /^"message\//.test(exchange.mw143.headers.ETag ?? '')
        ? failed(recorded, 404, 'rest-nonexistent-title')
        : undefined,
  },
  {
    name: 'language variants',
    change: (recorded, { exchange: { request } }) =>
      request.headers['Accept-Language'] && /\+lang:[\w-]+"$/.test(recorded.headers.etag ?? '')
        ? withHeaders(recorded, {
            etag: recorded.headers.etag.replace(/\+lang:[\w-]+/, ''),
            vary: recorded.headers.vary.replace('Accept-Language, ', ''),
          })
        : undefined,
  },
  {
    name: 'rights to see what is hidden',
    change: (recorded, { exchange: { request, as_user }, dump }) => {
      const ids = /\/revision\/(\d+)\/compare\/(\d+)/.exec(request.path)?.slice(1).map(Number) ?? []
      const isHidden = ids.some(id => hiddenParts(dump, id).includes('text'))
      return ['Oversight', 'Admin'].includes(as_user) && isOk(recorded) && isHidden
        ? failed(recorded, 403, 'rest-compare-inaccessible')
        : undefined
    },
  },
  {
    name: 'an export has no hidden texts',
    change: (recorded, { exchange, dump }) => {
      if (!isRead(exchange.request) || !isOk(recorded) || !isPartlyHidden(exchange, dump)) return undefined
      const { body } = recorded
      if (Array.isArray(body?.revisions))
        return withBody(recorded, { revisions: body.revisions.map(one => exportedRevision(one, dump)) })
      return 'delta' in (isObject(body) ? body : {}) ? { ...recorded, body: exportedRevision(body, dump) } : undefined
    },
  },
  {
    name: 'the content model of a page does not change',
    change: (recorded, { exchange: { request }, page }) =>
      isOk(recorded) && isRead(request) && page && recorded.body?.content_model && recorded.body.key === page.key
        ? withBody(recorded, { content_model: page.model })
        : undefined,
  },
]

const rules = [
  {
    name: 'a date confirms only what the server has known since (docs/reference/differences-from-mediawiki.md)',
    change: (recorded, { exchange: { request }, ours, recordedAs }) => {
      const { 'If-Modified-Since': date, ...headers } = request.headers ?? {}
      if (recorded.status !== 304 || date === undefined) return undefined
      // One of these requests was recorded with conditions alone.
      const { etag } = recorded.headers
      const plain = recordedAs({ ...request, headers })
      return plain ?? { status: 200, headers: { ...ours.headers, ...(etag && { etag }) }, body: ours.body }
    },
  },
  {
    name: 'references as the newest Cite writes them (newer)',
    change: recorded => (isOk(recorded) ? withHtml(recorded, newestReferences) : undefined),
  },
  {
    name: 'every error has a key and sentences',
    change: recorded =>
      recorded.status === 400 && /^Bad title: /.test(recorded.body?.message)
        ? failed(recorded, 400, 'apierror-pagecannotexist', { actionModuleErrorCode: 'pagecannotexist' })
        : undefined,
  },
  {
    name: 'revisions of a history carry their page',
    change: (recorded, { exchange: { request } }) => {
      if (!isOk(recorded) || !Array.isArray(recorded.body?.revisions)) return undefined
      const key = keyOf(request.path)
      const page = { id: `page ${key}`, key, title: key.replaceAll('_', ' ') }
      return withBody(recorded, { revisions: recorded.body.revisions.map(revision => ({ ...revision, page })) })
    },
  },
  {
    name: 'a write does not cut a fragment off its title (docs/reference/rest-api.md)',
    change: (recorded, { exchange: { request } }) =>
      request.method === 'POST' && String(request.body?.title).includes('#')
        ? failed(recorded, 400, 'apierror-invalidtitle', { actionModuleErrorCode: 'invalidtitle' })
        : undefined,
  },
  {
    name: 'a title that is none is 404',
    change: recorded =>
      recorded.body?.errorKey === 'rest-permission-denied-title'
        ? failed(recorded, 404, 'rest-invalid-title')
        : undefined,
  },
  {
    name: 'redirect is a boolean',
    change: (recorded, { exchange: { request }, recordedAs }) => {
      const isWrong = recorded.body?.name === 'redirect' && recorded.body.failureCode === 'badvalue'
      const follows = isWrong ? booleans[recorded.body.value] : undefined
      if (follows === undefined) return undefined
      const [path, query] = request.path.split('?')
      // A redirect itself is read by its own routes, whatever the parameter.
      const isFollowed = /html/.test(path)
      const likes = follows ? [path, ...(isFollowed ? [] : [`${path}?redirect=no`])] : [`${path}?redirect=no`]
      const others = follows || isFollowed ? likes : [...likes, path]
      const like = others.map(other => recordedAs({ ...request, path: other })).find(Boolean)
      if (like === undefined) return undefined
      const target = like.body?.redirect_target?.replace(/\?.*$/, '')
      return target === undefined ? like : withBody(like, { redirect_target: `${target}?${query}` })
    },
  },
  {
    name: 'one hop for wiki redirects (newer)',
    change: (recorded, { exchange: { request } }) => {
      if (recorded.status !== 307 || paramOf(request.path, 'redirect') === 'no') return undefined
      const [path, query = ''] = recorded.headers.location.split('?')
      const parameters = new URLSearchParams(query)
      parameters.set('redirect', 'no')
      return withLocation(recorded, `${path}?${parameters}`)
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
    change: (recorded, { exchange: { request }, dump }) => {
      if (recorded.body?.errorKey !== 'rest-pagehistorycount-too-many-revisions') return undefined
      const revisions = dump.pages.find(({ key }) => key === keyOf(request.path))?.revisions ?? []
      const count = revisions.filter(({ minor, hidden }) => minor && !hidden.includes('text')).length
      if (count > 2000) return undefined
      const last = new Date(revisions.at(-1)?.time).toUTCString()
      const headers = { 'cache-control': 'no-cache', 'last-modified': last }
      return succeeded(recorded, { headers, body: { count: Math.min(count, 1000), limit: count > 1000 } })
    },
  },
  {
    name: 'an internal error of MediaWiki (marked as a bug): a revision of another page is 404',
    change: (recorded, { exchange: { request }, dump }) => {
      if (recorded.status !== 500 || !/\/history\/counts\/(?:edits|editors)\?/.test(request.path)) return undefined
      const ids = ['from', 'to'].map(name => Number(paramOf(request.path, name)))
      return ids.some(id => isForeign(dump, keyOf(request.path), id))
        ? failed(recorded, 404, 'rest-nonexistent-title-revision')
        : undefined
    },
  },
  {
    name: 'a base that is no revision of the page is 404, not an edit conflict, which has differences',
    change: (recorded, { exchange: { request }, dump, sourceOf }) => {
      if (recorded.status !== 409 || recorded.body?.errorKey !== 'edit-conflict') return undefined
      const id = request.body?.latest?.id
      if (isForeign(dump, keyOf(request.path), id)) return failed(recorded, 404, 'rest-nonexistent-title-revision')
      return sourceOf(id) === undefined ? failed(recorded, 404, 'rest-nonexistent-revision') : undefined
    },
  },
  {
    name: 'an internal error of MediaWiki (marked as a bug): a transform under an impossible title is 400',
    change: (recorded, { exchange: { request } }) => {
      const title = decodeSafely(/\/transform\/\w+\/to\/\w+\/([^/?]+)/.exec(request.path)?.[1] ?? '')
      return recorded.status === 500 && isImpossible(title)
        ? failed(recorded, 400, 'apierror-invalidtitle', { actionModuleErrorCode: 'invalidtitle' })
        : undefined
    },
  },
  {
    name: 'section levels 1 to 4',
    change: recorded => {
      if (!isObject(recorded.body?.from) || !Array.isArray(recorded.body.diff)) return undefined
      const side = value => ({ ...value, sections: value.sections.filter(({ level }) => level <= 4) })
      return withBody(recorded, { from: side(recorded.body.from), to: side(recorded.body.to) })
    },
  },
  {
    name: 'a changed line has both offsets',
    change: (recorded, { exchange: { request }, ours, sourceOf, withBothOffsets }) => {
      const ids = /\/revision\/(\d+)\/compare\/(\d+)/.exec(request.path)?.slice(1).map(Number)
      if (ids === undefined || !Array.isArray(recorded.body?.diff)) return undefined
      const [from, to] = ids.map(sourceOf)
      return withBody(recorded, { diff: withBothOffsets(recorded.body.diff, ours.body?.diff, { from, to }) })
    },
  },
  {
    name: 'original in Get file only, thumbnail everywhere; previews are objects, durations are lengths, sizes those of the bytes',
    change: (recorded, { lengths }) => {
      const { body } = recorded
      if (!isOk(recorded)) return undefined
      if (Array.isArray(body?.files) && body.files.every(file => file.original !== undefined))
        return withBody(recorded, { files: body.files.map(file => dueFile(file, { isList: true, lengths })) })
      return body?.file_description_url ? { ...recorded, body: dueFile(body, { isList: false, lengths }) } : undefined
    },
  },
  {
    name: 'html_url is the address that answers 200',
    change: recorded =>
      typeof recorded.body?.html_url === 'string'
        ? withBody(recorded, { html_url: recorded.body.html_url.replaceAll('%20', '_') })
        : undefined,
  },
  {
    name: 'a missing token of a cookie session is 400',
    change: (recorded, { exchange: { request } }) =>
      recorded.body?.errorKey === 'rest-badtoken' && request.headers.Cookie && !request.body?.token
        ? missingField(recorded, 'token')
        : undefined,
  },
  {
    name: 'only cookie sessions need a token',
    change: (recorded, context) => {
      const { request, as_user } = context.exchange
      const isFree = as_user === 'anonymous' && !request.headers.Authorization && !request.headers.Cookie
      return recorded.body?.errorKey === 'rest-badtoken' && isFree
        ? saved(recorded, { ...context, request })
        : undefined
    },
  },
  {
    name: 'a bearer token that is none is refused',
    change: (recorded, { exchange: { request } }) =>
      /^Bearer (?!goodtoken$)/.test(request.headers.Authorization ?? '') && !isRead(request)
        ? failed(recorded, 401, 'wiki-unknown-token')
        : undefined,
  },
  {
    name: 'an edit conflict tells both differences',
    change: (recorded, { exchange: { request }, ours, page, sourceOf, revisionName, falseElements }) => {
      if (recorded.body?.errorKey !== 'edit-conflict' || !page || sourceOf(request.body.latest.id) === undefined)
        return undefined
      const from = sourceOf(request.body.latest.id)
      const sides = { local: request.body.source.trimEnd(), remote: page.source }
      const isTrue = (diff, to) => (diff.length > 0 || from === to) && falseElements(diff, { from, to }).length === 0
      const due = Object.fromEntries(
        Object.entries(sides).map(([name, to]) => {
          const diff = elementsOf(ours.body?.[name]?.diff)
          return [name, { diff: diff !== null && isTrue(diff, to) ? diff : 'the differences from the base' }]
        }),
      )
      const ids = { base: revisionName(request.body.latest.id), current: page.latest }
      return { ...recorded, body: { ...ids, ...due, ...recorded.body } }
    },
  },
  {
    name: "another content model than the page's is 400",
    change: (recorded, { exchange: { request }, page }) =>
      isOk(recorded) &&
      request.method === 'PUT' &&
      page &&
      request.body?.content_model &&
      request.body.content_model !== page.model
        ? failed(recorded, 400, 'rest-bad-content-model')
        : undefined,
  },
  {
    name: 'JSON is accepted as application/json (marked as a bug)',
    change: (recorded, { exchange: { request }, recordedAs }) => {
      const { Accept, ...headers } = request.headers
      return recorded.status === 406 && Accept === 'application/json' ? recordedAs({ ...request, headers }) : undefined
    },
  },
  {
    name: 'a transform refuses what it would not read (docs/reference/rest-api.md)',
    change: (recorded, { exchange: { request } }) => {
      if (!isOk(recorded) || request.method !== 'POST' || !request.path.includes('/transform/')) return undefined
      const body = typeof request.body === 'string' ? parsed(request.body) : request.body
      if (Array.isArray(body)) return failed(recorded, 400, 'rest-json-body-parse-error')
      const foreign = Object.keys(body ?? {}).filter(name => !transformFields.has(name))
      const wrong = { error: 'parameter-validation-failed' }
      if (foreign.length > 0) {
        const data = { ...wrong, failureCode: 'extraneous-body-fields', name: foreign[0], failureData: foreign }
        return failed(recorded, 400, 'rest-extraneous-body-fields', data)
      }
      const list = ['wikitext', 'html'].find(name => Array.isArray(body?.[name]))
      if (list === undefined) return undefined
      const data = { ...wrong, name: list, value: body[list], failureCode: 'badvalue', failureData: null }
      return failed(recorded, 400, 'rest-body-validation-error', data)
    },
  },
  {
    name: 'the flavor fragment (marked as a bug)',
    change: (recorded, { exchange: { request }, recordedAs }) => {
      if (recorded.status !== 404 || paramOf(request.path, 'flavor') !== 'fragment') return undefined
      const view = recordedAs({ ...request, path: request.path.split('?')[0] })
      if (view === undefined) return undefined
      const bare = html => newestReferences(html).replace(/<title>.*?<\/title>|<\/?section[^>]*>/gs, '')
      return withHeaders(withHtml(view, bare), { etag: view.headers.etag.replace('/view/', '/fragment/') })
    },
  },
  {
    name: 'the engine of searches (docs/reference/differences-from-mediawiki.md)',
    change: (recorded, { exchange: { request }, ours, dump }) =>
      isOk(recorded) && Array.isArray(recorded.body?.pages) && /\/search\/(?:page|title)\?/.test(request.path)
        ? dueSearch(recorded, { path: request.path, ours, dump })
        : undefined,
  },
  {
    name: 'the description of the search names routes of the API',
    change: recorded => {
      const name = /<ShortName>.*?<\/Description>/.exec(recorded.body)?.[0]
      if (recorded.headers['content-type'] !== 'application/opensearchdescription+xml' || !name) return undefined
      const url = (kind, relation) =>
        `<Url type="application/json" rel="${relation}" template="http://WIKI/rest.php/v1/search/${kind}?q={searchTerms}"/>`
      const start = '<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
      return {
        ...recorded,
        body: `${start}${name}${url('page', 'results')}${url('title', 'suggestions')}</OpenSearchDescription>`,
      }
    },
  },
  {
    name: 'pages can be deleted (docs/reference/rest-api.md)',
    change: (recorded, { exchange: { request } }) => {
      if (request.method === 'DELETE' && recorded.status === 405 && /\/page\/[^/?]+$/.test(request.path))
        return missingField(recorded, 'latest')
      const lists = ['allow', 'access-control-allow-methods'].filter(
        name => recorded.headers[name] === 'HEAD, GET, PUT',
      )
      return withHeaders(recorded, Object.fromEntries(lists.map(name => [name, 'HEAD, GET, PUT, DELETE'])))
    },
  },
  {
    name: 'OPTIONS tells Allow, and If-Match is spelt right (marked as a bug)',
    change: (recorded, { exchange: { request } }) => {
      if (request.method !== 'OPTIONS' || recorded.status !== 204) return undefined
      const { vary, 'access-control-allow-methods': methods, 'access-control-allow-headers': names } = recorded.headers
      return withHeaders(recorded, {
        allow: methods,
        'access-control-allow-headers': names.replace('If-Mach,', 'If-Match,'),
        vary: request.headers.Origin ? `Origin, ${vary}` : vary,
      })
    },
  },
  {
    name: 'a count has the tag of its history (docs/reference/differences-from-mediawiki.md)',
    change: (recorded, { exchange: { request }, ours }) => {
      const isCount = /\/history\/counts\//.test(request.path) && recorded.headers['last-modified'] !== undefined
      if (!isCount || recorded.headers.etag !== undefined) return undefined
      const isTag = /^"(?:\d+|new)"$/.test(ours.headers.etag ?? '')
      return withHeaders(recorded, { etag: isTag ? ours.headers.etag : 'that of its history' })
    },
  },
  {
    name: 'answers are compressed, and say so (docs/reference/rest-api.md)',
    change: (recorded, { ours }) =>
      ours.headers.vary === `Accept-Encoding, ${recorded.headers.vary}`
        ? withHeaders(recorded, { vary: ours.headers.vary })
        : undefined,
  },
  {
    name: 'JSON is saved as it is sent (docs/reference/differences-from-mediawiki.md)',
    change: (recorded, { exchange: { request } }) =>
      recorded.body?.content_model === 'json' && !isRead(request) && typeof request.body?.source === 'string'
        ? withBody(recorded, { source: request.body.source.trimEnd() })
        : undefined,
  },
  {
    name: 'scripts of foreign HTML are dropped, and signatures in it escaped (docs/reference/differences-from-mediawiki.md)',
    change: (recorded, { exchange: { request }, ours }) => {
      const isDangerous = request.path.includes('/html/to/wikitext') && /<script|<style|~~~/.test(recorded.body)
      if (!isDangerous || typeof ours.body !== 'string') return undefined
      const plain = text => text.replace(/<(script|style)\b[^>]*>.*?<\/\1>\s*/gs, '').replace(/<\/?nowiki>/g, '')
      const isSafe = !/<script|<style|~~~|\[\[|\{\{|''/.test(ours.body.replace(/<nowiki>.*?<\/nowiki>/gs, ''))
      return isSafe && ours.body === plainScripts(ours.body) && plain(recorded.body) === plain(ours.body)
        ? { ...recorded, body: ours.body }
        : undefined
    },
  },
  {
    name: 'what MediaWiki sends without a tag has one of its bytes (docs/reference/differences-from-mediawiki.md)',
    change: (recorded, { exchange: { request }, ours }) => {
      const isTagged = /\/search(?:\/(?:page|title))?(?:\?|$)|\/compare\//.test(request.path)
      if (!isTagged || recorded.headers.etag !== undefined) return undefined
      const isTag = /^"[0-9a-f]{40}"$/.test(ours.headers.etag ?? '')
      if (recorded.status === 304 && isTag) return withHeaders(recorded, { etag: ours.headers.etag })
      if (!isOk(recorded)) return undefined
      const isPrivate = request.headers.Cookie || request.headers.Authorization
      const kept = { 'cache-control': isPrivate ? 'private, no-cache' : 'no-cache' }
      // Without the body its tag cannot be computed.
      const isTagOfBody = request.method === 'HEAD' && isTag
      if (ours.status !== 304 || request.headers['If-None-Match'] !== '*')
        return withHeaders(recorded, { ...kept, etag: isTagOfBody ? ours.headers.etag : 'of its bytes' })
      const { 'content-type': _, ...headers } = recorded.headers
      const etag = isTag ? ours.headers.etag : 'a tag'
      return { status: 304, headers: { ...headers, ...kept, etag }, body: '' }
    },
  },
]

/** Elements of a comparison with their members and no others, in the order of the wire; null if they are none. */
function elementsOf(diff) {
  const isElement = element => typeof element?.text === 'string' && isObject(element.offset)
  if (!Array.isArray(diff) || !diff.every(isElement)) return null
  return diff.map(({ type, lineNumber, moveInfo, text, offset: { from, to }, highlightRanges }) => ({
    type,
    ...(lineNumber !== undefined && { lineNumber }),
    ...(moveInfo !== undefined && { moveInfo }),
    text,
    offset: { from, to },
    ...(highlightRanges !== undefined && { highlightRanges }),
  }))
}

/** Fields of the bodies of transforms. Source: MediaWiki 1.43 ParsoidHandler. */
const transformFields = new Set(
  'wikitext html original body_only scrub_wikitext stash flavor offsetType contentmodel revid title token'.split(' '),
)

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A text without scripts and styles. */
function plainScripts(text) {
  return text.replace(/<(script|style)\b[^>]*>.*?<\/\1>\s*/gs, '')
}

/** Names of all reasons. */
export const reasonNames = [...states, ...rules].map(({ name }) => name)

/**
 * Builds the response that is due for a recorded one; returns the names of the reasons that changed it. `isState` is true if one of
 * them is a state that no wiki of ours has.
 *
 * @param context `exchange`; `ours`; `dump`; `page`, the page before the request (key, model, latest revision, source), or null;
 *   `license` of the wiki; `lengths` of media files by title, seconds; `recordedAs`, another recorded response by its request;
 *   `sourceOf` and `revisionName` of a recorded revision; `falseElements` and `withBothOffsets` of comparisons.
 */
export function explain(recorded, context) {
  let due = recorded
  const applied = []
  let isState = false
  for (const { name, change } of [...states, ...rules]) {
    const changed = change(due, context)
    if (changed === undefined || JSON.stringify(changed) === JSON.stringify(due)) continue
    due = changed
    isState ||= states.some(state => state.name === name)
    applied.push(name)
  }
  return { expected: due, rules: applied, isState }
}
