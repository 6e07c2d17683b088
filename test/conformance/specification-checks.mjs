/**
 * Sentences of MediaWiki's REST API reference that can be checked on any wiki by reading it. Each has the number of its group (0 all
 * responses, 1 searches, 2 objects, 4 routes, 8 limits), the kind of response that it is about, and its check.
 */

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const isText = value => typeof value === 'string'
const isTime = value => time.test(value)
const isBoolean = value => typeof value === 'boolean'
const isNumber = value => typeof value === 'number'
const isId = value => Number.isSafeInteger(value) && value > 0
const isCount = value => Number.isSafeInteger(value) && value >= 0
const isKey = key => isText(key) && !key.includes(' ')
const isTitle = (title, { key }) => key === undefined || key.replaceAll('_', ' ') === title
const isAddress = url => isText(url) && /^https?:\/\//.test(url)
const isDownload = url => isText(url) && /^(?:https?:)?\/\//.test(url)
const isDocument = html => html.startsWith('<!DOCTYPE html>')
const isIp = name => /^(?:[\d.]+|[\da-fA-F:.]+)$/.test(name)
const orNull = is => value => value === null || is(value)
const hasOnly = (object, names) => Object.keys(object).every(name => names.includes(name))
const hasNone = (object, names) => !names.some(name => name in object)
const media = 'BITMAP DRAWING AUDIO VIDEO MULTIMEDIA UNKNOWN OFFICE TEXT EXECUTABLE ARCHIVE 3D'.split(' ')
const pageNames = ['id', 'key', 'title', 'latest', 'content_model', 'license', 'redirect_target']

/** A row for each field of the objects that `of` takes from the response. */
function fields(section, thing, table, of = body => [body]) {
  return Object.entries(table).map(([name, is]) => [
    section,
    `${thing} has its field ${name}`,
    body => of(body).every(one => name in one && is(one[name], one)),
  ])
}

const results = ({ pages }) => pages
const thumbnails = ({ pages }) => pages.flatMap(({ thumbnail }) => thumbnail ?? [])
const form = {
  size: orNull(isCount),
  width: orNull(isCount),
  height: orNull(isCount),
  duration: orNull(isNumber),
  url: isDownload,
}
const file = {
  title: isText,
  file_description_url: isAddress,
  latest: ({ timestamp, user }) => isTime(timestamp) && orNull(isId)(user.id) && orNull(isText)(user.name),
  preferred: ({ mediatype }) => media.includes(mediatype),
  thumbnail: ({ mediatype }) => media.includes(mediatype),
}
const formsOf = one => ['preferred', 'original', 'thumbnail'].flatMap(name => one[name] ?? [])

/** The line that begins at a byte. */
function lineAt(bytes, offset) {
  const end = bytes.indexOf(10, offset)
  return bytes.toString('utf8', offset, end < 0 ? bytes.length : end)
}

/** Number of the line that begins at a byte. */
const numberAt = (bytes, offset) => bytes.subarray(0, offset).toString('latin1').split('\n').length

/** The text of a changed line without its additions (0) or deletions (1). */
function without({ text, highlightRanges = [] }, type) {
  const bytes = Buffer.from(text)
  const cut = highlightRanges.filter(range => range.type === type)
  const starts = [0, ...cut.map(({ start, length }) => start + length)]
  return Buffer.concat(starts.map((start, at) => bytes.subarray(start, cut[at]?.start))).toString()
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

/** A row about the elements of some types: `holds(element, texts, diff)`. */
const elements = (section, sentence, types, holds) => [
  section,
  sentence,
  ({ diff }, { texts }) => diff.every(one => !types.includes(one.type) || holds(one, texts, diff)),
]
const sides = ({ from, to }) => [from, to]
const ranges = ({ diff }) =>
  diff.flatMap(({ text, highlightRanges = [] }) => highlightRanges.map(r => ({ text, ...r })))
const moves = ({ diff }) => diff.flatMap(({ moveInfo }, at) => (moveInfo ? { ...moveInfo, at } : []))
const ascends = (diff, name) => {
  const offsets = diff.flatMap(({ offset }) => offset[name] ?? [])
  return offsets.every((offset, at) => at === 0 || offset >= offsets[at - 1])
}

/** The limit of each count. */
export const caps = { anonymous: 10_000, bot: 10_000, editors: 25_000, edits: 30_000, minor: 1_000, reverted: 30_000 }

const filters = {
  anonymous: ({ user }) => user.id === null,
  bot: Boolean,
  minor: ({ minor }) => minor,
  reverted: Boolean,
}

/** The path of an address, whole or not. */
const pathOf = address => new URL(address, 'http://localhost').pathname

/** Routes of a page that another spelling of its title leads to, by the group of the route. */
const pageRoutes = { 4.5: '/bare', 4.6: '/with_html', 4.7: '', 4.8: '/html' }

const isFound = ({ pages }, { title, limit }) =>
  pages.length === limit || pages.some(page => page.title === title || page.matched_title === title)

/** Checks by the kind of response that they are about: `[section, sentence, holds(body, sample)]`. */
export const checks = {
  search: [
    ...fields(
      '2.1',
      'a result',
      {
        id: isId,
        key: isKey,
        title: isTitle,
        excerpt: isText,
        matched_title: orNull(isText),
        description: orNull(isText),
        thumbnail: value => typeof value === 'object',
      },
      results,
    ),
    [
      '2.1',
      'an excerpt has no markup but that of words that were sought',
      ({ pages }) => pages.every(({ excerpt }) => !/<(?!span class="searchmatch">|\/span>)/.test(excerpt)),
    ],
    [
      '2.1',
      'a title that matched is that of a redirect',
      async ({ pages }, { ask }) => {
        for (const { matched_title: matched } of pages.filter(page => page.matched_title !== null)) {
          const { body } = await ask(`/page/${encodeURIComponent(matched.replaceAll(' ', '_'))}`)
          if (!('redirect_target' in body)) return false
        }
        return true
      },
    ],
    ...fields('2.1', 'a thumbnail', { mimetype: isText, ...form }, thumbnails),
    ['4.1', 'the results are an array named pages', body => hasOnly(body, ['pages']) && Array.isArray(body.pages)],
    ['4.1', 'a search has at most as many results as its limit', ({ pages }, { limit }) => pages.length <= limit],
    ['4.1', 'a page is found by the words of its title', isFound],
  ],
  titles: [
    ['4.2', 'the results are an array named pages', body => hasOnly(body, ['pages']) && Array.isArray(body.pages)],
    ['4.2', 'a page is found by the beginning of its title', isFound],
    [
      '4.2',
      'each title, or the redirect to it, begins with the text',
      ({ pages }, { title }) =>
        pages.every(page => (page.matched_title ?? page.title).toLowerCase().startsWith(title.toLowerCase())),
    ],
    [
      '2.1',
      'the excerpt of a title is the title',
      ({ pages }) => pages.every(({ title, excerpt }) => title === excerpt),
    ],
  ],
  page: [
    ...fields('2.2', 'a page', { id: isId, key: isKey, title: isTitle, content_model: isText }),
    ...fields('2.2', 'the latest revision of a page', { id: isId, timestamp: isTime }, ({ latest }) => [latest]),
    ...fields('2.2', 'the licence of a page', { url: isText, title: isText }, ({ license }) => [license]),
    ['2.2', 'a page is its latest revision', ({ latest }, sample) => latest.id === sample.latest],
  ],
  bare: [
    ['2.2', 'the address of the HTML is in the bare page only', body => hasOnly(body, [...pageNames, 'html_url'])],
    ['4.5', 'a bare page has the address of its HTML', ({ html_url }) => isAddress(html_url)],
    [
      '2.2',
      'the address of the HTML leads to the HTML',
      async ({ html_url }, { ask }) => (await ask(`${html_url}?redirect=no`)).type.startsWith('text/html'),
    ],
  ],
  source: [
    ['2.2', 'the source is in the page with its source only', body => hasOnly(body, [...pageNames, 'source'])],
    ['4.7', 'a page with its source has it', ({ source }) => isText(source)],
    ['0', 'JSON is UTF-8', (_, { type }) => !/charset/i.test(type) || /charset=utf-8/i.test(type)],
  ],
  withHtml: [
    ['2.2', 'the HTML is in the page with its HTML only', body => hasOnly(body, [...pageNames, 'html'])],
    ['4.6', 'a page with its HTML has a document', ({ html }) => isDocument(html)],
  ],
  html: [
    ['4.8', 'the HTML of a page is of the type HTML', (_, { type }) => type.startsWith('text/html')],
    [
      '2.2',
      'the HTML in a page is its HTML',
      async (html, { ask, path }) => (await ask(path.replace(/\/html/, '/with_html'))).body.html === html,
    ],
    ['4.8', 'HTML for reading has no data of the converter', html => !html.includes('data-parsoid=')],
  ],
  editHtml: [
    [
      '4.8',
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
    ...fields('2.3', 'a language', { code: isText, name: isText, key: isKey, title: isTitle }, body => body),
    ['4.9', 'languages are an array', body => Array.isArray(body)],
  ],
  media: [
    ['4.10', 'the files of a page are an array named files', ({ files }) => Array.isArray(files)],
    ['8', 'a page has at most 100 files', ({ files }) => files.length <= 100],
    ['2.4', 'a file of a page has no original', ({ files }) => files.every(one => !('original' in one))],
    [
      '4.10',
      'a file of a page has the fields of a file',
      ({ files }) => files.every(one => Object.entries(file).every(([name, is]) => is(one[name]))),
    ],
  ],
  file: [
    ...fields('2.4', 'a file', file),
    ['2.4', 'a file has its original', ({ original }) => media.includes(original.mediatype)],
    ...fields('2.4', 'a form of a file', { mediatype: value => media.includes(value), ...form }, formsOf),
  ],
  history: [
    ['2.6', 'a history has an array of revisions', ({ revisions }) => Array.isArray(revisions)],
    ['8', 'a history has at most 20 revisions', ({ revisions }) => revisions.length <= 20],
    ['4.15', 'a history begins with the latest revision', ({ revisions }, { latest }) => revisions[0]?.id === latest],
    [
      '2.6',
      'a history names the route of the latest revisions',
      async (body, { ask, latest }) => (await ask(body.latest)).body.revisions[0].id === latest,
    ],
    [
      '2.6',
      'the route of older revisions gives those that follow',
      async ({ older, revisions }, { ask }) => {
        if (older === undefined) return true
        const { body } = await ask(older)
        const { size, delta } = revisions.at(-1)
        return (delta === null || size - delta === body.revisions[0].size) && body.revisions[0].id < revisions.at(-1).id
      },
    ],
    [
      '2.6',
      'the latest revisions have no newer ones, and the last of few no older ones',
      ({ newer, older, revisions }) => newer === undefined && (older === undefined || revisions.length === 20),
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
  ...Object.fromEntries(
    Object.entries(filters).map(([name, is]) => [
      `history ${name}`,
      [
        [
          '4.15',
          `a history can be that of edits that are ${name}, which are counted`,
          ({ revisions, older }, { count }) =>
            revisions.every(is) && (older === undefined ? count === revisions.length : count > revisions.length),
        ],
      ],
    ]),
  ),
  revision: [
    ...fields('2.5', 'a revision', {
      id: isId,
      timestamp: isTime,
      comment: orNull(isText),
      size: isCount,
      delta: orNull(Number.isSafeInteger),
      minor: isBoolean,
    }),
    ...fields('2.5', 'the page of a revision', { id: isId, title: isText }, ({ page }) => [page]),
    ...fields('2.5', 'the user of a revision', { id: orNull(isId), name: isText }, ({ user }) => [user]),
    ['2.5', 'an anonymous user is an IP address', ({ user }) => user.id !== null || isIp(user.name)],
  ],
  revisionBare: [
    ['2.5', 'the address of the HTML is in the bare revision only', body => hasNone(body, ['html', 'source'])],
    ['4.17', 'a bare revision has the address of its HTML', ({ html_url }) => isAddress(html_url)],
    [
      '2.5',
      'the address of the HTML of a revision leads to the HTML',
      async ({ html_url }, { ask }) => (await ask(html_url)).type.startsWith('text/html'),
    ],
  ],
  revisionSource: [
    ['2.5', 'the source is in the revision with its source only', body => hasNone(body, ['html', 'html_url'])],
    ['4.18', 'a revision with its source has it', ({ source }) => isText(source)],
    ['2.5', 'the size is the bytes of the source', ({ size, source }) => size === Buffer.byteLength(source)],
  ],
  revisionHtml: [
    ['4.19', 'the HTML of a revision is of the type HTML', (_, { type }) => type.startsWith('text/html')],
    ['4.19', 'the HTML of a revision is a document', isDocument],
  ],
  revisionWithHtml: [
    ['2.5', 'the HTML is in the revision with its HTML only', body => hasNone(body, ['source', 'html_url'])],
    ['4.20', 'a revision with its HTML has a document', ({ html }) => isDocument(html)],
  ],
  ...Object.fromEntries(
    Object.entries(caps).map(([type, cap]) => [
      `count ${type}`,
      [
        [
          '8',
          `the count of ${type} is at most ${cap}`,
          ({ count, limit }) => count <= cap && (!limit || count === cap),
        ],
      ],
    ]),
  ),
  count: [
    ...fields('2.7', 'a count', { count: isCount, limit: isBoolean }),
    ['2.7', 'a count has no further field', body => hasOnly(body, ['count', 'limit'])],
  ],
  edits: [
    [
      '4.16',
      'the count of edits is the number of revisions',
      ({ count }, { history }) => (history.older === undefined) === count <= 20 && count >= history.revisions.length,
    ],
  ],
  comparison: [
    ['2.9', 'the earlier side is the revision named first', ({ from }, sample) => from.id === sample.from],
    ['2.9', 'the later side is the revision named second', ({ to }, sample) => to.id === sample.to],
    ['2.9', 'both sides are of the main slot', body => sides(body).every(({ slot_role }) => slot_role === 'main')],
    ...fields('2.9', 'a section', { level: isId, heading: isText, offset: isCount }, ({ from, to }) => [
      ...from.sections,
      ...to.sections,
    ]),
    [
      '8',
      'a section is of a level from 1 to 4',
      body => sides(body).every(({ sections }) => sections.every(({ level }) => level >= 1 && level <= 4)),
    ],
    [
      '2.9',
      'the heading of a section stands at its offset',
      (body, { texts }) =>
        sides(body).every((side, at) =>
          side.sections.every(({ heading, offset }) => texts[at].toString('utf8', offset).startsWith(heading)),
        ),
    ],
    ...fields('2.9', 'an element', { type: isCount, text: isText, offset: Boolean }, ({ diff }) => diff),
    elements(
      '2.9',
      'an unchanged line is in both texts',
      [0],
      ({ text, offset }, [from, to]) => lineAt(from, offset.from) === text && lineAt(to, offset.to) === text,
    ),
    elements(
      '2.9',
      'a line that was added is in the later text only',
      [1],
      ({ text, offset }, [, to]) => offset.from === null && lineAt(to, offset.to) === text,
    ),
    elements(
      '2.9',
      'a line that was removed is in the earlier text only',
      [2],
      ({ text, offset }, [from]) => offset.to === null && lineAt(from, offset.from) === text,
    ),
    elements(
      '2.9',
      'a changed line has the words of both texts',
      [3],
      (one, [from, to]) =>
        lineAt(from, one.offset.from) === without(one, 0) && lineAt(to, one.offset.to) === without(one, 1),
    ),
    elements(
      '2.9',
      'the place that a line moved from is in the earlier text',
      [4],
      (one, [from]) => one.offset.to === null && lineAt(from, one.offset.from) === without(one, 0),
    ),
    elements(
      '2.9',
      'the place that a line moved to is in the later text',
      [5],
      (one, [, to]) => one.offset.from === null && lineAt(to, one.offset.to) === without(one, 1),
    ),
    ['2.9', 'an element is of a type from 0 to 5', ({ diff }) => diff.every(({ type }) => type >= 0 && type <= 5)],
    elements(
      '2.9',
      'the number of a line is that of the later text',
      [0, 1, 3, 5],
      ({ lineNumber, offset }, [, to]) => lineNumber === undefined || lineNumber === numberAt(to, offset.to),
    ),
    ['2.9', 'the offsets of the earlier text grow', ({ diff }) => ascends(diff, 'from')],
    ['2.9', 'the offsets of the later text grow', ({ diff }) => ascends(diff, 'to')],
    ...fields(
      '2.9',
      'a highlight',
      {
        start: isCount,
        length: (length, { start, text }) => isId(length) && start + length <= Buffer.byteLength(text),
        type: type => [0, 1].includes(type),
      },
      ranges,
    ),
    ...fields('2.9', 'a move', { id: isText, linkId: isText, linkDirection: value => [0, 1].includes(value) }, moves),
    [
      '2.9',
      'moved lines come in pairs that name each other',
      body => moves(body).every(({ id, linkId }, _, all) => all.some(one => one.id === linkId && one.linkId === id)),
    ],
    [
      '2.9',
      'the direction of a move is that to its other place',
      body =>
        moves(body).every(
          ({ linkId, linkDirection, at }, _, all) =>
            linkDirection === (all.find(({ id }) => id === linkId).at > at ? 0 : 1),
        ),
    ],
    ['8', 'at most two unchanged lines stand around each change', ({ diff }) => longestContext(diff) <= 4],
  ],
  lint: [['4.13', 'the problems of a text are an array', body => Array.isArray(body)]],
  transformed: [['4.11', 'the HTML of a text is a document', isDocument]],
  ...Object.fromEntries(
    Object.entries(pageRoutes).map(([section, end]) => [
      `normalised ${end}`,
      [
        [
          section,
          'another spelling of the title leads to the page by 301',
          (_, { status, location, key }) =>
            status === 301 && decodeURIComponent(location).endsWith(`/page/${key}${end}`),
        ],
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['/with_html', '/html'].map(end => [
      `redirect ${end}`,
      [
        [
          end === '/html' ? '4.8' : '4.6',
          'a redirect leads to its target by 307',
          (_, { status, location, target }) => status === 307 && pathOf(location) === `${pathOf(target)}${end}`,
        ],
        [
          end === '/html' ? '4.8' : '4.6',
          'a redirect is not followed where the request says so',
          async (_, { ask, path }) => (await ask(`${path}?redirect=no`)).status === 200,
        ],
      ],
    ]),
  ),
}

/**
 * Requests of any wiki and the required status. `{page}` is a path of a page and `{id}` its latest revision.
 */
export const statuses = [
  ['4.1', 'the words are required', 400, '/search/page'],
  ['4.1', 'a limit below 1 is refused', 400, '/search/page?q=a&limit=0'],
  ['4.1', 'a limit above 100 is refused', 400, '/search/page?q=a&limit=101'],
  ['4.1', 'a limit that is no integer is refused', 400, '/search/page?q=a&limit=1.5'],
  ['8', 'a search may have one result', 200, '/search/page?q=a&limit=1'],
  ['8', 'a search may have a hundred results', 200, '/search/page?q=a&limit=100'],
  ['4.2', 'the words are required', 400, '/search/title'],
  ['4.2', 'a limit below 1 is refused', 400, '/search/title?q=a&limit=0'],
  ['4.2', 'a limit above 100 is refused', 400, '/search/title?q=a&limit=101'],
  ['4.2', 'a limit of 1 is accepted', 200, '/search/title?q=a&limit=1'],
  ['4.2', 'a limit of 100 is accepted', 200, '/search/title?q=a&limit=100'],
  ['4.5', 'a missing page is 404', 404, '/page/No%20such%20page/bare'],
  ['4.6', 'a missing page is 404', 404, '/page/No%20such%20page/with_html'],
  ['4.7', 'a missing page is 404', 404, '/page/No%20such%20page'],
  ['4.8', 'a missing page is 404', 404, '/page/No%20such%20page/html'],
  ['4.8', 'the flavor is view or edit', 400, '{page}/html?redirect=no&flavor=none'],
  ['4.9', 'a missing page is 404', 404, '/page/No%20such%20page/links/language'],
  ['4.10', 'a missing page is 404', 404, '/page/No%20such%20page/links/media'],
  ['4.14', 'a missing file is 404', 404, '/file/None.png'],
  ['4.15', 'a missing page is 404', 404, '/page/No%20such%20page/history'],
  ['4.15', 'a missing revision is 404', 404, '{page}/history?older_than=999999999'],
  ['4.15', 'an older_than of 0 is refused', 400, '{page}/history?older_than=0'],
  ['4.15', 'a newer_than below 0 is refused', 400, '{page}/history?newer_than=-1'],
  ['4.15', 'older_than and newer_than exclude each other', 400, '{page}/history?older_than={id}&newer_than={id}'],
  ['4.15', 'another filter is refused', 400, '{page}/history?filter=none'],
  ['4.16', 'another type is refused', 400, '{page}/history/counts/none'],
  ['4.16', 'from without to is refused', 400, '{page}/history/counts/edits?from={id}'],
  ['4.16', 'to without from is refused', 400, '{page}/history/counts/editors?to={id}'],
  ['4.16', 'other types have no from and to', 400, '{page}/history/counts/minor?from={id}&to={id}'],
  ['4.16', 'a missing page is 404', 404, '/page/No%20such%20page/history/counts/edits'],
  ['4.16', 'a missing revision is 404', 404, '{page}/history/counts/edits?from={id}&to=999999999'],
  ['4.17', 'a missing revision is 404', 404, '/revision/999999999/bare'],
  ['4.18', 'a missing revision is 404', 404, '/revision/999999999'],
  ['4.19', 'a missing revision is 404', 404, '/revision/999999999/html'],
  ['4.20', 'a missing revision is 404', 404, '/revision/999999999/with_html'],
  ['4.21', 'a missing base is 404', 404, '/revision/999999999/compare/{id}'],
  ['4.21', 'a missing revision is 404', 404, '/revision/{id}/compare/999999999'],
  ['5', 'reads need no authentication', 200, '{page}'],
]

const jsonKinds = 'search titles page languages media file history revision count comparison lint'.split(' ')
const isJson = [
  '4',
  'a response is JSON where nothing else is said',
  (_, { type }) => type.startsWith('application/json'),
]
for (const kind of jsonKinds) checks[kind].push(isJson)
