// @module-tag long
/**
 * No text from outside reaches a regular expression whose time can explode. The whole check: node test/proof/regexes.mjs --all
 */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { complaintAbout } from './proof/regex-check.mjs'
import { exceptionFor } from './proof/regex-exceptions.mjs'
import { listRegexes } from './proof/regex-list.mjs'

const linear = new Set(JSON.parse(readFileSync(new URL('proof/regexes.json', import.meta.url), 'utf8')))

test('the checker distinguishes linear expressions from others', { tags: 'long' }, async () => {
  expect(await complaintAbout({ source: '^(a+)+$', flags: '' })).toBe('exponential')
  expect(await complaintAbout({ source: '\\s+$', flags: '' })).toBe('2nd degree polynomial')
  expect(await complaintAbout({ source: '(?<!\\s)\\s+$', flags: '' })).toBe('')
})

test('every pattern is linear, or has a reason why it may stay', { tags: 'long', timeout: 300_000 }, async () => {
  const { regexes } = await listRegexes()
  expect(regexes.length).toBeGreaterThan(500)
  const complaints: string[] = []
  for (const regex of regexes) {
    if (linear.has(regex.key) || exceptionFor(regex) !== undefined) continue
    const complaint = await complaintAbout(regex)
    if (complaint !== '') complaints.push(`${regex.file} ${regex.key}: ${complaint}`)
  }
  expect(complaints).toEqual([])
})
