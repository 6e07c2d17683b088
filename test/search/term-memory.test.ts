import { expect, test } from 'vitest'
import { termMemory } from '../../src/search/query/term-memory.ts'
import type { FoundTerm } from '../../src/search/query/terms.ts'
import { fields } from '../../src/search/segment/postings.ts'
import { noLanguage } from '../../src/search/words/language.ts'

function termOf(term: string, documents = 1): FoundTerm {
  const postings = [{ documents: new Uint32Array(documents), counts: new Uint16Array(documents * fields.length) }]
  return { term, postings, frequency: documents }
}

/** Reads from the cache when terms are requested one after another. */
function readInTurn(most: number, asked: readonly string[]): string[] {
  const memory = termMemory(most)
  const read: string[] = []
  for (const name of asked) {
    memory.get(name, null, () => {
      read.push(name)
      return name === 'nowhere' ? undefined : termOf(name, name === 'large' ? 500 : 1)
    })
  }
  return read
}

test.each([
  ['what was read is not read again', 10_000, ['a', 'b', 'a', 'b'], ['a', 'b']],
  ['neither is what is nowhere', 10_000, ['nowhere', 'nowhere'], ['nowhere']],
  ['the last requested terms stay', 1_100, ['a', 'b', 'a', 'c', 'a', 'b'], ['a', 'b', 'c', 'b']],
  [
    'what is too large is not kept, and drives out nothing',
    5_000,
    ['a', 'large', 'a', 'large'],
    ['a', 'large', 'large'],
  ],
])('%s', (_, most, asked, read) => {
  expect(readInTurn(most, asked)).toEqual(read)
})

test('a stem of one language is not a stem of another', () => {
  const memory = termMemory()
  const own = termOf('stem')
  expect(memory.get('stem', { ...noLanguage }, () => termOf('stem'))).not.toBe(own)
  expect(memory.get('stem', noLanguage, () => own)).toBe(own)
  memory.clear()
  expect(memory.get('stem', noLanguage, () => undefined)).toBeUndefined()
})
