import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { complaintsAbout, type LockedPackage, pageOf, readPackages } from '../scripts/dependencies.mjs'

const packages = readPackages()

test('every package has an allowed licence and a checksum, and runs nothing on installation', () => {
  expect(complaintsAbout(packages)).toEqual([])
})

test('docs/dependencies.md lists them (node scripts/dependencies.mjs writes it)', () => {
  expect(readFileSync(new URL('../docs/dependencies.md', import.meta.url), 'utf8')).toBe(pageOf(packages))
})

test('other licences are reported', () => {
  const stranger: LockedPackage = {
    name: 'x',
    version: '1',
    license: 'GPL-3.0',
    integrity: '',
    resolved: 'http://evil.example/x.tgz',
    isDevelopment: false,
    runs: true,
    isBundled: false,
  }
  expect(complaintsAbout([stranger])).toHaveLength(3)
})

test.each([
  ['diff', '8.0.2', ['diff 8.0.2 has CVE-2026-24001']],
  ['diff', '4.0.4', []],
  ['diff', '9.0.0', []],
  ['h3', '2.0.0', expect.arrayContaining([expect.stringContaining('CVE-2026-33131')])],
  ['h3', '1.15.11', []],
])('%s %s is reported if it has a known problem', (name, version, expected) => {
  const known = packages.find(one => one.name === name)!
  expect(complaintsAbout([{ ...known, version }])).toEqual(expected)
})
