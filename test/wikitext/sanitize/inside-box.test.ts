/** Texts inside a page of a site: which attributes and declarations stay, in both formats, and that the API's HTML has them all. */

import { describe, expect, test } from 'vitest'
import { contentToHtml } from '../../../src/wikitext/index.ts'
import { memoryWiki } from '../../../src/wikitext/memory-wiki.ts'
import { ownStyle } from '../../../src/wikitext/sanitize/inside-box.ts'

const reading = {
  base: '/wiki/',
  prefix: '',
  sections: null,
  words: { edit: 'edit', editSection: 'Edit $1', table: 'Table $1', properties: 'Properties' },
}

describe('a style', () => {
  test.each([
    'color:red;background:#fff;width:20em',
    'float:right; clear: right; margin: 0 0 1em 1em; border: 1px solid #aaa;',
    'position:sticky;top:0;z-index:2',
    'position:absolute;right:0',
    'columns:20em;-webkit-column-gap:1em;-moz-column-count:3',
    'display:grid;grid-template-columns:1fr 2fr;gap:1em;align-items:center',
    'transform:rotate(-90deg);writing-mode:vertical-rl;white-space:nowrap',
    'color:var(--link, blue);page-break-inside:avoid',
    'font-family:"a;b",serif;user-select:none;cursor:help',
    '',
  ])('of the text itself stays as it is written: %j', style => {
    expect(ownStyle(style)).toBe(style)
  })

  test.each([
    ['scrolls the window', 'color:red;scroll-initial-target:nearest', 'color:red'],
    ['is a field', '-webkit-user-modify:read-write;user-modify:read-write;user-select:all', 'user-select:all'],
    ['looks like one', 'appearance:textfield;-webkit-appearance:button;border:0', 'border:0'],
    ['sets names of the page', '--bg:red;--quiet:red;color:var(--bg)', 'color:var(--bg)'],
    ['uses names of the page', 'animation:edges 1s;view-transition-name:root;anchor-name:--a;position-anchor:--a', ''],
    ['takes gestures', 'touch-action:none;overscroll-behavior:contain;top:0', 'top:0'],
    ['is no longer kept inside', 'contain:none;will-change:transform;all:unset;page:x', ''],
    ['is unknown', 'position:fixed;future-property:x;left:0', 'position:fixed;left:0'],
    ['is a rule', 'color:red;color:hover{position:fixed};&:hover{top:0}', 'color:red'],
    ['hides in brackets', 'grid:[a;scroll-margin:1px];scroll-margin:1px', 'grid:[a;scroll-margin:1px]'],
    [
      'has too many columns',
      'columns:9999;column-count:calc(9);columns:2 20em;column-width:1em',
      'columns:2 20em;column-width:1em',
    ],
    ['is very long', `text-shadow:${'0 0 9px red,'.repeat(50)}0 0 red;top:0`, 'top:0'],
    ['is none', 'color;:red;;/* x */', ''],
  ])('that %s is left out: %j', (_, style, kept) => {
    expect(ownStyle(style)).toBe(kept)
  })

  test('of any length takes one step for each character', () => {
    expect(ownStyle(';'.repeat(200_000))).toBe(';'.repeat(200_000))
    expect(ownStyle(`${'('.repeat(100_000)};top:0`)).toBe('')
  })
})

describe.each(['wikitext', 'markdown'] as const)('in %s', model => {
  const render = async (text: string, form?: typeof reading): Promise<string> => {
    const wiki = memoryWiki({})
    const asked = { wiki, title: 'Tides', settings: { elementIds: false }, bodyOnly: true, reading: form }
    return (await contentToHtml(text, model, asked)).html
  }
  const text =
    '<div role="alert" id="ui--content" data-ui-menu="" style="position:fixed;scroll-margin:9px" class="menu">x</div><div role="note" style="scroll-margin:9px">y</div>'

  test('a page for readers has only what stays in its box', async () => {
    const html = await render(text, reading)
    expect(html).toContain('<div style="position:fixed" class="menu">x</div><div role="note">y</div>')
  })

  test('the HTML for programs has what was written', async () => {
    expect(await render(text)).toContain(
      'role="alert" id="ui--content" data-ui-menu="" style="position:fixed;scroll-margin:9px"',
    )
  })

  test.each([
    ...['<form action="/x"><input name="search" autofocus><button>x</button></form>', '<dialog open>x</dialog>'],
    ...[
      '<textarea autofocus>x</textarea>',
      '<select><option>x</select>',
      '<iframe src="/x"></iframe>',
      '<base href="//x">',
    ],
    ...['<svg><a href="/x">x</a></svg>', '<math><mi>x</mi></math>', '<style>a{}</style>', '<slot name="x">x</slot>'],
  ])('%s makes no element', async attempt => {
    expect(await render(attempt, reading)).not.toMatch(
      /<(?:form|input|button|dialog|textarea|select|option|iframe|base|svg|math|style|slot)\b/,
    )
  })

  test('no attribute acts, takes the focus or names something of the page', async () => {
    const names =
      'autofocus contenteditable accesskey popover popovertarget commandfor command inert slot part is name for form aria-live aria-modal ' +
      'aria-controls background onclick draggable hidden anchor interestfor nonce is open'
    const written = names.split(' ').map(name => `${name}="1"`)
    expect(await render(`<div ${written.join(' ')} tabindex="3">x</div>`, reading)).toContain('<div>x</div>')
  })
})
