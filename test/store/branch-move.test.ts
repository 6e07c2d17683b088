import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { NewObjects } from '../../src/store/git/new-objects.ts'
import { isCollecting, ObjectGuard } from '../../src/store/git/object-guard.ts'
import { openBackend } from '../../src/store/git/open-backend.ts'
import type { PreparedFile } from '../../src/store/repository/durable-file.ts'
import { prepareMove } from '../../src/store/repository/ref-update.ts'
import type { Store } from '../../src/store/store.ts'
import { moveBranch } from '../../src/store/work-tree/branch-move.ts'
import { indexWatch } from '../../src/store/work-tree/index-watch.ts'
import { git, hasGit, needsGit, temporaryDirectory } from '../_setup.ts'
import { fromNow } from '../_times.ts'
import { until, untilFile } from '../_wait.ts'
import { newStore, openFresh, planOf, write } from './_store.ts'

describe.skipIf(!hasGit)('a branch that moves while its work tree switches to another one', () => {
  test('is not reverted by a switch that writes its index before and moves HEAD after', { tags: 'long' }, async () => {
    const { store, directory } = await wikiOnSide()
    const go = await stopSwitch(directory, 'main')
    await write(store, { 'A.wiki': 'acknowledged\n' })
    await go()
    // Another page is committed with plain git, as a person would.
    writeFileSync(join(directory, 'B.wiki'), 'mine\n')
    git(directory, 'add', 'B.wiki')
    git(directory, 'commit', '--quiet', '-m', 'mine')
    expect(git(directory, 'diff-tree', '-r', '--name-status', 'HEAD~1', 'HEAD')).toBe('M\tB.wiki')
    expect(git(directory, 'status', '--porcelain')).toBe('')
    expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('acknowledged\n')
  })

  test.each<[name: string, look: (directory: string) => Promise<unknown>]>([
    ['a look', async directory => (await openFresh(directory, { branch: 'main' })).checkout.repairIndex()],
    ['the next write', async directory => write(await openFresh(directory, { branch: 'main' }), { 'C.wiki': 'c2\n' })],
  ])('is repaired by %s if the switch had read the older commit', { tags: 'long' }, async (_, look) => {
    const { store, directory } = await wikiOnSide()
    const old = git(directory, 'rev-parse', 'main')
    await write(store, { 'A.wiki': 'acknowledged\n', 'N.wiki': 'new\n', 'B.wiki': null })
    switchFrom(directory, old)
    expect(git(directory, 'status', '--porcelain')).not.toBe('')
    await look(directory)
    expect(git(directory, 'status', '--porcelain')).toBe('')
    expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('acknowledged\n')
    expect(existsSync(join(directory, 'B.wiki'))).toBe(false)
  })

  test('is repaired by a server without any request', { tags: 'long' }, async () => {
    const { store, directory } = await wikiOnSide()
    await store.checkout.watchIndex()
    const old = git(directory, 'rev-parse', 'main')
    await write(store, { 'A.wiki': 'acknowledged\n' })
    switchFrom(directory, old)
    await expect.poll(() => git(directory, 'status', '--porcelain')).toBe('')
  })

  test('is written beside settings of git that cannot be read for a moment', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a\n' })
    const settings = join(directory, '.git', 'config')
    const [sound, { repository }] = [readFileSync(settings, 'utf8'), store]
    const backend = openBackend(repository)
    const watch = indexWatch(repository, hash => backend.read(hash))
    onTestFinished(() => {
      watch.end()
      backend.close()
    })
    writeFileSync(settings, '[core\n')
    // Vitest reports a rejection that nobody handles: it would end a server.
    await store.checkout.watchIndex()
    expect(() => watch.written()).not.toThrow()
    writeFileSync(settings, sound)
    await write(store, { 'A.wiki': 'b\n' })
  })

  test('is repaired by a server in a work tree added after its start', { tags: 'long' }, async () => {
    const { store, directory } = await wikiOnSide()
    store.close()
    // A process that writes waits for a while.
    await (await openFresh(directory, { branch: 'main' })).checkout.watchIndex()
    for (const round of [1, 2]) {
      const added = join(directory, '..', `added-${round}`)
      git(directory, 'worktree', 'add', '--quiet', '-b', `other-${round}`, added, 'main')
      // The server watches the new work tree from now on.
      await changesReported(directory)
      const old = git(directory, 'rev-parse', 'main')
      const writer = await openFresh(directory, { branch: 'main' })
      await write(writer, { 'A.wiki': `acknowledged ${round}\n` })
      writer.close()
      // The move of the branch itself makes the server check.
      await changesReported(directory)
      git(added, 'reset', '--quiet', '--hard', old)
      git(added, 'symbolic-ref', 'HEAD', 'refs/heads/main')
      await expect.poll(() => git(added, 'status', '--porcelain')).toBe('')
      git(directory, 'worktree', 'remove', added)
    }
  })

  test('keeps changes staged or edited since', { tags: 'long' }, async () => {
    const { store, directory } = await wikiOnSide()
    const old = git(directory, 'rev-parse', 'main')
    await write(store, { 'A.wiki': 'acknowledged\n', 'B.wiki': 'theirs\n' })
    switchFrom(directory, old)
    writeFileSync(join(directory, 'A.wiki'), 'mine\n')
    git(directory, 'add', 'A.wiki')
    writeFileSync(join(directory, 'B.wiki'), 'mine, too\n')
    await store.checkout.repairIndex()
    expect(git(directory, 'show', ':A.wiki')).toBe('mine')
    expect(readFileSync(join(directory, 'B.wiki'), 'utf8')).toBe('mine, too\n')
    expect(git(directory, 'show', ':B.wiki')).toBe('theirs')
  })

  test('keeps changes staged after the index was read', async () => {
    const { store, directory } = await wikiOnSide()
    await write(store, { 'A.wiki': 'acknowledged\n' })
    git(directory, 'switch', '--quiet', 'main')
    await store.checkout.repairIndex()
    git(directory, 'restore', '--staged', '--source=HEAD~1', 'A.wiki')
    await store.checkout.repairIndex()
    expect(git(directory, 'diff', '--cached', '--name-only')).toBe('A.wiki')
  })
})

describe.skipIf(!hasGit)('a branch checked out in a linked work tree', () => {
  test.each<[name: string, open: (directory: string, linked: string) => string]>([
    ['the main one', directory => directory],
    ['a bare repository', directory => join(directory, '.git')],
    ['the linked one', (_, linked) => linked],
  ])('is updated there by a write through %s', async (_, open) => {
    const { directory } = await wikiOnSide()
    const linked = await linkedTo(directory, 'main')
    const store = await openFresh(open(directory, linked), { branch: 'main' })
    await write(store, { 'A.wiki': 'acknowledged\n', 'N.wiki': 'new\n', 'C.wiki': null })
    expect(git(linked, 'status', '--porcelain')).toBe('')
    expect(readFileSync(join(linked, 'A.wiki'), 'utf8')).toBe('acknowledged\n')
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  test('is updated if git was about to create the index of that work tree', { tags: 'long' }, async () => {
    const { store, directory } = await wikiOnSide()
    const old = git(directory, 'rev-parse', 'main')
    const linked = await linkedTo(directory, 'main')
    rmSync(join(git(linked, 'rev-parse', '--absolute-git-dir'), 'index'))
    await write(store, { 'A.wiki': 'acknowledged\n' })
    git(linked, 'read-tree', old)
    await store.checkout.repairIndex()
    expect(git(linked, 'diff', '--cached', '--name-only')).toBe('')
  })

  test('is not written to while that work tree is in a merge', async () => {
    const { store, directory } = await wikiOnSide()
    const linked = await linkedTo(directory, 'main')
    writeFileSync(join(git(linked, 'rev-parse', '--absolute-git-dir'), 'MERGE_HEAD'), `${'0'.repeat(40)}\n`)
    await expect(write(store, { 'A.wiki': 'no\n' })).rejects.toMatchObject({ code: 'wiki-repository-busy' })
  })

  test.each<[name: string, arrange: (directory: string) => string]>([
    [
      '--separate-git-dir names',
      directory => {
        git(directory, 'init', '--quiet', '--separate-git-dir', join(directory, '..', 'around', 'wiki.git'))
        return join(directory, '..', 'around')
      },
    ],
    [
      'a bare repository is called, with settings of its work trees,',
      directory => {
        git(directory, 'config', 'extensions.worktreeConfig', 'true')
        git(directory, 'config', '--worktree', 'core.bare', 'true')
        git(directory, 'config', '--unset', 'core.bare')
        return directory
      },
    ],
  ])('adds no file to a folder that is not one of its work trees: around what %s', async (_, arrange) => {
    const wiki = await wikiOnSide()
    wiki.store.close()
    const directory = join(wiki.directory, 'inside')
    mkdirSync(directory)
    git(wiki.directory, 'clone', '--quiet', '-b', 'side', '.', 'inside')
    git(directory, 'branch', 'main', 'origin/main')
    const linked = join(wiki.directory, 'linked')
    git(directory, 'worktree', 'add', '--quiet', '-b', 'draft', linked, 'main')
    git(directory, 'switch', '--quiet', 'main')
    mkdirSync(join(wiki.directory, 'around'))
    const around = arrange(directory)
    const before = readdirSync(around)
    await write(await openFresh(linked, { branch: 'main' }), { 'A.wiki': 'acknowledged\n', 'N.wiki': 'new\n' })
    expect(readdirSync(around)).toEqual(before)
  })

  test('that has no work tree for a while is followed by its index later: core.bare was set', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a\n', 'B.wiki': 'b\n' })
    store.close()
    git(directory, 'config', 'core.bare', 'true')
    const bare = await openFresh(directory)
    await write(bare, { 'A.wiki': 'acknowledged\n' })
    bare.close()
    git(directory, 'config', 'core.bare', 'false')
    await write(await openFresh(directory), { 'B.wiki': 'b2\n' })
    expect(git(directory, 'status', '--porcelain')).toBe('')
    expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('acknowledged\n')
  })

  test('is not moved while the own work tree is missing', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a\n' })
    const [linked, moved] = [`${directory}-linked`, `${directory}-moved`]
    git(directory, 'worktree', 'add', '--quiet', '-b', 'side', linked)
    const there = await openFresh(linked)
    await write(there, { 'A.wiki': 'b\n' })
    git(directory, 'worktree', 'move', linked, moved)
    const refusal = { code: 'wiki-bad-repository', message: expect.stringContaining(`${linked}, does not exist`) }
    await expect(write(there, { 'A.wiki': 'c\n' })).rejects.toMatchObject(refusal)
    git(directory, 'config', 'core.worktree', linked)
    await expect(write(await openFresh(directory), { 'A.wiki': 'c\n' })).rejects.toMatchObject(refusal)
    await write(await openFresh(moved), { 'A.wiki': 'd\n' })
    expect(git(moved, 'status', '--porcelain')).toBe('')
  })

  test('moves even if the folder of that work tree is missing', async () => {
    const { store, directory } = await wikiOnSide()
    const linked = await linkedTo(directory, 'main')
    rmSync(linked, { recursive: true })
    expect(await write(store, { 'A.wiki': 'a2\n' })).toMatchObject({ leftAlone: [] })
  })
})

/** A commit on top of HEAD with another text of a page, in no branch. */
function newCommit(directory: string): string {
  const env = { ...process.env, GIT_INDEX_FILE: join(directory, '.git/other-index') }
  const run = (...words: string[]) =>
    execFileSync('git', ['-C', directory, ...words], { env })
      .toString()
      .trim()
  writeFileSync(join(directory, '.git/new-text'), 'new\n')
  run('read-tree', 'HEAD')
  run('update-index', '--cacheinfo', `100644,${run('hash-object', '-w', '.git/new-text')},A.wiki`)
  return git(directory, 'commit-tree', '-p', 'HEAD', '-m', 'new', run('write-tree'))
}

describe.skipIf(!hasGit)('a branch that moves without its work tree', () => {
  test.each<[name: string, move: (directory: string) => void]>([
    [
      'by a commit in a linked work tree',
      directory => {
        const linked = `${directory}-linked`
        git(directory, 'worktree', 'add', '--quiet', '--force', linked, 'main')
        writeFileSync(join(linked, 'A.wiki'), 'linked\n')
        git(linked, 'commit', '--quiet', '-am', 'linked')
      },
    ],
    [
      'by a push to here',
      directory => {
        const clone = `${directory}-clone`
        git(directory, 'config', 'receive.denyCurrentBranch', 'ignore')
        git(directory, 'clone', '--quiet', directory, clone)
        writeFileSync(join(clone, 'A.wiki'), 'pushed\n')
        git(clone, 'commit', '--quiet', '-am', 'pushed')
        git(clone, 'push', '--quiet', 'origin', 'main')
      },
    ],
    [
      'by git update-ref',
      directory => {
        const old = git(directory, 'rev-parse', 'HEAD')
        writeFileSync(join(directory, 'A.wiki'), 'moved\n')
        git(directory, 'commit', '--quiet', '-m', 'moved', '--', 'A.wiki')
        const moved = git(directory, 'rev-parse', 'HEAD')
        git(directory, 'checkout', '--quiet', '--detach')
        git(directory, 'update-ref', 'refs/heads/main', old)
        git(directory, 'switch', '--quiet', 'main')
        git(directory, 'update-ref', 'refs/heads/main', moved)
      },
    ],
    [
      'by git update-ref with a reason',
      directory => git(directory, 'update-ref', '-m', 'a script', 'refs/heads/main', newCommit(directory)),
    ],
    [
      'by git update-ref with a reason like those of commands',
      directory => git(directory, 'update-ref', '-m', 'sync: new', 'refs/heads/main', newCommit(directory)),
    ],
    [
      'by git fetch --update-head-ok',
      directory => {
        git(directory, 'branch', 'ahead', newCommit(directory))
        git(directory, 'fetch', '--quiet', '--update-head-ok', '.', 'ahead:main')
      },
    ],
    [
      'by git fast-import',
      directory => {
        const stream = 'commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 1\nx\n'
        const change = 'from refs/heads/main^0\nM 100644 inline A.wiki\ndata 9\nimported\n\n'
        execFileSync('git', ['-C', directory, 'fast-import', '--quiet'], { input: stream + change })
      },
    ],
  ])('after %s is followed: the next git commit reverts nothing', { tags: 'long' }, async (_, move) => {
    const { store, directory } = await wikiOnSide()
    git(directory, 'switch', '--quiet', 'main')
    await write(store, { 'B.wiki': 'acknowledged\n' })
    writeFileSync(join(directory, 'Mine.wiki'), 'mine\n')
    git(directory, 'add', 'Mine.wiki')
    move(directory)
    expect(git(directory, 'diff', '--cached', '--name-only')).toBe('A.wiki\nMine.wiki')
    await store.checkout.repairIndex()
    expect(git(directory, 'diff', '--cached', '--name-only')).toBe('Mine.wiki')
    expect(git(directory, 'status', '--porcelain')).toBe('A  Mine.wiki')
    expect(git(directory, 'reflog', '-1', '--format=%gs')).toBe('follow (wiki)')
  })

  test('is followed by the next write too, and later staged changes stay', { tags: 'long' }, async () => {
    const { store, directory } = await wikiOnSide()
    const linked = await linkedTo(directory, 'main')
    git(directory, 'switch', '--quiet', '--ignore-other-worktrees', 'main')
    writeFileSync(join(linked, 'A.wiki'), 'linked\n')
    git(linked, 'commit', '--quiet', '-am', 'linked')
    await write(store, { 'B.wiki': 'acknowledged\n' })
    expect(git(directory, 'status', '--porcelain')).toBe('')
    git(directory, 'restore', '--staged', '--source=HEAD~2', 'A.wiki')
    await store.checkout.repairIndex()
    await write(store, { 'C.wiki': 'next\n' })
    expect(git(directory, 'diff', '--cached', '--name-only')).toBe('A.wiki')
  })

  test.each([undefined, 'a script: reset'])('leaves the index if a reset moved the branch on purpose', async action => {
    const { store, directory } = await wikiOnSide()
    git(directory, 'switch', '--quiet', 'main')
    await write(store, { 'A.wiki': 'acknowledged\n' })
    vi.stubEnv('GIT_REFLOG_ACTION', action)
    onTestFinished(() => void vi.unstubAllEnvs())
    git(directory, 'reset', '--quiet', '--soft', 'HEAD~1')
    await store.checkout.repairIndex()
    expect(git(directory, 'diff', '--cached', '--name-only')).toBe('A.wiki')
  })
})

describe.skipIf(!hasGit)('a rebase of the branch', () => {
  test('that starts during a write prevents the branch from moving', async () => {
    const { store, directory } = await wikiOnSide()
    const before = git(directory, 'rev-parse', 'main')
    const written = store.commit(() => {
      beginRebase(directory, before)
      return planOf({ 'A.wiki': 'no\n' })
    })
    await expect(written).rejects.toMatchObject({ code: 'wiki-repository-busy' })
    expect(git(directory, 'rev-parse', 'main')).toBe(before)
  })

  test('that read the branch before a move, and announced itself after it, has the move reverted', async () => {
    const { directory, from, move } = await preparedMove()
    const moved = await move(prepared => {
      prepared.publish()
      beginRebase(directory, from)
    })
    expect(moved).toBe(null)
    rmSync(join(directory, '.git', 'rebase-merge'), { recursive: true })
    expectUnmoved(directory, from)
  })
})

test('a branch that the system refuses to move leaves the index and the files as they were', async context => {
  needsGit(context)
  const { directory, from, move } = await preparedMove()
  const moved = move(() => {
    expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('a2\n')
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  })
  await expect(moved).rejects.toThrow('no space')
  expectUnmoved(directory, from)
  expect(existsSync(join(directory, '.git/wiki/journal'))).toBe(false)
})

test('a branch that another moves away and back does not move without the index', async context => {
  needsGit(context)
  const { directory, from, to, move, beforeText } = await preparedMove()
  const [branch, journal] = [join(directory, '.git/refs/heads/main'), join(directory, '.git/wiki/journal')]
  // Its own lock is waited for meanwhile.
  writeFileSync(`${branch}.lock`, '')
  beforeText(() => writeFileSync(branch, `${to}\n`))
  const moved = move(prepared => prepared.publish())
  let isOver = false
  const over = moved.finally(() => {
    isOver = true
  })
  await until('the branch has been looked at', () => isOver || existsSync(journal) || undefined)
  writeFileSync(branch, `${from}\n`)
  rmSync(`${branch}.lock`)
  expect(await over).toBe(null)
  expectUnmoved(directory, from)
})

/** A wiki whose page A is "a", and a function that moves its branch to a commit with "a2" by the given `publish`. */
async function preparedMove() {
  const { store, directory } = await wikiOnSide()
  git(directory, 'switch', '--quiet', 'main')
  const from = git(directory, 'rev-parse', 'main')
  writeFileSync(join(directory, 'A.wiki'), 'a2\n')
  git(directory, 'commit', '--quiet', '-a', '-m', 'next')
  const to = git(directory, 'rev-parse', 'main')
  git(directory, 'reset', '--quiet', '--hard', from)
  const { repository } = store
  const backend = openBackend(repository)
  onTestFinished(() => backend.close())
  const [before, after] = [from, to].map(commit => git(directory, 'rev-parse', `${commit}:A.wiki`))
  const paths = [{ path: 'A.wiki', before: before as string, after: after as string }]
  const prepared = await prepareMove(repository, to)
  let onRead = () => {}
  const move = (publish: (prepared: PreparedFile) => void) => {
    const committer = 'Bob <bob@example.org> 1700000000 +0000'
    const update = { from, to, committer, reason: 'test', prepared: { ...prepared, publish: () => publish(prepared) } }
    const read = (hash: string) => {
      if (hash === after) onRead()
      return backend.read(hash)
    }
    return moveBranch({ repository, backend, update, paths, read })
  }
  const beforeText = (change: () => void) => {
    onRead = change
  }
  return { directory, from, to, move, beforeText }
}

function expectUnmoved(directory: string, from: string): void {
  expect(git(directory, 'rev-parse', 'main')).toBe(from)
  expect(git(directory, 'status', '--porcelain')).toBe('')
  expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('a\n')
}

describe.skipIf(!hasGit)('objects that git collects', () => {
  test('are written again if they were pruned before the branch named them', async () => {
    const { store, directory } = await wikiOnSide()
    const guard = new ObjectGuard(store.repository)
    const objects = new NewObjects()
    const hash = objects.add('blob', Buffer.from('not named by anything'))
    await guard.write(objects)
    git(directory, 'prune', '--expire=now')
    expect(() => git(directory, 'cat-file', '-e', hash)).toThrow()
    await guard.secure(objects)
    guard.end()
    expect(git(directory, 'cat-file', '-p', hash)).toBe('not named by anything')
  })

  test('are in a pack that git keeps while it collects, and only then', async () => {
    const { store, directory } = await wikiOnSide()
    collectIn(directory)
    const guard = new ObjectGuard(store.repository)
    const objects = new NewObjects()
    const hash = objects.add('blob', Buffer.from('not named by anything'))
    await guard.write(objects)
    rmSync(join(directory, '.git', 'gc.pid'))
    git(directory, 'repack', '-a', '-d', '-q')
    git(directory, 'prune', '--expire=now')
    expect(git(directory, 'cat-file', '-p', hash)).toBe('not named by anything')
    expect(keptPacks(directory)).toHaveLength(1)
  })

  test.each([
    ['whose number another program has', () => `${process.pid} ${hostname()}`, 2 * 60 * 60],
    ['that is older than git lets one run', () => '1 elsewhere.example.org', 13 * 60 * 60],
  ])('are not in a pack because of a collection %s', async (_, content, age) => {
    const { store, directory } = await wikiOnSide()
    const path = join(directory, '.git', 'gc.pid')
    writeFileSync(path, content())
    utimesSync(path, fromNow(-age), fromNow(-age))
    expect(isCollecting(store.repository)).toBe(false)
  })

  test.skipIf(process.platform !== 'linux')('are in a pack if a container may be collecting', async () => {
    const { store, directory } = await wikiOnSide()
    // A number that no process here has.
    const path = join(directory, '.git', 'gc.pid')
    writeFileSync(path, `${2 ** 22} ${hostname()}`)
    expect(isCollecting(store.repository)).toBe(true)
    utimesSync(path, fromNow(-2 * 60 * 60), fromNow(-2 * 60 * 60))
    const here = isCollecting(store.repository)
    mkdirSync(join(directory, '.git', 'wiki', '.alive'), { recursive: true })
    expect(isCollecting(store.repository)).toBe(true)
    const isContained = readlinkSync('/proc/self/ns/pid') !== 'pid:[4026531836]'
    expect(here).toBe(isContained)
  })

  test('survive a collection that started after they were written', async () => {
    const { store, directory } = await wikiOnSide()
    const guard = new ObjectGuard(store.repository)
    const objects = new NewObjects()
    const hash = objects.add('blob', Buffer.from('not named by anything'))
    await guard.write(objects)
    guard.keep(objects)
    expect(keptPacks(directory)).toEqual([])
    collectIn(directory)
    guard.keep(objects)
    guard.keep(objects)
    rmSync(join(directory, '.git', 'gc.pid'))
    git(directory, 'repack', '-a', '-d', '-q')
    git(directory, 'prune', '--expire=now')
    expect(git(directory, 'cat-file', '-p', hash)).toBe('not named by anything')
    expect(keptPacks(directory)).toHaveLength(1)
  })

  test('are safe before the branch moves, so that killing the writer then loses nothing', async () => {
    const { store, directory } = await wikiOnSide()
    const keep = vi.spyOn(ObjectGuard.prototype, 'keep').mockImplementation(function (this: ObjectGuard, objects) {
      keep.mockRestore()
      expect(git(directory, 'show', 'main:A.wiki')).toBe('a')
      collectIn(directory)
      this.keep(objects)
      rmSync(join(directory, '.git', 'gc.pid'))
      // A collection that started before the branch moved drops all objects that are loose and new.
      git(directory, 'prune', '--expire=now')
      git(directory, 'repack', '-a', '-d', '-q')
    })
    const secure = vi.spyOn(ObjectGuard.prototype, 'secure').mockResolvedValue()
    await write(store, { 'A.wiki': 'changed\n' })
    secure.mockRestore()
    expect(git(directory, 'show', 'main:A.wiki')).toBe('changed')
    expect(git(directory, 'fsck', '--strict', '--no-dangling')).toBe('')
  })
})

/** Leaves the file of a running collection: a git has the number. */
function collectIn(directory: string): void {
  const { pid } = spawn('git', ['hash-object', '--stdin'], { stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => void process.kill(pid as number))
  writeFileSync(join(directory, '.git', 'gc.pid'), `${pid} ${hostname()}`)
}

function keptPacks(directory: string): string[] {
  return readdirSync(join(directory, '.git', 'objects', 'pack')).filter(name => name.endsWith('.keep'))
}

/** A wiki on main whose work tree has another branch checked out, and a store of main. */
async function wikiOnSide(): Promise<{ store: Store; directory: string }> {
  const { store: first, directory } = await newStore()
  await write(first, { 'A.wiki': 'a\n', 'B.wiki': 'b\n', 'C.wiki': 'c\n', 'K.wiki': 'k\n' })
  first.close()
  git(directory, 'switch', '--quiet', '-c', 'side')
  writeFileSync(join(directory, 'Side.wiki'), 'side\n')
  git(directory, 'add', '.')
  git(directory, 'commit', '--quiet', '-m', 'side')
  return { store: await openFresh(directory, { branch: 'main' }), directory }
}

/** Resolves when this process has heard of all changes of files until now: it hears of them in their order. */
async function changesReported(directory: string): Promise<void> {
  const watcher = watch(join(directory, '.git'))
  const heard = once(watcher, 'change')
  writeFileSync(join(directory, '.git/last'), '')
  await heard
  watcher.close()
}

/** Acts like a `git switch main` that read the branch when it was at this commit. */
function switchFrom(directory: string, commit: string): void {
  git(directory, 'read-tree', '-m', '-u', 'HEAD', commit)
  git(directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
}

/** Starts a switch of branches; resolves when it has written its index and not moved HEAD. */
async function stopSwitch(directory: string, branch: string): Promise<() => Promise<void>> {
  const folder = await temporaryDirectory()
  const hook = join(directory, '.git', 'hooks', 'post-index-change')
  mkdirSync(join(directory, '.git', 'hooks'), { recursive: true })
  const script = `#!/bin/sh\ntouch '${folder}/stopped'\n${untilFile(join(folder, 'go'))}\n`
  writeFileSync(hook, script)
  chmodSync(hook, 0o755)
  const child = spawn('git', ['switch', '--quiet', branch], { cwd: directory, stdio: 'ignore' })
  const ended = new Promise(resolve => child.once('exit', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  await until('git runs its hook', () => existsSync(join(folder, 'stopped')) || undefined)
  return async () => {
    rmSync(hook)
    writeFileSync(join(folder, 'go'), '')
    await ended
  }
}

async function linkedTo(directory: string, branch: string): Promise<string> {
  const linked = join(await temporaryDirectory(), 'linked')
  git(directory, 'worktree', 'add', '--quiet', linked, branch)
  return linked
}

function beginRebase(directory: string, commit: string): void {
  const state = join(directory, '.git', 'rebase-merge')
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, 'head-name'), 'refs/heads/main\n')
  writeFileSync(join(state, 'orig-head'), `${commit}\n`)
}
