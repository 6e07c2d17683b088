/** No text from outside reaches a regular expression whose time can blow up. The whole look: node test/proof/regexes.mjs --all */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { complaintAbout } from './proof/regex-check.mjs'
import { exceptionFor } from './proof/regex-exceptions.mjs'
import { listRegexes } from './proof/regex-list.mjs'

const linear = new Set(JSON.parse(readFileSync(new URL('proof/regexes.json', import.meta.url), 'utf8')))

test('the checker tells what is linear from what is not', async () => {
  expect(await complaintAbout({ source: '^(a+)+$', flags: '' })).toBe('exponential')
  expect(await complaintAbout({ source: '\\s+$', flags: '' })).toBe('2nd degree polynomial')
  expect(await complaintAbout({ source: '(?<!\\s)\\s+$', flags: '' })).toBe('')
}, 60_000)

test('every pattern is linear, or there is a reason why it may stay', async () => {
  const { regexes } = await listRegexes()
  expect(regexes.length).toBeGreaterThan(500)
  const complaints: string[] = []
  for (const regex of regexes) {
    if (linear.has(regex.key) || exceptionFor(regex) !== undefined) continue
    const complaint = await complaintAbout(regex)
    if (complaint !== '') complaints.push(`${regex.file} ${regex.key}: ${complaint}`)
  }
  expect(complaints).toEqual([])
}, 300_000)

test('patterns are put together in few places', async () => {
  const { sites } = await listRegexes()
  expect(sites).toEqual({
    'diff/sections.ts': 2,
    'html2wt/escape.ts': 4,
    'media/facts-file.ts': 1,
    'rest/conditional.ts': 3,
    'search/page-text.ts': 2,
    // The words of the searcher are taken as they are: a pattern of theirs goes to re2js.
    'search/pattern.ts': 1,
    'search/tokens.ts': 2,
    'search/wikitext-tags.ts': 1,
    'wikitext/functions/time-parse.ts': 1,
    'wikitext/sanitize/css.ts': 1,
    'wikitext/sanitize/urls.ts': 1,
    'wikitext/site.ts': 1,
    'wikitext/tokenize/magic-links.ts': 2,
  })
}, 60_000)
