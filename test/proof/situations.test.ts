/** The tables of docs/proof.md name tests that exist: what holds (H), what does not (N), and the situations that went wrong (L, W). */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const rows = [
  ...readFileSync(join(root, 'docs/proof.md'), 'utf8').matchAll(/^\| ([HNLW]\d+) \| .* \| `(.+?)` \| (.+?) \|$/gm),
].map(([, sign, file, name]) => ({ sign: sign!, file: file!, name: name! }))

/** Least number of signs: a row that a change of the page loses would be missed otherwise. */
const least = { H: 11, N: 8, L: 18, W: 15 }

describe('the tables of docs/proof.md', () => {
  test.each(Object.entries(least))('list each sign from %s1 on', (letter, count) => {
    const signs = [...new Set(rows.map(({ sign }) => sign).filter(sign => sign.startsWith(letter)))]
    expect(signs).toEqual(Array.from({ length: Math.max(count, signs.length) }, (_, at) => `${letter}${at + 1}`))
  })

  test.each(rows)('$sign has its test in $file: $name', ({ file, name }) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(name)
  })
})
