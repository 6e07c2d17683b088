import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { originAddress } from '../../src/store/repository/upstream.ts'
import { temporaryDirectory } from '../_setup.ts'

test.each([
  ['https://example.org/wiki.git', 'https://example.org/wiki.git'],
  ['https://someone:secret@example.org:8443/wiki.git?token=secret#secret', 'https://example.org:8443/wiki.git'],
  ['HTTP://example.org/wiki', 'http://example.org/wiki'],
  ['git@example.org:us/wiki.git', 'ssh://example.org/us/wiki.git'],
  ['ssh://git@example.org:2222/us/wiki.git', 'ssh://example.org:2222/us/wiki.git'],
  ['example.org:wiki of ours.git', 'ssh://example.org/wiki%20of%20ours.git'],
  ['/srv/wiki.git', null],
  ['../wiki.git', null],
  ['file:///srv/wiki.git', null],
  ['C:/wiki.git', null],
  ['ext::sh -c secret', null],
  ['https://', null],
  ['', null],
])('the address of %j is %j', async (written, address) => {
  const commonDirectory = await temporaryDirectory()
  writeFileSync(join(commonDirectory, 'config'), `[remote "origin"]\n\turl = "${written}"\n`)
  expect(originAddress({ commonDirectory })).toBe(address)
})

test('a repository without a remote has none', async () => {
  const commonDirectory = await temporaryDirectory()
  writeFileSync(join(commonDirectory, 'config'), '[core]\n\tbare = false\n')
  expect(originAddress({ commonDirectory })).toBeNull()
})
