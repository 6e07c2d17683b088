import { expect, test } from 'vitest'
import { compareTexts } from '../../src/diff/compare-texts.ts'
import { diffTable } from '../../src/web/parts/diff-table.ts'
import { wordsFor } from '../../src/web/words/words.ts'
import { pausesOf } from '../_turns.ts'

test('other requests are served while a long comparison is written', async () => {
  const to = Array.from({ length: 100 }, (_, at) => `${at}\n`).join('')
  const diff = compareTexts('', to)
  expect(await pausesOf(() => diffTable(diff, 'inline', { text: to }, wordsFor('en')))).toBeGreaterThan(90)
})
