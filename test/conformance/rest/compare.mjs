/** Normalises a recorded response and one of ours, and reports their differences. */
import { createHash } from 'node:crypto'

/** Headers that are checked against each other. */
const comparedHeaders = [
  'content-type',
  'cache-control',
  'etag',
  'last-modified',
  'location',
  'allow',
  'content-language',
  'content-revision-id',
  'deprecation',
  'link',
  'vary',
  'x-content-type-options',
  'access-control-allow-methods',
  'access-control-allow-headers',
]

/** Makes the response to a request comparable: ids, dates and addresses become neutral names. */
export function readRecorded({ status, headers, body }, names, { method }) {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const kept = method === 'GET' || method === 'HEAD' ? { 'cache-control': keepingOf(status, lower) } : {}
  return neutralAnswer({ status, headers: { ...lower, ...kept }, body }, { ...names, revision: names.known })
}

/**
 * `Cache-Control` that a read has here instead of the recorded one. MediaWiki lets caches use what has changed: for seconds, or as long as
 * they guess (docs/reference/differences-from-mediawiki.md).
 */
function keepingOf(status, headers) {
  if (status >= 400) return 'no-store'
  return headers['cache-control']?.startsWith('private') ? 'private, no-cache' : 'no-cache'
}

/** The same for our response. */
export function readOurs(answer, names) {
  const { headers, text } = answer
  const isOfBytes = text !== '' && headers.etag === `"${sha1(text)}"`
  const tagged = isOfBytes ? { ...headers, etag: 'of its bytes' } : headers
  return neutralAnswer({ ...answer, headers: tagged }, { ...names, revision: names.ours })
}

function neutralAnswer({ status, headers, body }, names) {
  const kept = comparedHeaders.filter(name => headers[name] !== undefined && (name !== 'content-type' || body !== ''))
  const neutral = kept.map(name => [name, neutralHeader(name, headers[name], names)])
  // HTML is dated by the time at which it was rendered.
  const isRendered = /^"\w+\/[0-9a-f-]{36}\//.test(headers.etag ?? '')
  const isNew = [body?.latest?.id, body?.id].some(id => names.revision(id) === 'new')
  const dated = isRendered ? 'rendered' : isNew ? 'now' : null
  return {
    status,
    headers: {
      ...Object.fromEntries(neutral),
      ...(dated !== null && headers['last-modified'] && { 'last-modified': dated }),
    },
    body: typeof body === 'string' ? neutralDocument(neutralText(body, names)) : neutralJson(body, names),
  }
}

const sha1 = text => createHash('sha1').update(text).digest('hex')

/** Tags by their inputs. `tags` has the number for each hashed one. */
function neutralHeader(name, value, names) {
  if (name === 'etag') return neutralTag(value, names)
  if (name === 'content-revision-id') return names.revision(Number(value))
  return value.replaceAll(names.origin, 'http://WIKI')
}

/** Tags here end with a fingerprint of the bytes, and those of pages name the commit (docs/reference/differences-from-mediawiki.md). */
function neutralTag(whole, { revision, tags }) {
  const tag = whole.replace(/(?:-[0-9a-f]{16})+"$/, '"')
  if (tags.has(tag)) return `"sha1 ${revision(tags.get(tag))}"`
  return tag
    .replace(/^"(\d+)\/[0-9a-f-]{36}\//, (_, id) => `"${revision(Number(id))}/UUID/`)
    .replace(/^"(\d+)(?=["@])/, (_, id) => `"${revision(Number(id))}`)
    .replace(/@\d{14}"$/, '@TIME"')
}

/** Makes the table of hashed tags for revision ids. */
export function tagTable(ids) {
  return new Map(ids.map(id => [`"${sha1(`${id}a1`)}"`, id]))
}

function neutralText(text, { origin, revision }) {
  return text
    .replaceAll(origin, 'http://WIKI')
    .replace(/(\/revision\/)(\d+)/g, (_, path, id) => path + revision(Number(id)))
    .replace(/("wt":"REVISIONID"[^>]*>)(\d+)(?=<)/g, (_, call, id) => call + revision(Number(id)))
}

/**
 * The visible part of HTML: the body of a document, without the ids that editors give its elements, the colours of code, and
 * the order of attributes. Of the head only the title is compared, not scripts and styles of MediaWiki's skins and versions of
 * Parsoid.
 */
function neutralDocument(text) {
  if (!text.includes('<') || text.startsWith('<?xml')) return text
  const [, body] = /<body[^>]*>([\s\S]*)<\/body>/.exec(text) ?? []
  const title = body === undefined ? '' : (/<title>[^<]*<\/title>/.exec(text)?.[0] ?? '')
  return `${title}${body ?? text}`
    .replace(
      /(<pre class="mw-code[^>]*>)([\s\S]*?)(?=<\/pre>)/g,
      (_, pre, code) => pre + code.replace(/<\/?span[^>]*>/g, ''),
    )
    .replace(
      /<([a-z][\w-]*)((?: [^\s=<>/]+(?:=(?:"[^"]*"|'[^']*'))?)+)/gi,
      (_, name, rest) => `<${name}${attributes(rest)}`,
    )
    .replace(/ about="#mwt\d+"/g, ' about="#mwt"')
    .replace(/(?<=>[^<]*)&gt;/g, '>')
    .replace(/(<pre[^>]*>)\n/g, '$1')
    .replace(/(<\/pre>)\n$/, '$1')
}

/** Attributes in the order of their names, without those that only editors read. */
function attributes(text) {
  const all = text
    .match(/[^\s=]+(?:=(?:"[^"]*"|'[^']*'))?/g)
    .filter(one => !/^(?:id="mw[\w-]{2,5}"|data-parsoid=)/.test(one))
  return all
    .sort()
    .map(one => ` ${one}`)
    .join('')
}

const isObject = value => typeof value === 'object' && value !== null

/** The thing that the number in `id` identifies, according to the fields beside it. */
function kindOfId(value, parent) {
  if (parent === 'user') return 'user'
  if ('latest' in value || parent === 'page' || 'excerpt' in value) return 'page'
  return 'revision'
}

function neutralJson(value, names, parent = '') {
  if (Array.isArray(value)) return value.map(item => neutralJson(item, names, parent))
  if (!isObject(value)) return typeof value === 'string' ? neutralString(value, names, parent) : value
  // MediaWiki itself returns the members of a lint in more than one order.
  const entries = Object.entries(value)
  return Object.fromEntries(
    ('dsr' in value ? entries.sort() : entries).map(([key, member]) => [
      key,
      neutralMember(value, key, member, names, parent),
    ]),
  )
}

function neutralMember(owner, key, member, names, parent) {
  if (key === 'messageTranslations') return Object.keys(member)
  if (key === 'message' && typeof member === 'string' && parent !== '') return 'sentence'
  if (key === 'value' && typeof member === 'string') return neutralValue(member, names)
  if (key === 'id' && typeof member === 'number') {
    const kind = kindOfId(owner, parent)
    if (kind === 'revision') return names.revision(member)
    return member === 0 ? 0 : `${kind} ${owner.key ?? owner.name}`
  }
  if ((key === 'base' || key === 'current') && typeof member === 'number') return names.revision(member)
  // The time of a write is that of the replay.
  if (key === 'timestamp' && names.revision(owner.id) === 'new') return 'now'
  if (key === 'url' && ('mediatype' in owner || 'mimetype' in owner)) return neutralFile(member, names)
  // A signature has the time of the replay.
  if (key === 'source' && typeof member === 'string')
    return member.replace(/\d\d:\d\d, \d+ \p{L}+ \d{4} \(UTC\)/gu, 'TIME')
  if (key === 'html' && typeof member === 'string') return neutralDocument(neutralText(member, names))
  return neutralJson(member, names, key)
}

/** Addresses of files by what they give: the file of a name, or a smaller picture of it. */
function neutralFile(url, { origin }) {
  const [, reduced, name] =
    /^\/(?:images|files)\/(thumb\/)?(?:[0-9a-f]\/[0-9a-f]{2}\/)?([^/]+)/.exec(url.replace(origin, '')) ?? []
  return name === undefined ? url : `${reduced ? 'thumbnail of' : 'file'} ${decodeURIComponent(name)}`
}

/** The client's input, as an error repeats it. */
function neutralValue(text, { revision }) {
  return text.replace(/("id":)(\d+)(?![\d.])/g, (_, name, id) => `${name}${revision(Number(id))}`)
}

/** Routes of a history contain the revisions at its ends. */
function neutralString(text, { origin, revision }) {
  if (!text.includes(origin)) return text
  const path = text.replaceAll(origin, 'http://WIKI')
  return path
    .replace(/((?:older|newer)_than=)(\d+)/g, (_, name, id) => name + revision(Number(id)))
    .replace(/(\/revision\/)(\d+)/g, (_, name, id) => name + revision(Number(id)))
}

/** Lists the differences of two responses: `path: recorded | ours`. */
export function differences(recorded, ours, path = '') {
  if (JSON.stringify(recorded) === JSON.stringify(ours)) return []
  if (!isObject(recorded) || !isObject(ours)) return [`${path}: ${briefPair(recorded, ours)}`]
  const keys = [...new Set([...Object.keys(recorded), ...Object.keys(ours)])]
  const found = keys.flatMap(key => differences(recorded[key], ours[key], path === '' ? key : `${path}.${key}`))
  // The order of headers is irrelevant.
  if (found.length === 0 && path === 'headers') return []
  if (found.length === 0 && path === '' && 'headers' in ours) return []
  return found.length > 0 ? found : [`${path}: order of ${Object.keys(recorded)} | ${Object.keys(ours)}`]
}

/** Of two long texts, only the part from shortly before their first difference. */
function briefPair(one, other) {
  const isLong = [one, other].every(text => typeof text === 'string' && text.length > 100)
  let at = 0
  while (isLong && one[at] === other[at]) at++
  const from = Math.max(0, at - 30)
  return isLong ? `${brief(one.slice(from))} | ${brief(other.slice(from))}` : `${brief(one)} | ${brief(other)}`
}

function brief(value) {
  return value === undefined ? '(none)' : JSON.stringify(value).slice(0, 120)
}
