// @module-tag long
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { firstOf, oneIn } from '../_rounds.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { dumpOf } from '../operations/_dump.ts'
import { bundleChild, startChild, startKilled } from './_processes.ts'

const pages = 40
const revisionsOfPage = 50

/** Long enough to be killed at several positions. */
function longDump(): string {
  return dumpOf(
    Array.from({ length: pages }, (_, page) => ({
      title: `Page ${page}`,
      revisions: Array.from({ length: revisionsOfPage }, (_, at) => ({
        time: new Date(Date.UTC(2020, 0, 1 + at, 0, page)).toISOString().replace('.000', ''),
        text: `${page} ${'line of text\n'.repeat(20)}${at}`,
        by: `User ${page % 7}#${(page % 7) + 1}`,
      })),
    })),
  )
}

/**
 * Calls that change a file, before each of which an import is killed. A whole one makes 384, one that continues fewer: a late
 * kill may find it complete.
 */
const moments = [1, 12, 24, 36, 48, 60, 90, 200]

describe.skipIf(!hasGit)('a killed import', () => {
  let script: string
  let dump: string
  let whole: string

  beforeAll(async () => {
    script = await bundleChild()
    dump = join(await temporaryDirectory(), 'dump.xml')
    writeFileSync(dump, longDump())
    const directory = await wiki([])
    await finish(directory)
    whole = tree(directory)
  })

  async function wiki(options: readonly string[]): Promise<string> {
    const directory = await temporaryDirectory()
    git(directory, 'init', '--quiet', ...options)
    return directory
  }

  async function finish(directory: string): Promise<void> {
    const child = startChild(script, 'import', directory, dump)
    expect(await child.ended).toEqual({ end: 0, errors: '' })
  }

  const tree = (directory: string) => git(directory, 'ls-tree', '-r', 'HEAD')

  // Slow: each imports a dump several times. `npm test` kills one import at two moments.
  const kinds: readonly [name: string, options: string[]][] = [
    ['in a work tree', []],
    ['in a bare repository', ['--bare']],
  ]
  test.each(firstOf(kinds, 1))(
    '%s is completed when it is run again, with every revision once',
    { tags: ['rounds', 'long'], timeout: 240_000 },
    async (_, options) => {
      const directory = await wiki(options)
      for (const call of oneIn(4, moments, 3)) {
        const child = startKilled(call, script, 'import', directory, dump)
        expect((await child.ended).errors).toBe('')
        expectNothingOrAll(directory)
      }
      await finish(directory)
      expect(git(directory, 'rev-list', '--count', 'HEAD')).toBe(`${pages * revisionsOfPage + 1}`)
      expect(tree(directory)).toBe(whole)
      expect(git(directory, 'fsck', '--full', '--strict', '--no-dangling')).toBe('')
      if (options.length === 0) expect(git(directory, 'status', '--porcelain')).toBe('')
      expect(leftovers(directory)).toEqual([])
    },
  )

  function expectNothingOrAll(directory: string): void {
    const refs = git(directory, 'for-each-ref', '--format=%(refname)', 'refs/heads')
    if (refs === '') return
    expect(refs).toBe('refs/heads/main')
    expect(git(directory, 'rev-list', '--count', 'HEAD')).toBe(`${pages * revisionsOfPage + 1}`)
  }

  /** Files of a running import, locks included. */
  function leftovers(directory: string): string[] {
    const folder = [join(directory, '.git/wiki/main'), join(directory, 'wiki/main')].find(existsSync)
    return readdirSync(folder as string).filter(name => name.startsWith('import'))
  }
})
