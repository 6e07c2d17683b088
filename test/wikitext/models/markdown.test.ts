import { describe, expect, test } from 'vitest'
import { contentToHtml, memoryWiki } from '../../../src/wikitext/index.ts'
import type { FileMetadata } from '../../../src/wikitext/wiki-source.ts'
import { oneIn } from '../../_rounds.ts'

const picture: FileMetadata = {
  name: 'Chart.png',
  mediatype: 'BITMAP',
  mime: 'image/png',
  size: 10,
  width: 400,
  height: 200,
  duration: null,
  url: '/file/Chart.png',
  thumbnail: width => `/file/Chart.png/${width}`,
}
const wiki = memoryWiki({ pages: { 'Low tide': 'a', 'Tide tables': 'b' }, files: [picture] })

async function html(text: string): Promise<string> {
  const options = { title: 'Tides', wiki, bodyOnly: true, settings: { elementIds: false, sections: false } }
  return (await contentToHtml(text, 'markdown', options)).html
}

const red = 'action=edit&amp;redlink=1'

describe('markdown', () => {
  test.each([
    ['# High *tide*', '<h1 id="high-tide">High <em>tide</em></h1>'],
    ['a **b** `c`\nd  \ne', '<p>a <strong>b</strong> <code>c</code>\nd<br/>\ne</p>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['3. a', '<ol start="3"><li>a</li></ol>'],
    ['~~a~~', '<p><del>a</del></p>'],
    [
      '| a |\n|:-:|\n| b |',
      '<table><thead><tr><th style="text-align:center">a</th></tr></thead><tbody><tr><td style="text-align:center">b</td></tr></tbody></table>',
    ],
  ])('%j', async (text, expected) => {
    expect(await html(text)).toBe(expected)
  })

  test('headings with the same text get distinct ids, as on GitHub', async () => {
    expect(await html('# Tide & time\n\n# Tide & time')).toContain('id="tide--time-1"')
  })

  test('a heading may have letters of any alphabet in its id', async () => {
    expect(await html('# Příliv č. 1')).toContain('<h1 id="příliv-č-1">')
  })
})

describe('links of Markdown', () => {
  test.each([
    ['[[Low tide]]', '<a rel="mw:WikiLink" href="./Low_tide" title="Low tide">Low tide</a>'],
    ['[[Low tide#At night|ebb]]', '<a rel="mw:WikiLink" href="./Low_tide#At_night" title="Low tide">ebb</a>'],
    ['[ebb](Low%20tide.md)', '<a rel="mw:WikiLink" href="./Low_tide" title="Low tide">ebb</a>'],
    ['[ebb](Neap%20tide.md)', `href="./Neap_tide?${red}"`],
    ['[ebb](Low_tide.wiki)', '<a rel="mw:WikiLink" href="./Low_tide" title="Low tide">ebb</a>'],
    ['[ebb](low_tide)', '<a rel="mw:WikiLink" href="./Low_tide" title="Low tide">ebb</a>'],
    ['[ebb](./low_tide#at-night)', '<a rel="mw:WikiLink" href="./Low_tide#at-night" title="Low tide">ebb</a>'],
    ['[here](#ebb)', '<a rel="mw:WikiLink" href="./Tides#ebb" title="Tides">here</a>'],
    ['[[missing|b]]', `href="./Missing?${red}"`],
    ['[[a|b', '<p>[[a|b</p>'],
    [
      '[x](https://a.example/?q=1)',
      '<a rel="mw:ExtLink nofollow" href="https://a.example/?q=1" class="external text">x</a>',
    ],
  ])('%j', async (text, expected) => {
    expect(await html(text)).toContain(expected)
  })

  test('references name the pages that links lead to', async () => {
    const { references } = await contentToHtml('[a](low_tide) [[Tide tables]] ![b](chart.png)', 'markdown', {
      title: 'Tides',
      wiki,
    })
    expect(references.links).toEqual(['Low_tide', 'Tide_tables'])
    expect(references.files).toEqual(['Chart.png'])
  })
})

describe('pictures of Markdown', () => {
  test.each([
    ['![a map](chart.png)', 400, 200],
    ['![a map](images/../Chart.png)', 400, 200],
    ['![a map](chart.png =100x)', 100, 50],
    ['![[chart.png|100]]', 100, 50],
    ['[[chart.png|width=100px|alt=a map]]', 100, 50],
    ['<img src="chart.png" alt="a map" width="100">', 100, 50],
  ])('%s is shown', async (text, width, height) => {
    const shown = await html(text)
    expect(shown).toMatch(/typeof="mw:File"/)
    expect(shown).toMatch(new RegExp(`<img [^>]*width="${width}"[^>]*>`))
    expect(shown).toMatch(new RegExp(`<img [^>]*height="${height}"[^>]*>`))
    expect(shown).toContain('href="./File:Chart.png"')
    if (text.includes('a map')) expect(shown).toContain('alt="a map"')
  })

  test("one in a link has the link's target", async () => {
    const shown = await html('[![a](chart.png)](https://a.example/)')
    expect(shown).toMatch(/<a [^>]*href="https:\/\/a.example\/"[^>]*><span [^>]*><span><img/)
  })

  test('a missing one is named', async () => {
    expect(await html('![a map](none.png)')).toContain('class="mw-file-description">a map</a>')
  })

  test('an external one is a link, and not loaded', async () => {
    const shown = await html('![a](https://a.example/x.png) <img src="//a.example/x.png">')
    expect(shown).not.toContain('<img')
    expect(shown).toContain('href="https://a.example/x.png"')
  })
})

describe("GitHub's Markdown", () => {
  test('tasks have boxes', async () => {
    expect(await html('- [ ] a\n- [x] b')).toBe(
      '<ul><li class="task-list-item"><input type="checkbox" disabled=""/> a</li>' +
        '<li class="task-list-item"><input type="checkbox" disabled="" checked=""/> b</li></ul>',
    )
  })

  test('notes are at the end', async () => {
    const shown = await html('Ebb[^1].\n\n[^1]: And flow.')
    expect(shown).toContain('<sup class="footnote-ref"><a rel="mw:WikiLink" href="./Tides#fn1"')
    expect(shown).toMatch(/<li id="fn1" class="footnote-item"><p>And flow\./)
  })

  test.each([
    ['> [!WARNING]\n> Deep water.', 'warning', 'Warning', 'Deep water.'],
    ['> [!tip] Look here\n> At noon.', 'tip', 'Look here', 'At noon.'],
    ['> [!tip] *Look* here  \n> At noon.', 'tip', '<em>Look</em> here', 'At noon.'],
  ])('%j is an alert', async (text, kind, title, words) => {
    const shown = await html(text)
    expect(shown).toContain(
      `<div class="markdown-alert markdown-alert-${kind}"><p class="markdown-alert-title">${title}</p>`,
    )
    expect(shown).toContain(words)
    expect(shown).not.toContain('[!')
  })

  test.each([
    ['-', ''],
    ['+', ' open=""'],
  ])('a callout of Obsidian with %s opens', async (sign, open) => {
    expect(await html(`> [!tip]${sign} *Look* [[Low tide]]\n> *At* noon.`)).toMatch(
      new RegExp(
        `^<details class="markdown-alert markdown-alert-tip"${open}><summary class="markdown-alert-title"><em>Look</em> <a[^>]*>Low tide</a>` +
          '</summary><p><em>At</em> noon.</p></details>$',
      ),
    )
  })

  test('marked words are marked, comparisons are not', async () => {
    expect(await html('a ==b *c*== d x==1 and y==2, a == b == c')).toBe(
      '<p>a <mark>b <em>c</em></mark> d x==1 and y==2, a == b == c</p>',
    )
    expect(await html('重==点==词')).toBe('<p>重<mark>点</mark>词</p>')
  })

  test.each([
    ['> a\n{.is-info}', '<div class="markdown-alert markdown-alert-note"><p>a</p></div>'],
    [
      '> a\n>\n> b\n{.is-danger}\n\nc',
      '<div class="markdown-alert markdown-alert-caution"><p>a</p><p>b</p></div><p>c</p>',
    ],
    ['- a\n- b\n{.links-list}', '<ul><li>a</li><li>b</li></ul>'],
    ['a\n\n{.dense}', '<p>a</p>'],
    ['| a | b |\n| - | - |\n| c | d |\n{.dense}', '<tbody><tr><td>c</td><td>d</td></tr></tbody></table>'],
    ['a {.b}', '<p>a {.b}</p>'],
  ])('classes of Wiki.js are not shown: %j', async (text, shown) => {
    expect(await html(text)).toContain(shown)
    if (!text.endsWith('{.b}')) expect(await html(text)).not.toContain('{.')
  })

  test('words of an unknown tag are shown', async () => {
    expect(await html('a <user>b *c*</user> <x> d')).toBe('<p>a b <em>c</em>  d</p>')
  })

  test('harmless HTML is kept', async () => {
    expect(await html('<details open><summary>a</summary>\n\n*b*\n\n</details>')).toBe(
      '<details open=""><summary>a</summary><p><em>b</em></p></details>',
    )
    expect(await html('x<sub>2</sub> <kbd>y</kbd>')).toBe('<p>x<sub>2</sub> <kbd>y</kbd></p>')
  })
})

describe('front matter', () => {
  test('is a small table, and its tags are categories', async () => {
    const text = '---\ntitle: Tides\ntags: [sea, moon]\naliases:\n  - Ebb\n---\n# A'
    const { html: shown, references } = await contentToHtml(text, 'markdown', { title: 'Tides', wiki, bodyOnly: true })
    expect(shown).toMatch(/^<details class="front-matter"/)
    expect(shown).not.toContain('<hr')
    expect(references.categories.map(({ key }) => key)).toEqual(['Category:Sea', 'Category:Moon'])
  })

  test('may be TOML', async () => {
    expect(await html('+++\ntitle = "Tides"\n+++\na')).toContain('<th scope="row">title</th><td>Tides</td>')
  })

  test.each(['---\na: b', '---\n- a\n---\nb', '--- \n\na\n\n---', '---\na: [\n---\nb', '---\na: &x [*x]\n---\n'])(
    '%j has none',
    async text => {
      expect(await html(text)).not.toContain('front-matter')
    },
  )
})

describe('forbidden content of a Markdown page', () => {
  test.each([
    '[x](javascript:alert(1))',
    '[x](  JaVaScRiPt:alert(1))',
    '![x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '<script>alert(1)</script>',
    '[x]: javascript:alert(1)\n[x]',
    '![x](https://a.example/x.png)',
    '[[javascript:alert(1)]]',
    '<b onclick="alert(1)">c</b>',
    '<a href="javascript:alert(1)">c</a>',
    '<a data-parts="[&quot;javascript:alert(1)&quot;]">c</a>',
    '<img src="x" onerror="alert(1)">',
    '<iframe src="https://a.example"></iframe>',
    '<svg onload="alert(1)"><a xlink:href="javascript:alert(1)">x</a></svg>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<style>@import "https://a.example"</style>',
    '<form action="https://a.example"><input name="x"><button>y</button></form>',
    '<input type="image" src="https://a.example/x.png">',
    '<meta http-equiv="refresh" content="0;url=https://a.example">',
    '<link rel="stylesheet" href="https://a.example">',
    '<base href="https://a.example">',
    '<div style="background:url(https://a.example/x.png)">a</div>',
    '<video src="https://a.example" autoplay></video>',
  ])('%s runs and loads nothing', async text => {
    expect(await html(text)).not.toMatch(
      /<(?:script|img|iframe|svg|math|style|form|input|button|meta|base|video|link|object)|\son\w+=|href="\s*(?:javascript|data):|url\(/i,
    )
  })

  test.each(
    oneIn(3, [
      ['[', 50_000],
      ['[[', 50_000],
      ['*a ', 20_000],
      ['> ', 10_000],
      ['![[]()', 5000],
      ['`'.repeat(20), 2000],
      ['<div>', 20_000],
      ['[^1]', 20_000],
      ['![[a.png|', 20_000],
      ['- [ ] ', 20_000],
    ] as const),
  )('%j many times is converted in bounded time', { tags: ['rounds', 'long'] }, async (piece, times) => {
    expect((await html(piece.repeat(times))).length).toBeGreaterThan(0)
  })
})
