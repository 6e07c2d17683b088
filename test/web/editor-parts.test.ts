import { describe, expect, test } from 'vitest'
import { templateParameters } from '../../src/operations/template-parameters.ts'
import { transformToLint } from '../../src/operations/transform.ts'
import { notesIn, openingAt } from '../../src/web/client/editor/cursor-context.ts'
import { fixOf } from '../../src/web/client/editor/fixes.ts'
import { lintTypes } from '../../src/wikitext/lint/types.ts'
import { newWiki } from '../operations/_wiki.ts'
import { newSite } from './_site.ts'

describe('the unclosed construct before a cursor', () => {
  test.each([
    ['a [[Sea', { kind: 'page', typed: 'Sea' }],
    ['a [[File:Ti', { kind: 'file', typed: 'Ti' }],
    ['a [[datei:Ti', { kind: 'file', typed: 'Ti' }],
    ['a [[Category:T', { kind: 'page', typed: 'Category:T' }],
    ['<ref name="al', { kind: 'note', typed: 'al' }],
    ['{{Sta', { kind: 'template', typed: 'Sta' }],
    ['{{Station|na', { kind: 'parameter', typed: 'na', template: 'Station', used: [] }],
    ['{{Station\n| name = [[a|b]]\n| he', { kind: 'parameter', typed: 'he', template: 'Station', used: ['name'] }],
    ['{{A|x={{B|y=1}}|', { kind: 'parameter', typed: '', template: 'A', used: ['x'] }],
    ['{{A|x={{B|', { kind: 'parameter', typed: '', template: 'B', used: [] }],
    ['{{A|name=val', null],
    ['{{A}} and ', null],
    ['[[Sea]] ', null],
    ['[[', null],
    ['{{{name|', null],
    ['plain', null],
  ])('%j', (before, wanted) => {
    expect(openingAt(before, 'wikitext', 'Datei')).toEqual(wanted)
  })

  test('is a picture in Markdown, and not a template', () => {
    expect(openingAt('![x](/File/Ti', 'markdown', 'File')).toEqual({ kind: 'picture', typed: 'File/Ti' })
    expect(openingAt('{{Sta', 'markdown', 'File')).toBeNull()
  })

  test('may be long without slow parsing', () => {
    expect(openingAt('{{'.repeat(100_000), 'wikitext', 'File')).toBeNull()
    expect(openingAt('{{A|'.repeat(100_000), 'wikitext', 'File')?.kind).toBe('parameter')
  })
})

test('names of notes are found once each', () => {
  expect(notesIn('<ref name="a">x</ref> <ref name=b /> <ref name="a" />')).toEqual(['a', 'b'])
})

describe('parameters of a template', () => {
  test('are those of its TemplateData, in order, also from its documentation', async () => {
    const data = {
      description: 'A station',
      paramOrder: ['name'],
      params: { lines: { suggested: true }, name: { required: true, label: { en: 'Name' } } },
    }
    const { wiki } = await newWiki({
      'Template:Station': '{{{name}}}',
      'Template:Station/doc': `<templatedata>${JSON.stringify(data)}</templatedata>`,
    })
    const { title, description, parameters } = await templateParameters(wiki, { title: 'Template:Station' })
    expect([title, description]).toEqual(['Template:Station', 'A station'])
    expect(parameters.map(({ name, label, status }) => [name, label, status])).toEqual([
      ['name', 'Name', 'required'],
      ['lines', '', 'suggested'],
    ])
  })

  test('of a hostile TemplateData are only its names', async () => {
    const data =
      '{"paramOrder":[null,{"toString":1},["a"],"toString","__proto__","b"],"params":{"a":1,"b":null,"__proto__":{}}}'
    const long = 'x'.repeat(501)
    const { wiki } = await newWiki({
      'Template:Box': `<templatedata>${data}</templatedata>`,
      'Template:Long': `<templatedata>{"params":{"${long}":{},"":{},"c":{}}}</templatedata>`,
    })
    const namesOf = async (title: string) =>
      (await templateParameters(wiki, { title })).parameters.map(({ name }) => name)
    expect(await namesOf('Template:Box')).toEqual(['__proto__', 'b', 'a'])
    expect(await namesOf('Template:Long')).toEqual(['c'])
  })

  test('of a redirect are those of its target template', async () => {
    const { wiki } = await newWiki({ 'Template:Old': '#REDIRECT [[Template:New]]', 'Template:New': '{{{width}}}' })
    const { parameters } = await templateParameters(wiki, { title: 'Template:Old' })
    expect(parameters.map(({ name }) => name)).toEqual(['width'])
  })

  test('are those in its source if it has no TemplateData', async () => {
    const { wiki } = await newWiki({
      'Template:Box': '{{{1}}} {{{width|{{{w|}}}}}} <templatedata>no JSON</templatedata>',
    })
    const { parameters } = await templateParameters(wiki, { title: 'Template:Box' })
    expect(parameters.map(({ name }) => name)).toEqual(['1', 'width', 'w'])
  })

  test('are sent as JSON, with an error for a missing template', async () => {
    const { ask } = await newSite({ 'Template:Box': '{{{1}}}' })
    expect(await (await ask('/wiki/Template:Box?action=parameters')).json()).toMatchObject({ title: 'Template:Box' })
    expect((await ask('/wiki/Template:Nope?action=parameters')).status).toBe(404)
    expect(await (await ask('/wiki/Special:FileNames?search=x')).json()).toEqual({ files: [] })
  })
})

describe('a fix', () => {
  /** Kinds that have one way to be fixed, by the example of the lint. */
  const fixed = [
    'bogus-image-options',
    'missing-end-tag',
    'missing-end-tag-in-heading',
    'multi-colon-escape',
    'obsolete-tag',
    'self-closed-tag',
    'stripped-tag',
    'unclosed-quotes-in-heading',
  ] as const

  test.each(fixed)('of %s leaves a text without the problem', async type => {
    const { wiki } = await newWiki({ 'File:Harbour.png': 'x' })
    const lint = async (text: string) => await transformToLint(wiki, { wikitext: text, title: 'Tides' })
    const { bad } = lintTypes[type]
    const problem = (await lint(bad)).find(one => one.type === type)!
    const fix = fixOf(bad, problem as never)!
    const text = bad.slice(0, fix.from) + fix.insert + bad.slice(fix.to)
    expect(
      (await lint(text)).filter(one => one.type === type),
      text,
    ).toEqual([])
  })

  test('is not offered for markup from templates, nor if a user has to decide', () => {
    expect(
      fixOf('<b>a', { type: 'missing-end-tag', dsr: [0, 4, 3, 0], params: { name: 'b' }, templateInfo: { name: 'x' } }),
    ).toBeNull()
    expect(
      fixOf('<center class=x>a</center>', { type: 'obsolete-tag', dsr: [0, 26, 16, 9], params: { name: 'center' } }),
    ).toBeNull()
    expect(fixOf('x', { type: 'large-tables', dsr: [0, 1, 0, 0] })).toBeNull()
  })
})
