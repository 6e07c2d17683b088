/**
 * Sentences of MediaWiki's REST API reference that need a situation of their own: an edit, a conflict, a redirect, a hidden revision, a
 * file. Each has the number of its group (see `specification.test.ts`), a request, and the required response.
 */

import { expect } from 'vitest'
import { caps } from '../conformance/specification-checks.mjs'
import {
  after,
  counting,
  get,
  leading,
  license,
  type Model,
  markup,
  orchard,
  paragraphs,
  photo,
  type Request,
  type Scene,
  withCookie,
  withoutIndex,
  write,
} from './_specification-wiki.ts'

/** Number of the group, the sentence, the request, and the required response: a status, or a body with it. */
export type Row = readonly [
  section: string,
  sentence: string,
  request: Request,
  expected: number | Expected | ((ids: Scene['ids']) => Expected),
]
export interface Expected {
  readonly status: number
  readonly body?: unknown
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const has = (members: object) => expect.objectContaining(members)
const list = (length: number) => expect.toSatisfy((items: unknown) => Array.isArray(items) && items.length === length)
// biome-ignore lint/suspicious/noExplicitAny: each row looks at its own members.
const such = (is: (value: any) => boolean) => expect.toSatisfy(is)
const ok = (members: object): Expected => ({ status: 200, body: has(members) })
const error = (status: number, key: string): Expected => ({ status, body: has({ errorKey: key, httpCode: status }) })
const pages = (...titles: string[]): Expected => ({ status: 200, body: { pages: titles.map(title => has({ title })) } })
const first = (members: object): Expected => ok({ pages: expect.arrayContaining([has(members)]) })
/** A history whose revisions are these, by their names. */
const revisions =
  (...names: string[]) =>
  (ids: Scene['ids']): Expected =>
    ok({ revisions: names.map(name => has({ id: ids[name] })) })
const compare = (from: string, to: string): Request => get(ids => `/revision/${ids[from]}/compare/${ids[to]}`)
const transform = (path: string, body: object): Request => write('POST', `/transform/${path}`, body)

const searches: readonly Row[] = [
  ['1', 'titles are found in any case', get('/search/title?q=bEE'), pages('Beech')],
  ['1', 'texts are found in any case', get('/search/page?q=LICHEN'), pages('Beech')],
  ['1', 'titles are found by their beginning', get('/search/title?q=Old%20be'), pages('Old beech wood')],
  ['1', 'only the namespaces of the settings are searched', get('/search/page?q=zebra'), pages()],
  ['1', 'titles of other namespaces are not completed', get('/search/title?q=x.json'), pages()],
  [
    '2.1',
    'an excerpt marks the words that were sought',
    get('/search/page?q=lichen'),
    first({ excerpt: expect.stringContaining('<span class="searchmatch">lichen</span>') }),
  ],
  [
    '2.1',
    'an excerpt is a few lines of the text',
    get('/search/page?q=lichen'),
    first({ excerpt: such((excerpt: string) => excerpt.includes('four with') && excerpt.split('\n').length < 8) }),
  ],
  ['2.1', 'a redirect that matched is named', get('/search/title?q=Old%20t'), first({ matched_title: 'Old tree' })],
  ['2.1', 'no redirect is named where none matched', get('/search/title?q=Bee'), first({ matched_title: null })],
  ['2.1', 'a page without a description has null', get('/search/title?q=Bee'), first({ description: null })],
  [
    '2.1',
    'a page with a description has it',
    get('/search/page?q=carpenters'),
    first({ description: 'Wood of a tree' }),
  ],
  [
    '2.1',
    'the address of a thumbnail leads to it',
    leading(get('/search/title?q=Pict'), ({ body }) => body.pages[0].thumbnail.url),
    200,
  ],
  ['2.1', 'a page without a picture has null', get('/search/title?q=Bee'), first({ thumbnail: null })],
  [
    '2.1',
    'a page with a picture has a smaller one',
    get('/search/title?q=Pict'),
    first({ thumbnail: has({ mimetype: 'image/png', width: such((width: number) => width < 1600), duration: null }) }),
  ],
  ['4.1', 'the text is searched', get('/search/page?q=lichen'), pages('Beech')],
  ['4.1', 'the title is searched', get('/search/page?q=intitle%3Abeech%20three'), pages('Old beech wood')],
  ['4.1', 'nothing found is an empty array', get('/search/page?q=zzzzqq'), pages()],
  ['4.1', 'a search whose index fails is 500', withoutIndex('/v1/search/page?q=a'), 500],
  ['8', 'a search has 50 results where no limit is given', get('/search/page?q=orchard'), ok({ pages: list(50) })],
  ['4.1', 'a limit is obeyed', get('/search/page?q=orchard&limit=3'), ok({ pages: list(3) })],
  ['4.1', 'more than 50 are found with a limit', get('/search/page?q=orchard&limit=100'), ok({ pages: list(orchard) })],
  ['4.2', '50 titles are returned where no limit is given', get('/search/title?q=Apple'), ok({ pages: list(50) })],
  ['4.2', 'a limit is obeyed', get('/search/title?q=Apple&limit=2'), ok({ pages: list(2) })],
  ['4.2', 'a search whose index fails is 500', withoutIndex('/v1/search/title?q=a'), 500],
  ['4.2', 'words within a title do not match', get('/search/title?q=wood'), pages('Wood')],
  ['4.2', 'nothing found is an empty array', get('/search/title?q=zzzzqq'), pages()],
]

const form = (mediatype: string, width: number | null, height: number | null, duration: number | null) =>
  has({ mediatype, width, height, duration })

const objects: readonly Row[] = [
  ['2.2', 'the licence is that of the settings', get('/page/Beech/bare'), ok({ license })],
  ['2.2', 'JSON is a content model', get('/page/User%3AAda%2Fx.json/bare'), ok({ content_model: 'json' })],
  ['2.2', 'the source is in the form of its model', get('/page/User%3AAda%2Fx.json'), ok({ source: '{}' })],
  [
    '2.2',
    'the source is the latest',
    get('/page/Rowan'),
    ok({ source: 'one', latest: has({ timestamp: time }), title: 'Rowan' }),
  ],
  [
    '2.2',
    'the title is for readers',
    get('/page/Old_beech_wood'),
    ok({ title: 'Old beech wood', key: 'Old_beech_wood' }),
  ],
  [
    '2.4',
    'a file was uploaded by a user',
    get('/file/Photo.png'),
    ok({ latest: { timestamp: time, user: { id: 1, name: 'Ada Example' } } }),
  ],
  [
    '2.4',
    'a picture has its size, width and height',
    get('/file/Photo.png'),
    ok({ original: has({ mediatype: 'BITMAP', size: photo.length, width: 1600, height: 1200 }) }),
  ],
  [
    '2.4',
    'the preferred form of a large picture is a smaller one',
    get('/file/Photo.png'),
    ok({ preferred: has({ size: null, width: 800, height: 600 }) }),
  ],
  [
    '2.4',
    'the address of the original leads to it',
    leading(get('/file/Photo.png'), ({ body }) => body.original.url),
    200,
  ],
  [
    '2.4',
    'the address of the preferred form leads to it',
    leading(get('/file/Photo.png'), ({ body }) => body.preferred.url),
    200,
  ],
  [
    '2.4',
    'the address of the thumbnail leads to it',
    leading(get('/file/Photo.png'), ({ body }) => body.thumbnail.url),
    200,
  ],
  [
    '2.4',
    'the address of the description leads to it',
    leading(
      leading(get('/file/Photo.png'), ({ body }) => body.file_description_url),
      ({ headers }) => headers.get('location')!,
    ),
    200,
  ],
  ['2.4', 'a picture has no duration', get('/file/Photo.png'), ok({ original: form('BITMAP', 1600, 1200, null) })],
  ['2.4', 'a drawing is one', get('/file/Drawing.svg'), ok({ original: form('DRAWING', 40, 30, null) })],
  ['2.4', 'a sound has a length and no width', get('/file/Sound.wav'), ok({ original: form('AUDIO', null, null, 2) })],
  ['2.4', 'a film has both', get('/file/Film.mp4'), ok({ original: form('VIDEO', 64, 48, 3) })],
  ['2.4', 'a document has neither', get('/file/Paper.pdf'), ok({ original: form('OFFICE', null, null, null) })],
  [
    '2.5',
    'an anonymous user has the IP address for a name and no id',
    get(ids => `/revision/${ids.anonymous}`),
    ok({ user: { id: null, name: '203.0.113.5' } }),
  ],
  [
    '2.5',
    'a user with an address has an id',
    get(ids => `/revision/${ids.bot}`),
    ok({ user: { id: 1, name: 'Ada Example' } }),
  ],
  ['2.5', 'no comment is an empty one', get(ids => `/revision/${ids.anonymous}`), ok({ comment: '' })],
  ['2.5', 'a comment is there', get(ids => `/revision/${ids.minor}`), ok({ comment: 'edited' })],
  ['2.5', 'the first revision has no delta', get(ids => `/revision/${ids.Beech}`), ok({ delta: null })],
  ['2.5', 'a delta is positive where the text grew', get(ids => `/revision/${ids.minor}`), ok({ delta: 5 })],
  [
    '2.5',
    'a delta is negative where the text shrank',
    get(ids => `/revision/${ids['Words 3']}`),
    ok({ delta: 'a tree'.length - 'an old tree'.length }),
  ],
  ['2.5', 'a minor edit is marked', get(ids => `/revision/${ids.minor}`), ok({ minor: true })],
  ['2.5', 'another edit is not', get(ids => `/revision/${ids.bot}`), ok({ minor: false })],
  [
    '2.5',
    'a revision is of its page',
    get(ids => `/revision/${ids['Old beech wood']}`),
    ok({ page: has({ title: 'Old beech wood' }) }),
  ],
  [
    '2.6',
    'few revisions have neither older nor newer ones',
    get('/page/Beech/history'),
    { status: 200, body: { latest: expect.stringMatching(/\/history$/), revisions: list(4) } },
  ],
  ['2.6', 'there are older ones where more than 20 are', get('/page/Bare/history'), ok({ older: expect.any(String) })],
  [
    '2.6',
    'there are newer ones after older ones',
    get(ids => `/page/Beech/history?older_than=${ids.anonymous}`),
    ok({ newer: expect.stringContaining('newer_than='), revisions: list(2) }),
  ],
  ['2.6', 'a history may have no revisions', get('/page/Bare/history?filter=bot'), ok({ revisions: [] })],
  [
    '2.7',
    'a count below its limit says so',
    get('/page/Beech/history/counts/edits'),
    { status: 200, body: { count: 4, limit: false } },
  ],
  ['2.8', 'wikitext is a text', transform('wikitext/to/html/Bare', { wikitext: ['a'] }), 400],
  ['2.8', 'wikitext to lint is a text', transform('wikitext/to/lint/Bare', { wikitext: ['a'] }), 400],
  ['2.8', 'HTML is required for wikitext', transform('html/to/wikitext/Bare', {}), 400],
  ['2.8', 'HTML is a text', transform('html/to/wikitext/Bare', { html: ['a'] }), 400],
]

/** The elements of a comparison. */
const element = (members: object) => ok({ diff: expect.arrayContaining([has(members)]) })

const comparisons = (model: Model): readonly Row[] => [
  [
    '2.9',
    'two lines stand before and after a change',
    compare('Lines 0', 'Lines 1'),
    ok({ diff: such((diff: { type: number; text: string }[]) => diff[0]!.text === 'c' && diff[1]!.text === 'd') }),
  ],
  ['2.9', 'an added line is of type 1', compare('Lines 0', 'Lines 1'), element({ type: 1, text: 'E', lineNumber: 5 })],
  ['2.9', 'a removed line is of type 2', compare('Lines 0', 'Lines 1'), element({ type: 2, text: 'e' })],
  [
    '2.9',
    'an empty line is an empty text',
    compare('Lines 0', 'Lines 1'),
    element({ type: 1, text: '', lineNumber: 7, offset: { from: null, to: 12 } }),
  ],
  [
    '2.9',
    'a changed line is of type 3, with what was added and removed',
    compare('Words 2', 'Words 3'),
    {
      status: 200,
      body: has({
        diff: [
          {
            type: 3,
            lineNumber: 1,
            text: 'smooth bark of an olda tree',
            offset: { from: 0, to: 0 },
            highlightRanges: [
              { start: 15, length: 6, type: 1 },
              { start: 21, length: 1, type: 0 },
            ],
          },
        ],
      }),
    },
  ],
  [
    '2.9',
    'highlights count from the beginning of the line',
    compare('Words 0', 'Words 1'),
    element({ type: 3, text: 'smooth grey bark', highlightRanges: [{ start: 6, length: 5, type: 0 }] }),
  ],
  [
    '2.9',
    'the old place of a line that moved names the new one, further down',
    compare('Moved 0', 'Moved 1'),
    element({ type: 4, text: paragraphs[0], moveInfo: has({ linkDirection: 0 }), offset: { from: 0, to: null } }),
  ],
  [
    '2.9',
    'the new place of a line that moved names the old one, further up',
    compare('Moved 0', 'Moved 1'),
    element({ type: 5, text: paragraphs[0], moveInfo: has({ linkDirection: 1 }) }),
  ],
  [
    '2.9',
    'a line that moved may have changed, too',
    compare('Moved 0', 'Moved 2'),
    element({ type: 5, highlightRanges: [{ start: 86, length: 9, type: 0 }] }),
  ],
  [
    '2.9',
    'highlights count bytes',
    compare('Accents 0', 'Accents 1'),
    element({ highlightRanges: [{ start: 9, length: 6, type: 0 }] }),
  ],
  [
    '2.9',
    'a line that did not move has no place to name',
    compare('Moved 0', 'Moved 1'),
    ok({
      diff: such((diff: { type: number; moveInfo?: unknown }[]) =>
        diff.every(({ type, moveInfo }) => type >= 4 === (moveInfo !== undefined)),
      ),
    }),
  ],
  ['2.9', 'a revision is equal to itself', compare('Words 0', 'Words 0'), ok({ diff: [] })],
  [
    '2.9',
    'a section has the bytes before it',
    compare('Sections 0', 'Sections 1'),
    ok({ from: has({ sections: sectionsOf(model) }), to: has({ sections: sectionsOf(model) }) }),
  ],
  [
    '8',
    'a heading of level 5 is no section',
    compare('Sections 0', 'Sections 1'),
    ok({ to: has({ sections: such((all: { level: number }[]) => all.every(({ level }) => level <= 4)) }) }),
  ],
]

/** Headings are those of wikitext, so a page of Markdown has none. */
const sectionsOf = (model: Model) =>
  model === 'markdown'
    ? []
    : [
        { level: 2, heading: '== One ==', offset: 4 },
        { level: 4, heading: '==== Two ====', offset: 15 },
      ]

const edits = (model: Model): readonly Row[] => [
  [
    '4.3',
    'a page is created',
    write('POST', '/page', { source: 'new', title: 'Made', comment: 'c' }),
    { status: 201, body: has({ key: 'Made' }) },
  ],
  [
    '4.3',
    'the response has the source',
    write('POST', '/page', { source: 'new', title: 'Made 2', comment: 'c' }),
    { status: 201, body: has({ source: 'new' }) },
  ],
  [
    '4.3',
    'the response leads to the page',
    leading(
      write('POST', '/page', { source: 'new', title: 'Made 3', comment: 'c' }),
      ({ headers }) => headers.get('location')!,
    ),
    ok({ source: 'new', title: 'Made 3' }),
  ],
  [
    '4.3',
    'the comment is that of the revision',
    after(write('POST', '/page', { source: 'new', title: 'Made 4', comment: 'said' }), get('/page/Made_4/history')),
    ok({ revisions: [has({ comment: 'said' })] }),
  ],
  [
    '4.3',
    'the server writes the comment where it is null',
    after(write('POST', '/page', { source: 'new', title: 'Made 5', comment: null }), get('/page/Made_5/history')),
    ok({ revisions: [has({ comment: expect.stringContaining('new') })] }),
  ],
  [
    '4.3',
    'a content model may be named',
    write('POST', '/page', { source: 'x', title: 'Made 6', comment: '', content_model: 'wikitext' }),
    { status: 201, body: has({ content_model: 'wikitext' }) },
  ],
  [
    '4.3',
    'else it is that of the wiki',
    write('POST', '/page', { source: 'x', title: 'Made 7', comment: '' }),
    { status: 201, body: has({ content_model: model }) },
  ],
  ['4.3', 'the source is required', write('POST', '/page', { title: 'N', comment: '' }), 400],
  ['4.3', 'the source is a text', write('POST', '/page', { source: 1, title: 'N', comment: '' }), 400],
  ['4.3', 'the title is required', write('POST', '/page', { source: 'x', comment: '' }), 400],
  ['4.3', 'the title is a text', write('POST', '/page', { source: 'x', title: 1, comment: '' }), 400],
  ['4.3', 'the comment is required', write('POST', '/page', { source: 'x', title: 'N' }), 400],
  [
    '4.3',
    'a page that exists is 409',
    write('POST', '/page', { source: 'x', title: 'Beech', comment: '' }),
    error(409, 'apierror-articleexists'),
  ],
  [
    '4.3',
    'an unknown content model is 400',
    write('POST', '/page', { source: 'x', title: 'N', comment: '', content_model: 'nope' }),
    error(400, 'rest-bad-content-model'),
  ],
  [
    '4.3',
    'a content model without text is 400',
    write('POST', '/page', { source: 'x', title: 'N', comment: '', content_model: 'unknown' }),
    error(400, 'apierror-no-direct-editing'),
  ],
  ['4.3', 'a body that is not JSON is 415', write('POST', '/page', '{}', 'text/plain'), 415],
  [
    '4.3',
    'a session without its token is 400',
    withCookie('POST', '/page', () => ({ source: 'x', title: 'N', comment: '' })),
    400,
  ],
  [
    '4.3',
    'a session with its token creates',
    withCookie('POST', '/page', token => ({ source: 'x', title: 'By cookie', comment: '', token })),
    201,
  ],
  [
    '4.4',
    'a page is created',
    write('PUT', '/page/Put', { source: 'one', comment: '' }),
    { status: 201, body: has({ source: 'one' }) },
  ],
  [
    '4.4',
    'a created page is of the model of the wiki',
    write('PUT', '/page/Put_2', { source: 'one', comment: '' }),
    { status: 201, body: has({ content_model: model }) },
  ],
  [
    '4.4',
    'the content model of the page may be named',
    after(write('PUT', '/page/Put_8', { source: 'x', comment: '', content_model: 'wikitext' }), get('/page/Put_8')),
    ok({ content_model: 'wikitext' }),
  ],
  [
    '4.4',
    'a page is updated',
    write('PUT', '/page/Update', ids => ({ source: 'three', comment: null, latest: { id: ids['Update 1'] } })),
    ok({ title: 'Update' }),
  ],
  [
    '4.4',
    'the response has the source',
    write('PUT', '/page/Pictures', ids => ({ source: 'and more', comment: '', latest: { id: ids.Pictures } })),
    ok({ source: 'and more' }),
  ],
  [
    '4.4',
    'the comment is that of the revision',
    after(
      write('PUT', '/page/Wood', ids => ({ source: 'w', comment: 'said', latest: { id: ids.Wood } })),
      get('/page/Wood/history'),
    ),
    ok({ revisions: expect.arrayContaining([has({ comment: 'said' })]) }),
  ],
  [
    '4.4',
    'the server writes the comment where it is null',
    after(write('PUT', '/page/Put_3', { source: 'words', comment: null }), get('/page/Put_3/history')),
    ok({ revisions: [has({ comment: expect.stringContaining('words') })] }),
  ],
  ['4.4', 'the source is required', write('PUT', '/page/N', { comment: '' }), 400],
  ['4.4', 'the comment is required', write('PUT', '/page/N', { source: 'x' }), 400],
  ['4.4', 'the base is an object', write('PUT', '/page/Beech', { source: 'x', comment: '', latest: 1 }), 400],
  [
    '4.4',
    'the id of the base is an integer',
    write('PUT', '/page/Beech', { source: 'x', comment: '', latest: { id: 'a' } }),
    400,
  ],
  [
    '4.4',
    'a page that exists is 409 where no base is named',
    write('PUT', '/page/Beech', { source: 'x', comment: '' }),
    error(409, 'rest-update-cannot-create-page'),
  ],
  [
    '4.4',
    'edits of other lines are merged',
    write('PUT', '/page/Merge', ids => ({
      source: 'zero\none\ntwo\nthree',
      comment: '',
      latest: { id: ids['Merge 0'] },
    })),
    ok({ source: 'zero\none\ntwo\nfour' }),
  ],
  [
    '4.4',
    'edits of one line are 409',
    write('PUT', '/page/Clash', ids => ({ source: 'one\ntwo\nsix', comment: '', latest: { id: ids['Clash 0'] } })),
    error(409, 'edit-conflict'),
  ],
  [
    '4.4',
    'a conflict has the differences of the base and the latest revision',
    write('PUT', '/page/Clash', ids => ({ source: 'one\ntwo\nsix', comment: '', latest: { id: ids['Clash 0'] } })),
    {
      status: 409,
      body: has({
        remote: has({
          diff: expect.arrayContaining([has({ type: 1, text: 'four' }), has({ type: 2, text: 'three' })]),
        }),
      }),
    },
  ],
  [
    '4.4',
    'an unknown content model is 400',
    write('PUT', '/page/N', { source: 'x', comment: '', content_model: 'nope' }),
    400,
  ],
  [
    '4.4',
    'another content model than that of the page is 400',
    write('PUT', '/page/Beech', ids => ({ source: 'x', comment: '', latest: { id: ids.bot }, content_model: 'json' })),
    400,
  ],
  ['4.4', 'a body that is not JSON is 415', write('PUT', '/page/Beech', '{}', 'text/plain'), 415],
  [
    '4.4',
    'a session without its token is 400',
    withCookie('PUT', '/page/N', () => ({ source: 'x', comment: '' })),
    400,
  ],
  [
    '4.4',
    'a session with its token writes',
    withCookie('PUT', '/page/Put_4', token => ({ source: 'x', comment: '', token })),
    201,
  ],
]

const reads = (model: Model): readonly Row[] => [
  ['4.7', 'the slash of a subpage is %2F', get('/page/A%2Fb'), ok({ source: 'sub', title: 'A/b' })],
  [
    '4.8',
    'HTML for editing can be converted',
    get('/page/Bare/html?flavor=edit'),
    { status: 200, body: model === 'wikitext' ? expect.stringContaining('data-parsoid=') : expect.any(String) },
  ],
  [
    '4.8',
    'HTML for viewing may be asked for',
    get('/page/Bare/html?flavor=view'),
    { status: 200, body: expect.not.stringContaining('data-parsoid=') },
  ],
  [
    '4.8',
    'the HTML is that of the latest text',
    get('/page/Bare/html'),
    { status: 200, body: expect.stringContaining('text 20') },
  ],
  [
    '4.9',
    'a page without other languages has an empty array',
    get('/page/Words/links/language'),
    { status: 200, body: [] },
  ],
  [
    '2.3',
    'a language has its own name, and the title with and without spaces',
    after(
      write('PUT', '/page/Put_5', { source: markup.wikitext.languages, comment: '', content_model: 'wikitext' }),
      get('/page/Put_5/links/language'),
    ),
    {
      status: 200,
      body: [
        { code: 'de', name: 'Deutsch', key: 'Buche', title: 'Buche' },
        { code: 'fr', name: 'français', key: 'Grand_hêtre', title: 'Grand hêtre' },
      ],
    },
  ],
  [
    '4.10',
    'a page without files has an empty array',
    get('/page/A%2Fb/links/media'),
    { status: 200, body: { files: [] } },
  ],
  [
    '4.10',
    'a page has its files',
    after(
      write('PUT', '/page/Put_6', { source: markup[model].picture('Photo.png'), comment: '' }),
      get('/page/Put_6/links/media'),
    ),
    ok({ files: [has({ title: 'Photo.png' })] }),
  ],
  ['4.10', 'a hundred files are not too many', get('/page/Hundred/links/media'), 200],
  [
    '4.10',
    'more than a hundred files are 400',
    get('/page/Gallery/links/media'),
    error(400, 'rest-media-too-many-links'),
  ],
  [
    '4.11',
    'wikitext becomes HTML',
    transform('wikitext/to/html/Bare', { wikitext: "''x''" }),
    { status: 200, body: expect.stringMatching(/<i[^>]*>x<\/i>/) },
  ],
  [
    '4.11',
    'the title is the context',
    transform('wikitext/to/html/Bare', { wikitext: '{{PAGENAME}} here' }),
    { status: 200, body: expect.stringMatching(/Bare(?:<\/span>)? here/) },
  ],
  [
    '4.11',
    'the page is not changed',
    after(transform('wikitext/to/html/A%2Fb', { wikitext: 'x' }), get('/page/A%2Fb')),
    ok({ source: 'sub' }),
  ],
  [
    '4.12',
    'HTML becomes wikitext',
    transform('html/to/wikitext/None', { html: '<i>x</i>' }),
    { status: 200, body: "''x''" },
  ],
  [
    '4.12',
    'the page is not changed',
    after(transform('html/to/wikitext/A%2Fb', { html: 'x' }), get('/page/A%2Fb')),
    ok({ source: 'sub' }),
  ],
  [
    '4.13',
    'wikitext has problems',
    transform('wikitext/to/lint/None', { wikitext: '<b>x' }),
    { status: 200, body: [has({ type: 'missing-end-tag' })] },
  ],
  ['4.11', 'the title need not exist', transform('wikitext/to/html/None', { wikitext: 'x' }), 200],
  [
    '4.13',
    'the page is not changed',
    after(transform('wikitext/to/lint/A%2Fb', { wikitext: 'x' }), get('/page/A%2Fb')),
    ok({ source: 'sub' }),
  ],
  [
    '4.13',
    'wikitext without problems is an empty array',
    transform('wikitext/to/lint/None', { wikitext: 'x' }),
    { status: 200, body: [] },
  ],
  [
    '4.14',
    'a file has its original',
    get('/file/Photo.png'),
    ok({ title: 'Photo.png', original: has({ width: 1600 }) }),
  ],
]

const histories: readonly Row[] = [
  [
    '4.15',
    'older_than gives the 20 before a revision',
    get(ids => `/page/Beech/history?older_than=${ids.bot}`),
    revisions('anonymous', 'minor', 'Beech'),
  ],
  [
    '4.15',
    'older_than gives at most 20',
    leading(get('/page/Bare/history'), ({ body }) => `${body.latest}?older_than=${body.revisions[0].id}`),
    ok({ revisions: list(20) }),
  ],
  [
    '4.15',
    'newer_than gives those after a revision',
    get(ids => `/page/Beech/history?newer_than=${ids.Beech}`),
    revisions('bot', 'anonymous', 'minor'),
  ],
  [
    '4.15',
    'newer_than gives the 20 that follow, not the latest',
    get(ids => `/page/Bare/history?newer_than=${ids.Bare}`),
    ids => ok({ revisions: such((all: { id: number }[]) => all.length === 20 && all[19]!.id === ids.bot! + 1) }),
  ],
  ['4.15', 'minor edits are filtered', get('/page/Beech/history?filter=minor'), revisions('minor')],
  ['4.15', 'anonymous edits are filtered', get('/page/Beech/history?filter=anonymous'), revisions('anonymous')],
  ['4.15', 'edits of bots are filtered', get('/page/Beech/history?filter=bot'), revisions('bot')],
  ['4.15', 'edits that revert are filtered', get('/page/Rowan/history?filter=reverted'), revisions('Rowan 2')],
  ['4.15', 'two filters in one are refused', get('/page/Beech/history?filter=minor%7Cbot'), 400],
  ['4.15', 'no revision of a filter is 200', get('/page/A%2Fb/history?filter=reverted'), ok({ revisions: [] })],
  ['4.15', 'a revision of another page is 404', get(ids => `/page/Beech/history?older_than=${ids.Bare}`), 404],
  ['4.15', 'a revision id that is no number is refused', get('/page/Beech/history?older_than=a'), 400],
  ...(['anonymous', 'bot', 'minor', 'reverted'] as const).map(
    (type): Row => [
      '4.16',
      `edits that are ${type} are counted`,
      get(`/page/${type === 'reverted' ? 'Rowan' : 'Beech'}/history/counts/${type}`),
      { status: 200, body: { count: 1, limit: false } },
    ],
  ),
  ['4.16', 'editors are counted', get('/page/Beech/history/counts/editors'), ok({ count: 2 })],
  [
    '4.16',
    'from and to are not counted themselves',
    get(ids => `/page/Beech/history/counts/edits?from=${ids.Beech}&to=${ids.bot}`),
    ok({ count: 2 }),
  ],
  [
    '4.16',
    'editors between from and to are counted',
    get(ids => `/page/Beech/history/counts/editors?from=${ids.minor}&to=${ids.bot}`),
    ok({ count: 1 }),
  ],
  ['4.16', 'a revision id that is no number is refused', get('/page/Beech/history/counts/edits?from=a&to=b'), 400],
  ['4.16', '2,001 minor edits are 500', counting('minor', 2001), 500],
  ['4.16', '2,000 minor edits are counted', counting('minor', 2000), ok({ limit: true })],
  ...Object.entries(caps).flatMap(([type, cap]): Row[] => [
    [
      '8',
      `${cap} of ${type} are not too many`,
      counting(type, cap),
      { status: 200, body: { count: cap, limit: false } },
    ],
    [
      '8',
      `more of ${type} are the limit, with its mark`,
      counting(type, cap + 1),
      { status: 200, body: { count: cap, limit: true } },
    ],
  ]),
  [
    '4.17',
    'a revision that is not the latest has the address of its own HTML',
    get(ids => `/revision/${ids.anonymous}/bare`),
    ids => ok({ html_url: such((url: string) => url.endsWith(`/revision/${ids.anonymous}/html`)) }),
  ],
  [
    '4.18',
    'the source is that of the revision',
    get(ids => `/revision/${ids.anonymous}`),
    ok({ source: 'one\ntwo\nthree' }),
  ],
  [
    '4.19',
    'the HTML is that of the revision',
    get(ids => `/revision/${ids.anonymous}/html`),
    { status: 200, body: expect.stringContaining('three') },
  ],
  [
    '4.20',
    'the HTML in a revision is its own',
    get(ids => `/revision/${ids.anonymous}/with_html`),
    ok({ html: expect.stringContaining('three') }),
  ],
  ['4.21', 'the revision named first is the base', compare('Lines 1', 'Lines 0'), element({ type: 1, text: 'e' })],
  ['4.21', 'revisions of different pages are 400', compare('Beech', 'Bare'), error(400, 'rest-compare-page-mismatch')],
  [
    '4.21',
    'a revision that is no text is 400',
    compare('Binary', 'Binary 1'),
    error(400, 'rest-compare-wrong-content'),
  ],
  ['4.21', 'a hidden revision is 403', compare('Secret', 'Secret'), error(403, 'rest-compare-inaccessible')],
]

const authentication: readonly Row[] = [
  ['5', 'a bearer token may write', write('PUT', '/page/By_token', { source: 'x', comment: '' }), 201],
  [
    '5',
    'its owner is the author',
    after(write('PUT', '/page/By_token_2', { source: 'x', comment: '' }), get('/page/By_token_2/history')),
    ok({ revisions: [has({ user: has({ name: 'Ada' }) })] }),
  ],
  [
    '5',
    'an unknown bearer token is refused',
    ({ ask }) =>
      ask('/page/N', {
        method: 'PUT',
        headers: { authorization: 'Bearer none', 'content-type': 'application/json' },
        body: '{"source":"x","comment":""}',
      }),
    401,
  ],
  [
    '5',
    'the token of a session is in the body',
    withCookie('PUT', '/page/By_session', token => ({ source: 'x', comment: '', token })),
    201,
  ],
  [
    '5',
    'a wrong token of a session is refused',
    withCookie('PUT', '/page/N', () => ({ source: 'x', comment: '', token: 'wrong' })),
    403,
  ],
  [
    '5',
    'the token of a session has a route of its own',
    ({ ask, session }) => ask('/session', { headers: session }),
    ok({ csrf_token: expect.any(String) }),
  ],
  ['9', 'the version is in the path', get('http://localhost/v2/page/Beech'), 404],
]

/** Sentences that need a situation of their own. */
export const rowsOf = (model: Model): readonly Row[] => [
  ...searches,
  ...objects,
  ...comparisons(model),
  ...reads(model),
  ...histories,
  ...authentication,
  ...edits(model),
]
