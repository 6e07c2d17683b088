/** Names that are synced before a write is acknowledged. */

import { mkdirSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namesSynced, noteName } from '../../src/files/durable.ts'
import { temporaryDirectory } from '../_setup.ts'

test('a folder that cannot be opened for a moment is synced before a later write is acknowledged', async () => {
  const folder = join(await temporaryDirectory(), 'refs')
  mkdirSync(folder)
  noteName(join(folder, 'main'))
  rmdirSync(folder)
  symlinkSync(folder, folder)
  for (const _ of ['this write', 'the next one']) await expect(namesSynced(folder)).rejects.toThrow('ELOOP')
  unlinkSync(folder)
  mkdirSync(folder)
  await namesSynced(folder)
})
