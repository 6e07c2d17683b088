/**
 * A patch is taken exactly where `git apply` takes it, and with the same result: generated patches, of files that have changed since.
 *
 *     WIKI_PROOF=1 npx vitest run test/proof/patches.test.ts
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatPatch, structuredPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import { isWikiError } from '../../src/core/errors.ts'
import { applyFilePatch, readPatch } from '../../src/diff/patch.ts'
import { rounds } from '../_rounds.ts'
import { hasGit, temporaryDirectory } from '../_setup.ts'
import { Chance } from './_random-words.ts'

const name = 'Tides.wiki'

interface Patched {
  readonly patch: string
  /** The file that it is applied to; null if there is none. */
  readonly file: string | null
}

const some = [
  'a',
  'b',
  'c',
  '',
  ' ',
  '\tx',
  '-- ',
  '--- a',
  '+++ b',
  '@@ -1 +1 @@',
  'long line of words',
  'a\r',
] as const

function lines(chance: Chance, most: number): string[] {
  return Array.from({ length: chance.below(most) }, () => chance.pick(some))
}

function joined(chance: Chance, list: readonly string[]): string {
  const text = list.map(line => `${line}\n`).join('')
  return chance.is(0.15) ? text.slice(0, -1) : text
}

function changed(chance: Chance, list: readonly string[], most: number): string[] {
  const result = [...list]
  for (let left = 1 + chance.below(most); left > 0; left--)
    result.splice(chance.below(result.length + 1), chance.below(3), ...lines(chance, 3))
  return result
}

function generate(chance: Chance): Patched {
  const before = lines(chance, chance.pick([1, 4, 12, 25]))
  const [from, to] = [joined(chance, before), joined(chance, chance.is(0.1) ? [] : changed(chance, before, 3))]
  const kind = from === '' && chance.is(0.7) ? 'create' : to === '' && chance.is(0.7) ? 'delete' : 'edit'
  const file = chance.is(0.3) ? from : joined(chance, chance.is(0.1) ? [] : changed(chance, before, 3))
  const isThere = chance.is(0.93) === (kind !== 'create')
  return { patch: patchOf(chance, from, to, kind), file: isThere ? file : null }
}

function patchOf(chance: Chance, from: string, to: string, kind: string): string {
  const names = [kind === 'create' ? '/dev/null' : `a/${name}`, kind === 'delete' ? '/dev/null' : `b/${name}`] as const
  const context = chance.pick([0, 1, 2, 3, 3, 3])
  const found = structuredPatch(...names, from, to, undefined, undefined, { context })
  for (const hunk of found.hunks) {
    if (chance.is(0.15)) hunk.oldStart = Math.max(0, hunk.oldStart + chance.below(5) - 2)
    if (chance.is(0.15)) hunk.newStart = Math.max(0, hunk.newStart + chance.below(5) - 2)
    if (chance.is(0.04)) hunk.oldLines++
    if (chance.is(0.04)) hunk.lines.splice(chance.below(hunk.lines.length), 1)
  }
  if (chance.is(0.1)) found.hunks.reverse()
  const body = found.hunks.length === 0 ? '' : formatPatch(found).replace(/^(?:Index|=====).*\n/gm, '')
  const git = [
    `diff --git a/${name} b/${name}\n`,
    kind === 'create' ? 'new file mode 100644\n' : kind === 'delete' ? 'deleted file mode 100644\n' : '',
    chance.is(0.5) ? 'index 0000000..e69de29\n' : '',
  ]
  const patch = `${chance.is(0.6) || body === '' ? git.join('') : ''}${body}`
  return chance.pick([
    () => patch,
    () => patch,
    () => patch.replace(/^ $/gm, ''),
    () => `From: Ada\nSubject: [PATCH] Tides\n\n---\n Tides.wiki | 2 +-\n\n${patch}-- \n2.39.5\n\n`,
    () => patch.slice(0, Math.max(0, patch.length - chance.below(4))),
    () => patch.replace(/^(?:---|\+\+\+) .*/gm, '$&\t2026-01-01 00:00:00 +0100'),
    () => patch.replace(/^--- .*/m, `--- a/${name}\t1970-01-01 01:00:00.000000000 +0100`),
    () => patch.replace(/^\+\+\+ .*/m, `+++ b/${name}\t1970-01-01 00:00:00 +0000`),
    () => patch.replace(/^(---|\+\+\+) [ab]/gm, (_, sign) => `${sign} ${sign === '---' ? 'old' : 'new'}`),
    () => (kind === 'edit' ? patch.replace(/^--- .*/m, '$&.orig') : patch),
  ])()
}

/** The file as git leaves it; undefined if it refuses. */
function byGit(directory: string, { patch, file }: Patched): string | null | undefined {
  const path = join(directory, name)
  rmSync(path, { force: true })
  if (file !== null) writeFileSync(path, file)
  const { status } = spawnSync('git', ['apply', '-'], { cwd: directory, input: patch })
  if (status !== 0) return undefined
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function byUs({ patch, file }: Patched): string | null | undefined {
  try {
    const [one] = readPatch(patch)
    if ((file === null) !== (one!.kind === 'create') && !(file === null && one!.mayCreate)) return undefined
    const after = applyFilePatch(file ?? '', one!)
    return after === null ? undefined : one!.kind === 'delete' ? null : after
  } catch (error) {
    if (isWikiError(error, 'wiki-bad-patch')) return undefined
    throw error
  }
}

// Slow: git is started for each patch. Found patches that were taken where git refuses them, of the first line for one.
describe.skipIf(!hasGit)('a patch', () => {
  test('is taken exactly where git takes it', { tags: 'rounds' }, async () => {
    const directory = await temporaryDirectory()
    const counts = { taken: 0, refused: 0 }
    const differences: unknown[] = []
    for (let seed = 1; seed <= rounds(60, 600, 10_000); seed++) {
      const one = generate(new Chance(seed))
      const wanted = byGit(directory, one)
      counts[wanted === undefined ? 'refused' : 'taken']++
      const got = byUs(one)
      // Git takes a last line without a line feed in the middle of a text, and joins it with the next one.
      if (got === undefined && wanted !== undefined && /^ .*\n\\ No newline/m.test(one.patch)) continue
      if (got !== wanted && differences.length < 5) differences.push({ seed, ...one, got, wanted })
    }
    expect(differences).toEqual([])
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(10)
  })
})
