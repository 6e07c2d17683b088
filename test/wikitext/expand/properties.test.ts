import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTitle, titleRules } from '../../../src/core/title.ts'
import { preSaveTransform } from '../../../src/wikitext/expand/pre-save.ts'
import type { PreNode } from '../../../src/wikitext/preprocess/nodes.ts'
import { preprocess } from '../../../src/wikitext/preprocess/preprocess.ts'
import { expand, wikiOf } from '../_expand.ts'

/** Parts of templates, in any order. */
const pieces = [
  '{{',
  '}}',
  '{{{',
  '}}}',
  '{',
  '}',
  '|',
  '=',
  '\n',
  ' ',
  'a',
  '1',
  ':',
  '#',
  '[[',
  ']]',
  '-{',
  '}-',
  '==',
  '<!--',
  '-->',
  '<ref>',
  '</ref>',
  '<ref',
  '/>',
  '>',
  '<nowiki>',
  '</nowiki>',
  '<noinclude>',
  '</noinclude>',
  '<includeonly>',
  '</includeonly>',
  '<onlyinclude>',
  '</onlyinclude>',
  'Echo',
  '#if:',
  '#switch:',
  '#expr:',
  '#tag:ref',
  'lc:',
  'subst:',
  '\u007f',
  '\u007f0\u007f',
  '😀',
  '\ud800',
]
const wikitext = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map(parts => parts.join(''))

const tags = new Set(['ref', 'nowiki'])

/** Checks that nodes are contiguous from `start` to `end`. */
function checkCover(nodes: readonly PreNode[], start: number, end: number): void {
  let at = start
  for (const node of nodes) {
    expect(node.start).toBe(at)
    expect(node.end).toBeGreaterThan(node.start)
    at = node.end
    if (node.kind !== 'template' && node.kind !== 'argument') continue
    let from = node.start + (node.kind === 'template' ? 2 : 3)
    for (const part of node.parts) {
      expect(part.start).toBe(from)
      checkCover(part.children, part.start, part.end)
      from = part.end + 1
    }
  }
  expect(at).toBe(end)
}

describe('any input', () => {
  test('nodes cover the text, and parts the braces', () => {
    fc.assert(
      fc.property(wikitext, fc.constantFrom('page', 'transcluded'), fc.boolean(), (text, inclusion, variants) => {
        const { nodes, brackets } = preprocess(text, { tags, inclusion: inclusion as 'page', variants })
        checkCover(nodes, 0, text.length)
        for (const [open, close] of brackets) {
          expect(['[[', '-{']).toContain(text.slice(open, open + 2))
          expect([']]', '}-']).toContain(text.slice(close - 2, close))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('it is expanded deterministically to a text without internal markers', async () => {
    const pages = { 'Template:Echo': '{{{1|none}}}<ref>{{{a}}}</ref>', 'Template:A': '{{Echo|{{{1}}}}}' }
    await fc.assert(
      fc.asyncProperty(wikitext, async text => {
        const expanded = await expand(text, { pages })
        expect(expanded).not.toMatch(/\u007f\d+\u007f/)
        expect(await expand(text, { pages })).toBe(expanded)
      }),
      { numRuns: 300 },
    )
  })

  test('saving a text without markup for saving changes nothing', async () => {
    const wiki = wikiOf({ 'Template:Echo': '{{{1}}}' })
    const title = parseTitle('Quay', titleRules(wiki.config))
    const save = (text: string) =>
      preSaveTransform(text, { title, wiki, tags, now: new Date(0), user: { name: 'Ada', isAnonymous: false } })
    await fc.assert(
      fc.asyncProperty(wikitext, async text => {
        fc.pre(!/subst|\|\]\]|\[\[\||\ud800(?![\udc00-\udfff])/.test(text))
        expect(await save(text)).toBe(text.replace(/\s+$/, ''))
      }),
      { numRuns: 300 },
    )
  })
})
