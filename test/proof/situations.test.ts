/** The table of situations in docs/proof.md names tests that exist. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const rows = [
  ...readFileSync(join(root, 'docs/proof.md'), 'utf8').matchAll(/^\| ([LW]\d+) \| .* \| `(.+?)` \| (.+?) \|$/gm),
]

describe('the situations of docs/proof.md', () => {
  test('are all listed', () => {
    const signs = new Set(rows.map(([, sign]) => sign))
    const expected = [14, 12].flatMap((count, at) => Array.from({ length: count }, (_, n) => `${'LW'[at]}${n + 1}`))
    expect([...signs]).toEqual(expected)
  })

  test.each(rows.map(([, sign, file, name]) => [sign!, file!, name!]))('%s has its test in %s: %s', (_, file, name) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(name)
  })
})
