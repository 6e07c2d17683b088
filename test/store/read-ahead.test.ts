import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAhead } from '../../src/store/index/read-ahead.ts'
import { temporaryDirectory } from '../_setup.ts'

test('a file is read to its end, or until the reader stops', async () => {
  const path = join(await temporaryDirectory(), 'base')
  await writeFile(path, Buffer.alloc(2_500_000))
  let asked = 0
  await readAhead(path, () => ++asked < 10)
  expect(asked).toBe(4)
  asked = 0
  await readAhead(path, () => ++asked < 2)
  expect(asked).toBe(2)
})

test('an unreadable file is not an error', async () => {
  const folder = await temporaryDirectory()
  await mkdir(join(folder, 'folder'))
  for (const name of ['folder', 'missing']) await readAhead(join(folder, name), () => true)
})
