import { describe, expect, test } from 'vitest'
import { parseTitle, titleRules } from '../../../src/core/title.ts'
import { preSaveTransform } from '../../../src/wikitext/expand/pre-save.ts'
import { wikiOf } from '../_expand.ts'

const pages = {
  'Template:Echo': '{{{1|nothing}}}',
  'Template:Inner': '{{Echo|{{{1}}}}} <!-- kept --><noinclude>not kept</noinclude>',
}

function save(text: string, title = 'Harbour', isAnonymous = false): Promise<string> {
  const wiki = wikiOf(pages, { interwiki: { sea: 'https://sea.example/$1' } })
  return preSaveTransform(text, {
    title: parseTitle(title, titleRules(wiki.config)),
    wiki,
    user: { name: 'Ada', isAnonymous },
    tags: new Set(['nowiki', 'ref']),
    now: new Date('2024-03-05T07:08:09Z'),
  })
}

test('spaces of other scripts at the end of a page stay', async () => {
  expect(await save('a\u00a0\u3000\ufeff \t\n\0')).toBe('a\u00a0\u3000\ufeff')
})

describe('subst', () => {
  test.each([
    ['{{Echo|a}} {{{b|c}}}', '{{Echo|a}} {{{b|c}}}'],
    ['{{subst:Echo|a}}', 'a'],
    ['{{ subst:Echo }}', 'nothing'],
    ['{{safesubst:Echo|a}}', 'a'],
    ['{{Echo|{{subst:Echo|a}}}}', '{{Echo|a}}'],
    ['{{subst:Inner|a}}', '{{Echo|a}} <!-- kept -->'],
    ['{{subst:PAGENAME}}', 'Harbour'],
    ['{{subst:#if:a|b}}', 'b'],
    ['{{subst:Nowhere|a}}', '{{subst:Nowhere|a}}'],
    ['<nowiki>{{subst:Echo|a}}</nowiki>', '<nowiki>{{subst:Echo|a}}</nowiki>'],
    ['<!-- {{subst:Echo|a}} -->', '<!-- {{subst:Echo|a}} -->'],
    ['<includeonly>{{subst:Echo|a}}</includeonly>', '<includeonly>{{subst:Echo|a}}</includeonly>'],
    ['a\u007fb', 'a\u007fb'],
    ['\n <!-- a -->\nb\r\n\n ', '\n <!-- a -->\nb'],
  ])('%j is saved as %j', async (text, expected) => {
    expect(await save(text)).toBe(expected)
  })
})

describe('signatures', () => {
  test.each([
    ['~~', '~~'],
    ['~~~', '[[User:Ada|Ada]] ([[User talk:Ada|talk]])'],
    ['~~~~', '[[User:Ada|Ada]] ([[User talk:Ada|talk]]) 07:08, 5 March 2024 (UTC)'],
    ['~~~~~', '07:08, 5 March 2024 (UTC)'],
    ['<nowiki>~~~~</nowiki>', '<nowiki>~~~~</nowiki>'],
  ])('%j is saved as %j', async (text, expected) => {
    expect(await save(text)).toBe(expected)
  })

  test('an author without an account', async () => {
    expect(await save('~~~', 'Harbour', true)).toBe('[[Special:Contributions/Ada|Ada]]')
  })
})

describe('the pipe trick', () => {
  test.each([
    ['[[Quay (north)|]]', '[[Quay (north)|Quay]]'],
    ['[[Help:Quay|]]', '[[Help:Quay|Quay]]'],
    ['[[:sea:Help:Quay|]]', '[[:sea:Help:Quay|Help:Quay]]'],
    ['[[Quay, Harbour|]]', '[[Quay, Harbour|Quay]]'],
    ['[[Quay (north), Harbour|]]', '[[Quay (north), Harbour|Quay]]'],
    ['[[Quay (a) b|]]', '[[Quay (a) b|Quay (a) b]]'],
    ['[[Quay|quay]]', '[[Quay|quay]]'],
    ['[[|Quay]]', '[[Quay]]'],
  ])('%j is saved as %j', async (text, expected) => {
    expect(await save(text)).toBe(expected)
  })

  test.each([
    ['Boats (north)', '[[Quay (north)|Quay]]'],
    ['Help:Boats (north)', '[[Help:Quay (north)|Quay]]'],
    ['Boats, Harbour', '[[Quay, Harbour|Quay]]'],
    ['Help:Boats', '[[Help:Quay|Quay]]'],
  ])('a link without a target uses the context of %j', async (title, expected) => {
    expect(await save('[[|Quay]]', title)).toBe(expected)
  })
})
