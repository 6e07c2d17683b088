/** Generated edits whose right merges are known: see `oracle/page.ts`, and `test/proof/merges.mjs` for many of them. */

import { describe, expect, test } from 'vitest'
import { mergeTexts } from '../../src/diff/merge.ts'
import { rounds } from '../_rounds.ts'
import { generate, generateUndo } from './oracle/generate.ts'
import { flaws, judge } from './oracle/judge.ts'
import { kinds } from './oracle/kinds.ts'
import { judgeCase } from './oracle/properties.ts'

function merge(base: string, mine: string, theirs: string): string | null {
  const merged = mergeTexts(base, mine, theirs)
  return merged.merged ? merged.text : null
}

const names = Object.keys(kinds)
const seeds = Array.from({ length: rounds(60, 600) }, (_, at) => at + 1)

describe('generated edits of parts with an identity', () => {
  test.for(names)(
    'of %s: one side alone gives that side, and an edit of both is taken once',
    { tags: 'rounds' },
    name => {
      for (const seed of seeds) {
        const { broken } = judgeCase(generate(name, seed), merge)
        const found = broken.filter(([property]) => /one side|other side|twice/.test(property))
        expect(found, `${name} ${seed}`).toEqual([])
      }
    },
  )

  test.for(names)('of %s are merged as both meant them, or refused', { tags: 'rounds' }, name => {
    const wrong = seeds.filter(seed => flaws.some(flaw => flaw === judgeCase(generate(name, seed), merge).verdict))
    expect(wrong).toEqual([])
  })

  test.for(names)('of %s are undone as the writers of later ones would do it, or refused', { tags: 'rounds' }, name => {
    const wrong = seeds.filter(seed => flaws.some(flaw => flaw === judgeCase(generateUndo(name, seed), merge).verdict))
    expect(wrong).toEqual([])
  })

  test.for(names)('of %s: some have an answer, others none', name => {
    const counts = Array.from({ length: 250 }, (_, at) => generate(name, at).right.size)
    expect(counts.some(count => count > 0)).toBe(true)
    if (name !== 'blank') expect(counts).toContain(0)
  })
})

describe('the judge finds', () => {
  const todo = ['- [ ] Call Eve\n', '- [x] Call Eve\n', '- [ ] Call Bob\n- [ ] Call Eve\n'] as const
  test.each([
    ['on another item', todo, ['- [ ] Call Bob\n- [x] Call Eve\n'], '- [x] Call Bob\n- [ ] Call Eve\n'],
    ['glued', ['', 'Hello.\n', 'World.\n'], ['Hello.\n\nWorld.\n'], 'World.Hello.\n'],
    [
      'doubled',
      ['A.\n', 'A. Same it is.\n', 'A. Same it is. More.\n'],
      ['A. Same it is. More.\n'],
      'A. Same it is. More. Same it is.\n',
    ],
    ['a value nobody wrote', ['* 3.14\n', '* 2.14\n', '* 3.15\n'], [], '* 2.15\n'],
    ['a broken pair', ['a b c\n', "'''a b''' c\n", "a '''b c'''\n"], [], "'''a ''b''' c'''\n"],
    ['lost', ['a\n\nb\n', 'a x\n\nb\n', 'a\n\nb y\n'], ['a x\n\nb y\n'], 'a x\n\nb\n'],
    ['should have asked', ['a b c d\n', 'X b c d\n', 'a b Y d\n'], [], 'X b Y d\n'],
    ['right', todo, ['- [ ] Call Bob\n- [x] Call Eve\n'], '- [ ] Call Bob\n- [x] Call Eve\n\n'],
    ['refused', todo, [], null],
  ] as const)('%s', (verdict, [base, mine, theirs], right, merged) => {
    expect(judge({ base, mine, theirs, right: new Set(right) }, merged)).toBe(verdict)
  })
})
