import { expect, test } from 'vitest'
import { shortHash } from '../../src/core/short-hash.ts'

test.each([
  ['ab12345c'.repeat(5), 'ab12345'],
  [`12345678e${'0'.repeat(31)}`, '12345678e'],
  ['1'.repeat(40), '1111111'],
  ['', ''],
])('%s is shown as %s: no commit looks like an id', (commit, shown) => {
  expect(shortHash(commit)).toBe(shown)
})
