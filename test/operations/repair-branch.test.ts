/** A branch that names a missing or damaged commit, or none: what the record holds is said, and one command brings all of it back. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { restoreEdits } from '../../src/operations/restore-edits.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import { loosePath } from '../../src/store/git/objects.ts'
import { git, hasGit } from '../_setup.ts'
import { wiki as run } from '../cli/harness.ts'
import { ada, create, edit, newWiki, openTestWiki } from './_wiki.ts'

interface Scene {
  readonly directory: string
  /** The last acknowledged commit, and that of git on top of it. */
  readonly good: string
  readonly byGit: string
  /** The texts that were acknowledged. */
  readonly texts: Readonly<Record<string, string>>
  readonly lose: (object: string) => void
  readonly setRef: (text: string) => void
}

/** A wiki with acknowledged edits, and a commit by plain git on top of them, all of it in loose objects. */
async function scene(): Promise<Scene> {
  const { directory, wiki } = await newWiki({ Boats: 'boats', 'Harbour/Tides': 'tides' })
  await edit(wiki, 'Harbour/Tides', 'tides and more\n')
  const good = git(directory, 'rev-parse', 'main')
  writeFileSync(join(directory, 'Harbour', 'Tides.wiki'), 'tides by git\n')
  git(directory, 'commit', '-qam', 'by git')
  const objects = join(directory, '.git', 'objects')
  return {
    directory,
    good,
    byGit: git(directory, 'rev-parse', 'main'),
    texts: { 'Boats.wiki': 'boats', 'Harbour/Tides.wiki': 'tides and more' },
    lose: object => rmSync(loosePath(objects, git(directory, 'rev-parse', object))),
    setRef: text => writeFileSync(join(directory, '.git', 'refs', 'heads', 'main'), text),
  }
}

/** Damage of the branch. Where its commit is still there, the one by git stays. */
const damages: Readonly<Record<string, (scene: Scene) => void>> = {
  'its commit is gone': ({ lose }) => lose('main'),
  'the tree of its commit is gone': ({ lose }) => lose('main^{tree}'),
  'a folder of its commit is gone': ({ lose }) => lose('main:Harbour'),
  'its commit is damaged': ({ directory }) => {
    const path = loosePath(join(directory, '.git', 'objects'), git(directory, 'rev-parse', 'main'))
    rmSync(path)
    writeFileSync(path, 'nothing that inflates')
  },
  'its file is empty': ({ setRef }) => setRef(''),
  'its file is full of zeros': ({ setRef }) => setRef('\0'.repeat(41)),
  'its commit is gone, and the folder wiki, and the reflog': ({ directory, lose }) => {
    lose('main')
    rmSync(join(directory, '.git', 'wiki'), { recursive: true })
    rmSync(join(directory, '.git', 'logs'), { recursive: true })
  },
}

describe.skipIf(!hasGit)('a branch is put back, with every acknowledged edit, after', () => {
  test.each(Object.entries(damages))('%s', async (name, damage) => {
    const made = await scene()
    const { directory, byGit } = made
    damage(made)
    const isKept = name.startsWith('its file')
    const to = isKept ? byGit : made.good
    const texts = isKept ? { 'Boats.wiki': 'boats', 'Harbour/Tides.wiki': 'tides by git' } : made.texts
    const broken = await openTestWiki(directory)
    const { branches } = await verifyWiki(broken)
    const record =
      /(?:The record has \d saved edits, and refs\/wiki\/main\/acknowledged keeps them|^refs\/wiki\/main\/acknowledged keeps the saved edits) up to [0-9a-f]+\. .*: wiki restore --repair$/
    expect(branches[0]?.error?.hint).toMatch(record)
    await expect(edit(broken, 'Boats', 'more')).rejects.toMatchObject({ hint: expect.stringMatching(record) })
    await expect(restoreEdits(broken, { author: async () => ada })).rejects.toMatchObject({
      hint: expect.stringMatching(record),
    })
    const fresh = await openTestWiki(directory)
    const preview = await restoreEdits(fresh, { author: async () => ada, repair: true, dryRun: true })
    expect(preview.repaired).toMatchObject({ to })
    expect(await restoreEdits(fresh, { author: async () => ada, repair: true })).toMatchObject({
      branch: 'main',
      repaired: { to },
      failures: [],
    })
    expect(git(directory, 'rev-parse', 'main')).toBe(to)
    for (const [path, text] of Object.entries(texts)) expect(git(directory, 'show', `main:${path}`)).toBe(text)
    git(directory, 'rev-list', '--objects', 'main')
    expect(await verifyWiki(fresh)).toMatchObject({ lost: [], branches: [{ branch: 'main', error: null }] })
    // The file has the text of the commit that is gone.
    expect(git(directory, 'hash-object', 'Harbour/Tides.wiki')).toBe(git(directory, 'rev-parse', ':Harbour/Tides.wiki'))
    await create(fresh, 'New', 'new\n')
    fresh.close()
    broken.close()
  })

  test('edits that git had reset before are restored as well', async () => {
    const { directory, good, texts, lose } = await scene()
    git(directory, 'reset', '-q', '--hard', `${good}~1`)
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'by git')
    lose('main')
    const wiki = await openTestWiki(directory)
    const { restored } = await restoreEdits(wiki, { author: async () => ada, repair: true })
    expect(restored).toMatchObject([{ restored: good }])
    for (const [path, text] of Object.entries(texts)) expect(git(directory, 'show', `main:${path}`)).toBe(text)
  })

  test('a commit far below the tip is gone: every later edit is made again', async () => {
    const { directory, wiki } = await newWiki({ Boats: 'boats', Tides: 'tides' })
    await edit(wiki, 'Tides', 'tides, gone')
    const gone = git(directory, 'rev-parse', 'main')
    for (let at = 1; at <= 45; at++) await edit(wiki, 'Boats', `boats ${at}`)
    wiki.close()
    const text = git(directory, 'rev-parse', 'main:Boats.wiki')
    const lost = readFileSync(loosePath(join(directory, '.git', 'objects'), text))
    for (const object of [gone, text]) rmSync(loosePath(join(directory, '.git', 'objects'), object))
    // The index knows the commit, and git does not.
    const known = await openTestWiki(directory)
    expect(await verifyWiki(known)).toMatchObject({
      unread: ['Boats'],
      branches: [{ error: { code: 'wiki-objects-missing', hint: expect.stringContaining('wiki restore --repair') } }],
    })
    known.close()
    writeFileSync(loosePath(join(directory, '.git', 'objects'), text), lost)
    rmSync(join(directory, '.git', 'wiki'), { recursive: true })
    const fresh = await openTestWiki(directory)
    const { repaired } = await restoreEdits(fresh, { author: async () => ada, repair: true })
    expect(repaired).toMatchObject({ to: expect.stringMatching(/^[0-9a-f]{40}$/) })
    git(directory, 'rev-list', '--objects', 'main')
    expect(git(directory, 'show', 'main:Boats.wiki')).toBe('boats 45')
  })
})

test.skipIf(!hasGit)('a folder that git has lost since it was indexed is reported', async () => {
  const { directory, lose } = await scene()
  const before = await openTestWiki(directory)
  expect(await verifyWiki(before)).toMatchObject({ branches: [{ error: null }] })
  before.close()
  lose('main^{tree}')
  const wiki = await openTestWiki(directory)
  expect(await verifyWiki(wiki)).toMatchObject({
    branches: [{ error: { hint: expect.stringContaining('wiki restore --repair') } }],
  })
})

describe.skipIf(!hasGit)('a server that remembers a commit which git has removed', () => {
  test('saves nothing on top of it, and says how the branch is repaired', async () => {
    const { directory, lose } = await scene()
    const wiki = await openTestWiki(directory)
    await wiki.store.refresh()
    await wiki.store.trees.filesOf(git(directory, 'rev-parse', 'main'))
    lose('main')
    await expect(edit(wiki, 'Boats', 'more boats')).rejects.toMatchObject({
      code: 'wiki-objects-missing',
      hint: expect.stringContaining('wiki restore --repair'),
    })
  })

  test('may have saved on top of it before: the edit is restored with the text that it was made from', async () => {
    const { directory, good, byGit, lose } = await scene()
    const wiki = await openTestWiki(directory)
    await edit(wiki, 'Harbour/Tides', 'tides by git\n\nand a server\n')
    await edit(wiki, 'Boats', 'more boats\n')
    wiki.close()
    lose(byGit)
    const fresh = await openTestWiki(directory)
    const done = await restoreEdits(fresh, { author: async () => ada, repair: true })
    expect(done).toMatchObject({ repaired: { to: good }, failures: [] })
    expect(git(directory, 'show', 'main:Harbour/Tides.wiki')).toBe('tides by git\n\nand a server')
    expect(git(directory, 'show', 'main:Boats.wiki')).toBe('more boats')
    expect((await verifyWiki(fresh)).lost).toEqual([])
  })
})

describe.skipIf(!hasGit)('the command line', () => {
  test('says what the record holds, refuses to serve, and repairs with the command that it names', async () => {
    const { directory: cwd, good, lose } = await scene()
    lose('main')
    const advice = /hint: The record has 3 saved edits, .*: wiki restore --repair\n/
    const refusals = [
      run(['verify'], { cwd }),
      run(['restore'], { cwd }),
      run(['serve', '-p', '0'], { cwd, stopped: new Promise(() => {}) }),
    ]
    for (const refusal of refusals)
      expect(await refusal).toMatchObject({ status: 2, stderr: expect.stringMatching(advice) })
    const repaired = await run(['restore', '--repair'], { cwd })
    expect(repaired).toMatchObject({ status: 0 })
    expect(repaired.stderr).toContain(`It is back at its last whole commit, ${good.slice(0, 7)}`)
    expect(await run(['verify'], { cwd })).toMatchObject({ status: 0, stdout: '' })
    expect((await run(['restore', '--repair'], { cwd })).stderr).toBe('Nothing was lost on main\n')
  })

  test('names the branch where HEAD names another one', async () => {
    const { directory: cwd, good, lose } = await scene()
    git(cwd, 'switch', '-qc', 'topic', good)
    lose('main')
    const { status, stderr } = await run(['verify'], { cwd })
    expect(status).toBe(2)
    expect(stderr).toContain('wiki restore --repair --branch main\n')
    expect((await run(['restore', '--repair', '--branch', 'main'], { cwd })).status).toBe(0)
    expect(git(cwd, 'rev-parse', 'main')).toBe(good)
  })

  test('says how HEAD gets a name again', async () => {
    const { directory: cwd } = await scene()
    const head = join(cwd, '.git', 'HEAD')
    for (const text of ['', 'garbage\n', 'ref: \n']) {
      writeFileSync(head, text)
      const { status, stderr } = await run(['verify'], { cwd })
      expect(status).toBe(2)
      expect(stderr).toContain(`echo "ref: refs/heads/main" > ${head}`)
    }
  })

  test('says where the branch may come from if nothing is whole', async () => {
    const { directory: cwd, good, lose } = await scene()
    const [first] = git(cwd, 'rev-list', '--max-parents=0', good).split('\n')
    lose('main')
    lose(`${first}^{tree}`)
    const { status, stderr } = await run(['restore', '--repair'], { cwd })
    expect(status).toBe(2)
    expect(stderr).toContain('fetch the branch from another clone')
  })
})
