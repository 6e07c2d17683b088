/** Requests whose texts, documents and forms cost as much as possible: every text is sent in every form that accepts one. */

const megabyte = 1024 * 1024
const numbered = (count, write) => Array.from({ length: count }, (_, at) => write(at)).join('')

/** Repeats a text up to this number of UTF-16 units. */
const filled = (text, units) => text.repeat(Math.floor(units / text.length))

/** Combining marks in the opposite of their canonical order, which normalization has to sort. */
const marks = count => `a${'\u0315'.repeat(count)}${'\u0316'.repeat(count)}`

/** Three versions of lines that differ in every third one. */
const contested = (lines, version) =>
  numbered(lines, at => `line ${at} has words${at % 3 === 0 ? ` of version ${version} ${at * version}` : ''}\n`)

/** Lines of texts that two people have changed at the same time, by the titles of their pages. */
const contests = { Contested: 12_000, Contested_long: 45_000, Contested_short: 300 }

/** Ids of the first revision of the first of them, and of the second. */
const contestedIds = [7026, 7042]

const contestedPages = version =>
  Object.fromEntries(Object.entries(contests).map(([title, lines]) => [`${title}.wiki`, contested(lines, version)]))

/** Texts of pages, by title, as they can be in git. */
const hostilePages = {
  'Nested_links.wiki': filled('[[a|', megabyte),
  'Open_brackets.wiki': filled('[', megabyte),
  'Same_links.wiki': filled('[[A]]', megabyte),
  'Long_links.wiki': numbered(6000, at => `[[${'a'.repeat(240)}${at}|x]]\n`),
  'Paths.wiki': numbered(60_000, at => `[[../${at}/../b${at}]]\n`),
  'Addresses.wiki': numbered(60_000, at => `[http://example.org/${at} x]\n`),
  'Pictures.wiki': numbered(40_000, at => `[[File:${at}.png|thumb|x]]\n`),
  'Categories.wiki': numbered(60_000, at => `[[Category:${at}]]\n`),
  'Percents.wiki': numbered(8000, at => `[[${'%41'.repeat(40)}${at}]]\n`),
  'Linked_marks.wiki': `[[${marks(100_000)}]] [a](${marks(100_000)}.md)\n`,
  'Some_links.wiki': numbered(9000, at => `[[${at}]] [[P/${at}]]\n`),
  'Markdown_links.md': numbered(60_000, at => `[a](b${at}.md)\n`),
  'Markdown_brackets.md': filled('![[', megabyte),
  'Markdown_marks.md': `[a](${marks(100_000)}.md) [[${marks(100_000)}]]\n`,
  'Markdown_paths.md': numbered(30_000, at => `[[x/../${at}/./b ${at}]]\n`),
}

/** Files by path, commit by commit. */
export const hostileWiki = [{ ...hostilePages, ...contestedPages(1) }, contestedPages(2)]

const linkQueries = {
  'first page': title => `/wiki/${title}`,
  HTML: title => `page/${title}/html`,
  'links from': title => `page/${title}/links/out`,
  'links here': title => `page/${title}/links/here`,
  media: title => `page/${title}/links/media`,
  'neighbours, as a page': title => `/wiki/${title}?action=links`,
  facts: title => `/wiki/${title}?action=info`,
  'form of deletion': title => `/wiki/Special:DeletePage/${title}`,
}

const linkRequests = Object.keys(hostilePages).flatMap(path =>
  Object.entries(linkQueries).map(([what, address]) => ({
    name: `${what}: ${path}`,
    path: address(path.replace(/\.wiki$|\.md$/, '')),
    slow: true,
  })),
)

/** Documents that browsers would have to accept. */
const documents = {
  'nested elements': bytes => filled('<div>', bytes),
  'nested tables': bytes => filled('<table><tr><td>', bytes),
  'nested lists': bytes => filled('<ul><li>', bytes),
  'nested quotations with ends': bytes => filled('<blockquote>', bytes / 2) + filled('</blockquote>', bytes / 2),
  'formatting behind formatting': bytes => numbered(bytes / 60, at => `<b id="${at}">`) + filled('<p>a', bytes / 2),
  'links across blocks': bytes => filled('<a href="x"><p>a<a href="y"></p>', bytes),
  'attributes of one element': bytes => `<p ${numbered(bytes / 10, at => `a${at}=1 `)}>a</p>`,
  'a long attribute': bytes => `<p title="${filled('&amp;', bytes)}">a</p>`,
  'attributes of the body': bytes => numbered(bytes / 20, at => `<body a${at}="1">`),
  'a row of cells': bytes => `<table><tr>${filled('<td>a', bytes)}</table>`,
  'cells that span': bytes => `<table>${filled('<tr><td colspan="1000" rowspan="65534">a</td></tr>', bytes)}</table>`,
  'rows outside of tables': bytes => `<table>${filled('<b>a<tr>', bytes)}`,
  references: bytes => filled('&lt;&#x41;&notit;', bytes),
  'open references': bytes => filled('&', bytes),
  'open comments': bytes => filled('<!--', bytes),
  'ends without beginnings': bytes => filled('</p></br>', bytes),
  drawings: bytes => filled('<svg><math><mi>', bytes),
  'nested templates of HTML': bytes => filled('<template>', bytes),
  'nested menus': bytes => filled('<select><option>', bytes),
  'links of the wiki': bytes => numbered(bytes / 40, at => `<a rel="mw:WikiLink" href="./A${at}">A ${at}</a>`),
  'places that are nonsense': bytes =>
    numbered(bytes / 70, at => `<p data-parsoid='{"dsr":[${at},-1,1e9,{"a":[]}]}'>a</p>`),
  'values that are nested': bytes =>
    `<p typeof="mw:Transclusion" data-mw='{"parts":${filled('[', bytes / 2)}${filled(']', bytes / 2)}}'>a</p>`,
  'templates of many values': bytes =>
    `<p typeof="mw:Transclusion" data-mw='{"parts":[{"template":{"target":{"wt":"T1","href":"./Template:T1"},"params":{${numbered(bytes / 24, at => `"${at}":{"wt":"a"},`)}"x":{"wt":"a"}}}}]}'>a</p>`,
  'one template in many parts': bytes =>
    `<p typeof="mw:Transclusion" data-mw='{"parts":[${filled('{"template":{"target":{"wt":"T1"}}},', bytes)}"a"]}'>a</p>`,
  'references in values': bytes =>
    `<p typeof="mw:Transclusion" data-mw="${filled('&quot;template&quot;', bytes)}">a</p>`,
  'parts of one template': bytes => filled('<p about="#mwt1" typeof="mw:Transclusion">a</p>', bytes),
  'notes of notes': bytes =>
    numbered(
      bytes / 110,
      at =>
        `<sup typeof="mw:Extension/ref" data-mw='{"name":"ref","body":{"id":"n${at + 1}"}}'>a</sup><i id="n${at}">a</i>`,
    ),
  'galleries without end': bytes => `<ul typeof="mw:Extension/gallery">${filled('<li class="gallerybox">a', bytes)}`,
  'words that look like wikitext': bytes => `<p>${filled("''[[{{~~~~", bytes)}`,
  'lines that look like lists': bytes => filled('<p>*#:; a\n</p>', bytes),
  marks: bytes => `<p>${marks(bytes / 2)}</p>`,
}

const documentRequests = Object.entries(documents).flatMap(([what, make]) => [
  {
    name: `HTML to wikitext: ${what}, 4 MB`,
    slow: true,
    method: 'POST',
    path: 'transform/html/to/wikitext',
    body: () => ({ html: make(4 * megabyte) }),
  },
  {
    name: `HTML to wikitext of a revision: ${what}, 1 MB`,
    slow: true,
    method: 'POST',
    path: 'transform/html/to/wikitext/Edited/3',
    body: () => ({ html: make(megabyte), original: { html: make(megabyte), wikitext: 'a' } }),
  },
])

/** Texts that are sent as sources. */
const texts = {
  marks: bytes => marks(bytes / 4),
  'marks in turns': bytes => filled(`a${'\u0315\u0316'.repeat(15)}`, bytes / 2),
  'decomposed letters': bytes => filled('e\u0301', bytes / 2),
  'Korean letters': bytes => filled('\u1112\u1161\u11ab', bytes / 3),
  'halves of characters': bytes => filled('\ud800a', bytes / 4),
  'line feeds': bytes => filled('\n', bytes),
  'carriage returns': bytes => filled('\r\n', bytes),
  'one word': bytes => filled('a', bytes),
  words: bytes => numbered(bytes / 7, at => `${at % 9973} `),
  signatures: bytes => filled('~~~~\n', bytes),
  templates: bytes => filled('{{subst:T1}}', bytes),
  headings: bytes => filled('= a =\n', bytes),
}

/** Users without a session send this token. */
const token = '+\\'
const form = fields => String(new URLSearchParams({ token, ...fields }))
const urlEncoded = 'application/x-www-form-urlencoded'
const boundary = 'boundary'
const multipart = `multipart/form-data; boundary=${boundary}`

/** Parts of a form with files. A value with a file name is one. */
function parts(fields) {
  const part = ([name, value, file]) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ''}\r\n\r\n${value}\r\n`
  return Buffer.from(`${[['token', token], ...fields].map(part).join('')}--${boundary}--\r\n`)
}

/** Ways to send a text. Those that write change pages that no other row reads. */
const ways = {
  'PUT of a page': text => ({
    method: 'PUT',
    path: 'page/Hostile',
    body: () => ({ source: text(1.9 * megabyte), comment: '' }),
  }),
  'PUT of 4.8 MB': text => ({
    method: 'PUT',
    path: 'page/Hostile_large',
    body: () => ({ source: text(4.8 * megabyte), comment: '' }),
  }),
  'edit from an older revision': text => ({
    method: 'PUT',
    path: 'page/Edited',
    body: () => ({ source: text(1.9 * megabyte), comment: text(40_000), latest: { id: 3 } }),
  }),
  comparison: text => ({
    method: 'POST',
    path: 'compare',
    body: () => ({ from: { text: text(1.9 * megabyte) }, to: { text: text(1.8 * megabyte) } }),
  }),
  'comparison with 4.8 MB': text => ({
    method: 'POST',
    path: 'compare',
    body: () => ({ from: { title: 'Large' }, to: { text: text(1.9 * megabyte) } }),
  }),
  merge: text => ({
    method: 'POST',
    path: 'merge',
    body: () => ({
      base: { text: text(0.9 * megabyte) },
      mine: { text: text(1.2 * megabyte) },
      theirs: { text: text(megabyte) },
    }),
  }),
  'merge with 4.8 MB': text => ({
    method: 'POST',
    path: 'merge',
    body: () => ({ base: { id: 5 }, mine: { text: text(1.9 * megabyte) }, theirs: { title: 'Large' } }),
  }),
  'wikitext to HTML': text => ({
    method: 'POST',
    path: 'transform/wikitext/to/html',
    body: () => ({ wikitext: text(1.9 * megabyte) }),
  }),
  'preview in a form': text => ({
    method: 'POST',
    path: '/wiki/Edited?action=submit',
    type: urlEncoded,
    text: () => form({ do: 'preview', base: '3', text: text(1.9 * megabyte), summary: text(300_000) }),
  }),
  'changes in a form': text => ({
    method: 'POST',
    path: '/wiki/Large?action=submit',
    type: urlEncoded,
    text: () => form({ do: 'changes', base: '5', text: text(1.9 * megabyte) }),
  }),
  'a conflict in a form': text => ({
    method: 'POST',
    path: '/wiki/Edited?action=submit',
    type: multipart,
    text: () =>
      parts([
        ['do', 'save'],
        ['base', '3'],
        ['text', text(1.9 * megabyte)],
      ]),
  }),
  'choices of a conflict': text => ({
    method: 'POST',
    path: '/wiki/Edited?action=submit',
    type: multipart,
    text: () =>
      parts([
        ['do', 'resolve'],
        ['base', '3'],
        ['current', '2008'],
        ['text', text(megabyte)],
        ...Array.from({ length: 400 }, (_, at) => [`edit-${at + 1}`, text(10_000)]),
        ...Array.from({ length: 400 }, (_, at) => [`choice-${at + 1}`, 'edit']),
      ]),
  }),
  'pasted HTML': text => ({
    method: 'POST',
    path: '/wiki/Edited?action=submit',
    type: urlEncoded,
    text: () => form({ do: 'convert', html: `<p>${text(200_000)}</p>` }),
  }),
  'a section of 4.8 MB': text => ({
    method: 'POST',
    path: '/wiki/Headings?action=submit',
    type: urlEncoded,
    text: () => form({ do: 'save', base: '2014', section: '3', text: text(1.9 * megabyte) }),
  }),
  'a new name': text => ({
    method: 'POST',
    path: '/wiki/Special:MovePage/Cheap',
    type: urlEncoded,
    text: () => form({ do: 'preview', to: text(1.9 * megabyte), reason: text(megabyte), updateLinks: '1' }),
  }),
  'a reason of deletion': text => ({
    method: 'POST',
    path: '/wiki/Special:DeletePage/Missing',
    type: urlEncoded,
    text: () => form({ reason: text(1.9 * megabyte), shown: text(megabyte) }),
  }),
  'a reason of restoring': text => ({
    method: 'POST',
    path: '/wiki/Special:RestorePage/Cheap',
    type: urlEncoded,
    text: () => form({ reason: text(1.9 * megabyte) }),
  }),
  'a description of a file': text => ({
    method: 'POST',
    path: '/wiki/Special:Upload',
    type: multipart,
    text: () =>
      parts([
        ['name', text(100_000)],
        ['description', text(4 * megabyte)],
        ['file', 'a', text(900)],
      ]),
  }),
  'signing in': text => ({
    method: 'POST',
    path: '/wiki/Special:UserLogin',
    type: urlEncoded,
    text: () => form({ login: text(3 * megabyte), returnto: text(megabyte) }),
  }),
  settings: text => ({
    method: 'POST',
    path: '/wiki/Special:Settings',
    type: urlEncoded,
    text: () => form({ name: text(3 * megabyte), language: text(megabyte), login: text(100_000) }),
  }),
  tokens: text => ({
    method: 'POST',
    path: '/wiki/Special:Tokens',
    type: urlEncoded,
    text: () => form({ do: 'create', name: text(3 * megabyte), days: text(megabyte) }),
  }),
  'a title in JSON': text => ({
    method: 'POST',
    path: 'page',
    body: () => ({ title: text(1.9 * megabyte), source: 'a', comment: text(megabyte) }),
  }),
  'a name of a user': text => ({ path: `changes?user=${encodeURIComponent(text(1500).toWellFormed())}` }),
  'a search': text => ({ path: `search/page?q=${encodeURIComponent(text(1500).toWellFormed())}` }),
  'a search among titles': text => ({ path: `search/title?q=${encodeURIComponent(text(1500).toWellFormed())}` }),
}

const textRequests = Object.entries(texts).flatMap(([what, text]) =>
  Object.entries(ways).map(([way, request]) => ({ name: `${way}: ${what}`, slow: true, ...request(text) })),
)

/** Forms whose number of parts and sizes are the cost. */
const formRequests = Object.entries({
  'a file of 32 MB': () => parts([['file', 'a'.repeat(31 * megabyte), 'a.png']]),
  'boundaries of 40 MB': () => filled(`\r\n--${boundary} `, 40 * megabyte),
  'almost boundaries of 40 MB': () => filled(`\r\n--${boundary.slice(0, -1)}`, 40 * megabyte),
  'a thousand files': () => parts(Array.from({ length: 990 }, (_, at) => [`f${at}`, 'a'.repeat(40_000), `${at}.png`])),
}).map(([what, text]) => ({
  name: `a form with ${what}`,
  slow: true,
  method: 'POST',
  path: '/wiki/Special:Upload',
  type: multipart,
  text,
}))

/** Ways to send a text that conflicts with the latest one. */
const conflictForms = {
  saving: () => ({ do: 'save' }),
  choosing: () => ({ do: 'resolve', ...choices('mine') }),
  'leaving open': () => ({ do: 'resolve' }),
  'a preview of choices': () => ({ do: 'preview-chosen', ...choices('both') }),
}
const choices = choice => Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`choice-${at + 1}`, choice]))

const conflictRequests = Object.entries(contests).flatMap(([title, lines], at) =>
  Object.entries(conflictForms).map(([what, fields]) => ({
    name: `a conflict of ${lines} lines, ${what}`,
    slow: true,
    method: 'POST',
    path: `/wiki/${title}?action=submit`,
    type: urlEncoded,
    text: () =>
      form({
        base: `${contestedIds[0] + at}`,
        current: `${contestedIds[1] + at}`,
        text: contested(lines, 3),
        ...fields(),
      }),
  })),
)

/** Actions on pages of 4.8 MB. They change the wiki, so they are last. */
const actionRequests = Object.entries({
  'undoing a revision of 4.8 MB': ['page/Large/undo', { revision: 2009, dryRun: true }],
  'undoing all revisions': ['page/Busy/undo', { revision: 12000, after: 7100, dryRun: true }],
  'moving 4.8 MB, only to see': ['page/Large/move', { to: 'Larger', updateLinks: true, dryRun: true }],
  'moving a page that 10,000 link to': ['page/Cheap/move', { to: 'Cheaper', updateLinks: true, dryRun: true }],
  'moving a template': ['page/Template:T1/move', { to: 'Template:T0000', updateLinks: true, dryRun: true }],
  'moving 4.8 MB': ['page/Large/move', { to: 'Larger' }],
}).map(([name, [path, body]]) => ({ name, slow: true, method: 'POST', path, body: () => ({ comment: '', ...body }) }))

export const hostileRequests = [
  ...textRequests,
  ...documentRequests,
  ...linkRequests,
  ...conflictRequests,
  ...formRequests,
  ...actionRequests,
]
