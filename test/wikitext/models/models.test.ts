import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../../../src/core/config.ts'
import type { ContentModel } from '../../../src/core/content-models.ts'
import { parseTitle, titleRules } from '../../../src/core/title.ts'
import { contentToHtml, memoryWiki } from '../../../src/wikitext/index.ts'
import type { MarkdownOptions } from '../../../src/wikitext/models/markdown.ts'
import { cleanMarkdown } from '../../../src/wikitext/models/markdown-tree.ts'
import { modelNodes } from '../../../src/wikitext/models/models.ts'
import { element, fragment, textNode } from '../../../src/wikitext/tree/node.ts'
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
  ])('%j: nothing of it is lost or interpreted as HTML', async (text, model) => {
    const nodes = await modelNodes(text, model, options)
    expect(textOf(nodes).trim()).toBe(text)
  })
})

describe('with the same functions as wikitext', () => {
  const wiki = memoryWiki({ pages: { Ebb: 'a' } })
  const render = (text: string, model: Model, more = {}) =>
    contentToHtml(text, model, { title: 'Tides', wiki, ...more })

  test('markdown is a document with ids, a table of contents, and red links', async () => {
    const { html: shown, toc, references } = await render('# A\n\n# A\n\n[[Ebb]] [[Flood]]', 'markdown')
    expect(shown).toMatch(/^<!DOCTYPE html>/)
    expect(toc).toEqual([
      { level: 1, text: 'A', id: 'a' },
      { level: 1, text: 'A', id: 'a-1' },
    ])
    expect(references.links).toEqual(['Ebb', 'Flood'])
    expect(shown).toContain('href="./Ebb"')
    expect(shown).toContain('href="./Flood?action=edit&amp;redlink=1"')
  })

  test('no heading gets the id of another element', async () => {
    const { toc } = await render('# A\n\n# A\n\n# A-1\n\n# fn1\n\nb[^1] <i id="c">d</i>\n\n# C\n\n[^1]: e', 'markdown')
    expect(toc.map(({ id }) => id)).toEqual(['a', 'a-1', 'a-1-1', 'fn1-1', 'c-1'])
  })

  // More children than a call has arguments.
  test('a page of 200,000 paragraphs is cleaned', () => {
    const body = fragment(Array.from({ length: 400_000 }, (_, at) => (at % 2 === 0 ? element('p') : textNode('\n'))))
    cleanMarkdown(body, title)
    expect(body.children).toHaveLength(200_000)
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

  test('wikitext in it is not parsed', async () => {
    const { html: shown, references } = await render("{{a}} [[b]] ''c''", 'text')
    expect(shown).toBe("<pre>{{a}} [[b]] ''c''</pre>")
    expect(references.templates).toEqual([])
  })
})
