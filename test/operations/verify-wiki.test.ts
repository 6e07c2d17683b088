import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { writeConfig } from '../../src/operations/configure.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { initWiki } from '../../src/operations/init-wiki.ts'
import { restoreEdits } from '../../src/operations/restore-edits.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { BranchRecord } from '../../src/store/acknowledged/branch-record.ts'
import { appendEvents } from '../../src/store/acknowledged/log.ts'
import { recordPaths } from '../../src/store/acknowledged/record-paths.ts'
import { RevisionIndex } from '../../src/store/index/revision-index.ts'
import { oneIn } from '../_rounds.ts'
import { copyFolder, git, hasGit, temporaryDirectory } from '../_setup.ts'
import { fromNow } from '../_times.ts'
import { ada, commitFiles, create, edit, newWiki, openTestWiki, writeWork } from './_wiki.ts'

const tides = 'Low water at six.\n\nHigh water at noon.\n\nSlack water at nine.\n'
const boats = 'Oars.\n\nSails.\n'

const rows = ['Low water at six.', 'High water at noon.', 'Slack water at nine.', 'Neap tide on Sunday.']
const movedRows = [rows[3], rows[0], rows[1], rows[2]] as const

interface Scene {
  readonly wiki: Wiki
  readonly directory: string
  readonly git: (...words: string[]) => string
  /** Saves a page through the wiki; returns the commit. */
  readonly save: (title: string, text: string) => Promise<string>
  /** Commits a file with plain git. */
  readonly commit: (path: string, text: string, message?: string) => Promise<void>
}

let plainPages: string

beforeAll(async () => {
  if (!hasGit) return
  plainPages = await temporaryDirectory()
  git(plainPages, 'init', '-q')
  for (const [path, text] of [
    ['Tides.wiki', tides],
    ['Boats.wiki', boats],
  ] as const) {
    await writeWork(plainPages, path, text)
    git(plainPages, 'add', '--', path)
    git(plainPages, 'commit', '-q', '-m', `plain ${path}`)
  }
})

/** A wiki with two pages made by plain git, so that they are not acknowledged edits. */
async function newScene(): Promise<Scene> {
  const directory = await temporaryDirectory()
  copyFolder(plainPages, directory)
  const run = (...words: string[]) => git(directory, ...words)
  const commit = async (path: string, text: string, message = `plain ${path}`) => {
    const isNew = !existsSync(join(directory, path))
    await writeWork(directory, path, text)
    if (isNew) run('add', '--', path)
    run('commit', '-q', '-m', message, '--', path)
  }
  const wiki = await openTestWiki(directory)
  const save = async (title: string, text: string) => {
    await wiki.store.refresh()
    await (wiki.store.findPage(title) === undefined ? create(wiki, title, text) : edit(wiki, title, text))
    return run('rev-parse', 'main')
  }
  return { wiki, directory, git: run, save, commit }
}

/** Kind, commit and title of each loss. */
async function lostOf({
  wiki,
}: {
  wiki: Wiki
}): Promise<(readonly [kind: string, commit: string, title: string | null])[]> {
  const { lost } = await verifyWiki(wiki)
  return lost.map(({ kind, commit, title }) => [kind, commit, title] as const)
}

const edited = tides.replace('at six', 'at half past six')

/** Makes a bare clone with an edit of its own. */
async function editedBare(directory: string): Promise<{ bare: string; wiki: Wiki; commit: string }> {
  const bare = await temporaryDirectory()
  git(bare, 'clone', '-q', '--bare', directory, '.')
  const wiki = await openTestWiki(bare)
  await wiki.store.refresh()
  await edit(wiki, 'Tides', edited)
  return { bare, wiki, commit: git(bare, 'rev-parse', 'main') }
}

// Slow: ten git processes for each row. `npm test` runs a half to a quarter of the rows of the long tables.
describe.skipIf(!hasGit)('a commit that git removes from the branch is found after', () => {
  test.each(
    oneIn<[name: string, lose: (scene: Scene) => unknown]>(
      3,
      [
        ['git reset --hard', scene => scene.git('reset', '-q', '--hard', 'HEAD~1')],
        ['git update-ref', scene => scene.git('update-ref', 'refs/heads/main', 'HEAD~1')],
        ['git checkout -B', scene => scene.git('checkout', '-q', '-B', 'main', 'HEAD~1')],
        [
          'git commit --amend that leaves its change out',
          scene => {
            scene.git('reset', '-q', '--soft', 'HEAD~1')
            scene.git('reset', '-q', '--hard')
            scene.git('commit', '-q', '--allow-empty', '-m', 'amended')
          },
        ],
        [
          'a stale index that git commit --amend records',
          scene => {
            scene.git('read-tree', 'HEAD~1')
            scene.git('commit', '-q', '--amend', '--no-edit', '--allow-empty')
          },
        ],
        [
          'a file staged before it that git commit --amend records',
          async scene => {
            await writeWork(scene.directory, 'Tides.wiki', `${tides}\nNeap tide.\n`)
            scene.git('commit', '-q', '-a', '--amend', '--no-edit')
          },
        ],
        [
          'a file made before it that git rebase --autosquash melds into it',
          async scene => {
            await scene.commit('Boats.wiki', `${boats}\nRudder.\n`)
            await writeWork(scene.directory, 'Tides.wiki', `${tides}\nNeap tide.\n`)
            scene.git('commit', '-q', '-a', '--fixup', 'HEAD~1')
            scene.git('checkout', '-q', '-b', 'other', 'HEAD~3')
            await scene.commit('Ropes.wiki', 'Hemp.\n')
            scene.git('checkout', '-q', 'main')
            scene.git('-c', 'sequence.editor=true', 'rebase', '-q', '-i', '--autosquash', 'other')
          },
        ],
        [
          'a rebase that drops it',
          async scene => {
            await scene.commit('Boats.wiki', `${boats}\nRudder.\n`)
            scene.git('rebase', '-q', '--onto', 'HEAD~2', 'HEAD~1', 'main')
          },
        ],
        [
          'git clears away all it can, and the index of the wiki is gone',
          scene => {
            scene.git('reset', '-q', '--hard', 'HEAD~1')
            scene.git('reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all')
            scene.git('gc', '-q', '--prune=now')
            rmSync(scene.wiki.store.cacheDirectory, { recursive: true })
          },
        ],
        [
          'all that the wiki keeps beside git was deleted',
          async scene => {
            await scene.wiki.close()
            rmSync(join(scene.directory, '.git', 'wiki'), { recursive: true })
            scene.git('reset', '-q', '--hard', 'HEAD~1')
          },
        ],
        [
          'all that the wiki keeps beside git was deleted, and an edit came before the look',
          async scene => {
            scene.git('reset', '-q', '--hard', 'HEAD~1')
            await scene.wiki.close()
            rmSync(join(scene.directory, '.git', 'wiki'), { recursive: true })
            await create(await openTestWiki(scene.directory), 'Oars', 'Oars.\n')
          },
        ],
        [
          'edits of others on top of what is left',
          async scene => {
            scene.git('reset', '-q', '--hard', 'HEAD~1')
            await scene.commit('Tides.wiki', tides.replace('at noon', 'at one'))
            await scene.save('Boats', 'Oars.\n')
          },
        ],
        [
          'the page moved',
          scene => {
            scene.git('reset', '-q', '--hard', 'HEAD~1')
            scene.git('mv', 'Tides.wiki', 'Waters.wiki')
            scene.git('commit', '-q', '-m', 'moved')
          },
        ],
      ],
      1,
    ),
  )('%s', { tags: 'rounds' }, async (_, lose) => {
    const scene = await newScene()
    const commit = await scene.save('Tides', edited)
    expect(await lostOf(scene)).toEqual([])
    await lose(scene)
    expect(await lostOf(scene)).toEqual([['lost', commit, 'Tides']])
    // Again, from the stored result, and in a reopened wiki.
    expect(await lostOf(scene)).toEqual([['lost', commit, 'Tides']])
    expect(await lostOf({ wiki: await openTestWiki(scene.directory) })).toEqual([['lost', commit, 'Tides']])
  })

  test.each<[name: string, made: (scene: Scene) => void, gone: (scene: Scene) => void, branch: string]>([
    [
      'its branch was renamed, and then reset',
      () => {},
      scene => {
        scene.git('branch', '-m', 'main', 'trunk')
        scene.git('reset', '-q', '--hard', 'HEAD~1')
      },
      'main',
    ],
    [
      'its branch was deleted',
      scene => scene.git('switch', '-q', '-c', 'a/topic'),
      scene => {
        scene.git('switch', '-q', 'main')
        scene.git('branch', '-q', '-D', 'a/topic')
      },
      'a/topic',
    ],
    [
      'HEAD was detached, and is attached again',
      scene => scene.git('checkout', '-q', '--detach'),
      scene => scene.git('switch', '-q', 'main'),
      'HEAD',
    ],
  ])('%s', async (_, made, gone, branch) => {
    const scene = await newScene()
    made(scene)
    const there = await openTestWiki(scene.directory)
    await edit(there, 'Tides', edited)
    const commit = scene.git('rev-parse', 'HEAD')
    gone(scene)
    const wiki = await openTestWiki(scene.directory)
    // An edit that a tag or a clone still has is not lost.
    scene.git('tag', '-a', '-m', 'kept', 'kept', commit)
    expect(await lostOf({ wiki })).toEqual([])
    scene.git('tag', '-d', 'kept')
    expect((await verifyWiki(wiki)).lost).toMatchObject([{ kind: 'lost', commit, title: 'Tides', branch }])
    expect((await restoreEdits(wiki, { author: async () => ada })).failures).toEqual([])
    expect(scene.git('show', 'HEAD:Tides.wiki')).toBe(edited.trimEnd())
    expect(await lostOf({ wiki: await openTestWiki(scene.directory) })).toEqual([])
  })

  test('git rebase --abort, if the edit arrived meanwhile', async () => {
    const scene = await newScene()
    const old = scene.git('rev-parse', 'main')
    const commit = await scene.save('Tides', edited)
    // The last thing that the abort does to the branch.
    scene.git('update-ref', 'refs/heads/main', old, commit)
    expect(await lostOf(scene)).toEqual([['lost', commit, 'Tides']])
  })

  test('git rebase --abort, if the branch moved without the rebase', async () => {
    const scene = await newScene()
    scene.git('checkout', '-q', '-b', 'other', 'HEAD~1')
    await scene.commit('Boats.wiki', 'Other oars.\n')
    scene.git('checkout', '-q', 'main')
    expect(() => scene.git('rebase', '-q', 'other')).toThrow()
    const wiki = await openTestWiki(scene.directory, { branch: 'main' })
    const [state, aside] = ['rebase-merge', 'aside'].map(name => join(scene.directory, '.git', name)) as [
      string,
      string,
    ]
    renameSync(state, aside)
    await wiki.store.refresh()
    await edit(wiki, 'Tides', edited)
    const commit = scene.git('rev-parse', 'main')
    renameSync(aside, state)
    scene.git('rebase', '--abort')
    expect(await lostOf({ wiki })).toEqual([['lost', commit, 'Tides']])
  })

  test('git reset --merge, as run by a failed merge', async () => {
    const scene = await newScene()
    const old = scene.git('rev-parse', 'main')
    const commit = await scene.save('Tides', edited)
    scene.git('reset', '-q', '--merge', old)
    expect(await lostOf(scene)).toEqual([['lost', commit, 'Tides']])
  })

  test('an interactive rebase that drops it', async () => {
    const scene = await newScene()
    const commit = await scene.save('Tides', edited)
    await scene.save('Boats', 'Oars.')
    scene.git('-c', 'sequence.editor=sed -i -e 1d', 'rebase', '-q', '-i', 'HEAD~2')
    expect(await lostOf(scene)).toEqual([['lost', commit, 'Tides']])
  })

  test('a writer was killed between its note and the move of the branch', async () => {
    const scene = await newScene()
    await scene.save('Boats', 'Oars.')
    const { log } = recordPaths(scene.wiki.store.repository)
    await appendEvents(log, 'noted', ['1'.repeat(40)], { durable: true })
    expect(await lostOf(scene)).toEqual([])
    const tree = scene.git('rev-parse', 'main~2^{tree}')
    const commit = scene.git('commit-tree', '-p', 'main', '-m', 'never moved', tree)
    await appendEvents(log, 'noted', [commit], { durable: true })
    expect(await lostOf(scene)).toEqual([['lost', commit, 'Boats']])
  })

  test('a forced push into a bare repository', async () => {
    const { directory, git: run } = await newScene()
    const { bare, wiki, commit } = await editedBare(directory)
    run('commit', '-q', '--allow-empty', '-m', 'elsewhere')
    run('push', '-q', '--force', bare, 'main')
    expect(await lostOf({ wiki })).toEqual([['lost', commit, 'Tides']])
  })

  test.each<[when: string, act: (wiki: Wiki) => Promise<unknown>]>([
    ['a verification', wiki => verifyWiki(wiki)],
    ['a write', wiki => create(wiki, 'Knots', 'Bowline.')],
  ])('git push --mirror, which replaces the refs of the record, and git gc after %s', async (_, act) => {
    const { directory, git: run, save } = await newScene()
    const { bare, wiki, commit } = await editedBare(directory)
    await save('Ropes', 'Hemp.')
    run('push', '-q', '--mirror', bare)
    await wiki.close()
    await act(await openTestWiki(bare))
    git(bare, 'gc', '-q', '--prune=now')
    const later = await openTestWiki(bare)
    expect(await lostOf({ wiki: later })).toEqual([['lost', commit, 'Tides']])
    await restoreEdits(later, { author: async () => ada })
    expect(git(bare, 'show', 'main:Tides.wiki')).toBe(edited.trimEnd())
    expect(git(bare, 'fsck', '--no-dangling')).toBe('')
  })

  test('git push --mirror and git gc at once, in a repository that wiki init made', async () => {
    const [bare, clone] = [await temporaryDirectory(), join(await temporaryDirectory(), 'clone')]
    await initWiki({ directory: bare, bare: true, author: ada })
    git(bare, 'clone', '-q', '.', clone)
    const wiki = await openTestWiki(bare)
    await create(wiki, 'Knots', 'Bowline.')
    // An open one would write the objects again.
    await wiki.close()
    const commit = git(bare, 'rev-parse', 'main')
    git(clone, 'push', '-q', '--mirror', bare)
    git(bare, 'gc', '-q', '--prune=now')
    const later = await openTestWiki(bare)
    expect(await lostOf({ wiki: later })).toEqual([['lost', commit, 'Knots']])
    await restoreEdits(later, { author: async () => ada })
    expect(git(bare, 'show', 'main:Knots.wiki')).toBe('Bowline.')
  })

  test('each of several edits, including edits on top of each other', async () => {
    const scene = await newScene()
    const first = await scene.save('Tides', edited)
    const second = await scene.save('Tides', edited.replace('half past six', 'seven'))
    const third = await scene.save('Boats', 'Oars.\n')
    scene.git('reset', '-q', '--hard', 'HEAD~3')
    expect((await lostOf(scene)).map(([, commit]) => commit)).toEqual([first, second, third])
  })

  test('an edit that created, deleted or moved a page', async () => {
    const scene = await newScene()
    await create(scene.wiki, 'Ropes', 'Hemp.')
    const created = scene.git('rev-parse', 'main')
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    await commitFiles(scene.wiki, { 'Boats.wiki': null })
    const deleted = scene.git('rev-parse', 'main')
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    await commitFiles(scene.wiki, { 'Tides.wiki': null, 'Waters.wiki': tides })
    const moved = scene.git('rev-parse', 'main')
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    expect(await lostOf(scene)).toEqual([
      ['lost', created, 'Ropes'],
      ['lost', deleted, 'Boats'],
      ['lost', moved, 'Tides'],
      ['lost', moved, 'Waters'],
    ])
  })

  test('one of two edits by the same person in the same second, with the same words', async () => {
    const scene = await newScene()
    const time = new Date('2024-03-01T12:00:00Z')
    await edit(scene.wiki, 'Tides', edited, { time, comment: '' })
    await edit(scene.wiki, 'Tides', `${edited}\nNeap tide.\n`, { time, comment: '' })
    const commit = scene.git('rev-parse', 'main')
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    expect(await lostOf(scene)).toEqual([['lost', commit, 'Tides']])
  })

  test('a later edit of the same page, by an author who had not seen it, is on the branch under another hash', async () => {
    const scene = await newScene()
    const taken = await scene.save('Tides', edited)
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    await scene.save('Tides', `${tides}\nNeap tide.\n`)
    // Another commit contains the later edit, so the record finds it only by its text.
    scene.git('reset', '-q', '--soft', 'HEAD~1')
    scene.git('commit', '-q', '-m', 'by hand')
    expect(await lostOf(scene)).toEqual([['lost', taken, 'Tides']])
  })

  test('the text before them resembles the last one, line by line', async () => {
    const scene = await newScene()
    await scene.commit('Tides.wiki', 'Low water.\n\n* a\n* a\n* a\n* b\n* a\n')
    const first = await scene.save('Tides', '* a\n* a\n* a\n* a\n* b\n* a\n')
    const second = await scene.save('Tides', '* a\n* a\n* b\n* a\n* a\n')
    scene.git('reset', '-q', '--hard', 'HEAD~2')
    expect((await lostOf(scene)).map(([, commit]) => commit)).toEqual([first, second])
    await restoreEdits(scene.wiki, { author: async () => ada })
    expect(scene.git('show', 'main:Tides.wiki')).toBe('* a\n* a\n* b\n* a\n* a')
  })

  test('its objects are removed too', async () => {
    const scene = await newScene()
    const commit = await scene.save('Tides', edited)
    // An open wiki would write the objects of a fresh edit again.
    await scene.wiki.close()
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    scene.git('update-ref', '-d', 'refs/wiki/main/acknowledged')
    scene.git('reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all')
    scene.git('gc', '-q', '--prune=now')
    const wiki = await openTestWiki(scene.directory)
    expect(await lostOf({ wiki })).toEqual([['missing', commit, null]])
  })
})

describe.skipIf(!hasGit)('an edit that a later commit undoes unseen is found after', () => {
  test.each(
    oneIn<[name: string, undo: (scene: Scene) => unknown]>(2, [
      [
        // Git reads the branch again before it commits, and not its index.
        'a git revert of another commit, which had its files before the edit came',
        async scene => {
          const other = scene.git('rev-parse', 'HEAD~1')
          await scene.commit('Tides.wiki', tides, `Revert "plain Boats.wiki"\n\nThis reverts commit ${other}.`)
        },
      ],
      [
        'a plain git commit from a stale index',
        scene => {
          scene.git('read-tree', 'HEAD~1')
          scene.git('commit', '-q', '-m', 'stale', '--allow-empty')
        },
      ],
      ['a file that was read before', scene => scene.commit('Tides.wiki', tides)],
      [
        'a file that was read before, with an edit of its own beside it',
        scene => scene.commit('Tides.wiki', tides.replace('High water', 'Highest water')),
      ],
      [
        'git merge -s ours of the branch that has it',
        scene => {
          scene.git('checkout', '-q', '-b', 'other', 'HEAD~1')
          scene.git('commit', '-q', '--allow-empty', '-m', 'other')
          scene.git('merge', '-q', '-s', 'ours', '-m', 'merge', 'main')
          scene.git('checkout', '-q', '-B', 'main')
        },
      ],
      [
        'a merge that takes the text of the other side',
        async scene => {
          scene.git('checkout', '-q', '-b', 'other', 'HEAD~1')
          await scene.commit('Tides.wiki', tides.replace('at noon', 'at one'))
          scene.git('checkout', '-q', 'main')
          scene.git('merge', '-q', '--no-commit', 'other')
          scene.git('checkout', '-q', 'other', '--', 'Tides.wiki')
          scene.git('commit', '-q', '-m', 'merge')
        },
      ],
    ]),
  )('%s', { tags: 'rounds' }, async (_, undo) => {
    const scene = await newScene()
    const commit = await scene.save('Tides', edited)
    await undo(scene)
    expect(await lostOf(scene)).toEqual([['undone', commit, 'Tides']])
    await scene.save('Boats', 'Oars.\n')
    expect(await lostOf(scene)).toEqual([['undone', commit, 'Tides']])
    expect(await lostOf({ wiki: await openTestWiki(scene.directory) })).toEqual([['undone', commit, 'Tides']])
  })

  test.each<[name: string, text: string, losses: number]>([
    ['the old order of its paragraphs', rows.join('\n\n'), 1],
    ['the old order of its paragraphs, and a change beside it', rows.join('\n\n').replace('nine', 'ten'), 1],
    ['a change beside it', movedRows.join('\n\n').replace('nine', 'ten'), 0],
    ['a third order', [rows[3], rows[2], rows[0], rows[1]].join('\n\n'), 0],
  ])('moved paragraphs: a commit with %s', async (_, text, losses) => {
    const scene = await newScene()
    await scene.save('Tides', `${rows.join('\n\n')}\n`)
    const commit = await scene.save('Tides', `${movedRows.join('\n\n')}\n`)
    await scene.commit('Tides.wiki', `${text}\n`)
    expect(await lostOf(scene)).toEqual(losses === 1 ? [['undone', commit, 'Tides']] : [])
    await restoreEdits(scene.wiki, { author: async () => ada })
    if (losses === 1) expect(scene.git('show', 'main:Tides.wiki').split('\n\n')[0]).toBe(rows[3])
    expect(await lostOf(scene)).toEqual([])
  })

  test('a file that was read before several edits, one of which replaced another', async () => {
    const scene = await newScene()
    const first = await scene.save('Tides', edited)
    const second = await scene.save('Tides', edited.replace('half past six', 'seven'))
    const third = await scene.save('Tides', edited.replace('half past six', 'seven').replace('at nine', 'at ten'))
    await scene.commit('Tides.wiki', tides, 'stale')
    const by = scene.git('rev-parse', 'main')
    const { lost } = await verifyWiki(scene.wiki)
    expect(lost.map(({ commit }) => commit)).toEqual([first, second, third])
    expect(lost[0]?.by).toMatchObject({ commit: by, user: 'Ada Example', comment: 'stale' })
  })

  test('a stale index drops a page that was created', async () => {
    const scene = await newScene()
    const created = await scene.save('Ropes', 'Hemp.')
    const again = await scene.save('Ropes', 'Hemp and sisal.')
    scene.git('read-tree', 'HEAD~2')
    scene.git('commit', '-q', '-m', 'stale', '--allow-empty')
    expect(await lostOf(scene)).toEqual([
      ['undone', created, 'Ropes'],
      ['undone', again, 'Ropes'],
    ])
  })

  test('a stale index drops a page that was edited a moment before', async () => {
    const scene = await newScene()
    const commit = await scene.save('Tides', edited)
    scene.git('rm', '-q', '--cached', 'Tides.wiki')
    scene.git('commit', '-q', '-m', 'stale')
    expect(await lostOf(scene)).toEqual([['undone', commit, 'Tides']])
    await restoreEdits(scene.wiki, { author: async () => ada })
    expect(scene.git('show', 'main:Tides.wiki')).toBe(edited.trimEnd())
    expect(await lostOf(scene)).toEqual([])
  })

  test.each(
    oneIn<[name: string, stage: (scene: Scene) => void]>(2, [
      ['git rm', scene => scene.git('rm', '-q', 'Tides.wiki')],
      ['git rm --cached', scene => scene.git('rm', '-q', '--cached', 'Tides.wiki')],
      ['git mv', scene => scene.git('mv', 'Tides.wiki', 'Waters.wiki')],
      ['rm', scene => rmSync(join(scene.directory, 'Tides.wiki'))],
    ]),
  )('%s staged a deletion long before the commit', { tags: 'rounds' }, async (_, stage) => {
    const scene = await newScene()
    stage(scene)
    const commit = await scene.save('Tides', edited)
    const late = `${Math.floor(fromNow(3600).getTime() / 1000)} +0000`
    scene.git('commit', '-q', '-a', '-m', 'deleted', '--date', late)
    expect(await lostOf(scene)).toEqual([['undone', commit, 'Tides']])
  })

  test('a move that was staged between two edits lacks the second one alone', async () => {
    const scene = await newScene()
    await scene.save('Tides', edited)
    scene.git('mv', 'Tides.wiki', 'Waters.wiki')
    const commit = await scene.save('Tides', edited.replace('at nine', 'at ten'))
    scene.git('commit', '-q', '-m', 'moved')
    expect(await lostOf(scene)).toEqual([['undone', commit, 'Tides']])
    await restoreEdits(scene.wiki, { author: async () => ada })
    expect(scene.git('show', 'main:Waters.wiki')).toContain('at ten')
    expect(await lostOf(scene)).toEqual([])
  })

  test('a file that was changed before the edit arrived replaces it with other text', async () => {
    const scene = await newScene()
    await writeWork(scene.directory, 'Tides.wiki', tides.replace('at six', 'before seven'))
    const commit = await scene.save('Tides', edited)
    const other = await scene.save('Tides', edited.replace('at nine', 'at ten'))
    scene.git('commit', '-q', '-a', '-m', 'stale')
    expect(await lostOf(scene)).toEqual([
      ['undone', commit, 'Tides'],
      ['undone', other, 'Tides'],
    ])
    expect(await lostOf({ wiki: await openTestWiki(scene.directory) })).toHaveLength(2)
    await scene.commit('Tides.wiki', edited.replace('half past six', 'eight').replace('at nine', 'at ten'))
    expect((await lostOf(scene)).map(([, hash]) => hash)).toEqual([commit])
  })

  test('git commit --amend of another edit records an older file', async () => {
    const scene = await newScene()
    const undone = await scene.save('Tides', edited)
    const amended = await scene.save('Boats', `${boats}\nRudder.\n`)
    await writeWork(scene.directory, 'Tides.wiki', tides)
    scene.git('commit', '-q', '-a', '--amend', '--no-edit')
    expect(scene.git('rev-parse', 'main')).not.toBe(amended)
    expect(await lostOf(scene)).toEqual([['undone', undone, 'Tides']])
    expect(await lostOf({ wiki: await openTestWiki(scene.directory) })).toEqual([['undone', undone, 'Tides']])
  })

  test.each<[name: string, undo: (scene: Scene) => unknown, language: string | undefined]>([
    ['their text from before', scene => scene.commit('wiki.json', '{\n  "name": "A"\n}\n'), undefined],
    [
      'a change made without them',
      scene => scene.commit('wiki.json', '{\n  "mainPage": "Tides",\n  "name": "A"\n}\n'),
      undefined,
    ],
    [
      'no settings',
      scene => {
        scene.git('rm', '-q', 'wiki.json')
        scene.git('commit', '-q', '-m', 'no settings')
      },
      undefined,
    ],
    ['a change beside them', scene => scene.commit('wiki.json', '{\n  "name": "B",\n  "language": "de"\n}\n'), 'de'],
    ['another value of them', scene => scene.commit('wiki.json', '{\n  "name": "A",\n  "language": "fr"\n}\n'), 'fr'],
  ])('settings, after a commit with %s', async (_, undo, kept) => {
    const scene = await newScene()
    await scene.commit('wiki.json', '{\n  "name": "A"\n}\n')
    await writeConfig(scene.wiki, { path: 'language', value: 'de', author: ada, comment: null })
    const commit = scene.git('rev-parse', 'main')
    await undo(scene)
    expect(await lostOf(scene)).toEqual(kept === undefined ? [['undone', commit, null]] : [])
    const { failures } = await restoreEdits(scene.wiki, { author: async () => ada })
    // Both changed the same line.
    if (failures.length > 0) return expect(failures.map(({ error }) => error.code)).toEqual(['edit-conflict'])
    expect(JSON.parse(scene.git('show', 'main:wiki.json')).language).toBe(kept ?? 'de')
    expect(await lostOf(scene)).toEqual([])
  })

  test('a stale index restores an old media file', async () => {
    const scene = await newScene()
    await scene.commit('pic.png', 'one')
    await commitFiles(scene.wiki, { 'pic.png': 'two' })
    const commit = scene.git('rev-parse', 'main')
    scene.git('read-tree', 'HEAD~1')
    scene.git('commit', '-q', '-m', 'stale')
    expect((await lostOf(scene)).map(([kind, hash]) => [kind, hash])).toEqual([['undone', commit]])
  })
})

describe.skipIf(!hasGit)('nothing is reported after', () => {
  test.each(
    oneIn<[name: string, change: (scene: Scene) => unknown]>(
      4,
      [
        ['nothing at all', () => {}],
        ['later edits of the same words through the wiki', scene => scene.save('Tides', tides)],
        ['git revert', scene => scene.git('revert', '--no-edit', 'HEAD')],
        ['a commit of other lines', scene => scene.commit('Tides.wiki', edited.replace('at noon', 'at one'))],
        [
          'a commit of the same line to something new',
          scene => scene.commit('Tides.wiki', edited.replace('half past six', 'eight')),
        ],
        [
          'a changed file, put together with the edit that came',
          async scene => {
            await writeWork(scene.directory, 'Tides.wiki', edited.replace('half past six', 'six or half past six'))
            const text = edited.replace('past six', 'past five')
            await scene.save('Tides', text)
            await scene.commit('Tides.wiki', text.replace('half past five', 'six or, say, half past five'))
          },
        ],
        ['a commit of another page', scene => scene.commit('Boats.wiki', 'Oars.\n')],
        [
          'a rebase that replays it',
          async scene => {
            scene.git('checkout', '-q', '-b', 'other', 'HEAD~1')
            await scene.commit('Boats.wiki', 'Oars.\n')
            scene.git('checkout', '-q', 'main')
            scene.git('rebase', '-q', 'other')
          },
        ],
        [
          'a rebase that replays it on another edit of the same page',
          async scene => {
            scene.git('checkout', '-q', '-b', 'other', 'HEAD~1')
            await scene.commit('Tides.wiki', tides.replace('at nine', 'at ten'))
            scene.git('checkout', '-q', 'main')
            scene.git('rebase', '-q', 'other')
          },
        ],
        ['git commit --amend of its message', scene => scene.git('commit', '-q', '--amend', '-m', 'better words')],
        [
          'git commit --amend that adds to it',
          async scene => {
            await writeWork(scene.directory, 'Tides.wiki', `${edited}\nNeap tide.\n`)
            scene.git('commit', '-q', '-a', '--amend', '--no-edit')
          },
        ],
        [
          'a squashed merge',
          scene => {
            scene.git('checkout', '-q', '-b', 'other', 'HEAD~1')
            scene.git('merge', '-q', '--squash', 'main')
            scene.git('commit', '-q', '-m', 'squashed')
            scene.git('checkout', '-q', '-B', 'main')
          },
        ],
        [
          'a merge of it',
          async scene => {
            scene.git('checkout', '-q', '-b', 'other', 'HEAD~1')
            await scene.commit('Tides.wiki', tides.replace('at nine', 'at ten'))
            scene.git('merge', '-q', '-m', 'merge', 'main')
            scene.git('checkout', '-q', '-B', 'main')
          },
        ],
        [
          'a merge of a branch that reverted it',
          async scene => {
            scene.git('checkout', '-q', '-b', 'other')
            scene.git('revert', '--no-edit', 'HEAD')
            scene.git('checkout', '-q', 'main')
            await scene.commit('Boats.wiki', 'Oars.\n')
            scene.git('merge', '-q', '-m', 'merge', 'other')
          },
        ],
        [
          'a move of its page',
          scene => {
            scene.git('mv', 'Tides.wiki', 'Waters.wiki')
            scene.git('commit', '-q', '-m', 'moved')
          },
        ],
        [
          'a stale commit that was reverted',
          async scene => {
            await scene.commit('Tides.wiki', tides)
            scene.git('revert', '--no-edit', 'HEAD')
          },
        ],
      ],
      1,
    ),
  )('%s', { tags: 'rounds' }, async (_, change) => {
    const scene = await newScene()
    await scene.save('Tides', edited)
    await change(scene)
    expect(await lostOf(scene)).toEqual([])
    expect(await lostOf({ wiki: await openTestWiki(scene.directory) })).toEqual([])
  })

  test.each([
    ['written anew', 'Wholly other words, about cranes on quays.\n', 0],
    ['made from the text before it', tides.replace('at six', 'at seven'), 1],
    ['blank', '\n', 1],
    ['a part of the text before it', `${tides.split('\n')[0]}\n`, 1],
  ])('an added paragraph counts as seen or not by a commit whose text is %s', async (_, text, losses) => {
    const scene = await newScene()
    await scene.save('Tides', `${tides}\nNeap tide.\n`)
    await scene.commit('Tides.wiki', text)
    expect(await lostOf(scene)).toHaveLength(losses)
  })

  test.each<[name: string, text: (paragraph: string) => string, losses: number]>([
    ['with a word more', paragraph => paragraph.replace('half', 'nearly half'), 0],
    ['broken into two lines', paragraph => paragraph.replace(' of ', '\nof '), 0],
    ['with other words in its place', () => 'The cranes are painted blue on Mondays.', 1],
    ['with the same words, in another place', () => '', 1],
  ])('a commit has an added paragraph %s', async (_, text, losses) => {
    const scene = await newScene()
    const paragraph = 'Neap tides reach half the height of spring tides.'
    await scene.save('Tides', `${tides}\n${paragraph}\n`)
    const own = text('') === '' ? `Spring tides reach the height of neap tides, not half.\n\n` : ''
    await scene.commit('Tides.wiki', `${own}${tides}\n${text(paragraph)}\n`)
    expect(await lostOf(scene)).toHaveLength(losses)
  })

  const paragraph = 'Neap tides reach half the height of spring tides.'
  test.each<[name: string, change: (scene: Scene) => void]>([
    [
      'exchanges the names of two pages',
      scene => {
        for (const [from, to] of ['Tides x', 'Boats Tides', 'x Boats'].map(pair => pair.split(' ')))
          renameSync(join(scene.directory, `${from}.wiki`), join(scene.directory, `${to}.wiki`))
      },
    ],
    [
      'gives a page the name of another, which gets a new one',
      scene => {
        scene.git('mv', 'Boats.wiki', 'Ships.wiki')
        scene.git('mv', 'Tides.wiki', 'Boats.wiki')
      },
    ],
    [
      'moves a page and edits it',
      scene => {
        scene.git('mv', 'Tides.wiki', 'Waters.wiki')
        writeFileSync(join(scene.directory, 'Waters.wiki'), `Waters.\n\n${tides}\n${paragraph}\n`)
      },
    ],
    [
      'moves the paragraph to another page',
      scene => {
        writeFileSync(join(scene.directory, 'Tides.wiki'), tides)
        writeFileSync(join(scene.directory, 'Boats.wiki'), `${boats}\n${paragraph}\n`)
      },
    ],
  ])('a commit %s', async (_, change) => {
    const scene = await newScene()
    await scene.commit('Boats.wiki', `${tides}\n${boats}`)
    await scene.save('Tides', `${tides}\n${paragraph}\n`)
    change(scene)
    scene.git('add', '-A')
    scene.git('commit', '-q', '-m', 'moved')
    expect(await lostOf(scene)).toEqual([])
  })

  test('except a commit that restores the former text of a page and adds the same heading to another', async () => {
    const scene = await newScene()
    const commit = await scene.save('Tides', `${tides}\n== See also ==\n`)
    writeFileSync(join(scene.directory, 'Tides.wiki'), tides)
    writeFileSync(join(scene.directory, 'Boats.wiki'), `${boats}\n== See also ==\n`)
    scene.git('commit', '-q', '-a', '-m', 'stale')
    expect(await lostOf(scene)).toEqual([['undone', commit, 'Tides']])
  })

  test('a repeated deletion, although another page has the same text', async () => {
    const scene = await newScene()
    await scene.commit('Currents.wiki', tides)
    await scene.wiki.store.refresh()
    await deletePages(scene.wiki, {
      titles: ['Currents'],
      comment: '',
      author: { name: 'Ada', address: 'ada@example.org' },
    })
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    expect((await lostOf(scene)).map(([kind, , title]) => [kind, title])).toEqual([['lost', 'Currents']])
    scene.git('rm', '-q', 'Currents.wiki')
    scene.git('commit', '-q', '-m', 'gone again')
    expect(await lostOf(scene)).toEqual([])
    expect(scene.git('show', 'main:Tides.wiki')).toContain('High water')
  })

  test('several edits that a rebase squashes', async () => {
    const scene = await newScene()
    const base = scene.git('rev-parse', 'main')
    await scene.save('Tides', edited)
    await scene.save('Tides', edited.replace('half past six', 'seven'))
    scene.git('reset', '-q', '--soft', base)
    scene.git('commit', '-q', '-m', 'squashed')
    expect(await lostOf(scene)).toEqual([])
    // The page continues from there.
    await scene.save('Tides', tides)
    expect(await lostOf(scene)).toEqual([])
  })

  test('a write that is still in progress', async () => {
    const { wiki } = await newWiki({ A: 'a' })
    const writes = Array.from({ length: 8 }, (_, at) => create(wiki, `Page ${at}`, 'text'))
    const looks = Array.from({ length: 4 }, () => verifyWiki(wiki))
    await Promise.all(writes)
    for (const { lost } of await Promise.all(looks)) expect(lost).toEqual([])
  })
})

describe.skipIf(!hasGit)('verification', () => {
  test('after a rebase continues with the replacement commits', async () => {
    const scene = await newScene()
    await scene.save('Tides', edited)
    scene.git('checkout', '-q', '-b', 'other', 'HEAD~1')
    await scene.commit('Boats.wiki', 'Oars.\n')
    scene.git('checkout', '-q', 'main')
    scene.git('rebase', '-q', 'other')
    expect(await lostOf(scene)).toEqual([])
    const replayed = scene.git('rev-parse', 'main')
    expect(scene.git('rev-parse', 'refs/wiki/main/acknowledged')).toBe(replayed)
    await scene.commit('Tides.wiki', tides, 'stale')
    expect(await lostOf(scene)).toEqual([['undone', replayed, 'Tides']])
  })

  test('finds what undid the replacements of recorded commits before the first verification', async () => {
    const scene = await newScene()
    await scene.save('Tides', edited)
    scene.git('commit', '-q', '--amend', '-m', 'better words')
    const amended = scene.git('rev-parse', 'main')
    await scene.commit('Tides.wiki', tides, 'stale')
    expect(await lostOf(scene)).toEqual([['undone', amended, 'Tides']])
  })

  test('accepts an intended loss, and does not report it again', async () => {
    const scene = await newScene()
    const commit = await scene.save('Tides', edited)
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    expect(await lostOf(scene)).toHaveLength(1)
    await expect(verifyWiki(scene.wiki, { accept: ['0000000'] })).rejects.toThrow('names no acknowledged commit')
    const { lost, accepted } = await verifyWiki(scene.wiki, { accept: [commit.slice(0, 8)] })
    expect([lost, accepted]).toEqual([[], [commit]])
    expect(await lostOf({ wiki: await openTestWiki(scene.directory) })).toEqual([])
  })

  test('accepts all losses at once, and finds later ones', async () => {
    const scene = await newScene()
    const commits = [await scene.save('Tides', edited), await scene.save('Boats', `${boats}Rudder.\n`)]
    expect((await verifyWiki(scene.wiki, { accept: 'all' })).accepted).toEqual([])
    scene.git('reset', '-q', '--hard', 'HEAD~2')
    expect(await verifyWiki(scene.wiki, { accept: 'all' })).toMatchObject({ lost: [], accepted: commits })
    const later = await scene.save('Tides', edited)
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    expect(await lostOf(scene)).toEqual([['lost', later, 'Tides']])
  })

  test.each<[name: string, damage: (log: string) => void]>([
    ['is deleted', log => rmSync(log)],
    ['is noise', log => writeFileSync(log, Buffer.alloc(100, 0xa5))],
    ['is cut off', log => truncateSync(log, 50)],
    [
      'was begun again by a later edit',
      log => writeFileSync(log, readFileSync(log, 'utf8').split('\n').slice(-2).join('\n')),
    ],
  ])('finds the losses where its log %s', async (_, damage) => {
    const scene = await newScene()
    const lost = [await scene.save('Tides', `${tides}\nOne.\n`), await scene.save('Tides', `${tides}\nOne.\n\nTwo.\n`)]
    scene.git('reset', '-q', '--hard', 'HEAD~2')
    await scene.save('Boats', `${boats}\nRudders.\n`)
    damage(recordPaths(scene.wiki.store.repository).log)
    expect((await lostOf(scene)).map(([, commit]) => commit).sort()).toEqual([...lost].sort())
  })

  test('finds the loss again if its stored result is damaged', async () => {
    const scene = await newScene()
    const commit = await scene.save('Tides', edited)
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    await lostOf(scene)
    const { verified } = recordPaths(scene.wiki.store.repository)
    expect(existsSync(verified)).toBe(true)
    await writeWork(join(verified, '..'), 'main.verified', '{"tip":"x","open":[{"commit":1}]}')
    expect(await lostOf(scene)).toEqual([['lost', commit, 'Tides']])
  })

  test('reveals neither the user nor the comment of a hidden revision', async () => {
    const scene = await newScene()
    const commit = await scene.save('Tides', edited)
    const blob = scene.git('rev-parse', 'HEAD:Tides.wiki')
    scene.git('reset', '-q', '--hard', 'HEAD~1')
    const hidden = { [`${commit}/${blob}`]: { parts: ['text', 'user', 'comment'] } }
    await commitFiles(scene.wiki, { 'wiki.json': JSON.stringify({ hidden }) })
    const { lost } = await verifyWiki(scene.wiki)
    expect(lost).toEqual([expect.objectContaining({ commit, user: null, comment: null })])
  })

  test('looks at each page once of a commit that moves a folder of hundreds', async () => {
    const scene = await newScene()
    const pages = 300
    const texts = Array.from({ length: pages }, (_, at) => [`pier/Page${at}.wiki`, `Berth ${at} of the pier.\n`])
    await commitFiles(scene.wiki, Object.fromEntries(texts))
    const commit = await scene.save('Tides', edited)
    await lostOf(scene)
    scene.git('rm', '-q', '--cached', 'Tides.wiki')
    scene.git('mv', 'pier', 'quay')
    scene.git('commit', '-q', '-m', 'Move a folder')
    await scene.wiki.store.refresh()
    const [revision, kind] = [vi.spyOn(RevisionIndex.prototype, 'revision'), vi.spyOn(BranchRecord.prototype, 'kindOf')]
    onTestFinished(() => {
      for (const spy of [revision, kind]) spy.mockRestore()
    })
    expect(await lostOf(scene)).toEqual([['undone', commit, 'Tides']])
    expect(revision.mock.calls.length + kind.mock.calls.length).toBeLessThan(pages * 20)
  })
})
