/** Sends the recorded exchanges to our server, one by one. */
import { readdirSync } from 'node:fs'
import { parseFile } from 'music-metadata'
import { send } from './client.mjs'
import { differences, readOurs, readRecorded, tagTable } from './compare.mjs'
import { product } from './product.mjs'
import { explain } from './reasons.mjs'
import { boundExchanges, decodeSafely, readDump, readExchanges } from './recording.mjs'
import { createWiki } from './wiki.mjs'

const { serve, createToken, answerCheck, falseElements, withBothOffsets } = product

/** Replays a folder of recordings; returns the outcome of each exchange. */
export async function replay(folder) {
  const exchanges = readExchanges(folder)
  const dump = readDump(folder)
  const bounds = boundExchanges(exchanges, dump)
  const license = exchanges.map(({ mw143 }) => mw143.body?.license).find(Boolean)
  const first = bounds.find(({ last }) => last !== null)
  const wiki = await createWiki(dump, { license, last: first.last, media: `${folder}/media` })
  await wiki.hide()
  const faults = []
  const log = entry => entry.event === 'error' && faults.push(entry.error)
  const server = await serve(wiki.wiki, { port: 0, allowAnonymous: true, log })
  const dumped = dump.pages.flatMap(({ revisions }) => revisions.map(({ id }) => id))
  const shown = exchanges.map(({ mw143 }) => mw143.body?.latest?.id).filter(Number.isInteger)
  wiki.tags = tagTable([...new Set([...dumped, ...shown])])
  const lengths = await mediaLengths(`${folder}/media`)
  const session = {
    exchanges,
    license,
    lengths,
    wiki,
    host: '127.0.0.1',
    port: Number(new URL(server.url).port),
    users: new Map(),
    faults,
  }
  try {
    const description = await send(session, { method: 'GET', path: '/specs/v0/module/-' })
    session.check = answerCheck(description.body)
    const outcomes = []
    for (const [at, exchange] of exchanges.entries()) outcomes.push(await judge(session, exchange, bounds[at]))
    return outcomes
  } finally {
    await server.close()
    await wiki.close()
  }
}

/** Seconds of sound and video, rounded as the API does, by title. */
async function mediaLengths(folder) {
  const lengths = new Map()
  for (const name of readdirSync(folder)) {
    if (!/\.(?:ogg|wav|mp3|webm)$/.test(name)) continue
    const { format } = await parseFile(`${folder}/${name}`, { duration: true })
    lengths.set(name.charAt(0).toUpperCase() + name.slice(1), Math.max(1, Math.round(format.duration)))
  }
  return lengths
}

async function judge(session, exchange, bound) {
  const { wiki } = session
  const { n, section, name } = exchange
  const told = (outcome, reasons = []) => ({ n, section, name, outcome, reasons })
  if (bound.last === null) return told('inexpressible', ['the state is not known'])
  await wiki.advance(bound.last)
  await prepare(wiki, exchange)
  const page = await wiki.describe(titleOf(exchange.request, exchange.mw143.body))
  const answer = await send(session, await requestOf(session, exchange))
  if (bound.made !== null && answer.body?.latest?.id) wiki.nameMade(bound.made, answer.body.latest.id)
  const undescribed = session.check(checked(exchange.request, answer))
  if (undescribed !== null) return told('open', [`the OpenAPI document does not allow it: ${undescribed}`])
  const { recorded, ours, names } = neutral(session, exchange, bound, answer)
  const plain = differences(recorded, ours)
  if (plain.length === 0) return told('equal')
  const { expected, rules, isState } = explain(recorded, {
    exchange,
    ours,
    dump: wiki.dump,
    page: page && { ...page, latest: names.ours(page.latest) },
    license: session.license,
    lengths: session.lengths,
    recordedAs: request => recordedAs(session, request, names),
    sourceOf: await sourcesOf(wiki, exchange.request),
    revisionName: names.known,
    falseElements,
    withBothOffsets,
  })
  const left = differences(expected, ours)
  const fault = answer.status === 500 ? session.faults.splice(0).map(text => text.slice(0, 300)) : []
  if (left.length > 0) return told('open', [...rules, ...left, ...fault])
  return told(isState ? 'inexpressible' : 'specification', rules)
}

/** Another recorded response, made comparable: that of the same request. */
function recordedAs({ exchanges }, request, names) {
  const keyOf = ({ method, path, headers, body }) =>
    JSON.stringify([method, path, Object.entries(headers ?? {}).sort(), body ?? null])
  const found = exchanges.find(other => keyOf(other.request) === keyOf(request))
  return found && readRecorded(found.mw143, names, request)
}

/** Reads the sources of the revisions that a request compares, or is based on. */
async function sourcesOf(wiki, { path, body }) {
  const compared = /\/revision\/(\d+)\/compare\/(\d+)/.exec(path)?.slice(1) ?? []
  const ids = [...compared, body?.latest?.id].map(Number).filter(id => wiki.ours(id) !== undefined)
  const sources = new Map()
  for (const id of ids) sources.set(id, await wiki.sourceOf(id))
  return id => sources.get(id)
}

/**
 * Saves what an exchange shows to have been saved earlier by an exchange that is not in this recording: the page that it reads,
 * or the revision that its edit is based on.
 */
async function prepare(wiki, { request, mw143: { status, body } }) {
  const title = titleOf(request, body)
  const isRead = ['GET', 'HEAD'].includes(request.method)
  const latest = isRead && status === 200 ? body?.latest?.id : null
  if (latest && wiki.ours(latest) === undefined) return wiki.save(title, latest, body)
  const base = isRead ? null : request.body?.latest?.id
  const isBase = Number.isInteger(base) && base > 0 && base < 1e7 && wiki.ours(base) === undefined
  if (isBase && status === 200) return wiki.save(title, base, {})
  const exists = ['apierror-articleexists', 'rest-update-cannot-create-page'].includes(body?.errorKey)
  if (exists && title !== '' && !wiki.has(title)) await wiki.save(title, null, {})
}

function titleOf({ path, body: sent }, body) {
  const named = typeof sent === 'string' ? /"title":"([^"\\]*)"/.exec(sent)?.[1] : sent?.title
  return body?.title ?? named ?? decodeSafely(/\/page\/([^/?]*)/.exec(path)?.[1] ?? '')
}

/** Both responses with comparable ids, dates and addresses. */
function neutral({ wiki, host, port }, { request, mw143 }, { made }, answer) {
  const recordedName = id => (id === made || wiki.isMade(id) ? 'new' : id)
  const names = { origin: 'http://WIKI', known: recordedName, tags: wiki.tags }
  const recorded = readRecorded(mw143, names, request)
  const ours = id => {
    const theirs = wiki.theirs(id)
    return theirs === undefined ? (wiki.wiki.store.revision(id) === undefined ? id : 'new') : recordedName(theirs)
  }
  const tags = ownTags(wiki.wiki.store)
  names.ours = ours
  return { recorded, names, ours: readOurs(answer, { origin: `http://${host}:${port}`, ours, tags }) }
}

/** Hashed tags of all revisions that a page shows now or showed at the last request. */
const known = { revisions: 0, tags: new Map() }
function ownTags({ lastRevisionId }) {
  const added = Array.from({ length: lastRevisionId - known.revisions }, (_, at) => known.revisions + at + 1)
  for (const [tag, id] of tagTable(added)) known.tags.set(tag, id)
  known.revisions = lastRevisionId
  return known.tags
}

/** The recorded request with our ids, tags, dates, sessions and tokens. */
async function requestOf(session, { request, as_user, mw143 }) {
  const user = as_user === 'anonymous' ? null : await userOf(session, as_user)
  const asked = { ...request, path: ownPath(session.wiki, request.path), headers: { ...request.headers } }
  if (user !== null && asked.headers.Cookie !== undefined) asked.headers.Cookie = user.cookie
  if (asked.headers.Authorization === 'Bearer goodtoken') {
    asked.headers.Authorization = `Bearer ${(await userOf(session, 'Alice')).token}`
  }
  asked.body = ownBody(session.wiki, request.body, user)
  return withConditions(session, asked, mw143)
}

/** Our revision id, in the recorded form; an unknown one stays unknown. */
function ownId(wiki, text) {
  const [, lead = '', digits = ''] = /^((?:[+-]|%2B)?0*)(\d+)$/i.exec(text) ?? []
  const number = Number(digits)
  if (digits === '' || lead.startsWith('-') || number === 0) return text
  return `${lead}${wiki.ours(number) ?? (number < 1e7 ? 9e7 + number : digits)}`
}

function ownPath(wiki, path) {
  return path
    .replace(/(\/revision\/)([^/?]*)/, (_, start, id) => start + ownId(wiki, id))
    .replace(/(\/compare\/)([^/?]*)/, (_, start, id) => start + ownId(wiki, id))
    .replace(/(\/transform\/\w+\/to\/\w+\/[^/?]+\/)(\d+)/, (_, start, id) => start + ownId(wiki, id))
    .replace(/([?&](?:older_than|newer_than|from|to)=)([^&]*)/g, (_, start, id) => start + ownId(wiki, id))
}

function ownBody(wiki, body, user) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const own = { ...body }
  const base = body.latest?.id
  if (typeof base === 'number') own.latest = { ...body.latest, id: Number(ownId(wiki, String(base))) }
  if (user !== null && /^[0-9a-f]{40}\+\\$/.test(body.token ?? '')) own.token = user.csrf
  return own
}

const conditions = ['If-None-Match', 'If-Match', 'If-Modified-Since', 'If-Unmodified-Since']

/** The tag or date of the recorded resource becomes ours, which is requested first. */
async function withConditions(session, asked, { headers }) {
  const present = conditions.filter(name => asked.headers[name] !== undefined)
  if (present.length === 0 || !['GET', 'HEAD'].includes(asked.method)) return asked
  const plain = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !conditions.includes(name)))
  const now = await send(session, { ...asked, method: 'GET', headers: plain })
  for (const name of present) {
    const own = name.endsWith('Since') ? ownDate : ownTag
    asked.headers[name] = own(asked.headers[name], headers, now.headers)
  }
  return asked
}

/** A response in the form for the check of the OpenAPI document. */
function checked({ method, path }, { status, headers, body }) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, target: path, status, type: headers['content-type'] ?? null, body: text }
}

function ownTag(value, theirs, ours) {
  return theirs.ETag === undefined || ours.etag === undefined ? value : value.replaceAll(theirs.ETag, ours.etag)
}

/** A date not before the recorded one becomes ours; an earlier one stays earlier. */
function ownDate(value, theirs, ours) {
  const isLater = Date.parse(value) >= Date.parse(theirs['Last-Modified'] ?? '')
  return isLater ? (ours['last-modified'] ?? value) : value
}

/** A user's token and session, made when they are first needed. */
async function userOf(session, name) {
  const known = session.users.get(name)
  if (known !== undefined) return known
  const { token } = await createToken(session.wiki.wiki, session.wiki.authorOf(name))
  const headers = { 'Content-Type': 'application/json' }
  const login = await send(session, { method: 'POST', path: '/v1/session', headers, body: { token } })
  const cookie = login.headers['set-cookie'].split(';')[0]
  const user = { token, cookie, csrf: login.body.csrf_token }
  session.users.set(name, user)
  return user
}
