import { execFileSync } from 'node:child_process'
import { chmodSync, lchownSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEras } from '../../src/store/index/eras.ts'
import { ensureBuilt } from '../_built.ts'
import { hasGit, temporaryDirectory } from '../_setup.ts'
import { wiki } from '../cli/harness.ts'
import { newWiki } from '../operations/_wiki.ts'

/** Owner of the repository, who is not the user of the test. */
const other = 12_345

async function foreignWiki(): Promise<{ cwd: string; before: string[] }> {
  const { wiki: opened, directory: cwd } = await newWiki({ Tides: 'the moon [[Sea]]' })
  await opened.close()
  rmSync(join(cwd, '.git/wiki'), { recursive: true, force: true })
  const before = pathsIn(cwd)
  for (const path of before) lchownSync(join(cwd, path), other, other)
  return { cwd, before }
}

function pathsIn(folder: string): string[] {
  return ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
}

describe.skipIf(!hasGit || process.geteuid?.() !== 0)(
  'in the repository of another user, whose wiki it would close,',
  () => {
    test('nothing is made', async () => {
      const { cwd, before } = await foreignWiki()
      for (const argv of [['page', 'list'], ['search', 'moon'], ['show', 'Tides'], ['check'], ['verify'], ['status']])
        expect(await wiki(argv, { cwd }), argv.join(' ')).toMatchObject({ status: 0 })
      const refused = await wiki(['token', 'create', 'laptop'], { cwd })
      expect(refused.status).toBe(2)
      expect(refused.stderr).toContain('permission denied')
      expect(pathsIn(cwd)).toEqual(before)
      expect(before.filter(path => statSync(join(cwd, path)).uid !== other)).toEqual([])
    })

    // They are in several bundles, each with its own copy of the modules.
    test('the built commands make nothing', { tags: 'long' }, async () => {
      const { cwd, before } = await foreignWiki()
      await ensureBuilt()
      for (const argv of [['search', 'moon'], ['show', 'Tides'], ['verify']])
        execFileSync(process.execPath, [join(import.meta.dirname, '../../bin/wiki.cjs'), ...argv], {
          cwd,
          stdio: 'pipe',
        })
      expect(pathsIn(cwd)).toEqual(before)
    })
  },
)

test.skipIf(process.geteuid?.() !== 0)(
  'a folder that another user closed is to be given back, not removed',
  async () => {
    const folder = await temporaryDirectory()
    chmodSync(folder, 0o700)
    process.seteuid?.(other)
    try {
      expect(() => readEras(join(folder, 'main'))).toThrow(
        expect.objectContaining({ code: 'wiki-bad-repository', hint: expect.stringContaining(`chown -R ${other} `) }),
      )
    } finally {
      process.seteuid?.(0)
    }
  },
)
