import { describe, expect, test } from 'vitest'
import { indicator } from '../../../src/wikitext/extensions/indicator.ts'
import { math } from '../../../src/wikitext/extensions/math.ts'
import { nowiki } from '../../../src/wikitext/extensions/nowiki.ts'
import { poem, poemWikitext } from '../../../src/wikitext/extensions/poem.ts'
import { pre } from '../../../src/wikitext/extensions/pre.ts'
import { standardExtensions } from '../../../src/wikitext/extensions/standard.ts'
import { syntaxhighlight } from '../../../src/wikitext/extensions/syntaxhighlight/syntaxhighlight.ts'
import { templatedata } from '../../../src/wikitext/extensions/templatedata.ts'
import { memoryWiki, wikitextToHtml } from '../../../src/wikitext/index.ts'
import { textOf } from '../../../src/wikitext/tree/walk.ts'
import { finishedPage, renderPage } from './_page.ts'

/** HTML without the data about its source. */
async function html(text: string, extensions = standardExtensions()): Promise<string> {
  return (await renderPage(text, extensions)).replace(/ (?:typeof|data-mw)='[^']*'/g, '')
}

describe('text that is not wikitext', () => {
  test.each([
    ["<nowiki>''a'' [[b]]</nowiki>", "<span>''a'' [[b]]</span>"],
    ['<nowiki/>', '<span></span>'],
    ['<nowiki>1 &lt; 2 &nope;</nowiki>', '<span>1 <span>&lt;</span> 2 &amp;nope;</span>'],
    ['<pre>\n a\n  b</pre>', '<pre> a\n  b</pre>'],
    ['<pre class="x" onclick="y">a</pre>', "<pre class='x'>a</pre>"],
    ["<pre>a <nowiki>''b''</nowiki></pre>", "<pre>a ''b''</pre>"],
  ])('%j', async (text, expected) => {
    expect(await html(text, [nowiki, pre])).toBe(expected)
  })

  test('an entity keeps its source', async () => {
    const body = await finishedPage('a<nowiki>b&amp;c</nowiki>', [nowiki])
    const [, span] = body.children
    const entity = span?.kind === 'element' ? span.children[1] : undefined
    expect(entity).toMatchObject({
      data: { parsoid: { src: '&amp;', srcContent: '&' }, range: { start: 10, end: 15 } },
    })
  })
})

describe('a poem', () => {
  test.each([
    ['lines end with breaks', '\nsea\nsand\n', 'sea<br />\nsand'],
    ['an empty line stays', 'sea\n\nsand', 'sea<br />\n<br />\nsand'],
    ['a rule has none', 'sea\n-----\nsand', 'sea<br />\n-----\nsand'],
    ['spaces at the start are shown', '  sea', '&nbsp;&nbsp;sea'],
    ['lines inside nowiki are left to it', '<nowiki>a\nb</nowiki>\nc', '<nowiki>a\nb</nowiki><br />\nc'],
    [
      'colons indent',
      '::sea',
      '<span class="mw-poem-indented" style="display: inline-block; margin-inline-start: 2em;">sea</span>',
    ],
  ])('%s', (_, source, expected) => {
    expect(poemWikitext(source)).toBe(expected)
  })

  test('lines inside nowiki are broken in the page', async () => {
    expect(await html('<poem><nowiki>a\nb</nowiki></poem>', [poem, nowiki])).toBe(
      "<div class='poem'>a<br></br>\nb</div>",
    )
  })
})

describe('code', () => {
  test.each([
    [
      'without a language',
      '<source>\na < b\n</source>',
      "<div class='mw-highlight mw-content-ltr' dir='ltr'><pre>a &lt; b</pre></div>",
    ],
    [
      'with an unknown language',
      '<source lang="zz">a</source>',
      "<div class='mw-highlight mw-content-ltr' dir='ltr'><pre>a</pre></div>",
    ],
    ['without code', '<source lang="CSS"></source>', "<div class='mw-highlight mw-content-ltr' dir='ltr'></div>"],
    [
      'in a line',
      '<source lang="javascript" inline>let tide = 1;</source>',
      "<code class='mw-highlight mw-highlight-lang-javascript mw-content-ltr' dir='ltr'><span class='kd'>let</span>" +
        "<span class='w'> </span><span class='nx'>tide</span><span class='w'> </span><span class='o'>=</span>" +
        "<span class='w'> </span><span class='m'>1</span><span class='p'>;</span></code>",
    ],
    [
      'in a language by another name',
      '<source lang="js" inline>let a</source>',
      "<code class='mw-highlight mw-highlight-lang-js mw-content-ltr' dir='ltr'><span class='kd'>let</span>" +
        "<span class='w'> </span><span class='nx'>a</span></code>",
    ],
    [
      'with lines marked and numbered',
      '<source lang="text" line start="9" highlight="2">a\nb</source>',
      "<div class='mw-highlight mw-highlight-lines mw-highlight-lang-text mw-content-ltr' dir='ltr'><pre><span></span>" +
        "<span class='linenos' data-line='9'></span>a\n<span class='linenos' data-line='10'></span>" +
        "<span class='hll'>b\n</span></pre></div>",
    ],
    [
      'with attributes of its own',
      '<source id="x" class="y" dir="rtl" onclick="z">a</source>',
      "<div class='y mw-highlight mw-content-rtl' id='x' dir='rtl'><pre>a</pre></div>",
    ],
  ])('%s', async (_, text, expected) => {
    expect(await html(text, [syntaxhighlight])).toBe(expected)
  })

  test.each(['javascript', 'python', 'rust', 'c++', 'html', 'bash', 'json'])(
    '%s: nothing of it is lost',
    async lang => {
      const code = 'if (a < b && "c\\n") {\n\treturn `x\u0024{1}` // <b>&amp;\n}\n\nend # ü 😀'
      const body = await finishedPage(`<source lang="${lang}">${code}</source>`, [syntaxhighlight])
      expect(textOf(body.children)).toBe(`${code}\n`)
    },
  )
})

describe('data for tools', () => {
  test('an indicator is hidden in the text and keeps its content', async () => {
    const body = await finishedPage('<indicator name="new">fresh</indicator>', [indicator])
    expect(body.children).toMatchObject([
      { name: 'meta', children: [], data: { hidden: { children: [{ text: 'fresh' }] } } },
    ])
  })

  test('an indicator without a name is an error', async () => {
    expect(await renderPage('<indicator>x</indicator>', [indicator])).toContain(
      '"errors":[{"key":"invalid-indicator-name"}]',
    )
  })

  test('a formula is shown as its source', async () => {
    expect(await html('<math>a < b</math>', [math])).toBe(
      "<span class='mwe-math-element mwe-math-element-inline'><code class='mwe-math-source mwe-tex'>a &lt; b</code></span>",
    )
  })

  test('template data is shown as a table', async () => {
    const text =
      '<templatedata>{"description":"A tide.","params":{"h":{"label":"Height","type":"number","required":true}}}</templatedata>'
    const body = await finishedPage(text, [templatedata])
    expect(textOf(body.children)).toBe('A tide.ParameterDescriptionTypeStatusHeighthnumberrequired')
  })

  test.each(['', '[]', '{"params":', '{"params":3}', '{"params":{"__proto__":1}}', 'null'])(
    'template data %j does no harm',
    async json => {
      expect(await html(`<templatedata>${json}</templatedata>`, [templatedata])).toMatch(/^<(?:div|section)/)
    },
  )
})

test('every tag has one extension', () => {
  const tags = standardExtensions().flatMap(extension => extension.tags)
  expect(tags).toEqual([...new Set(tags)])
})

describe('many occurrences are converted in bounded time', () => {
  test.each([
    ['references', '<ref>x</ref>'],
    ['uses of one name', '<ref name="a">x</ref>'],
    ['different texts of one name', '<ref name="a">x</ref><ref name="a">y</ref>'],
    ['details', '<ref name="a" details="p"/>'],
    ['beginnings', '<ref>'],
    ['lists', '<references/>'],
    ['poems', '<poem>a</poem>'],
    ['functions in each other', '{{#tag:ref|'],
    ['functions that make lists', '{{#tag:references|<ref name="a">x</ref>}}'],
  ])('%s', { tags: 'long' }, async (_, piece) => {
    const wiki = memoryWiki({ pages: {} })
    const { html: shown } = await wikitextToHtml(piece.repeat(2000), { title: 'T', wiki, bodyOnly: true })
    expect(shown.length).toBeGreaterThan(0)
  })
})
