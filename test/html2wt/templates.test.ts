import { describe, expect, test, vi } from 'vitest'
import { titleRules } from '../../src/core/title.ts'
import { htmlToWikitext, type TemplateLayout } from '../../src/html2wt/index.ts'
import { calledTemplates, parseFormat } from '../../src/html2wt/template-layout.ts'
import { there, title, wiki } from './_convert.ts'

type Params = Readonly<Record<string, string>>

function layout(format: string | null, order: readonly string[] = [], aliases: Params = {}): TemplateLayout {
  return { format, order, aliases: new Map(Object.entries(aliases)) }
}

/** HTML with a new template call. */
function inserted(params: Params, { before = '', after = '' } = {}): string {
  const entries = Object.entries(params).map(([name, wt]) => [name, { wt }])
  const template = { target: { wt: 'Tide', href: './Template:Tide' }, params: Object.fromEntries(entries), i: 0 }
  const mw = JSON.stringify({ parts: [{ template }] }).replaceAll("'", '&#39;')
  return `<p>${before}<span typeof="mw:Transclusion" about="#mwt1" data-mw='${mw}'>x</span>${after}</p>`
}

function written(html: string, one: TemplateLayout, original?: { source: string; html: string }): string {
  const layouts = new Map([['Template:Tide', one]])
  return htmlToWikitext(html, { title, wiki: { ...wiki, layouts }, original })
}

describe('a new call is formatted as its template specifies', () => {
  const params = { height: '4', place: 'Harbour' }
  test.each([
    ['inline', '{{Tide|height=4|place=Harbour}}'],
    ['INLINE', '{{Tide|height=4|place=Harbour}}'],
    ['block', '{{Tide\n| height = 4\n| place = Harbour\n}}'],
    [null, '{{Tide|height=4|place=Harbour}}'],
    ['nonsense', '{{Tide|height=4|place=Harbour}}'],
    ['constructor', '{{Tide|height=4|place=Harbour}}'],
    ['{{_ | _ = _ }}', '{{Tide | height = 4 | place = Harbour }}'],
    ['{{_\n|_______=_\n}}', '{{Tide\n|height =4\n|place  =Harbour\n}}'],
    ['{{ ______ |\n _ = _}}', '{{ Tide   |\n height = 4 |\n place = Harbour}}'],
  ])('%j', (format, wikitext) => {
    expect(written(inserted(params), layout(format))).toBe(wikitext)
  })

  test('on separate lines if the format requires them', () => {
    const lines = layout('\n{{_\n| _ = _\n}}\n')
    expect(written(inserted({ a: '1' }, { before: 'x', after: 'y' }), lines)).toBe('x\n{{Tide\n| a = 1\n}}\ny')
    expect(written(inserted({ a: '1' }), lines).trimEnd()).toBe('{{Tide\n| a = 1\n}}')
  })

  test('unnamed values stay unchanged, and a call without values has no lines', () => {
    expect(written(inserted({ 1: 'a b', 2: 'c=d', e: '' }), layout('block'))).toBe('{{Tide|a b\n| 2 = c=d\n| e = \n}}')
    expect(written(inserted({}), layout('block'))).toBe('{{Tide}}')
    expect(written(inserted({ 2: 'b' }), layout('inline'))).toBe('{{Tide|2=b}}')
  })

  test('has its parameters in order, and others after them', () => {
    const one = layout('inline', ['b', 'a', 'c'], { bee: 'b' })
    expect(written(inserted({ z: '0', c: '3', a: '1', bee: '2' }), one)).toBe('{{Tide|bee=2|a=1|c=3|z=0}}')
  })
})

describe('a changed call', () => {
  const source = '{{Tide\n|height=4\n|  at = noon\n}} and {{Tide|height=5}}'
  const change = async (from: string, to: string, flavor: 'edit' | 'view' = 'edit') => {
    const html = await there(source, 'edit')
    const shown = await there(source, flavor)
    return { html: shown.replace(from, to), original: { source, html } }
  }

  test.each(['edit', 'view'] as const)('is formatted again, others keep their source (%s)', async flavor => {
    const { html, original } = await change('"wt":"noon"', '"wt":"dusk"', flavor)
    expect(written(html, layout('block'), original)).toBe('{{Tide\n| height = 4\n| at = dusk\n}} and {{Tide|height=5}}')
  })

  test.each(['edit', 'view'] as const)('keeps its spaces where its template says nothing (%s)', async flavor => {
    const { html, original } = await change('"wt":"noon"', '"wt":"dusk"', flavor)
    expect(written(html, layout(null), original)).toBe('{{Tide\n|height=4\n|  at = dusk\n}} and {{Tide|height=5}}')
  })

  test('gets new parameters at the position that its template specifies', async () => {
    const { html, original } = await change('"params":{', '"params":{"place":{"wt":"x"},')
    const text = written(html, layout(null, ['height', 'place', 'at']), original)
    expect(text).toMatch(/^\{\{Tide\n\|height=4\n\|place=x\| {2}at = noon\n\}\} and/)
  })

  test('keeps a comment between its spaces', async () => {
    const text = '{{Tide|a = 1 <!-- why -->|b=2}}'
    const html = await there(text)
    const changed = html.replace('"wt":"2"', '"wt":"3"')
    expect(written(changed, layout('block'), { source: text, html })).toContain('<!-- why -->')
  })
})

/** HTML with data for editors as JSON, as documents of other renderers have it. */
function told(tag: string, mw: string, shown: string): string {
  return `<p><${tag} data-mw="${mw.replaceAll('"', '&quot;')}">${shown}</${tag.split(' ')[0]}></p>`
}

describe('without a source', () => {
  const call = (params: string): string => `{"parts":[{"template":{"target":{"wt":"Tide"},"params":${params}}}]}`
  const part = (text: string): string =>
    `<span typeof=\\"mw:Transclusion\\" data-mw='{\\"parts\\":[{\\"template\\":{\\"target\\":{\\"wt\\":\\"Tide\\"}}}]}'>${text}</span>`

  test.each([
    ['{"1":{"wt":"a"},"b":{"wt":"c"},"2":{"wt":"d"}}', '{{Tide|a|b=c|d}}'],
    ['{"b":{"wt":"c"},"1":{"wt":"a"}}', '{{Tide|b=c|a}}'],
    ['{"b":{"wt":"\\"1\\":\\\\"},"1":{"wt":"{\\"2\\":3}"}}', '{{Tide|b="1":\\|{"2":3<nowiki>}</nowiki>}}'],
    ['{"2":{"wt":"b"},"1":{"wt":"a"}}', '{{Tide|a|b}}'],
  ])('parameters keep the order of the JSON: %s', (params, wikitext) => {
    expect(written(told('span typeof="mw:Transclusion"', call(params), 'x'), layout(null))).toBe(wikitext)
  })

  test.each([
    ['Oldtide', 'Oldtide', '[[Old{{Tide}}]]'],
    ['Oldtide', 'ropes', '[[Old{{Tide}}|ropes]]'],
    ['Harbour', 'Oldtide', '[[Harbour|Oldtide]]'],
  ])('a link to %s that shows %s keeps the template in its target', (page, shown, wikitext) => {
    const mw = `{"attribs":[[{"txt":"href"},{"html":"Old${part('tide')}"}]]}`
    const tag = `a rel="mw:WikiLink" typeof="mw:ExpandedAttrs" href="./${page}"`
    expect(written(told(tag, mw, shown), layout(null))).toBe(wikitext)
  })

  test('a templated attribute keeps its place among the others', () => {
    const mw = `{"attribs":[[{"txt":"class","html":"${part('class=x')}"},{"html":""}]]}`
    const tag = 'span lang="de" typeof="mw:ExpandedAttrs" class="x" title="y"'
    expect(written(told(tag, mw, 'a'), layout(null))).toBe('<span lang="de" {{Tide}} title="y">a</span>')
  })

  test.each(['data-x', 'data-xyz', 'data-mw-a', 'about'])('the reserved attribute %s keeps its name', async name => {
    const source = `<span ${name}="a">b</span>`
    expect(written(await there(source, 'view'), layout(null))).toBe(source)
  })
})

test('the requested templates are those of changed calls', async () => {
  const rules = titleRules(wiki.config)
  const html = await there('{{Tide|a}} {{Other thing|b}} {{:Page}} {{#if:1|2}}')
  expect(calledTemplates(html, { rules })).toEqual(['Template:Tide', 'Template:Other_thing', 'Page'])
  const changed = html.replace('"wt":"b"', '"wt":"c"').replaceAll(/data-mw='([^']*)'/g, (_, json: string) => {
    return `data-mw="${json.replaceAll('"', '&quot;')}"`
  })
  expect(calledTemplates(changed, { rules, original: html })).toEqual(['Template:Other_thing'])
  const long = inserted({ a: 'x'.repeat(300 * 1024) })
  expect(calledTemplates(long, { rules })).toEqual([])
  expect(calledTemplates(inserted({ a: 'x'.repeat(1024) }), { rules })).toEqual(['Template:Tide'])
  const bare = `<p data-mw='{"parts":[{"template":{"target":{"wt":"tide "}}},null,{"template":7}]}'>`
  expect(calledTemplates(bare, { rules })).toEqual(['Template:Tide'])
})

test.each([
  '{"parts":[{"template":null}]}',
  '{"parts":[{"template":{"target":7,"params":7}}]}',
  '{"parts":[{"template":{"target":{"wt":7},"params":{"1":null,"2":7,"3":{"wt":7},"4":{"wt":"x","key":{"wt":7}}}}}]}',
  '{"parts":[{"parserfunction":{"target":{"wt":[]},"params":{"a":[]}}}]}',
  '{"parts":[{"templatearg":{"target":{},"params":{"1":{"html":"<b>x</b>"}}}}]}',
])('invalid data-mw of a client is not an error: %s', mw => {
  const html = `<p><span typeof="mw:Transclusion" data-mw='${mw}' data-parsoid='{"pi":[[null,7,{"k":7}],8]}'>x</span></p>`
  expect(typeof written(html, layout('block'))).toBe('string')
})

test.each(['', '{{_', '{{_|_=_}}}}', `{{${'_'.repeat(600)}|_=_}}`])('%j is no format', format => {
  expect(parseFormat(format)).toBeNull()
})

test('a call that is repeated is read once', () => {
  const call = (name: string) => `<p data-mw='{"parts":[{"template":{"target":{"wt":"${name}"}}}]}'></p>`
  const parse = vi.spyOn(JSON, 'parse')
  const keys = calledTemplates((call('Tide') + call('Sea')).repeat(50), { rules: titleRules(wiki.config) })
  const count = parse.mock.calls.length
  parse.mockRestore()
  expect([keys, count]).toEqual([['Template:Tide', 'Template:Sea'], 2])
})
