import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { removeFolder } from '../../src/files/private-files.ts'
import { temporaryDirectory } from '../_setup.ts'

const fill = vi.hoisted(() => ({ times: 0 }))

/** Another process has opened a file in the folder before it was renamed. */
vi.mock('node:fs', async importOriginal => {
  const original = await importOriginal<typeof import('node:fs')>()
  const rmSync: typeof original.rmSync = (path, options) => {
    if (fill.times-- > 0) throw Object.assign(new Error('not empty'), { code: 'ENOTEMPTY' })
    original.rmSync(path, options)
  }
  return { ...original, rmSync }
})

test('a folder into which files still come is removed as well', async () => {
  const folder = join(await temporaryDirectory(), 'folder')
  mkdirSync(folder)
  fill.times = 3
  removeFolder(folder)
  expect(existsSync(folder)).toBe(false)
  mkdirSync(folder)
  fill.times = Number.POSITIVE_INFINITY
  expect(() => removeFolder(folder)).toThrow('not empty')
  fill.times = 0
})
