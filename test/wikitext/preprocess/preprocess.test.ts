import { describe, expect, test } from 'vitest'
import type { PreNode, PreprocessOptions } from '../../../src/wikitext/preprocess/nodes.ts'
import { preprocess } from '../../../src/wikitext/preprocess/preprocess.ts'

const tags = new Set(['ref', 'nowiki'])

/** Writes nodes in a readable form: `T(a|b)` template, `A(a)` argument, `<x>` a part that begins with `<`. */
function show(text: string, nodes: readonly PreNode[]): string {
  return nodes.map(node => showNode(text, node)).join('')
}

function showNode(text: string, node: PreNode): string {
  const source = text.slice(node.start, node.end)
  switch (node.kind) {
    case 'text':
      return node.onCommentLine ? '' : source
    case 'template':
    case 'argument': {
      const parts = node.parts.map(part => {
        const name = part.equals === -1 ? '' : `${text.slice(part.start, part.equals)}:`
        return name + show(text, part.children)
      })
      return `${node.kind === 'template' ? 'T' : 'A'}(${parts.join('|')})`
    }
    case 'inclusion':
      return `<${node.form} ${source}>`
    default:
      return `<${node.kind} ${source}>`
  }
}

function read(text: string, options: Partial<PreprocessOptions> = {}): string {
  return show(text, preprocess(text, { tags, inclusion: 'page', ...options }).nodes)
}

describe('braces', () => {
  test.each([
    ['{{a}}', 'T(a)'],
    ['{{a|b|c=d=e}}', 'T(a|b|c:c=d=e)'],
    ['{{{a|b}}}', 'A(a|b)'],
    ['{{{{{a}}}}}', 'T(A(a))'],
    ['{{{{a}}}}', '{A(a)}'],
    ['{{{{{{a}}}}}}', 'A(A(a))'],
    ['{{{ {{a}} }}}', 'A( T(a) )'],
    ['{{a}}}', 'T(a)}'],
    ['{{a}', '{{a}'],
    ['{{a {{b}}', '{{a T(b)'],
    ['{{a|{b}|c}}', 'T(a|{b}|c)'],
    ['{{}}', 'T()'],
    ['}}{{', '}}{{'],
  ])('%j is parsed as %j', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test.each([
    ['{{a|[[b|c=d]]|e}}', 'T(a|[[b|c=d]]|e)'],
    ['{{a|[b|c]}}', 'T(a|[b|c])'],
    ['{{a|[[b}}]]', '{{a|[[b}}]]'],
    ['[[a {{b]]}}', '[[a T(b]])'],
  ])('links keep their pipes: %j is parsed as %j', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test('a heading in a part does not name it', () => {
    expect(read('{{a|\n== b ==\nc|d=e}}')).toBe('T(a|\n== b ==\nc|d:d=e)')
  })

  test('expanded text contains no braces', () => {
    expect(read('{{a}}<ref>b</ref>', { braces: false })).toBe('{{a}}<extension <ref>b</ref>>')
  })

  test('a template records whether it begins a line', () => {
    const { nodes } = preprocess('{{a}}\n{{b}} {{c}}\n{{{{{d}}}}}', { tags, inclusion: 'page' })
    expect(nodes.map(node => (node.kind === 'template' ? node.lineStart : undefined))).toEqual([
      true,
      undefined,
      true,
      undefined,
      false,
      undefined,
      true,
    ])
  })
})

describe('brackets', () => {
  test.each([
    ['[[a]] [[b', {}, [[0, 5]]],
    [
      '[[a|[[b]]]]',
      {},
      [
        [4, 9],
        [0, 11],
      ],
    ],
    ['[[a|{{b]]', {}, []],
    ['-{a}-', {}, []],
    ['-{a|{{b}}}-', { variants: true }, [[0, 11]]],
    ['-{{{b}}}-', { variants: true }, []],
    ['-{{{b}} c}-', { variants: true }, [[0, 11]]],
  ] as const)('%j with %j closes %j', (text, options, expected) => {
    const { brackets } = preprocess(text, { tags, inclusion: 'page', ...options })
    expect([...brackets]).toEqual(expected)
  })
})

describe('tags and comments', () => {
  test.each([
    ['a<!-- {{b}} -->c', 'a<comment <!-- {{b}} -->>c'],
    ['a<!-- b', 'a<comment <!-- b>'],
    ['<ref name="a">{{b}}</REF >', '<extension <ref name="a">{{b}}</REF >>'],
    ['<Ref/>b<ref />', '<extension <Ref/>>b<extension <ref />>'],
    ['<ref>{{a}}', '<ref>T(a)'],
    ['<ref {{a}}>{{b}}', '<ref {{a}}>T(b)'],
    ['<refs>{{a}}</refs>', '<refs>T(a)</refs>'],
    ['{{a|<nowiki>}}|</nowiki>}}', 'T(a|<extension <nowiki>}}|</nowiki>>)'],
    ['<ref', '<ref'],
  ])('%j is parsed as %j', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test.each([
    ['a\n<!-- b -->\nc', 'a\n<comment <!-- b -->>c'],
    ['a\n <!-- b --> <!-- c -->\t\nd', 'a\n<comment <!-- b -->><comment <!-- c -->>d'],
    ['a\n<!-- b --> c\nd', 'a\n<comment <!-- b -->> c\nd'],
    ['a <!-- b -->\nc', 'a <comment <!-- b -->>\nc'],
  ])('a line with only comments is removed: %j is parsed as %j', (text, expected) => {
    expect(read(text)).toBe(expected)
  })
})

describe('inclusion tags', () => {
  const text = 'a<noinclude>b</noinclude>c<includeonly>d</includeonly>e'

  test('the page itself', () => {
    expect(read(text)).toBe('a<open <noinclude>>b<close </noinclude>>c<dropped <includeonly>d</includeonly>>e')
  })

  test('a transclusion', () => {
    expect(read(text, { inclusion: 'transcluded' })).toBe(
      'a<dropped <noinclude>b</noinclude>>c<open <includeonly>>d<close </includeonly>>e',
    )
  })

  test('onlyinclude limits a transclusion to its content', () => {
    const text = 'a<onlyinclude>b</onlyinclude>c<onlyinclude>d</onlyinclude>e'
    expect(read(text, { inclusion: 'transcluded' })).toBe(
      '<dropped a<onlyinclude>>b<dropped </onlyinclude>c<onlyinclude>>d<dropped </onlyinclude>e>',
    )
    expect(read(text)).toContain('a<open <onlyinclude>>b<close </onlyinclude>>c')
  })

  test('an unclosed tag extends to the end', () => {
    expect(read('a<includeonly>b')).toBe('a<dropped <includeonly>b>')
  })
})

test.each([
  ['{'.repeat(200_000)],
  ['{{a|'.repeat(50_000)],
  ['['.repeat(200_000)],
  ['<ref>'.repeat(40_000)],
  ['<'.repeat(200_000)],
  [`${'{'.repeat(99_999)}${'}'.repeat(99_999)}`],
  ['{{a|b='.repeat(20_000) + '}}'.repeat(20_000)],
])('hostile input is covered by its nodes', text => {
  const { nodes } = preprocess(text, { tags, inclusion: 'page', variants: true })
  let at = 0
  for (const node of nodes) {
    expect(node.start).toBe(at)
    at = node.end
  }
  expect(at).toBe(text.length)
})
