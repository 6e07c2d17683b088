import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { oneIn } from '../_rounds.ts'
import { hasGit } from '../_setup.ts'
import { commands, flagsOf, reads, run } from './every-command.ts'
import { hideSecrets, loseSecretEdit, mark, type SecretWiki, secretIn, secretWiki } from './secret-wiki.ts'

/** Commands that write, in this order; texts come from stdin. */
const writes: readonly (readonly [command: string, ...words: string[]])[] = [
  ['page edit', 'Ferry', '-f', '-', '--base', '2'],
  ['page edit', 'Ferry', '-f', '-', '--base', '3'],
  ['page edit', 'Tides', '-f', '-', '--base', '2'],
  ['page edit', 'Ferry', '-f', '-'],
  ['page create', 'Ferry', '-f', '-'],
  ['page create', 'Wharf', '-f', '-'],
  ...['1', '2', '3', '4', '1..3'].flatMap(
    range =>
      [
        ['undo', range, '--dry-run'],
        ['undo', range],
      ] as const,
  ),
  ['replace', '--regex', '.+', '$&', '--dry-run'],
  ['replace', '--regex', '(\\w)$', '$1!'],
  ['apply', 'texts/mine', '--dry-run'],
  ['page move', 'Ferry', 'Boat', '--update-links', '--dry-run'],
  ['page move', 'Ferry', 'Boat'],
  ['page move', 'Tides', 'Currents'],
  ['page restore', 'Gone', '--dry-run'],
  ['page restore', 'Gone'],
  ['page restore', 'Gone@latest'],
  ['page delete', 'Boat', '--dry-run'],
  ['page delete', 'Boat', '--yes'],
  ['page restore', 'Boat', '--dry-run'],
  ['page restore', 'Boat'],
  ['file add', 'texts/mine', '--title', 'Mine.txt'],
  ['commit', '--dry-run'],
  ['commit', '-m', 'own work'],
  ['restore', '--dry-run'],
  ['restore'],
  ['config set', 'name', 'Haven'],
  ['token create', 'Robot'],
  ['token revoke', 'nothing'],
  ['migrate-layout', 'sharded', '--dry-run'],
  ['migrate-layout', 'sharded'],
  ['import', 'texts/mine'],
  ['init'],
  ['merge-driver', 'texts/base', 'texts/mine', 'texts/theirs', 'Boat.wiki', '7'],
  ['revision hide', '2', '--comment'],
  ['revision hide', '3', '--text', '--author', '--comment', '--reason', 'again'],
  ['revision show', '2'],
]

/**
 * Runs everything that reads, with each option or as people read it; returns the secrets that each command line shows. `npm
 * test` takes a sixth of the options for each row of arguments, the next sixth for the next row, and the full run half of them:
 * all are 6,000 command lines.
 */
async function walk(secret: SecretWiki, { thorough }: { thorough: boolean }): Promise<Map<string, string[]>> {
  const shown = new Map<string, string[]>()
  for (const [name, rowsOf] of Object.entries(reads)) {
    const flags = thorough ? await flagsOf(name) : ['']
    const part = thorough ? 6 : 1
    const rows = rowsOf(secret)
    for (const [at, row] of rows.entries())
      for (const flag of oneIn(Math.min(part, 2 * rows.length), flags, at, Math.min(2, part))) {
        const words = flag === '' ? row : name === '__complete' ? [flag, ...row] : [...row, flag]
        const { stdout, stderr } = await run(secret, name, words)
        const secrets = secretIn(stdout + stderr)
        if (secrets.length > 0) shown.set([name, ...words].join(' '), secrets)
      }
  }
  return shown
}

test('every command is tested', () => {
  const walked = [...Object.keys(reads), ...writes.map(([name]) => name)]
  expect(Object.keys(commands).filter(name => !walked.includes(name))).toEqual([])
})

describe('of hidden revisions', () => {
  test('no command shows anything, although all of them do before', {
    tags: ['rounds', 'long'],
    timeout: 1_200_000,
  }, async () => {
    const secret = await secretWiki()
    const before = new Set([...(await walk(secret, { thorough: false })).values()].flat())
    const parts = ['text', 'user', 'comment']
    const expected = ['old', 'gone', 'file', 'move', 'last'].flatMap(place => parts.map(part => mark + place + part))
    expect([...before].sort()).toEqual(expect.arrayContaining(expected))
    await hideSecrets(secret)
    if (hasGit) await loseSecretEdit(secret)
    expect(await walk(secret, { thorough: true })).toEqual(new Map())
    writeFileSync(join(secret.directory, 'Pier.wiki'), 'My own text.\n')
    for (const [name, ...words] of writes) {
      const { stdout, stderr } = await run(secret, name, words)
      expect(secretIn(stdout + stderr), [name, ...words].join(' ')).toEqual([])
      if (words.at(-1) !== '--json') {
        const again = await run(secret, name, [...words, '--json'])
        expect(secretIn(again.stdout + again.stderr), [name, ...words, '--json'].join(' ')).toEqual([])
      }
    }
    expect(await walk(secret, { thorough: false })).toEqual(new Map())
  })
})
