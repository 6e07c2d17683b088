import { describe, expect, test } from 'vitest'
import { expand, withExpander } from '../_expand.ts'

const pages = {
  'Template:Echo': '{{{1}}}',
  'Template:Boat': '({{{name|no name}}}, {{{1|no mast}}})',
  'Template:Spaced': '[{{{1}}}][{{{a}}}]',
  'Template:Nested': '{{Echo|<{{{1}}}>}}',
  'Template:Parts': 'a<noinclude>b</noinclude><includeonly>c</includeonly><!-- d -->',
  'Template:Only': 'a<onlyinclude>b</onlyinclude>c',
  'Template:Loop': '<{{Loop}}>',
  'Template:Ping': '{{Pong}}',
  'Template:Pong': '{{Ping}}',
  'Template:Old': '#REDIRECT [[Template:Echo]]',
  'Template:Item': '* one',
  'Template:Comment_line': 'a\n <!-- b -->\nc',
  'Template:Noted': 'x<ref name="a">{{{1}}}</ref>',
  Quay: 'the quay',
  'Talk:Quay': 'talk of the quay',
  'Help:Ropes': '{{/Knots}}',
  'Help:Ropes/Knots': 'knots',
  Tide_tables: 'self: {{:Tide tables}}',
}

const cases: Readonly<Record<string, readonly (readonly [text: string, expected: string])[]>> = {
  arguments: [
    ['{{Boat}}', '(no name, no mast)'],
    ['{{Boat|one}}', '(no name, one)'],
    ['{{Boat|name=Tern|one}}', '(Tern, one)'],
    ['{{Boat|1=one|1=two}}', '(no name, two)'],
    ['{{Boat|one|1=two}}', '(no name, two)'],
    ['{{Boat|name=}}', '(, no mast)'],
    ['{{Boat|na<!-- x -->me=Tern}}', '(Tern, no mast)'],
    ['{{Spaced| one | a = two }}', '[ one ][two]'],
    ['{{Echo|a=b}}', '{{{1}}}'],
    ['{{Echo|1=a=b}}', 'a=b'],
    ['{{Nested|x}}', '<x>'],
    ['{{{a}}} {{{a|b}}} {{{a|b|c}}}', '{{{a}}} b b'],
    ['{{Echo|{{Echo|{{Echo|deep}}}}}}', 'deep'],
    ['{{Echo|[[a|b]]}}', '[[a|b]]'],
    ['{{Echo|{{{1}}}}}', '{{{1}}}'],
  ],
  'what is included': [
    ['{{Parts}}', 'ac'],
    ['{{Only}}', 'b'],
    ['{{Comment line}}', 'a\nc'],
    ['a<noinclude>b</noinclude><includeonly>c</includeonly><!-- d -->', 'ab'],
  ],
  targets: [
    ['{{:Quay}}', 'the quay'],
    ['{{Talk:Quay}}', 'talk of the quay'],
    ['{{template:echo|a}}', 'a'],
    ['{{ Echo |a}}', 'a'],
    ['{{{{Echo|Echo}}|a}}', 'a'],
    ['{{Old|a}}', 'a'],
    ['{{Nowhere|a}}', '[[:Template:Nowhere]]'],
    ['{{:Nowhere}}', '[[:Nowhere]]'],
    ['{{Special:Version}}', '[[:Special:Version]]'],
    ['{{a>b|{{Echo|c}}}}', '{{a>b|c}}'],
    ['{{}}', '{{}}'],
  ],
  'blocks begin a line': [
    ['{{Echo|a{{Item}}}}', 'a\n* one'],
    ['{{Echo|a\n{{Item}}}}', 'a\n* one'],
    ['a{{Echo|b}}', 'ab'],
  ],
  loops: [
    ['{{Loop}}', '<<span class="error">Template loop detected: [[:Template:Loop]]</span>>'],
    ['{{Ping}}', '<span class="error">Template loop detected: [[:Template:Ping]]</span>'],
    ['{{:Tide tables}}', 'self: <span class="error">Template loop detected: [[:Tide tables]]</span>'],
  ],
  'substitution is for saving': [
    ['{{subst:Echo|a}}', '{{subst:Echo|a}}'],
    ['{{safesubst:Echo|a}}', 'a'],
    ['{{msgnw:Echo}}', '&#123;&#123;&#123;1&#125;&#125;&#125;'],
    ['{{msg:PAGENAME}}', '[[:Template:PAGENAME]]'],
  ],
}

describe.each(Object.entries(cases))('%s', (_, rows) => {
  test.each(rows)('%j gives %j', async (text, expected) => {
    expect(await expand(text, { pages })).toBe(expected)
  })
})

test('a subpage is found relative to its page, and above it', async () => {
  expect(await expand('{{/Knots}}', { pages, title: 'Help:Ropes' })).toBe('knots')
  expect(await expand('{{../}}', { pages: { 'Help:Ropes': 'above' }, title: 'Help:Ropes/Knots' })).toBe('above')
  expect(await expand('{{/Knots}}', { pages })).toBe('[[:Template:/Knots]]')
})

test('an extension tag keeps its source and its frame', async () => {
  const text = '{{Noted|42}}'
  const { expansion, body } = await withExpander({ pages }, expander => {
    const [node] = expander.preprocess(text).nodes
    const expansion = expander.expandNode(node as never, expander.pageFrame(text))
    const [tag] = expansion.tags
    const frame = tag === undefined ? expander.pageFrame('') : expander.withText(tag.frame, '{{{1}}}')
    return { expansion, body: expander.expandToText(expander.preprocess('{{{1}}}').nodes, frame) }
  })
  expect(expansion).toMatchObject({
    kind: 'template',
    text: 'x<ref name="a">{{{1}}}</ref>',
    tags: [{ start: 1, end: 28 }],
  })
  expect(expansion.target?.key).toBe('Template:Noted')
  expect(body).toBe('42')
})

test.each([
  ['{{lc:ABC}}', 'function', 'lc'],
  ['{{CURRENTYEAR}}', 'function', 'currentyear'],
  ['{{#if:a|b}}', 'function', 'if'],
  ['{{#nothing:a}}', 'function', 'nothing'],
  ['{{Nowhere}}', 'template', null],
  ['{{{a}}}', 'argument', null],
  ['{{<}}', 'plain', null],
])('%s is a %s', async (text, kind, name) => {
  const expansion = await withExpander({}, expander => {
    return expander.expandNode(expander.preprocess(text).nodes[0] as never, expander.pageFrame(text))
  })
  expect([expansion.kind, expansion.function]).toEqual([kind, name])
})

test('templates are counted once each, including missing ones', async () => {
  const text = '{{Echo|{{Old}}}}{{Echo}}{{Nowhere}}'
  const { templates } = await withExpander({ pages }, expander => {
    expander.expandToText(expander.preprocess(text).nodes, expander.pageFrame(text))
    return expander.properties
  })
  expect([...templates.keys()]).toEqual(['Template:Echo', 'Template:Old', 'Template:Nowhere'])
})

describe('bounds', () => {
  test('templates in templates are expanded to a depth of 40', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 60 }, (_, depth) => [`Template:T${depth}`, `{{T${depth + 1}}}`]),
    )
    expect(await expand('{{T0}}', { pages: chain })).toBe(
      '<span class="error">Template recursion depth limit exceeded (40)</span>',
    )
  })

  test('exponential expansion stops at the size limit', { tags: 'long' }, async () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 35 }, (_, depth) => [`Template:T${depth}`, `{{T${depth + 1}|{{{1}}}{{{1}}}}}`]),
    )
    const text = await expand('{{T0|0123456789}}', { pages: { ...doubling, 'Template:T35': '{{{1}}}' } })
    expect(text.length).toBeLessThan(3 * 1024 * 1024)
  })

  test('deep nesting of braces stops with a mark', async () => {
    const text = await expand(`${'{{lc:'.repeat(5000)}A${'}}'.repeat(5000)}`)
    expect(text.toLowerCase()).toContain('expansion depth limit exceeded')
  })

  test('a reserved character in a text is only text', async () => {
    expect(await expand('{{lc:\u007f0\u007fA<nowiki>B</nowiki>}}')).toBe('?0?a<nowiki>B</nowiki>')
  })
})

test('exponential templates are each expanded only a few times', async () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, depth) => [`Template:T${depth}`, `{{T${depth + 1}}}{{T${depth + 1}}}`]),
  )
  const text = await expand('{{T0}}', { pages: { ...doubling, 'Template:T40': 'abc' } })
  expect(text).toContain('Template omitted: post-expand include size too large')
  expect(text.length).toBeLessThan(3 * 1024 * 1024)
})

test('braces that cannot be a template are recognised as text at once', async () => {
  const text = `${'{{>'.repeat(20_000)}${'}}'.repeat(20_000)}`
  const kind = await withExpander({}, expander => {
    return expander.expandNode(expander.preprocess(text).nodes[0] as never, expander.pageFrame(text)).kind
  })
  expect(kind).toBe('plain')
})
