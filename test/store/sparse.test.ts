import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sparseFinder } from '../../src/store/work-tree/sparse.ts'
import { rounds } from '../_rounds.ts'
import { git, hasGit } from '../_setup.ts'
import { newStore, write } from './_store.ts'

const status = (directory: string) => git(directory, 'status', '--porcelain', '--untracked-files=all')

async function sparseWiki(...patterns: string[]) {
  const { store, directory } = await newStore()
  await write(store, { 'in/A.wiki': 'a\n', 'out/B.wiki': 'b\n', 'C.wiki': 'c\n' })
  git(directory, 'sparse-checkout', 'set', ...patterns)
  return { store, directory }
}

describe.skipIf(!hasGit)('a sparse checkout', () => {
  test('gets no file for a page outside of it, whether new, moved or edited', async () => {
    const { store, directory } = await sparseWiki('--cone', 'in')
    await write(store, { 'out/N.wiki': 'new\n', 'out/B.wiki': 'b2\n', 'in/N.wiki': 'new\n' })
    await write(store, { 'in/A.wiki': null, 'other/A.wiki': 'a\n' })
    expect(
      ['in/N.wiki', 'out/N.wiki', 'out/B.wiki', 'other/A.wiki'].map(at => existsSync(join(directory, at))),
    ).toEqual([true, false, false, false])
    expect(status(directory)).toBe('')
    git(directory, 'sparse-checkout', 'disable')
    expect(readFileSync(join(directory, 'other/A.wiki'), 'utf8')).toBe('a\n')
    expect(status(directory)).toBe('')
  })

  test("keeps a user's own file outside of it, and updates one that matches the branch", async () => {
    const { store, directory } = await sparseWiki('--no-cone', '/*', '!/out/')
    mkdirSync(join(directory, 'out'))
    writeFileSync(join(directory, 'out/B.wiki'), 'b\n')
    writeFileSync(join(directory, 'out/N.wiki'), 'mine\n')
    expect(await write(store, { 'out/N.wiki': 'new\n', 'out/B.wiki': 'b2\n' })).toMatchObject({
      leftAlone: ['out/N.wiki'],
    })
    expect(readFileSync(join(directory, 'out/N.wiki'), 'utf8')).toBe('mine\n')
    expect(readFileSync(join(directory, 'out/B.wiki'), 'utf8')).toBe('b2\n')
    expect(status(directory)).toBe(' M out/N.wiki')
  })

  // Git decides which paths are inside; it takes 20 ms a round.
  test('agrees with git about the paths inside, for generated patterns', {
    tags: 'rounds',
  }, async () => {
    const paths = [
      'A',
      'B c',
      'in/A',
      'in/sub/A',
      'in/sub/deep/B',
      'out/A',
      'out/in/A',
      'out/sub',
      'x.png',
      'in.png/a#',
      '!b/a',
    ]
    const { directory } = await newStore()
    for (const path of paths) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), '')
    }
    git(directory, 'add', '.')
    git(directory, 'commit', '-q', '-m', 'paths')
    git(directory, 'sparse-checkout', 'set', '--no-cone', '/*')
    const place = { gitDirectory: join(directory, '.git'), commonDirectory: join(directory, '.git') }
    const parts = [
      '/*',
      '/*/',
      '/in/',
      '/in',
      'in',
      'in/',
      'sub',
      '/in/*/',
      '/in/sub/',
      'A',
      '*.png',
      '**/A',
      '/out/**',
      'B c ',
      'x.png\r',
      '#A',
      '\\!b',
      '[io]*',
      '',
      'in/s?b',
    ]
    let random = 7
    const next = (below: number) => {
      random = (random * 1103515245 + 12345) % 2147483648
      return (random >> 8) % below
    }
    for (let round = 0; round < rounds(15, 300); round++) {
      const lines = Array.from({ length: 1 + next(5) }, () => `${next(3) === 0 ? '!' : ''}${parts[next(parts.length)]}`)
      // Git refuses patterns that leave nothing.
      writeFileSync(join(directory, '.git/info/sparse-checkout'), ['/Keep', ...lines, ''].join('\n'))
      git(directory, 'sparse-checkout', 'reapply')
      const inside = git(directory, 'ls-files', '-t')
        .split('\n')
        .filter(line => line.startsWith('H '))
        .map(line => line.slice(2))
      const isOutside = sparseFinder(place)
      expect({ lines, inside: paths.filter(path => !isOutside(path)).sort() }).toEqual({ lines, inside: inside.sort() })
    }
  })
})
