/** SECURITY.md says what holds and what does not, in tables whose rows name tests that exist. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const parts = readFileSync('SECURITY.md', 'utf8').split(/^## /m).slice(1)

describe.each(parts.map(part => [part.split('\n', 1)[0]!, part] as const))('%s', (_, part) => {
  const lines = part.split('\n').filter(line => /^\| (?!\|)/.test(line))
  const rows = lines.map(
    line => /^\| (holds|not) \| (.+\.) \| (?:`(.+?)`|–) \| (.+) \|$/.exec(line)?.slice(1) ?? [line],
  )

  test('says what holds', () => {
    expect(rows.filter(([kind]) => kind === 'holds').length).toBeGreaterThan(0)
  })

  test.each(rows)('%s: %s', (kind, _sentence, file, name) => {
    expect(kind).toMatch(/^(?:holds|not)$/)
    if (file === undefined) expect([kind, name]).toEqual(['not', '–'])
    else expect(readFileSync(file, 'utf8')).toContain(name)
  })
})
