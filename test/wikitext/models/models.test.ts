import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../../../src/core/config.ts'
import type { ContentModel } from '../../../src/core/content-models.ts'
import { parseTitle, titleRules } from '../../../src/core/title.ts'
import { contentToHtml, memoryWiki } from '../../../src/wikitext/index.ts'
import type { MarkdownOptions } from '../../../src/wikitext/models/markdown.ts'
import { modelNodes } from '../../../src/wikitext/models/models.ts'
import { textOf } from '../../../src/wikitext/tree/walk.ts'
import { write } from '../extensions/_page.ts'

const rules = titleRules(defaultConfig())
const title = parseTitle('Tides', rules)
type Model = Exclude<ContentModel, 'wikitext'>
const options: MarkdownOptions = { rules, title, inTime: work => work() }

async function html(text: string, model: Model): Promise<string> {
  return write(await modelNodes(text, model, options))
}

describe('json', () => {
  test.each([
    [
      '{"a":1,"b":[true,null],"c":"ü"}',
      "<table class='mw-json mw-json-object'><tbody><tr><th>a</th><td class='value mw-json-number'>1</td></tr>" +
        "<tr><th>b</th><td><table class='mw-json mw-json-array'><tbody><tr><td class='value mw-json-boolean'>true</td></tr>" +
        "<tr><td class='value mw-json-null'>null</td></tr></tbody></table></td></tr>" +
        "<tr><th>c</th><td class='value mw-json-string'>ü</td></tr></tbody></table>",
    ],
    [
      '"x"',
      "<table class='mw-json mw-json-single-value'><tbody><tr><td class='value mw-json-string'>x</td></tr></tbody></table>",
    ],
    [
      '{}',
      "<table class='mw-json mw-json-object'><tbody><tr><td class='mw-json-empty'>Empty object</td></tr></tbody></table>",
    ],
    [
      '[]',
      "<table class='mw-json mw-json-array'><tbody><tr><td class='mw-json-empty'>Empty array</td></tr></tbody></table>",
    ],
  ])('%s is a table', async (text, expected) => {
    expect(await html(text, 'json')).toBe(expected)
  })

  test.each([['{"a":'], ['['.repeat(200_000)], [`${'['.repeat(5000)}${']'.repeat(5000)}`]])(
    'what cannot be a table is shown as it is (%#)',
    async text => {
      const nodes = await modelNodes(text, 'json', options)
      expect(textOf(nodes)).toBe(text)
      expect(nodes[0]).toMatchObject({ data: { mw: { errors: [{ key: 'bad-json' }] } } })
    },
  )
})

describe('code and text', () => {
  test('a style sheet is shown with its colours', async () => {
    const shown = await html('.a { color: blue }', 'css')
    expect(shown).toMatch(/^<pre class='mw-code mw-css' dir='ltr'><span class='/)
  })

  test.each<[string, Model]>([
    ['.a > b { color: "x</pre>" }', 'css'],
    ['var a = "</script>" && `<b>`', 'javascript'],
    ['plain <b>text</b>\n\n== not a heading ==', 'text'],
  ])('%j: nothing of it is lost or read as HTML', async (text, model) => {
    const nodes = await modelNodes(text, model, options)
    expect(textOf(nodes).trim()).toBe(text)
  })
})

describe('markdown', () => {
  test.each([
    ['# High *tide*', '<h1>High <em>tide</em></h1>'],
    ['a **b** `c`\nd  \ne', '<p>a <strong>b</strong> <code>c</code>\nd<br></br>e</p>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['3. a', "<ol start='3'><li>a</li></ol>"],
    ['a <b onclick="x">c</b>', '<p>a &lt;b onclick="x">c&lt;/b></p>'],
    [
      '| a |\n|:-:|\n| b |',
      "<table><thead><tr><th style='text-align:center'>a</th></tr></thead><tbody><tr><td style='text-align:center'>b</td></tr></tbody></table>",
    ],
    ['[[Low tide]]', "<p><a rel='mw:WikiLink' href='./Low_tide' title='Low tide'>Low tide</a></p>"],
    ['[[Low tide#At night|ebb]]', "<p><a rel='mw:WikiLink' href='./Low_tide#At_night' title='Low tide'>ebb</a></p>"],
    ['[ebb](Low%20tide.md)', "<p><a rel='mw:WikiLink' href='./Low_tide' title='Low tide'>ebb</a></p>"],
    ['[here](#ebb)', "<p><a rel='mw:WikiLink' href='./Tides#ebb' title='Tides'>here</a></p>"],
    ['[[a|b', '<p>[[a|b</p>'],
    [
      '[x](https://a.example/?q=1)',
      "<p><a rel='mw:ExtLink nofollow' href='https://a.example/?q=1' class='external text'>x</a></p>",
    ],
    [
      '![map](map.png)',
      "<p><a rel='mw:WikiLink' href='./File:Map.png' title='File:Map.png' class='mw-file-description'>map</a></p>",
    ],
  ])('%j', async (text, expected) => {
    expect(await html(text, 'markdown')).toBe(expected)
  })

  test.each([
    '[x](javascript:alert(1))',
    '[x](  JaVaScRiPt:alert(1))',
    '![x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '<script>alert(1)</script>',
    '[x]: javascript:alert(1)\n[x]',
    '![x](https://a.example/x.png)',
    '[[javascript:alert(1)]]',
  ])('%s runs and loads nothing', async text => {
    const shown = await html(text, 'markdown')
    expect(shown).not.toMatch(/<script|<img|href='\s*(?:javascript|data):/i)
  })

  test.each([
    ['[', 50_000],
    ['[[', 50_000],
    ['*a ', 20_000],
    ['> ', 10_000],
    ['![[]()', 5000],
    ['`'.repeat(20), 2000],
  ])('%j many times is answered', async (piece, times) => {
    expect((await html(piece.repeat(times), 'markdown')).length).toBeGreaterThan(0)
  })
})

describe('through the same door as wikitext', () => {
  const wiki = memoryWiki({ pages: { Ebb: 'a' } })
  const render = (text: string, model: Model, more = {}) =>
    contentToHtml(text, model, { title: 'Tides', wiki, ...more })

  test('markdown is a document with ids, a table of contents, and red links', async () => {
    const { html: shown, toc, references } = await render('# A\n\n# A\n\n[[Ebb]] [[Flood]]', 'markdown')
    expect(shown).toMatch(/^<!DOCTYPE html>/)
    expect(toc).toEqual([
      { level: 1, text: 'A', id: 'A' },
      { level: 1, text: 'A', id: 'A_2' },
    ])
    expect(references.links).toEqual(['Ebb', 'Flood'])
    expect(shown).toContain('href="./Ebb"')
    expect(shown).toContain('href="./Flood?action=edit&amp;redlink=1"')
  })

  test('json is a document', async () => {
    expect((await render('{"a":1}', 'json')).html).toMatch(
      /<body [^>]*><table class="mw-json mw-json-object" id="mwAQ">/,
    )
  })

  test.each<[Model, string, string]>([
    ['text', 'a < b', '<pre>a &lt; b</pre>'],
    ['css', '', '<pre class="mw-code mw-css" dir="ltr">\n\n</pre>'],
  ])('%s is one element', async (model, text, expected) => {
    expect((await render(text, model)).html).toBe(expected)
  })

  test('wikitext inside is not read', async () => {
    const { html: shown, references } = await render("{{a}} [[b]] ''c''", 'text')
    expect(shown).toBe("<pre>{{a}} [[b]] ''c''</pre>")
    expect(references.templates).toEqual([])
  })
})
