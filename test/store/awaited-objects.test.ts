/** Places at which an object that git lacks may come to lie. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placesOfObject } from '../../src/store/git/objects.ts'
import { temporaryDirectory } from '../_setup.ts'

const hash = 'a'.repeat(40)

test('are also those of the repositories from which git borrows', async () => {
  const objects = await temporaryDirectory()
  mkdirSync(join(objects, 'info'))
  writeFileSync(join(objects, 'info/alternates'), '# other\n../other\n')
  expect(placesOfObject(objects, hash)).toContain(join(objects, `../other/aa/${hash.slice(2)}`))
})

test.each<[string, (path: string) => void]>([
  ['a folder', path => mkdirSync(path)],
  ['large', path => writeFileSync(path, '../other\n'.repeat(100_000))],
])('are its own where the list of those is %s', async (_, make) => {
  const objects = await temporaryDirectory()
  mkdirSync(join(objects, 'info'))
  make(join(objects, 'info/alternates'))
  expect(placesOfObject(objects, hash)).toHaveLength(3)
})
