/**
 * Sentences of MediaWiki's REST API reference that hold for every page, revision, file and search of any wiki. Each has the number of
 * its group (2 objects, 4 routes, 7 errors, 8 limits), the kind of response that it is about, and its check.
 */

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const isText = value => typeof value === 'string'
const isId = value => Number.isSafeInteger(value) && value > 0
const isCount = value => Number.isSafeInteger(value) && value >= 0
const orNull = is => value => value === null || is(value)
const isUser = ({ id, name }) => orNull(isId)(id) && orNull(isText)(name)
const hasOnly = (object, names) => Object.keys(object).every(name => names.includes(name))
const has = (object, names) => names.every(name => name in object)
const isAddress = (url, start) => isText(url) && url.startsWith(start)
const bytes = text => Buffer.byteLength(text)
const isKey = key => isText(key) && !key.includes(' ')
const media = 'BITMAP DRAWING AUDIO VIDEO MULTIMEDIA UNKNOWN OFFICE TEXT EXECUTABLE ARCHIVE 3D'.split(' ')

const pageNames = ['id', 'key', 'title', 'latest', 'content_model', 'license']
const revisionNames = ['id', 'page', 'user', 'timestamp', 'comment', 'size', 'delta', 'minor']

/** A form of a file: preferred, original or thumbnail. */
function isForm({ mediatype, size, width, height, duration, url }) {
  return [
    media.includes(mediatype),
    [size, width, height].every(orNull(isCount)),
    orNull(value => typeof value === 'number')(duration),
    isText(url) && /^(?:https?:)?\/\//.test(url),
  ].every(Boolean)
}

/** The lines of one side of a comparison, with their offsets, in order. */
function sideOf(diff, name) {
  return diff.filter(({ offset }) => offset[name] !== null).map(element => ({ at: element.offset[name], ...element }))
}

function rangesLie({ text, highlightRanges = [] }) {
  return highlightRanges.every(
    ({ start, length, type }) => start >= 0 && length >= 0 && start + length <= bytes(text) && [0, 1].includes(type),
  )
}

/** Longest run of unchanged lines that are next to each other in both texts. */
function longestContext(diff) {
  let [longest, run] = [0, 0]
  for (const { type } of diff) {
    run = type === 0 ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

const caps = { anonymous: 10_000, bot: 10_000, editors: 25_000, edits: 30_000, minor: 1_000, reverted: 30_000 }

/** Checks by the kind of response that they are about: `{section, sentence, holds(body, sample)}`. */
export const checks = {
  page: [
    [
      '2.2',
      'a page has an id, a key, a title and a content model',
      body => isId(body.id) && isKey(body.key) && isText(body.title) && isText(body.content_model),
    ],
    ['2.2', 'the latest revision has an id and a time', ({ latest }) => isId(latest.id) && time.test(latest.timestamp)],
    ['2.2', 'the licence has an address and a title', ({ license }) => isText(license.url) && isText(license.title)],
    ['2.2', 'the title is the key with spaces', ({ key, title }) => key.replaceAll('_', ' ') === title],
  ],
  bare: [
    [
      '2.2',
      'the address of the HTML is in the bare page only',
      body => isAddress(body.html_url, 'http') && !('html' in body) && !('source' in body),
    ],
    [
      '4.5',
      'the address of the HTML leads to the HTML',
      async ({ html_url }, { ask }) => (await ask(html_url)).type.startsWith('text/html'),
    ],
  ],
  source: [
    [
      '2.2',
      'the source is in the page with its source only',
      body => isText(body.source) && !('html' in body) && !('html_url' in body),
    ],
    ['4.7', 'the content type is JSON', (_, { type }) => type.startsWith('application/json')],
  ],
  withHtml: [
    [
      '2.2',
      'the HTML is in the page with its HTML only',
      body => isText(body.html) && !('source' in body) && !('html_url' in body),
    ],
    ['4.6', 'the HTML is a document', ({ html }) => html.startsWith('<!DOCTYPE html>')],
  ],
  html: [
    ['4.8', 'the HTML of a page is of the type HTML', (_, { type }) => type.startsWith('text/html')],
    [
      '4.8',
      'the HTML alone is that of the page with its HTML',
      async (html, { ask, path }) => (await ask(path.replace(/\/html/, '/with_html'))).body.html === html,
    ],
    ['4.8', 'HTML for reading has no data of the converter', html => !html.includes('data-parsoid=')],
  ],
  editHtml: [
    [
      '4.12',
      'HTML for editing, sent back unedited, is the source',
      async (html, { ask, title, source, model }) => {
        if (model !== 'wikitext') return true
        const path = `/transform/html/to/wikitext/${encodeURIComponent(title)}`
        const { body } = await ask(path, { html })
        return body.replace(/\n$/, '') === source
      },
    ],
  ],
  languages: [
    [
      '2.3',
      'languages have a code, a name, a key and a title',
      body => body.every(one => isText(one.code) && isText(one.name) && isKey(one.key) && isText(one.title)),
    ],
    ['4.9', 'languages are an array', body => Array.isArray(body)],
  ],
  media: [
    [
      '4.10',
      'the files of a page are an array of at most 100',
      ({ files }) => Array.isArray(files) && files.length <= 100,
    ],
    ['2.4', 'a file of a page has no original', ({ files }) => files.every(file => !('original' in file))],
  ],
  file: [
    [
      '2.4',
      'a file has a title, the address of its description, its latest time and uploader',
      file =>
        isText(file.title) &&
        isAddress(file.file_description_url, 'http') &&
        time.test(file.latest.timestamp) &&
        isUser(file.latest.user),
    ],
    [
      '2.4',
      'the forms of a file have type, size, width, height, duration and address',
      file => ['preferred', 'original', 'thumbnail'].every(name => isForm(file[name])),
    ],
    ['4.14', 'the original of a file is in Get file', file => 'original' in file],
  ],
  history: [
    ['2.6', 'a history names the route of the latest revisions', body => isAddress(body.latest, 'http')],
    ['8', 'a history has at most 20 revisions', ({ revisions }) => revisions.length <= 20],
    ['4.15', 'a history begins with the latest revision', ({ revisions }, { latest }) => revisions[0]?.id === latest],
    [
      '2.6',
      'the route of older revisions gives those that follow',
      async ({ older, revisions }, { ask }) => {
        if (older === undefined) return revisions.length <= 20
        const { body } = await ask(older)
        return body.revisions.length > 0 && !body.revisions.some(({ id }) => revisions.some(one => one.id === id))
      },
    ],
    [
      '2.6',
      'the route of newer revisions leads back',
      async ({ older, revisions }, { ask }) => {
        if (older === undefined) return true
        const { body } = await ask((await ask(older)).body.newer)
        return body.revisions.at(-1).id === revisions.at(-1).id
      },
    ],
    [
      '2.5',
      'a delta is the difference of two sizes',
      ({ revisions }) =>
        revisions.every(
          ({ size, delta }, at) =>
            at + 1 === revisions.length || delta === null || size - delta === revisions[at + 1].size,
        ),
    ],
  ],
  revision: [
    ['2.5', 'a revision has all of its fields', body => has(body, revisionNames)],
    [
      '2.5',
      'a revision has an id, a size, a time and a mark of minor edits',
      body => isId(body.id) && isCount(body.size) && time.test(body.timestamp) && typeof body.minor === 'boolean',
    ],
    [
      '2.5',
      'the comment is a text or null, and the delta a number or null',
      body => orNull(isText)(body.comment) && orNull(Number.isSafeInteger)(body.delta),
    ],
    [
      '2.5',
      'the user has an id and a name; an anonymous one has no id',
      ({ user }) => isUser(user) && (user.id !== null || /^(?:[\d.]+|[\da-fA-F:.]+)$/.test(user.name)),
    ],
    ['2.5', 'the page of a revision has its id and title', ({ page }) => isId(page.id) && isText(page.title)],
  ],
  revisionBare: [
    [
      '4.17',
      'a bare revision has the address of its HTML',
      body => isAddress(body.html_url, 'http') && !('source' in body) && !('html' in body),
    ],
  ],
  revisionSource: [
    ['4.18', 'a revision with its source has it', body => isText(body.source) && !('html' in body)],
    ['2.5', 'the size is the bytes of the source', ({ size, source }) => size === bytes(source)],
  ],
  revisionHtml: [['4.19', 'the HTML of a revision is of the type HTML', (_, { type }) => type.startsWith('text/html')]],
  revisionWithHtml: [['4.20', 'a revision with its HTML has it', ({ html }) => html.startsWith('<!DOCTYPE html>')]],
  count: Object.entries(caps).map(([type, cap]) => [
    '2.7',
    `the count of ${type} is a number up to ${cap}, with a mark where there are more`,
    ({ count, limit }, sample) =>
      sample.type !== type ||
      (isCount(count) && count <= cap && typeof limit === 'boolean' && (!limit || count === cap)),
  ]),
  comparison: [
    [
      '2.9',
      'both sides have their revision and the slot',
      ({ from, to }, sample) =>
        from.id === sample.from && to.id === sample.to && from.slot_role === 'main' && to.slot_role === 'main',
    ],
    [
      '2.9',
      'sections have a level of 1 to 4, a heading and the bytes before it',
      ({ from, to }, { texts }) =>
        [from, to].every((side, at) =>
          side.sections.every(
            ({ level, heading, offset }) =>
              level >= 1 && level <= 4 && Buffer.from(texts[at]).toString('utf8', offset).startsWith(heading),
          ),
        ),
    ],
    [
      '2.9',
      'an element has a type of 0 to 5, a text and two offsets',
      ({ diff }) =>
        diff.every(({ type, text, offset }) => type >= 0 && type <= 5 && isText(text) && has(offset, ['from', 'to'])),
    ],
    [
      '2.9',
      'the offset of an absent line is null',
      ({ diff }) =>
        diff.every(({ type, offset }) => (type !== 1 && type !== 5) || offset.from === null) &&
        diff.every(({ type, offset }) => (type !== 2 && type !== 4) || offset.to === null),
    ],
    [
      '2.9',
      'offsets lie in the texts and grow',
      ({ diff }, { texts }) =>
        ['from', 'to'].every((name, at) => {
          const side = sideOf(diff, name)
          return side.every((one, next) => one.at <= bytes(texts[at]) && (next === 0 || one.at >= side[next - 1].at))
        }),
    ],
    [
      '2.9',
      'unchanged and whole lines stand at their offset',
      ({ diff }, { texts }) =>
        diff.every(
          ({ type, text, offset }) =>
            ![0, 1, 2, 4].includes(type) ||
            ((type === 2 || type === 4 ? true : Buffer.from(texts[1]).toString('utf8', offset.to).startsWith(text)) &&
              (type === 1 ? true : Buffer.from(texts[0]).toString('utf8', offset.from).startsWith(text))),
        ),
    ],
    ['2.9', 'highlighted words lie in their line', ({ diff }) => diff.every(rangesLie)],
    [
      '2.9',
      'moved lines come in pairs',
      ({ diff }) => {
        const moves = diff.flatMap(({ moveInfo }) => (moveInfo ? [moveInfo] : []))
        return moves.every(
          ({ id, linkId, linkDirection }) =>
            [0, 1].includes(linkDirection) && moves.some(one => one.id === linkId && one.linkId === id),
        )
      },
    ],
    ['8', 'at most two unchanged lines stand around each change', ({ diff }) => longestContext(diff) <= 4],
  ],
  search: [
    [
      '2.1',
      'a result has its fields',
      ({ pages }) =>
        pages.every(
          page =>
            isId(page.id) &&
            isKey(page.key) &&
            isText(page.title) &&
            isText(page.excerpt) &&
            orNull(isText)(page.matched_title) &&
            orNull(isText)(page.description),
        ),
    ],
    [
      '2.1',
      'a thumbnail has its fields',
      ({ pages }) =>
        pages.every(
          ({ thumbnail }) =>
            thumbnail === null ||
            (isText(thumbnail.mimetype) && has(thumbnail, ['size', 'width', 'height', 'duration', 'url'])),
        ),
    ],
    ['4.1', 'a search has at most as many results as its limit', ({ pages }, { limit }) => pages.length <= limit],
    [
      '4.1',
      'a page is found by the words of its title',
      ({ pages }, { title, limit }) =>
        pages.length === limit || pages.some(page => page.title === title || page.matched_title === title),
    ],
  ],
  titles: [
    [
      '4.2',
      'a page is found by the beginning of its title',
      ({ pages }, { title, limit }) =>
        pages.length === limit || pages.some(page => page.title === title || page.matched_title === title),
    ],
    [
      '2.1',
      'the excerpt of a title is the title',
      ({ pages }) => pages.every(({ title, excerpt }) => title === excerpt),
    ],
  ],
  lint: [['4.13', 'the problems of a text are an array', body => Array.isArray(body)]],
  transformed: [['4.11', 'the HTML of a text is a document', html => html.startsWith('<!DOCTYPE html>')]],
  cached: [['4.7', 'a condition on the current tag is 304', (_, { status }) => status === 304]],
  normalised: [
    [
      '7',
      'another spelling of a title leads to the page by 301',
      (_, { status, location, key }) => status === 301 && decodeURIComponent(location).includes(key),
    ],
  ],
  missing: [['7', 'a missing page or revision is 404', (_, { status }) => status === 404]],
  invalid: [['7', 'an invalid parameter is 400', (_, { status }) => status === 400]],
}

/** Everything that a page has, and only that: fields by the kind of response. */
checks.bare.push([
  '2.2',
  'a bare page has no further field',
  body => hasOnly(body, [...pageNames, 'html_url', 'redirect_target']),
])
checks.source.push([
  '2.2',
  'a page with its source has no further field',
  body => hasOnly(body, [...pageNames, 'source', 'redirect_target']),
])

/** Number of revisions of each page that are compared with the one before. */
const compared = 3

/**
 * Asks a server about pages of its wiki and checks each response. `request(path, init)` returns a `Response`; paths begin after
 * `/v1`. Returns how often each sentence was checked, and the faults.
 */
export async function checkWiki(request, titles) {
  const seen = new Map(Object.values(checks).flatMap(rows => rows.map(row => [row, 0])))
  const faults = []
  const ask = async (path, json) => {
    const headers = { 'content-type': 'application/json' }
    const response = await request(
      path,
      json === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(json) },
    )
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    const body = type.startsWith('application/json') ? JSON.parse(text) : text
    return {
      status: response.status,
      type,
      body,
      headers: response.headers,
      path,
      location: response.headers.get('location'),
    }
  }
  const check = async (kind, answer, sample = {}) => {
    for (const row of checks[kind]) {
      const [section, sentence, holds] = row
      seen.set(row, seen.get(row) + 1)
      const isTrue = await (async () => holds(answer.body, { ask, ...answer, ...sample }))().catch(String)
      if (isTrue !== true) faults.push(`${section} ${sentence}: ${answer.path}${isTrue === false ? '' : ` ${isTrue}`}`)
    }
  }
  for (const title of titles) await checkPage({ ask, check, request }, title)
  for (const path of [
    '/page/No%20such%20page',
    '/page/No%20such%20page/history',
    '/revision/999999999',
    '/file/None.png',
  ])
    await check('missing', await ask(path))
  const wrong = ['/search/page', '/search/page?q=a&limit=0', '/search/page?q=a&limit=101', '/search/title?q=a&limit=x']
  for (const path of wrong) await check('invalid', await ask(path))
  return { seen, faults }
}

async function checkPage({ ask, check, request }, title) {
  const name = encodeURIComponent(title)
  const page = await ask(`/page/${name}?redirect=no`)
  const { key, source, content_model: model, latest } = page.body
  const path = `/page/${encodeURIComponent(key)}`
  for (const [kind, end] of [
    ['bare', '/bare'],
    ['source', ''],
    ['withHtml', '/with_html?redirect=no'],
  ]) {
    const answer = await ask(path + end)
    await check('page', answer)
    await check(kind, answer)
  }
  await check('html', await ask(`${path}/html?redirect=no`))
  await check('editHtml', await ask(`${path}/html?redirect=no&flavor=edit`), { title: key, source, model })
  await check('languages', await ask(`${path}/links/language`))
  const used = await ask(`${path}/links/media`)
  if (used.status === 200) {
    await check('media', used)
    for (const file of used.body.files.slice(0, 2))
      await check('file', await ask(`/file/${encodeURIComponent(file.title)}`))
  }
  const tag = (await ask(path)).headers.get('etag')
  const again = await request(path, { headers: { 'if-none-match': tag } })
  await check('cached', { body: '', path, status: again.status })
  const other = `${key.charAt(0).toLowerCase()}${key.slice(1)}`
  if (other !== key) await check('normalised', await ask(`/page/${encodeURIComponent(other)}`), { key })
  if (model === 'wikitext') await check('lint', await ask(`/transform/wikitext/to/lint/${name}`, { wikitext: source }))
  if (model === 'wikitext')
    await check('transformed', await ask(`/transform/wikitext/to/html/${name}`, { wikitext: source }))
  await checkHistory({ ask, check }, { path, latest: latest.id })
  const words = encodeURIComponent(page.body.title)
  await check('search', await ask(`/search/page?q=${words}&limit=100`), { title: page.body.title, limit: 100 })
  await check('titles', await ask(`/search/title?q=${words}&limit=100`), { title: page.body.title, limit: 100 })
}

async function checkHistory({ ask, check }, { path, latest }) {
  const history = await ask(`${path}/history`)
  await check('history', history, { latest })
  for (const type of Object.keys(caps)) await check('count', await ask(`${path}/history/counts/${type}`), { type })
  for (const bad of ['older_than=0', 'older_than=2&newer_than=1', 'filter=none'])
    await check('invalid', await ask(`${path}/history?${bad}`))
  const ids = history.body.revisions.slice(0, compared + 1).map(({ id }) => id)
  const texts = []
  for (const id of ids) {
    for (const [kind, end] of [
      ['revisionBare', '/bare'],
      ['revisionSource', ''],
      ['revisionWithHtml', '/with_html'],
    ]) {
      const answer = await ask(`/revision/${id}${end}`)
      await check('revision', answer)
      await check(kind, answer)
      if (kind === 'revisionSource') texts.push(answer.body.source)
    }
    await check('revisionHtml', await ask(`/revision/${id}/html`))
  }
  for (const [at, to] of ids.entries()) {
    if (at + 1 === ids.length) break
    const from = ids[at + 1]
    await check('comparison', await ask(`/revision/${from}/compare/${to}`), {
      from,
      to,
      texts: [texts[at + 1], texts[at]],
    })
  }
}
