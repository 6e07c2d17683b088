/** Requests that demand as much as one request can, and the wiki that they are sent to. */

import { crc32, deflateSync } from 'node:zlib'

const megabyte = 1024 * 1024
const most = 1.9 * megabyte

/** The same numbers in every run, between 0 and 1. */
function randomNumbers(seed) {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Random letters, of the first `of` of the alphabet, separated by spaces, with a line feed after every `line` of them. */
function letters(seed, { of, line, bytes = most }) {
  const random = randomNumbers(seed)
  const pieces = []
  for (let at = 0; at < bytes / 2; at++) {
    pieces.push(String.fromCharCode(97 + Math.floor(random() * of)), (at + 1) % line === 0 ? '\n' : ' ')
  }
  return pieces.join('')
}

const numbered = (count, write) => Array.from({ length: count }, (_, at) => write(at)).join('')

/** Levels of a drawing that each show the one below ten times. */
const drawing = levels =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><g id="a0"><rect width="1" height="1"/></g>${numbered(
    levels,
    at => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
  )}</svg>`

/** A picture with this number of pixels on each side, of one colour: few bytes that become many. */
function picture(side) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side)
  head.writeUInt32BE(side, 4)
  // 8 bits, red, green and blue.
  head.set([8, 2], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const rows = deflateSync(Buffer.alloc((3 * side + 1) * side))
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** Lines of one letter. */
function shortLines(seed, count = 950_000) {
  const random = randomNumbers(seed)
  return numbered(count, () => `${String.fromCharCode(97 + Math.floor(random() * 26))}\n`)
}

/** Files by path, commit by commit. */
export function worstWiki() {
  const large = { of: 8, line: 20, bytes: 4.8 * megabyte }
  return [
    {
      'Cheap.wiki': 'A page.\n',
      'Large.wiki': letters(1, large),
      'Edited.wiki': letters(1, { of: 8, line: 1 }),
      'Gallery.wiki': `<gallery>\n${'A.png\n'.repeat(100_000)}</gallery>\n`,
      'Links.wiki': numbered(150_000, at => `[[${at}]]`),
      'Deep.json': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      'Marked.md': '*a **b '.repeat(100_000),
      'Drawing.svg': drawing(9),
      ...Object.fromEntries(
        Array.from({ length: 2000 }, (_, at) => [`P/${at}.wiki`, `word${at} and ${at % 7} more\n`]),
      ),
    },
    { 'Large.wiki': letters(2, large), 'Edited.wiki': letters(2, { of: 8, line: 1 }) },
    {
      'Called.wiki': numbered(5000, at => `{{T${at}}}`),
      'Words.wiki': letters(5, { of: 8, line: 1000, bytes: 1.9 * megabyte }),
      'Lines.wiki': '\n'.repeat(1_900_000),
      'Faults.wiki': numbered(40_000, at => `<b>${at}\n\n`),
      'Headings.wiki': numbered(50_000, at => `== ${at} ==\n`),
      'Short.wiki': shortLines(11),
      'Broken.wiki': numbered(10_000, at => `[[Missing ${at}]] and [[Cheap#Missing ${at}]]\n`),
      'Cells.wiki': `{|\n${'|-\n| a || b || c || d\n'.repeat(40_000)}|}\n`,
      'One_line.wiki': `${'one long line of words '.repeat(130_000)}\n`,
      'Nested.wiki': '{{Nested}}\n'.repeat(1000),
      'Template/Nested.wiki': '{{Deep|{{Deep|{{Deep|{{Deep|a}}}}}}}}',
      'Template/Deep.wiki': '{{{1}}}{{{1}}}{{{1}}}{{{1}}}{{{1}}}',
      'Large.png': picture(9000),
      ...Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`Template/T${at}.wiki`, `t${at}\n`])),
    },
    { 'Short.wiki': shortLines(12), 'One_line.wiki': `${'one longer line of words '.repeat(120_000)}\n` },
  ]
}

/** Revisions of one page, as `git fast-import` reads them: each a small text by one of many people. */
export function worstHistory(count = 5000) {
  const revision = at => {
    const [text, comment] = [`word${at} and ${at % 7} more\n`, `edit ${at} ${'é'.repeat(200)}`]
    return [
      'commit refs/heads/main',
      `committer Person ${at % 900} <p${at % 900}@example.org> ${1_700_000_000 + at * 60} +0000`,
      `data ${Buffer.byteLength(comment)}\n${comment}`,
      ...(at === 0 ? ['from refs/heads/main^0'] : []),
      `M 100644 inline Busy.wiki\ndata ${text.length}\n${text}`,
    ].join('\n')
  }
  return numbered(count, at => `${revision(at)}\n`)
}

const compare = (from, to) => () => ({ from: { text: from() }, to: { text: to() } })
const wikitext = text => () => ({ wikitext: text() })

/** Requests that run for seconds before a limit stops them. */
const slowTransforms = ['150,000 links', '150,000 templates', 'lists in and out', 'tables that are not closed']

const transforms = {
  'a gallery of 100,000 lines': () => `<gallery>\n${'A.png\n'.repeat(100_000)}</gallery>`,
  '100,000 notes': () => '<ref>a</ref>'.repeat(100_000),
  '150,000 links': () => numbered(150_000, at => `[[${at}]]`),
  '150,000 templates': () => numbered(150_000, at => `{{${at}}}`),
  'lists in and out': () => numbered(60_000, at => `${at % 2 ? '*#:;'.repeat(5) : '#'}a\n`),
  'tables that are not closed': () => '{|\n|\n'.repeat(300_000),
  'a small text of 2,400 templates': () => numbered(2400, at => `{{${at % 9}}}`).slice(0, 9_999),
}

/** Every row: a name, the request, and whether it fully uses a worker. */
export const worstRequests = [
  { name: 'nothing', path: 'page/Cheap/bare' },
  ...Object.entries({
    'two letters, one line': { of: 2, line: 1e9 },
    'eight letters, a line each': { of: 8, line: 1, bytes: 1.3 * megabyte },
    'lines of 20 letters': { of: 8, line: 20 },
    'lines of 3,000 letters': { of: 2, line: 3000 },
  }).map(([what, how]) => ({
    ...(how.line < 1e9 && { slow: true }),
    name: `compare ${what}, two of ${((how.bytes ?? most) / megabyte).toFixed(1)} MB`,
    method: 'POST',
    path: 'compare',
    body: compare(
      () => letters(3, how),
      () => letters(4, how),
    ),
  })),
  { name: 'compare revisions of 4.8 MB', path: 'revision/5/compare/2009', slow: true },
  ...['html', 'lint'].flatMap(to =>
    Object.entries(transforms).map(([what, text]) => ({
      ...((to === 'lint' || slowTransforms.includes(what)) && { slow: true }),
      name: `wikitext to ${to}: ${what}`,
      method: 'POST',
      path: `transform/wikitext/to/${to}`,
      body: wikitext(text),
    })),
  ),
  ...Object.entries({
    tables: '<table><tr><td>a <b>b</b></td></tr></table>',
    'elements that are not closed': '<b><i>',
    templates: `<p typeof="mw:Transclusion" data-mw='{"parts":[{"template":{"target":{"wt":"a"}}}]}'>x</p>`,
  }).map(([what, html]) => ({
    name: `HTML to wikitext: ${what}, 3.5 MB`,
    ...(what === 'tables' && { slow: true }),
    method: 'POST',
    path: 'transform/html/to/wikitext',
    body: () => ({ html: html.repeat((3.5 * megabyte) / html.length / 1.2) }),
  })),
  {
    name: 'edit conflict, 1.9 MB',
    slow: true,
    method: 'PUT',
    path: 'page/Edited',
    body: () => ({ source: letters(7, { of: 8, line: 1 }), comment: '', latest: { id: 3 } }),
  },
  {
    name: 'a new page of 1.9 MB',
    method: 'PUT',
    path: 'page/New',
    body: () => ({ source: letters(8, { of: 26, line: 9 }), comment: '' }),
  },
  { name: 'a page of 4.8 MB', path: 'page/Large' },
  { name: 'HTML of a page of 4.8 MB', path: 'page/Large/html' },
  { name: 'HTML of a gallery of 100,000 lines', path: 'page/Gallery/html' },
  { name: 'lint of 150,000 links', path: 'page/Links/lint' },
  { name: 'links of 150,000 links', path: 'page/Links/links/media' },
  { name: 'HTML of deep JSON', path: 'page/Deep.json/html' },
  { name: 'HTML of marks without an end', path: 'page/Marked/html' },
  { name: 'a thumbnail of a drawing of 10^9 parts', path: '/files/thumb/Drawing.svg/320px' },
  { name: 'search of 60 words', path: `search/page?q=${numbered(60, at => `word${at}+`)}` },
  { name: 'search of any of 60 words', path: `search/page?q=${numbered(60, at => `word${at}+OR+`)}x` },
  { name: 'search of beginnings', path: 'search/page?q=w*+a*+m*+1*' },
  { name: 'search of a pattern', path: 'search/page?q=insource:/(a|b|word)*[0-9]%2Bx?/' },
  { name: 'titles that begin alike', path: 'search/title?q=P' },
  { name: 'HTML of 5,000 templates', slow: true, path: 'page/Called/html' },
  { name: 'HTML of 5,000 templates, kept', slow: true, path: 'page/Called/html?again' },
  { name: 'HTML of 50,000 headings', slow: true, path: 'page/Headings/html' },
  { name: 'HTML of 1,900,000 line feeds', path: 'page/Lines/html' },
  { name: 'lint of 40,000 faults', slow: true, path: 'page/Faults/lint' },
  { name: 'authors of each word, 1.9 MB', slow: true, path: 'page/Edited/authorship' },
  { name: 'authors of each word as a page', slow: true, path: '/wiki/Edited?action=authors' },
  { name: 'authors of one line, 1.9 MB', path: 'page/Words/authorship' },
  { name: 'authors of 5,000 revisions', path: 'page/Busy/authorship' },
  { name: 'history of 5,000 revisions', path: 'page/Busy/history' },
  { name: 'editors of 5,000 revisions', path: 'page/Busy/history/counts/editors' },
  { name: 'the last 500 changes', path: 'changes?limit=500' },
  { name: 'changes of somebody unknown', path: 'changes?limit=500&user=Nobody' },
  { name: 'a phrase of 60 words', path: `search/page?q="${numbered(60, at => `word${at}+`)}"` },
  { name: 'all but one word', path: 'search/page?q=-word1' },
  { name: 'words that are alike', path: `search/page?q=${numbered(60, at => `wrd${at}~2+`)}` },
  { name: 'search of one letter', path: 'search/page?q=a' },
  { name: 'search of a pattern that fits nowhere', path: 'search/page?q=insource:/(a+%20)%2Bq/' },
  ...Object.entries({
    'as JSON, escaped': ['application/json', () => `{"source":"${'\\u0061'.repeat(640_000)}","comment":""}`],
    'as JSON, many fields': ['application/json', () => `{${numbered(300_000, at => `"${at}":1,`)}"source":""}`],
    'as JSON, many lists': ['application/json', () => `[${'[],'.repeat(1_300_000)}[]]`],
  }).map(([what, [type, text]]) => ({ name: `a body of 4 MB ${what}`, method: 'PUT', path: 'page/New', type, text })),
  ...Object.entries({
    'as a form': () => `wikitext=${'%61'.repeat(1_300_000)}`,
    'as a form, many fields': () => 'a=b&'.repeat(1_000_000),
  }).map(([what, text]) => ({
    name: `a body of 4 MB ${what}`,
    method: 'POST',
    path: 'transform/wikitext/to/lint',
    type: 'application/x-www-form-urlencoded',
    text,
  })),
  {
    name: 'HTML to wikitext: 9 MB of templates',
    slow: true,
    method: 'POST',
    path: 'transform/html/to/wikitext',
    body: () => ({
      html: numbered(
        60_000,
        at => `<p typeof="mw:Transclusion" data-mw='{"parts":[{"template":{"target":{"wt":"T${at}"}}}]}'>x</p>`,
      ),
    }),
  },
  {
    name: 'HTML to wikitext: what a template never ends',
    method: 'POST',
    path: 'transform/html/to/wikitext',
    body: () => ({ html: ' data-mw = "'.repeat(300_000) }),
  },
  { name: 'a page for browsers of 4.8 MB', path: '/wiki/Large' },
  { name: 'its text', path: '/wiki/Large?action=raw' },
  { name: 'its facts', path: '/wiki/Large?action=info' },
  { name: 'its last change', path: '/wiki/Special:Diff/2009' },
  { name: 'its history', path: '/wiki/Busy?action=history&limit=500' },
  { name: 'pages that link to a template', path: '/wiki/Special:WhatLinksHere/Template:T1' },
  { name: 'a search for browsers', path: `/wiki/Special:Search?search=${numbered(60, at => `word${at}+OR+`)}` },
  ...Object.entries({
    'lines of one letter': 'Short',
    'a line of 3 MB': 'One_line',
    'random words, 4.8 MB': 'Large',
    'empty lines': 'Lines',
    '10,000 broken links': 'Broken',
  }).flatMap(([what, page]) => [
    { name: `the page: ${what}`, path: `/wiki/${page}` },
    { name: `the form: ${what}`, path: `/wiki/${page}?action=edit` },
    { name: `the form of a section: ${what}`, path: `/wiki/${page}?action=edit&section=1` },
    { name: `the last change: ${what}`, path: `/wiki/${page}?diff=prev`, slow: true },
    { name: `the last change, both sides: ${what}`, path: `/wiki/${page}?diff=prev&view=side`, slow: true },
    { name: `undoing it: ${what}`, path: `/wiki/${page}?action=edit&undo=9`, slow: true },
    { name: `the authors: ${what}`, path: `/wiki/${page}?action=authors`, slow: true },
    { name: `authors: ${what}`, path: `page/${page}/authorship`, slow: true },
    { name: `source: ${what}`, path: `page/${page}` },
    { name: `HTML: ${what}`, path: `page/${page}/html`, slow: true },
    { name: `HTML for editors: ${what}`, path: `page/${page}/html?flavor=edit&stash=1`, slow: true },
    { name: `source and HTML: ${what}`, path: `page/${page}/with_html`, slow: true },
    { name: `lint: ${what}`, path: `page/${page}/lint`, slow: true },
    { name: `links from: ${what}`, path: `page/${page}/links/out` },
    { name: `links from, as a page: ${what}`, path: `/wiki/${page}?action=links` },
  ]),
  { name: 'HTML of a table of 160,000 cells', path: 'page/Cells/html' },
  { name: 'HTML of templates in templates', path: 'page/Nested/html' },
  { name: 'a thumbnail of 81 million pixels', path: '/files/thumb/Large.png/640px' },
  { name: 'facts of 81 million pixels', path: 'file/Large.png' },
  {
    name: 'an upload of 60 MB',
    method: 'PUT',
    path: 'file/Uploaded.bin',
    type: 'application/octet-stream',
    text: () => Buffer.alloc(60 * megabyte, 'words '),
  },
  ...['merge', 'page/Edited'].map(path => ({
    name: `three texts of 0.6 MB, ${path}`,
    slow: true,
    method: path === 'merge' ? 'POST' : 'PUT',
    path,
    body: () => {
      const [base, mine, theirs] = [1, 5, 6].map(seed => letters(seed, { of: 20, line: 3, bytes: 0.6 * megabyte }))
      if (path !== 'merge') return { source: mine, comment: '', latest: { id: 3 } }
      return { base: { text: base }, mine: { text: mine }, theirs: { text: theirs } }
    },
  })),
  ...['preview', 'changes', 'save', 'convert'].map(action => ({
    name: `a form of 1.9 MB: ${action}`,
    slow: true,
    method: 'POST',
    path: '/wiki/Edited?action=edit',
    type: 'application/x-www-form-urlencoded',
    text: () =>
      String(
        new URLSearchParams({
          do: action,
          base: '3',
          text: letters(7, { of: 8, line: 1 }),
          html: '<p>a <b>b</b></p>'.repeat(14_000),
        }),
      ),
  })),
  ...['anonymous', 'minor', 'bot', 'reverted'].map(filter => ({
    name: `history of 5,000 revisions, ${filter}`,
    path: `page/Busy/history?filter=${filter}`,
  })),
  ...['anonymous', 'bot', 'minor', 'reverted', 'edits'].map(type => ({
    name: `counts of 5,000 revisions, ${type}`,
    path: `page/Busy/history/counts/${type}`,
  })),
  { name: 'the feed', path: 'feed?limit=500' },
  { name: 'the feed of a page', path: '/wiki/Busy?action=history&feed=atom' },
  { name: 'recent changes for browsers', path: '/wiki/Special:RecentChanges?limit=500' },
  { name: 'contributions', path: '/wiki/Special:Contributions/Person_1?limit=500' },
  { name: 'contributions of nobody', path: '/wiki/Special:Contributions/Nobody?limit=500' },
  { name: 'pages that do not exist', path: 'lists/wanted?limit=500' },
  { name: 'pages without links', path: '/wiki/Special:Lists/orphans' },
  { name: 'statistics', path: '/wiki/Special:Statistics' },
  { name: 'problems of all pages', path: '/wiki/Special:LintErrors', slow: true },
  { name: 'files', path: 'files?limit=500' },
  { name: 'the specification', path: 'openapi.json' },
  { name: 'all pages', path: '/wiki/Special:AllPages?limit=500' },
  { name: 'the most linked pages', path: '/wiki/Special:Lists/most-linked' },
]
