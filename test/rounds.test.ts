import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const paths = (readdirSync('test', { recursive: true }) as string[])
  .filter(path => path.endsWith('.test.ts'))
  .map(path => join('test', path))
const filesWith = (pattern: RegExp): string[] => paths.filter(path => pattern.test(readFileSync(path, 'utf8'))).sort()

test('files that use rounds have tests with the tag that test:full selects, and no other file has', () => {
  const asking = filesWith(/from '(?:\.\.?\/)+_rounds\.ts'/)
  expect(asking.length).toBeGreaterThan(20)
  expect(filesWith(/tags: (?:'rounds'|\['rounds', 'long'\])/).filter(path => path !== 'test/rounds.test.ts')).toEqual(
    asking,
  )
})
