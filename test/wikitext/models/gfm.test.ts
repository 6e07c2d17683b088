/**
 * The extensions that GitHub documents beyond CommonMark. Each row follows a sentence of a document.
 * Source: https://github.github.com/gfm/, https://docs.github.com/get-started/writing-on-github
 */

import { describe, expect, test } from 'vitest'
import { contentToHtml, memoryWiki } from '../../../src/wikitext/index.ts'

const wiki = memoryWiki({ pages: { 'Low tide': 'a' } })

/** Without the attributes that are the engine's own. */
async function html(text: string): Promise<string> {
  const options = { title: 'Tides', wiki, bodyOnly: true, settings: { elementIds: false, sections: false } }
  const { html: shown } = await contentToHtml(text, 'markdown', options)
  return shown.replace(
    / (?:rel|title|typeof|data-mw-i18n|class="(?:external|new|mw-)[^"]*")(?:="[^"]*"|='[^']*')?/g,
    '',
  )
}

type Rows = readonly (readonly [rule: string, text: string, html: string])[]

const link = (address: string, text = address) => `<a href="${address}">${text}</a>`
const cell = (tag: 'th' | 'td', ...texts: string[]) => texts.map(text => `<${tag}>${text}</${tag}>`).join('')

const strikethrough: Rows = [
  ['two tildes strike', 'a ~~ebb tide~~ b', '<p>a <del>ebb tide</del> b</p>'],
  ['one tilde strikes', 'a ~ebb tide~ b', '<p>a <del>ebb tide</del> b</p>'],
  ['three tildes do not', 'a ~~~ebb~~~ b', '<p>a ~~~ebb~~~ b</p>'],
  ['four do not', 'a ~~~~ebb~~~~ b', '<p>a ~~~~ebb~~~~ b</p>'],
  ['both ends have the same number', 'a ~ebb~~ b', '<p>a ~ebb~~ b</p>'],
  ['one ends in its paragraph', 'a ~~ebb\n\ntide~~ b', '<p>a ~~ebb</p><p>tide~~ b</p>'],
  ['an opening sign stands before a word', 'a ~ ebb~ b', '<p>a ~ ebb~ b</p>'],
  ['a closing sign stands after a word', 'a ~ebb ~ b', '<p>a ~ebb ~ b</p>'],
  ['it contains emphasis', '~~a *b* c~~', '<p><del>a <em>b</em> c</del></p>'],
  ['emphasis contains it', '**a ~b~ c**', '<p><strong>a <del>b</del> c</strong></p>'],
  ['a code span is not struck', '`~a~`', '<p><code>~a~</code></p>'],
  ['an escaped one is a sign', '\\~a~', '<p>~a~</p>'],
]

const autolinks: Rows = [
  ['www. and a domain', 'www.sea.example', `<p>${link('http://www.sea.example', 'www.sea.example')}</p>`],
  [
    'www. with a path',
    'see www.sea.example/a/b now',
    `<p>see ${link('http://www.sea.example/a/b', 'www.sea.example/a/b')} now</p>`,
  ],
  ['www. needs a period after it', 'www.sea', `<p>${link('http://www.sea', 'www.sea')}</p>`],
  ['www. alone is text', 'www. a', '<p>www. a</p>'],
  ['no underscore in the last two parts', 'www.a.b_c.d', '<p>www.a.b_c.d</p>'],
  ['an underscore before these', 'www.a_b.c.d', `<p>${link('http://www.a_b.c.d', 'www.a_b.c.d')}</p>`],
  [
    'a period at the end is the sentence’s',
    'www.sea.example.',
    `<p>${link('http://www.sea.example', 'www.sea.example')}.</p>`,
  ],
  [
    'so are other signs',
    'www.sea.example/a?!,:*_~',
    `<p>${link('http://www.sea.example/a', 'www.sea.example/a')}?!,:*_~</p>`,
  ],
  ['signs within stay', 'www.sea.example/a.b', `<p>${link('http://www.sea.example/a.b', 'www.sea.example/a.b')}</p>`],
  [
    'parentheses in pairs stay',
    'www.sea.example/a_(b)',
    `<p>${link('http://www.sea.example/a_(b)', 'www.sea.example/a_(b)')}</p>`,
  ],
  [
    'one around it does not',
    '(www.sea.example/a_(b))',
    `<p>(${link('http://www.sea.example/a_(b)', 'www.sea.example/a_(b)')})</p>`,
  ],
  ['several do not', 'www.sea.example/(b)))', `<p>${link('http://www.sea.example/(b)', 'www.sea.example/(b)')}))</p>`],
  [
    'one within is kept',
    'www.sea.example/(b))+c',
    `<p>${link('http://www.sea.example/(b))+c', 'www.sea.example/(b))+c')}</p>`,
  ],
  [
    'a character reference at the end is text',
    'www.sea.example/a&copy;',
    `<p>${link('http://www.sea.example/a', 'www.sea.example/a')}©</p>`,
  ],
  [
    'an ampersand within stays',
    'www.sea.example/?a=b&c=d',
    `<p>${link('http://www.sea.example/?a=b&amp;c=d', 'www.sea.example/?a=b&amp;c=d')}</p>`,
  ],
  ['< ends it', 'www.sea.example/a<b', `<p>${link('http://www.sea.example/a', 'www.sea.example/a')}&lt;b</p>`],
  [
    'it begins after a space or *_~(',
    'xwww.sea.example *www.sea.example*',
    `<p>xwww.sea.example <em>${link('http://www.sea.example', 'www.sea.example')}</em></p>`,
  ],
  ['http', 'http://sea.example', `<p>${link('http://sea.example')}</p>`],
  ['https with a port', '(https://sea.example:80/a)', `<p>(${link('https://sea.example:80/a')})</p>`],
  ['ftp', 'ftp://sea.example/a_b_', `<p>${link('ftp://sea.example/a_b')}_</p>`],
  ['underscores in a path', 'https://sea.example/_a_/b', `<p>${link('https://sea.example/_a_/b')}</p>`],
  ['another scheme is text', 'gopher://sea.example', '<p>gopher://sea.example</p>'],
  ['a scheme is a whole word', 'xhttp://sea.example', '<p>xhttp://sea.example</p>'],
  ['an address without either is text', 'sea.example/a', '<p>sea.example/a</p>'],
  ['in strikethrough', '~~www.sea.example~~', `<p><del>${link('http://www.sea.example', 'www.sea.example')}</del></p>`],
  ['not in a link', '[www.sea.example](https://b.example)', `<p>${link('https://b.example', 'www.sea.example')}</p>`],
  [
    'nor with a scheme in a link',
    '[https://sea.example](https://b.example)',
    `<p>${link('https://b.example', 'https://sea.example')}</p>`,
  ],
  [
    'nor after a space in one',
    '[a www.sea.example/b](https://b.example) c',
    `<p>${link('https://b.example', 'a www.sea.example/b')} c</p>`,
  ],
  ['brackets around it', '[https://sea.example/a]', `<p>[${link('https://sea.example/a')}]</p>`],
  [
    'brackets in pairs stay',
    'https://sea.example/[a]',
    `<p>${link('https://sea.example/%5Ba%5D', 'https://sea.example/[a]')}</p>`,
  ],
  ['not in code', '`www.sea.example`', '<p><code>www.sea.example</code></p>'],
  ['mail', 'a.b-c_d+e@sea.example', `<p>${link('mailto:a.b-c_d+e@sea.example', 'a.b-c_d+e@sea.example')}</p>`],
  ['mail needs a period in the domain', 'a@sea', '<p>a@sea</p>'],
  ['a period after mail is text', 'a@sea.example.', `<p>${link('mailto:a@sea.example', 'a@sea.example')}.</p>`],
  ['a dash at the end makes it text', 'a@sea.example-', '<p>a@sea.example-</p>'],
  ['and so does an underscore', 'a@sea.example_', '<p>a@sea.example_</p>'],
  ['mailto: is part of it', 'mailto:a@sea.example', `<p>${link('mailto:a@sea.example')}</p>`],
  ['xmpp: with a resource', 'xmpp:a@sea.example/b.', `<p>${link('xmpp:a@sea.example/b')}.</p>`],
  ['a resource has no second slash', 'xmpp:a@sea.example/b/c', `<p>${link('xmpp:a@sea.example/b')}/c</p>`],
]

const tables: Rows = [
  [
    'header, delimiters, rows',
    '| a | b |\n| - | - |\n| c | d |',
    `<table><thead><tr>${cell('th', 'a', 'b')}</tr></thead><tbody><tr>${cell('td', 'c', 'd')}</tr></tbody></table>`,
  ],
  [
    'bars at the ends may be left out',
    'a | b\n--- | ---\nc | d',
    `<table><thead><tr>${cell('th', 'a', 'b')}</tr></thead><tbody><tr>${cell('td', 'c', 'd')}</tr></tbody></table>`,
  ],
  ['colons align', '| a |\n| -: |', '<table><thead><tr><th style="text-align:right">a</th></tr></thead></table>'],
  ['a bar in a cell is escaped', '| a\\|b |\n| - |', `<table><thead><tr>${cell('th', 'a|b')}</tr></thead></table>`],
  ['also in code', '| `a\\|b` |\n| - |', `<table><thead><tr>${cell('th', '<code>a|b</code>')}</tr></thead></table>`],
  [
    'an empty line ends it',
    '| a |\n| - |\n| b |\n\nc',
    `<table><thead><tr>${cell('th', 'a')}</tr></thead><tbody><tr>${cell('td', 'b')}</tr></tbody></table><p>c</p>`,
  ],
  [
    'another block ends it',
    '| a |\n| - |\n> c',
    `<table><thead><tr>${cell('th', 'a')}</tr></thead></table><blockquote><p>c</p></blockquote>`,
  ],
  [
    'a line without a bar is a row',
    '| a | b |\n| - | - |\nc',
    `<table><thead><tr>${cell('th', 'a', 'b')}</tr></thead><tbody><tr>${cell('td', 'c', '')}</tr></tbody></table>`,
  ],
  ['the header has as many cells as the delimiters', '| a | b |\n| - |\n| c |', '<p>| a | b |\n| - |\n| c |</p>'],
  [
    'missing cells are empty, others are left out',
    '| a | b |\n| - | - |\n| c |\n| d | e | f |',
    `<table><thead><tr>${cell('th', 'a', 'b')}</tr></thead><tbody><tr>${cell('td', 'c', '')}</tr><tr>${cell('td', 'd', 'e')}</tr></tbody></table>`,
  ],
]

const box = (isDone: boolean) => `<input type="checkbox" disabled=""${isDone ? ' checked=""' : ''}/>`
const tasks: Rows = [
  [
    'an open and a done one',
    '- [ ] a\n- [x] b',
    `<ul><li class="task-list-item">${box(false)} a</li><li class="task-list-item">${box(true)} b</li></ul>`,
  ],
  ['a capital X', '* [X] a', `<ul><li class="task-list-item">${box(true)} a</li></ul>`],
  ['in a numbered list', '1. [ ] a', `<ol><li class="task-list-item">${box(false)} a</li></ol>`],
  [
    'in each other',
    '- [x] a\n  - [ ] b',
    `<ul><li class="task-list-item">${box(true)} a\n<ul><li class="task-list-item">${box(false)} b</li></ul></li></ul>`,
  ],
  ['white space follows', '- [ ]a', '<ul><li>[ ]a</li></ul>'],
  ['another sign is text', '- [y] a', '<ul><li>[y] a</li></ul>'],
  ['no item, no box', '[ ] a', '<p>[ ] a</p>'],
]

const raw: Rows = [
  ...['title', 'textarea', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'script', 'plaintext'].map(
    name => [`<${name}> is shown`, `a <${name}> *b*`, `<p>a &lt;${name}> <em>b</em></p>`] as const,
  ),
  ['in capitals, too', 'a <SCRIPT>b</SCRIPT>', '<p>a &lt;SCRIPT>b&lt;/SCRIPT></p>'],
  ['as a block', '<div>\n<title>a\n</div>', '<div>\n&lt;title>a\n</div>'],
  ['names that begin like them are others', 'a <titles>b', '<p>a b</p>'],
  ['other tags stay', 'a <kbd>b</kbd> <ins>c</ins>', '<p>a <kbd>b</kbd> <ins>c</ins></p>'],
]

const alert = (kind: string, title: string, content: string) =>
  `<div class="markdown-alert markdown-alert-${kind}"><p class="markdown-alert-title">${title}</p>${content}</div>`
const alerts: Rows = [
  ...['Note', 'Tip', 'Important', 'Warning', 'Caution'].map(
    title =>
      [
        `[!${title.toUpperCase()}]`,
        `> [!${title.toUpperCase()}]\n> a`,
        alert(title.toLowerCase(), title, '<p>a</p>'),
      ] as const,
  ),
  ['small letters', '> [!note]\n> a', alert('note', 'Note', '<p>a</p>')],
  ['several blocks', '> [!TIP]\n> a\n>\n> - b', alert('tip', 'Tip', '<p>a</p><ul><li>b</li></ul>')],
  ['other brackets are a quote', '> [NOTE]\n> a', '<blockquote><p>[NOTE]\na</p></blockquote>'],
]

describe.each([
  ['strikethrough', strikethrough],
  ['autolinks', autolinks],
  ['tables', tables],
  ['tasks', tasks],
  ['disallowed HTML', raw],
  ['alerts', alerts],
] as const)('%s', (_, rows) => {
  test.each(rows)('%s', async (_rule, text, expected) => {
    expect(await html(text)).toBe(expected)
  })
})

describe('footnotes', () => {
  const numbers = (shown: string) =>
    [...shown.matchAll(/<sup class="footnote-ref"><a[^>]*>([^<]*)</g)].map(([, n]) => n)
  const notes = (shown: string) => [...shown.matchAll(/<li id="fn\d+"[^>]*><p>(\w+)/g)].map(([, word]) => word)

  test.each([
    ['are numbered in the order of their references', 'a[^x] b[^y]\n\n[^y]: Why\n[^x]: Ex', ['1', '2'], ['Ex', 'Why']],
    ['have one number at each place', 'a[^x] b[^y] c[^x]\n\n[^x]: Ex\n[^y]: Why', ['1', '2', '1'], ['Ex', 'Why']],
    ['may be anywhere', 'a[^x]\n\n[^x]: Ex\n\nb', ['1'], ['Ex']],
    ['without a reference are not shown', 'a[^x]\n\n[^x]: Ex\n[^z]: Zed', ['1'], ['Ex']],
    ['may refer to others', 'a[^x]\n\n[^x]: Ex[^y]\n[^y]: Why', ['1', '2'], ['Ex', 'Why']],
  ])('%s', async (_, text, expected, shownNotes) => {
    const shown = await html(text)
    expect([numbers(shown), notes(shown)]).toEqual([expected, shownNotes])
  })

  test('lead back to each place', async () => {
    const shown = await html('a[^x] b[^x]\n\n[^x]: Ex')
    expect(shown).toMatch(/#fnref1"[^>]*>↩︎<\/a> <a[^>]*#fnref1:1"[^>]*>↩︎<sup>2<\/sup><\/a>/)
  })

  test('have several paragraphs', async () => {
    expect(await html('a[^x]\n\n[^x]: Ex\n\n    Second\n\nb')).toMatch(/<p>b<\/p><hr[\s\S]*<p>Ex<\/p><p>Second /)
  })

  test('are text without a note', async () => {
    expect(await html('a[^x]')).toBe('<p>a[^x]</p>')
  })
})
