/** The recorded service: its wiki, its exchanges, and the revisions that existed at each of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const readGzip = file => gunzipSync(readFileSync(file)).toString('utf8')

/** Exchanges in chronological order. */
export function readExchanges(folder) {
  const lines = readGzip(join(folder, 'exchanges.jsonl.gz')).split('\n').filter(Boolean)
  return lines.map(line => JSON.parse(line)).sort((a, b) => a.n - b.n)
}

const entities = { lt: '<', gt: '>', quot: '"', amp: '&', apos: "'" }
const decode = text =>
  text.replace(/&(#x?)?(\w+);/g, (_, number, name) =>
    number ? String.fromCodePoint(Number.parseInt(name, number === '#x' ? 16 : 10)) : entities[name],
  )
const contentOf = (xml, tag) => {
  const found = new RegExp(`<${tag}(?: [^>]*)?>([^<]*)</${tag}>`).exec(xml)
  return found === null ? '' : decode(found[1])
}

/** Pages of a full-history export, with their revisions, oldest first. `xml` is the source of each. */
export function readDump(folder) {
  const xml = readGzip(join(folder, 'wiki.xml.gz'))
  const head = xml.slice(0, xml.indexOf('<page>'))
  const pages = [...xml.matchAll(/<page>[\s\S]*?<\/page>/g)].map(([source]) => readPage(source))
  return { head, pages }
}

function readPage(source) {
  const first = source.indexOf('<revision>')
  const title = contentOf(source.slice(0, first), 'title')
  const revisions = [...source.matchAll(/<revision>[\s\S]*?<\/revision>\s*/g)].map(([xml]) => readRevision(xml))
  const end = source.slice(source.lastIndexOf('</revision>') + '</revision>'.length)
  const key = title.replaceAll(' ', '_')
  return { key, title, start: source.slice(0, first), end, revisions: revisions.sort((a, b) => a.id - b.id) }
}

function readRevision(xml) {
  const hidden = ['text', 'comment', 'contributor'].filter(part => new RegExp(`<${part}[^>]* deleted=`).test(xml))
  return {
    xml,
    id: Number(contentOf(xml, 'id')),
    user: contentOf(xml, 'username') || contentOf(xml, 'ip'),
    time: contentOf(xml, 'timestamp'),
    minor: xml.includes('<minor/>') || xml.includes('<minor />'),
    comment: contentOf(xml, 'comment'),
    model: contentOf(xml, 'model'),
    text: contentOf(xml, 'text'),
    hidden,
  }
}

/** Writes the export again, with only the revisions up to an id. */
export function dumpUpTo({ head, pages }, last) {
  const kept = pages.map(page => ({ ...page, revisions: page.revisions.filter(({ id }) => id <= last) }))
  const written = kept
    .filter(({ revisions }) => revisions.length > 0)
    .map(({ start, end, revisions }) => `${start}${revisions.map(({ xml }) => xml).join('')}${end}`)
  return `${head}${written.join('\n')}\n</mediawiki>\n`
}

const reads = method => method === 'GET' || method === 'HEAD'

/**
 * Finds for each exchange the last revision that had been saved before it.
 *
 * Ids grow with time. A response that shows a revision as a page's latest means that it existed and that the page's next one
 * did not; a write that made a revision means that no later one existed. If those of one exchange contradict each other, the
 * bound is null.
 */
export function boundExchanges(exchanges, { pages }) {
  const byKey = new Map(pages.map(page => [page.key, page.revisions.map(({ id }) => id)]))
  const users = new Map(pages.flatMap(({ revisions }) => revisions.map(({ id, user }) => [id, user])))
  let newest = 0
  const bounds = exchanges.map(({ request, as_user, mw143: { body } }) => {
    const bound = { least: 0, most: Number.POSITIVE_INFINITY, made: null }
    const latest = body?.latest?.id
    if (typeof latest !== 'number' || latest === 0 || body.key === undefined)
      return missing(request, body, byKey, bound)
    const isTheirs = !users.has(latest) || users.get(latest) === as_user
    if (!reads(request.method) && latest > newest && isTheirs) Object.assign(bound, { most: latest - 1, made: latest })
    else Object.assign(bound, { least: latest, most: nextOf(byKey.get(body.key), latest) - 1 })
    newest = Math.max(newest, latest)
    return bound
  })
  let most = Number.POSITIVE_INFINITY
  for (const bound of bounds.toReversed()) {
    most = Math.min(most, bound.most)
    bound.last = bound.least > most ? null : most
  }
  return bounds
}

function nextOf(ids = [], id) {
  return ids.find(other => other > id) ?? Number.POSITIVE_INFINITY
}

/** A page that is missing when it is requested has no revision yet. */
function missing({ method, path }, body, byKey, bound) {
  const [, title] = /\/v1\/page\/([^/?]+)/.exec(path) ?? []
  if (body?.errorKey !== 'rest-nonexistent-title' || title === undefined || !reads(method)) return bound
  const first = byKey.get(decodeSafely(title))?.[0]
  return first === undefined ? bound : { ...bound, most: first - 1 }
}

/** Decodes a part of a path; an invalid one stays unchanged. */
export function decodeSafely(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
