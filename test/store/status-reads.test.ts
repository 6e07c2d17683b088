import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasGit } from '../_setup.ts'
import { newWiki, openTestWiki } from '../operations/_wiki.ts'

test.skipIf(!hasGit)('comparing the files without git leaves the index as it is', async () => {
  const { directory } = await newWiki({ Tides: 'High.', Fog: 'Grey.' })
  writeFileSync(join(directory, 'Tides.wiki'), 'Low.\n')
  // The index is out of date about this file, and the library would refresh it.
  utimesSync(join(directory, 'Fog.wiki'), 1, 1)
  const index = join(directory, '.git/index')
  const before = [statSync(index).mtimeMs, readFileSync(index, 'latin1')]
  const wiki = await openTestWiki(directory, { backend: 'isomorphic-git' })
  expect(await wiki.store.checkout.changes()).toMatchObject([{ path: 'Tides.wiki', kind: 'modified' }])
  expect([statSync(index).mtimeMs, readFileSync(index, 'latin1')]).toEqual(before)
})
