import { describe, expect, test } from 'vitest'
import { lintWikitext } from '../../../src/wikitext/index.ts'
import { lintTree } from '../../../src/wikitext/lint/lint.ts'
import { lintTypes } from '../../../src/wikitext/lint/types.ts'
import { memoryWiki } from '../../../src/wikitext/memory-wiki.ts'
import { type ChildNode, type ElementNode, element, fragment, textNode } from '../../../src/wikitext/tree/node.ts'

/** An element written as a tag, at a position of the page's text. */
function tag(
  name: string,
  range: [number, number, number | null, number | null],
  {
    parsoid = {},
    attributes = {},
    children = [],
  }: Partial<{
    parsoid: Record<string, unknown>
    attributes: Record<string, string>
    children: ChildNode[]
  }> = {},
): ElementNode {
  const node = element(name, Object.entries(attributes), children)
  const [start, end, openWidth, closeWidth] = range
  node.data = { range: { start, end, openWidth, closeWidth }, parsoid: { stx: 'html', ...parsoid } }
  return node
}

function stray(name: string, start: number): ElementNode {
  const node = element('meta', [['typeof', 'mw:Placeholder/StrippedTag']])
  const src = `</${name}>`
  node.data = { range: { start, end: start + src.length, openWidth: null, closeWidth: null }, parsoid: { src, name } }
  return node
}

const cut = { autoInsertedEnd: true }

describe('the end of a tag', () => {
  test('is missing', () => {
    const body = fragment([tag('b', [0, 4, 3, 0], { parsoid: cut, children: [textNode('a')] })])
    expect(lintTree(body)).toEqual([
      { type: 'missing-end-tag', dsr: [0, 4, 3, 0], templateInfo: null, params: { name: 'b', inTable: false } },
    ])
  })

  test('is in markup that a browser reopened: it is misnested, and the end is not reported too', () => {
    const again = tag('i', [7, 11, 0, 4], { parsoid: { autoInsertedStart: true } })
    const body = fragment([tag('i', [3, 7, 3, 0], { parsoid: cut }), again])
    expect(lintTree(body).map(lint => lint.type)).toEqual(['misnested-tag'])
    expect(
      lintTree(fragment([tag('i', [3, 7, 3, 0], { parsoid: cut }), stray('i', 11)])).map(lint => lint.type),
    ).toEqual(['misnested-tag'])
  })

  test('is in another paragraph: a browser ignores it', () => {
    const body = fragment([
      element('p', [], [tag('span', [0, 7, 6, 0], { parsoid: cut })]),
      element('p', [], [textNode('b'), stray('span', 10)]),
    ])
    expect(lintTree(body)).toMatchObject([
      { type: 'html5-misnesting', dsr: [0, 7, 6, 0] },
      { type: 'stripped-tag', dsr: [10, 17, null, null], params: { name: 'span' } },
    ])
  })

  test.each([
    ['<div><span>a</div></span>', ['misnested-tag']],
    ['<div><span>a</div> </span>', ['misnested-tag']],
    ['<div><span>a</div>b</span>', ['html5-misnesting', 'stripped-tag']],
    ['<div><blockquote>a</div></blockquote>', ['misnested-tag']],
    ['<div><blockquote>a</div>b</blockquote>', ['missing-end-tag', 'stripped-tag']],
    ['{|\n|<span>a\n|b</span>\n|}', ['missing-end-tag', 'stripped-tag']],
    ['{|\n|<b>a\n|b</b>\n|}', ['missing-end-tag', 'stripped-tag']],
    ['{|\n|<div>a\n|}</div>', ['misnested-tag']],
    ['* <span>a\n* b</span>', ['html5-misnesting', 'stripped-tag']],
    ['[[a|<span>b]]</span>', ['misnested-tag']],
    ['<span>a\n\n</span>', ['misnested-tag']],
    ['<table><caption>a<tr><td>b</td></tr></table>', ['missing-end-tag']],
    ["''a'''b''c'''", ['misnested-tag']],
    ['<del>a\n\n<ins>b', ['html5-misnesting', 'missing-end-tag']],
    ['<span>a\n\nb', ['html5-misnesting']],
    ["* '''''<span>\n* a", ['html5-misnesting', 'missing-end-tag', 'missing-end-tag']],
    ['<s><div>a</span></s>', ['misnested-tag', 'missing-end-tag', 'stripped-tag']],
    ["''<center>a", ['missing-end-tag', 'missing-end-tag', 'obsolete-tag']],
    ["''<i>a", ['missing-end-tag', 'missing-end-tag']],
    ["a'''b</b>", ['missing-end-tag']],
  ])('is where it does not end the tag, or missing: %j', async (text, types) => {
    const lints = await lintWikitext(text, { title: 'A', wiki: memoryWiki() })
    expect(lints.map(lint => lint.type).sort()).toEqual(types)
  })

  test('is inside the tag itself: it does not count', () => {
    const body = fragment([tag('span', [0, 29, 6, 0], { parsoid: cut, children: [stray('span', 12)] })])
    expect(lintTree(body).map(lint => lint.type)).toEqual(['missing-end-tag', 'stripped-tag'])
  })
})

test('whole tags of a template are no problem', async () => {
  const wiki = memoryWiki({ pages: { 'Template:Box': "<div>{{{1}}}<i>x</i> ''y'' '''z'''</div>" } })
  expect(await lintWikitext('{{Box|a}} {{Box|b}}', { title: 'A', wiki })).toEqual([])
})

test('a framed file has its own size', async () => {
  const lints = await lintWikitext('[[File:A.png|200px|frame|b]]', { title: 'A', wiki: memoryWiki() })
  expect(lints).toMatchObject([{ type: 'bogus-image-options', params: { items: ['200px'] } }])
})

test('a problem from a template is reported at the template', () => {
  const first = element('center', [
    ['about', '#mwt1'],
    ['typeof', 'mw:Transclusion'],
  ])
  first.data = {
    range: { start: 5, end: 16, openWidth: null, closeWidth: null },
    parsoid: { stx: 'html' },
    mw: { parts: [{ template: { target: { wt: 'middle', href: './Template:Middle' } } }] },
  }
  const second = element('tt', [['about', '#mwt1']])
  second.data = { parsoid: { stx: 'html' } }
  expect(lintTree(fragment([first, second]))).toEqual(
    ['center', 'tt'].map(name => ({
      type: 'obsolete-tag',
      dsr: [5, 16, null, null],
      templateInfo: { name: 'Template:Middle' },
      params: { name },
    })),
  )
})

test('several templates in one block have no name', () => {
  const node = element('center', [['typeof', 'mw:Transclusion']])
  node.data = {
    range: { start: 0, end: 9, openWidth: null, closeWidth: 0 },
    parsoid: { stx: 'html' },
    mw: { parts: [{ template: {} }, ' ', { template: {} }] },
  }
  expect(lintTree(fragment([node]))[0]?.templateInfo).toEqual({ multiPartTemplateBlock: true })
})

test('unclosed small and big are reported again at the end', () => {
  const inner = tag('big', [7, 13, 5, 0], { parsoid: cut })
  const body = fragment([tag('big', [0, 13, 5, 0], { parsoid: cut, children: [inner] }), tag('tt', [20, 25, 4, 5])])
  expect(lintTree(body).map(({ type, dsr }) => [type, dsr[0]])).toEqual([
    ['missing-end-tag', 0],
    ['missing-end-tag', 7],
    ['obsolete-tag', 20],
    ['multiple-unclosed-formatting-tags', 0],
  ])
})

test('problems of constructs are reported where they are', () => {
  const file = tag('span', [0, 20, 2, 2])
  file.data.problems = [{ type: 'bogus-image-options', params: { items: ['x'] } }]
  const problem = { type: 'multi-colon-escape', params: { href: '::A' }, at: { start: 30, end: 37 } } as const
  expect(lintTree(fragment([file]), [problem])).toMatchObject([
    { type: 'bogus-image-options', dsr: [0, 20, 2, 2] },
    { type: 'multi-colon-escape', dsr: [30, 37, null, null] },
  ])
})

test('a page with many tags is read in linear time', { tags: 'long' }, () => {
  const nodes = Array.from({ length: 50_000 }, (_, i) =>
    i % 2 ? stray('b', i) : tag('b', [i, i, 3, 0], { parsoid: cut }),
  )
  expect(lintTree(fragment(nodes)).length).toBeGreaterThan(20_000)
})

test('docs/lint.md describes each kind of problem', async () => {
  const parts = Object.entries(lintTypes).map(
    ([type, { priority, says, hint, bad, good }]) =>
      `## ${type}\n\n${says} ${hint} Priority: ${priority}.\n\n${shown(bad)}\n\nBetter:\n\n${shown(good)}\n`,
  )
  const head = [
    '# What `wiki lint` finds',
    '',
    '`wiki lint` checks the pages changed in the work tree, `wiki lint "Main Page" notes.wiki` these pages and files, `wiki lint --all`',
    'all pages, and `wiki lint -` the text on stdin. It also checks files that are not pages yet, and finds conflict markers, unclosed brackets and bytes that',
    'are not UTF-8 ([Checks](reference/checks.md)). It prints `file:line:column: kind`; a terminal also shows the line and the solution. The exit status',
    'is 1 if anything is found. `--type` selects kinds. Of one page `--json` prints the objects of the API: `dsr` is the range of a problem and the',
    'widths of its opening and closing markup, in UTF-16 units; `templateInfo` names the template',
    'that contains it. `GET /v1/page/{title}/lint`, `GET /v1/revision/{id}/lint` and `POST /v1/transform/wikitext/to/lint` return',
    'the kinds below, of the saved text.',
    '',
    'This page is generated from `src/wikitext/lint/types.ts`; each example runs as a test.',
    '',
  ].join('\n')
  await expect([head, ...parts].join('\n')).toMatchFileSnapshot('../../../docs/lint.md')
})

function shown(text: string): string {
  const short = text.replace(/x{20,}/, found => `${'x'.repeat(10)}… (${found.length} letters)`)
  return `\`\`\`wikitext\n${short.trimEnd()}\n\`\`\``
}
