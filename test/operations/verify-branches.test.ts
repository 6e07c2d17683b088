/** `wiki verify` and `wiki restore` look at each branch with a record or a running server, whatever HEAD names. */

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { otherLosingBranches, restoreEdits } from '../../src/operations/restore-edits.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import { announceServing } from '../../src/store/repository/served-branch.ts'
import { git, hasGit } from '../_setup.ts'
import { wiki as run } from '../cli/harness.ts'
import { ada, edit, newWiki, openTestWiki } from './_wiki.ts'

/** A wiki whose branch main has lost an acknowledged edit of Tides; returns the lost commit. */
async function poorerMain(): Promise<{ directory: string; lost: string }> {
  const { directory, wiki } = await newWiki({ Boats: 'boats', Tides: 'tides' })
  await edit(wiki, 'Tides', 'tides and more\n')
  const lost = git(directory, 'rev-parse', 'main')
  git(directory, 'reset', '-q', '--hard', 'HEAD~1')
  return { directory, lost }
}

const heads: Readonly<Record<string, (directory: string) => void>> = {
  'on another branch': directory => void git(directory, 'switch', '-qc', 'topic'),
  'on another branch, with packed refs': directory => {
    git(directory, 'switch', '-qc', 'topic')
    git(directory, 'pack-refs', '--all')
  },
  detached: directory => void git(directory, 'switch', '-q', '--detach'),
  'on a branch without commits': directory => void git(directory, 'switch', '-q', '--orphan', 'fresh'),
  'in a rebase that has stopped': directory => {
    git(directory, 'switch', '-qc', 'topic')
    const environment = { GIT_SEQUENCE_EDITOR: "sed -i -e '1s/pick/edit/'" }
    git(directory, '-c', `sequence.editor=${environment.GIT_SEQUENCE_EDITOR}`, 'rebase', '-q', '-i', 'HEAD~1')
    expect(existsSync(join(directory, '.git', 'rebase-merge'))).toBe(true)
  },
}

describe.skipIf(!hasGit)('an edit that main has lost is named and can be restored', () => {
  test.each(Object.entries(heads))('with HEAD %s', async (_, move) => {
    const { directory, lost } = await poorerMain()
    move(directory)
    const wiki = await openTestWiki(directory)
    const found = { kind: 'lost', commit: lost, title: 'Tides', branch: 'main', isGone: false }
    const verified = await verifyWiki(wiki)
    expect(verified.lost).toMatchObject([{ ...found, restore: `wiki restore ${lost.slice(0, 10)} --branch main` }])
    expect(verified.branches.map(({ branch }) => branch)).toContain('main')
    expect(await restoreEdits(wiki, { author: async () => ada })).toMatchObject({ restored: [], failures: [] })
    expect(await otherLosingBranches(wiki)).toEqual([
      { branch: 'main', lost: 1, restore: 'wiki restore --branch main' },
    ])
    const main = await openTestWiki(directory, { branch: 'main' })
    expect(await restoreEdits(main, { author: async () => ada })).toMatchObject({
      branch: 'main',
      restored: [{ restored: lost }],
    })
    expect(git(directory, 'show', 'main:Tides.wiki')).toBe('tides and more')
    expect((await verifyWiki(wiki)).lost).toEqual([])
  })

  test('and can be accepted from another branch', async () => {
    const { directory, lost } = await poorerMain()
    git(directory, 'switch', '-qc', 'topic')
    const wiki = await openTestWiki(directory)
    expect((await verifyWiki(wiki, { accept: [lost.slice(0, 8)] })).lost).toEqual([])
    await expect(verifyWiki(wiki, { accept: ['abcdef12'] })).rejects.toMatchObject({ code: 'wiki-usage' })
  })

  test('and the command line names the branch', async () => {
    const { directory, lost } = await poorerMain()
    git(directory, 'switch', '-qc', 'topic')
    const cwd = directory
    const verified = await run(['verify'], { cwd })
    expect(verified).toMatchObject({ status: 1, stdout: expect.stringContaining(`lost\t${lost}`) })
    expect(verified.stdout).toMatch(/\tTides\tmain\n$/)
    expect((await run(['verify', '--branch', 'topic'], { cwd })).status).toBe(0)
    expect((await run(['check'], { cwd })).stdout).toContain(`edit ${lost.slice(0, 10)} of main is not on the branch`)
    const restored = await run(['restore', '--json'], { cwd })
    expect(JSON.parse(restored.stdout)).toMatchObject({
      branch: 'topic',
      restored: [],
      others: [{ branch: 'main', lost: 1 }],
    })
    expect(restored.stderr).toContain(
      'Nothing was lost on topic\nmain has lost 1 edit. Restore them with: wiki restore --branch main',
    )
    expect((await run(['restore', '--branch', 'main', '--yes'], { cwd })).status).toBe(0)
    expect(await run(['verify'], { cwd })).toMatchObject({ status: 0, stdout: '' })
  })
})

describe.skipIf(!hasGit)('also looked at are', () => {
  test('branches that a running server serves without a record', async () => {
    const { directory } = await newWiki({ Tides: 'tides' })
    git(directory, 'branch', 'served')
    const end = announceServing({ commonDirectory: join(directory, '.git'), branch: 'refs/heads/served' })
    const { branches } = await verifyWiki(await openTestWiki(directory))
    end()
    expect(branches.map(({ branch }) => branch)).toEqual(['main', 'served'])
  })

  test('branches whose log is gone, by their refs', async () => {
    const { directory, lost } = await poorerMain()
    git(directory, 'switch', '-qc', 'topic')
    rmSync(join(directory, '.git', 'wiki'), { recursive: true })
    const { lost: found } = await verifyWiki(await openTestWiki(directory))
    expect(found).toMatchObject([{ commit: lost, branch: 'main' }])
  })

  test('branches that are gone, once', async () => {
    const { directory, lost } = await poorerMain()
    git(directory, 'switch', '-qc', 'topic')
    const topic = await openTestWiki(directory)
    await edit(topic, 'Boats', 'boats on topic\n')
    git(directory, 'branch', '-q', 'third')
    git(directory, 'branch', '-q', '-D', 'main')
    expect((await verifyWiki(topic)).lost).toMatchObject([{ commit: lost, branch: 'main', isGone: true }])
  })

  test('the others, if one cannot be read', async () => {
    const { directory, lost } = await poorerMain()
    git(directory, 'switch', '-qc', 'topic')
    writeFileSync(join(directory, '.git', 'refs', 'heads', 'topic'), '')
    const { branches, lost: found } = await verifyWiki(await openTestWiki(directory))
    expect(branches).toMatchObject([
      { branch: 'topic', error: { code: 'wiki-bad-repository' } },
      { branch: 'main', error: null },
    ])
    expect(found).toMatchObject([{ commit: lost, branch: 'main' }])
    const result = await run(['verify'], { cwd: directory })
    expect(result).toMatchObject({ status: 2, stdout: expect.stringContaining(lost) })
    expect(result.stderr).toContain('refs/heads/topic names no commit')
  })
})
