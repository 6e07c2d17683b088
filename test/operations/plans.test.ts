/**
 * Plans are made from the tip: what others write between the moment at which an operation has read and checked everything, and that of
 * its plan, is seen by the plan. Each operation that writes has a row.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { applyPatchToPages } from '../../src/operations/apply-patch.ts'
import { checkChange } from '../../src/operations/check-change.ts'
import { commitWork } from '../../src/operations/commit-work.ts'
import { writeConfig } from '../../src/operations/configure.ts'
import { createPage } from '../../src/operations/create-page.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { fixProblems } from '../../src/operations/fix-problems.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { importDump } from '../../src/operations/import-dump.ts'
import { initWiki } from '../../src/operations/init-wiki.ts'
import { migrateLayout } from '../../src/operations/migrate-layout.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { replaceText } from '../../src/operations/replace-text.ts'
import { restoreEdits } from '../../src/operations/restore-edits.ts'
import { restorePage } from '../../src/operations/restore-page.ts'
import { undoCommit } from '../../src/operations/undo-commit.ts'
import { undoRevisions } from '../../src/operations/undo-revisions.ts'
import { updatePage } from '../../src/operations/update-page.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { Store } from '../../src/store/store.ts'
import { git } from '../_setup.ts'
import { dumpOf } from './_dump.ts'
import {
  ada,
  bob,
  commitCount,
  commitFiles,
  create,
  edit,
  gitPaths,
  gitText,
  newWiki,
  openTestWiki,
  type TestWiki,
  writeWork,
} from './_wiki.ts'

afterEach(() => vi.restoreAllMocks())

const by = { author: ada, comment: null }
const png = (size: number) => Buffer.from(`89504e470d0a1a0a0000000d49484452${'00'.repeat(size)}`, 'hex')

/** A write, and another one that comes first although it began later. */
interface Race {
  readonly pages?: Readonly<Record<string, string>>
  /** Runs before both. */
  readonly prepare?: (scene: Scene) => unknown
  readonly write: (scene: Scene) => Promise<unknown>
  readonly meanwhile: (scene: Scene) => unknown
  /** Code of the error with which the write is refused; nothing of it is written then. */
  readonly refused?: string
  /** Checks the result of a write that is not refused. */
  readonly after?: (scene: Scene, result: unknown) => unknown
}

interface Scene extends TestWiki {
  /** The same wiki, as another process has opened it. */
  readonly other: Wiki
}

const tides = 'High <tt>water</tt> at noon.'

/** By the file of `src/operations` that commits. */
const races: Readonly<Record<string, Readonly<Record<string, Race>>>> = {
  'create-page': {
    'the page is created': {
      write: ({ wiki }) => createPage(wiki, { title: 'Quay', source: 'q', ...by }),
      meanwhile: ({ other }) => create(other, 'Quay', 'other'),
      refused: 'apierror-articleexists',
    },
    'another page is moved to the title': {
      pages: { Ferry: 'f' },
      write: ({ wiki }) => createPage(wiki, { title: 'Quay', source: 'q', ...by }),
      meanwhile: ({ other }) => movePage(other, { from: 'Ferry', to: 'Quay', redirect: false, ...by }),
      refused: 'apierror-articleexists',
    },
    'the namespace of the title comes into being': {
      pages: { Ferry: 'f' },
      write: ({ wiki }) => createPage(wiki, { title: 'Portal:Sea', source: 's', ...by }),
      meanwhile: ({ other }) => setting(other, 'namespaces', '{"100": {"name": "Portal"}}'),
      after: ({ wiki }) => expect(wiki.store.findPage('Portal:Sea')).toMatchObject({ namespace: 100 }),
    },
  },
  'update-page': {
    'the same words are edited': {
      pages: { Tides: tides },
      write: ({ wiki }) => updatePage(wiki, { title: 'Tides', source: 'Low at one.', base: 1, ...by }),
      meanwhile: ({ other }) => edit(other, 'Tides', 'Slack at two.'),
      refused: 'edit-conflict',
    },
    'the page is deleted': {
      pages: { Tides: tides },
      write: ({ wiki }) => updatePage(wiki, { title: 'Tides', source: 'Low.', base: 1, ...by }),
      meanwhile: ({ other }) => deletePages(other, { titles: ['Tides'], ...by }),
      refused: 'apierror-missingtitle',
    },
    'the limit of a page is lowered': {
      pages: { Tides: tides },
      write: ({ wiki }) => updatePage(wiki, { title: 'Tides', source: 'x'.repeat(2000), base: 1, ...by }),
      meanwhile: ({ other }) => setting(other, 'limits.source', '1024'),
      refused: 'apierror-contenttoobig',
    },
  },
  'delete-page': {
    'the page is edited after the deletion was confirmed': {
      pages: { Tides: tides, Ferry: 'f' },
      write: async ({ wiki }) => {
        const planned = await deletePages(wiki, { titles: ['Ferry', 'Tides'], dryRun: true, ...by })
        return deletePages(wiki, { titles: ['Ferry', 'Tides'], planned, ...by })
      },
      meanwhile: ({ other }) => edit(other, 'Tides', 'Slack.'),
      refused: 'edit-conflict',
    },
    'a page of a new namespace has the title': {
      pages: { 'Portal:Sea': 's', Ferry: 'f' },
      write: ({ wiki }) => deletePages(wiki, { titles: ['Portal:Sea'], ...by }),
      meanwhile: ({ other }) => setting(other, 'namespaces', '{"100": {"name": "Portal"}}'),
      after: ({ directory }) => expect(gitPaths(directory).sort()).toEqual(['Ferry.wiki', 'wiki.json']),
    },
  },
  'move-page': {
    'the title is taken': {
      pages: { Ferry: 'f' },
      write: ({ wiki }) => movePage(wiki, { from: 'Ferry', to: 'Quay', ...by }),
      meanwhile: ({ other }) => create(other, 'Quay', 'other'),
      refused: 'apierror-articleexists',
    },
    'the redirect in the way is edited': {
      pages: { Ferry: 'f', Quay: '#REDIRECT [[Ferry]]' },
      write: ({ wiki }) => movePage(wiki, { from: 'Ferry', to: 'Quay', ...by }),
      meanwhile: ({ other }) => edit(other, 'Quay', 'A page of its own.'),
      refused: 'apierror-articleexists',
    },
    'the page is edited': {
      pages: { Ferry: 'f', Quay: '#REDIRECT [[Ferry]]' },
      write: ({ wiki }) => movePage(wiki, { from: 'Ferry', to: 'Quay', ...by }),
      meanwhile: ({ other }) => edit(other, 'Ferry', 'g'),
      after: ({ directory }) => expect(gitText(directory, 'Quay.wiki')).toBe('g\n'),
    },
  },
  'add-file': {
    'a file of the name is added': {
      write: ({ wiki }) => addFile(wiki, { name: 'Chart.png', content: png(4), replace: false, ...by }),
      meanwhile: ({ other }) => addFile(other, { name: 'Chart.png', content: png(5), replace: false, ...by }),
      refused: 'apierror-articleexists',
    },
    'its page is written': {
      write: ({ wiki }) => addFile(wiki, { name: 'Chart.png', content: png(4), description: 'Ours.', ...by }),
      meanwhile: ({ other }) => create(other, 'File:Chart.png', 'Theirs.'),
      after: ({ directory }) => expect(gitText(directory, 'File/Chart.png.wiki')).toBe('Theirs.\n\nOurs.\n'),
    },
  },
  'undo-commit': {
    'the same words are edited': {
      pages: { Tides: tides },
      prepare: ({ wiki }) => edit(wiki, 'Tides', 'Low.'),
      write: ({ wiki, directory }) => undoCommit(wiki, { commit: git(directory, 'rev-parse', 'HEAD'), ...by }),
      meanwhile: ({ other }) => edit(other, 'Tides', 'Slack.'),
      refused: 'undo-failure',
    },
    'the commit leaves the branch': {
      pages: { Tides: tides },
      prepare: ({ wiki }) => edit(wiki, 'Tides', 'Low.'),
      write: ({ wiki, directory }) => undoCommit(wiki, { commit: git(directory, 'rev-parse', 'HEAD'), ...by }),
      meanwhile: ({ directory }) => git(directory, 'reset', '-q', '--hard', 'HEAD~1'),
      refused: 'wiki-usage',
    },
    'the redirect that a move left is edited': {
      pages: { Ferry: 'f' },
      prepare: ({ wiki }) => movePage(wiki, { from: 'Ferry', to: 'Quay', ...by }),
      write: ({ wiki, directory }) => undoCommit(wiki, { commit: git(directory, 'rev-parse', 'HEAD'), ...by }),
      meanwhile: ({ other }) => edit(other, 'Ferry', 'A page of its own.'),
      refused: 'undo-failure',
    },
  },
  'undo-revisions': {
    'the same words are edited': {
      pages: { Tides: tides },
      prepare: ({ wiki }) => edit(wiki, 'Tides', 'Low.'),
      write: ({ wiki }) => undoRevisions(wiki, { revision: 2, ...by }),
      meanwhile: ({ other }) => edit(other, 'Tides', 'Slack.'),
      refused: 'undo-failure',
    },
    'git gives the id to another revision': {
      pages: { Tides: tides },
      prepare: ({ wiki }) => edit(wiki, 'Tides', 'Low.'),
      write: ({ wiki }) => undoRevisions(wiki, { revision: 2, ...by }),
      meanwhile: ({ directory }) => recommit(directory, 'Tides.wiki', 'Slack.\n'),
      refused: 'rest-nonexistent-revision',
    },
  },
  configure: {
    'another setting is set': {
      write: ({ wiki }) => writeConfig(wiki, { path: 'name', value: 'Sea', ...by }),
      meanwhile: ({ other }) => setting(other, 'language', 'de'),
      after: ({ directory }) =>
        expect(JSON.parse(gitText(directory, 'wiki.json'))).toEqual({ language: 'de', name: 'Sea' }),
    },
  },
  'hide-revision': {
    'git gives the id to another revision': {
      pages: { Tides: tides },
      prepare: ({ wiki }) => edit(wiki, 'Tides', 'Low.'),
      write: ({ wiki, directory }) =>
        hideRevision(wiki, {
          id: 1,
          commit: git(directory, 'rev-parse', 'HEAD~1'),
          parts: ['text'],
          reason: '',
          ...by,
        }),
      meanwhile: ({ directory }) => {
        git(directory, 'reset', '-q', '--hard', 'HEAD~1')
        git(directory, 'commit', '-q', '--amend', '-m', 'amended')
        recommit(directory, 'Tides.wiki', 'Slack.\n', [])
      },
      refused: 'rest-nonexistent-revision',
    },
    'it becomes the latest revision': {
      pages: { Tides: tides },
      prepare: ({ wiki }) => edit(wiki, 'Tides', 'Low.'),
      write: ({ wiki }) => hideRevision(wiki, { id: 1, parts: ['text'], reason: '', ...by }),
      meanwhile: ({ directory }) => git(directory, 'reset', '-q', '--hard', 'HEAD~1'),
      refused: 'wiki-hide-latest',
    },
  },
  'migrate-layout': {
    'a file is edited': {
      pages: { Tides: tides },
      write: ({ wiki }) => migrateLayout(wiki, { layout: 'sharded', ...by }),
      meanwhile: ({ directory }) => writeWork(directory, 'Tides.wiki', 'mine\n'),
      refused: 'wiki-uncommitted',
    },
    'a page is created': {
      pages: { Tides: tides },
      write: ({ wiki }) => migrateLayout(wiki, { layout: 'sharded', ...by }),
      meanwhile: ({ other }) => create(other, 'Quay', 'q'),
      after: ({ directory }) => expect(gitPaths(directory).filter(path => /^[0-9a-f]{2}\//.test(path))).toHaveLength(2),
    },
  },
  'init-wiki': {
    'the main page is created': {
      write: ({ directory }) => initWiki({ directory, author: ada, settings: { name: 'Sea' } }),
      meanwhile: ({ other }) => create(other, 'Main Page', 'theirs'),
      after: ({ directory }) => expect(gitText(directory, 'Main_Page.wiki')).toBe('theirs\n'),
    },
  },
  'restore-page': {
    'the title is taken': {
      pages: { Quay: 'q' },
      prepare: ({ wiki }) => deletePages(wiki, { titles: ['Quay'], ...by }),
      write: ({ wiki }) => restorePage(wiki, { title: 'Quay', ...by }),
      meanwhile: ({ other }) => create(other, 'Quay', 'other'),
      refused: 'apierror-articleexists',
    },
  },
  'apply-patch': {
    'its lines are edited': {
      pages: { Tides: tides },
      write: ({ wiki }) => applyPatchToPages(wiki, { patch: patchOf('Tides.wiki', tides, 'Low.'), ...by }),
      meanwhile: ({ other }) => edit(other, 'Tides', 'Slack.'),
      refused: 'wiki-patch-mismatch',
    },
  },
  'replace-text': {
    'a page is edited after the difference was shown': {
      pages: { Tides: tides },
      write: async ({ wiki }) => {
        const asked = { find: 'noon', replacement: 'one', ...by }
        const planned = await replaceText(wiki, { ...asked, dryRun: true })
        return replaceText(wiki, { ...asked, planned })
      },
      meanwhile: ({ other }) => edit(other, 'Tides', `${tides} Slack.`),
      refused: 'edit-conflict',
    },
  },
  'fix-problems': {
    'a page is edited': {
      pages: { Tides: tides },
      write: async ({ wiki }) => fixProblems(wiki, { problems: await problemsOf(wiki), ...by }),
      meanwhile: ({ other }) => edit(other, 'Tides', `${tides} Slack.`),
      refused: 'edit-conflict',
    },
    'a filter comes to the page': {
      pages: { Tides: tides },
      write: async ({ wiki }) => fixProblems(wiki, { problems: await problemsOf(wiki), ...by }),
      meanwhile: ({ directory }) => {
        git(directory, 'config', 'filter.turn.clean', 'rev')
        git(directory, 'config', 'filter.turn.smudge', 'rev')
        recommit(directory, '.gitattributes', '*.wiki filter=turn\n', [])
      },
      refused: 'edit-conflict',
    },
  },
  'commit-work': {
    'the page is created elsewhere': {
      prepare: ({ directory }) => writeWork(directory, 'Quay.wiki', 'mine\n'),
      write: ({ wiki }) => commitWork(wiki, by),
      meanwhile: ({ other }) => commitFiles(other, { 'quay.wiki': 'other\n' }),
      refused: 'wiki-title-collision',
    },
    'the page is edited': {
      pages: { Tides: 'One.\n\nTwo.\n\nThree.' },
      prepare: ({ directory }) => writeWork(directory, 'Tides.wiki', 'One.\n\nTwo.\n\nThree, mine.\n'),
      write: ({ wiki }) => commitWork(wiki, by),
      meanwhile: ({ other }) => edit(other, 'Tides', 'One, theirs.\n\nTwo.\n\nThree.'),
      after: ({ directory }) => expect(gitText(directory, 'Tides.wiki')).toBe('One, theirs.\n\nTwo.\n\nThree, mine.\n'),
    },
  },
  'restore-edits': {
    'the same words are edited': {
      pages: { Tides: tides },
      prepare: async ({ wiki, directory }) => {
        await edit(wiki, 'Tides', 'Low.')
        git(directory, 'reset', '-q', '--hard', 'HEAD~1')
      },
      write: ({ wiki }) => restoreEdits(wiki, { author: async () => bob }),
      meanwhile: ({ other }) => edit(other, 'Tides', 'Slack.'),
      after: ({ directory }, result) => {
        expect(result).toMatchObject({ restored: [], failures: [{ error: { code: 'edit-conflict' } }] })
        expect(gitText(directory, 'Tides.wiki')).toBe('Slack.\n')
      },
    },
  },
  'import-dump': {
    'the branch moves': {
      pages: { Ferry: 'f' },
      write: ({ wiki }) => importDump(wiki, { dump: bytesOf(dumpOf([{ title: 'Quay', revisions: [{ text: 'q' }] }])) }),
      meanwhile: ({ other }) => create(other, 'Quay', 'other'),
      refused: 'wiki-import-overtaken',
    },
  },
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

function setting(wiki: Wiki, path: string, value: string) {
  return writeConfig(wiki, { path, value, author: bob, comment: null })
}

async function problemsOf(wiki: Wiki) {
  return (await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })).problems
}

function patchOf(path: string, before: string, after: string): string {
  return `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${before}\n+${after}\n`
}

/** Commits a file with git: in place of the last commit, or on top of it. */
function recommit(directory: string, path: string, text: string, how: readonly string[] = ['--amend']): void {
  writeFileSync(join(directory, path), text)
  git(directory, 'add', '--', path)
  git(directory, 'commit', '-q', ...how, '-m', 'by git')
}

/** Lets another writer come between an operation and its plan, once. */
function intrude(scene: Scene, meanwhile: Race['meanwhile']): void {
  const { commit, openImport } = Store.prototype
  let isDone = false
  const first = async (store: Store) => {
    if (isDone || store === scene.other.store) return
    isDone = true
    await meanwhile(scene)
  }
  vi.spyOn(Store.prototype, 'commit').mockImplementation(async function (this: Store, plan) {
    await first(this)
    return commit.call(this, plan)
  })
  vi.spyOn(Store.prototype, 'openImport').mockImplementation(async function (this: Store) {
    const session = await openImport.call(this)
    await first(this)
    return session
  })
}

describe.each(Object.entries(races))('%s', (_, ways) => {
  test.for(Object.entries(ways))('while %s', async ([, race]) => {
    const { wiki, directory } = await newWiki(race.pages)
    const other = await openTestWiki(directory)
    const scene: Scene = { wiki, directory, other }
    await race.prepare?.(scene)
    let head: string | undefined
    intrude(scene, async () => {
      await race.meanwhile(scene)
      head = git(directory, 'rev-parse', 'HEAD')
    })
    if (race.refused === undefined) {
      const result = await race.write(scene)
      expect(head).toBeDefined()
      await race.after?.(scene, result)
      return
    }
    await expect(race.write(scene)).rejects.toMatchObject({ code: race.refused })
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(head)
  })
})

const broken = '{\n  "name": "Sea",\n}\n'

/** Everything that writes wiki.json. */
const settingWrites: Readonly<Record<string, (scene: TestWiki) => Promise<unknown>>> = {
  'a setting': ({ wiki }) => setting(wiki, 'language', 'de'),
  'a hidden revision': ({ wiki }) => hideRevision(wiki, { id: 1, parts: ['comment'], reason: '', ...by }),
  'another layout': ({ wiki }) => migrateLayout(wiki, { layout: 'sharded', ...by }),
  'settings of wiki init': ({ directory }) => initWiki({ directory, author: ada, settings: { language: 'de' } }),
  'settings of a dump': ({ wiki }) =>
    importDump(wiki, { dump: bytesOf(dumpOf([{ title: 'Quay', revisions: [{ text: 'q' }] }])), settings: true }),
}

test.for(Object.entries(settingWrites))(
  '%s never overwrites an invalid wiki.json that was committed',
  async ([, write]) => {
    const { wiki, directory } = await newWiki({ Tides: tides, Ferry: 'f' }, { namespaces: {} })
    await edit(wiki, 'Tides', 'Low.')
    recommit(directory, 'wiki.json', broken, [])
    const head = git(directory, 'rev-parse', 'HEAD')
    await expect(write({ wiki, directory })).rejects.toMatchObject({
      code: 'wiki-settings-kept',
      hint: expect.stringContaining('Correct wiki.json'),
    })
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(head)
    expect(gitText(directory, 'wiki.json')).toBe(broken)
    recommit(directory, 'wiki.json', '{"name": "Sea"}\n', [])
    await setting(wiki, 'language', 'de')
    expect(gitText(directory, 'wiki.json')).toBe('{"name": "Sea", "language": "de"}\n')
  },
)

/** Writes that need two commits. */
const pairs: Readonly<
  Record<string, readonly [prepare: (wiki: Wiki) => unknown, write: (scene: TestWiki) => unknown]>
> = {
  'a move over a redirect': [
    wiki => create(wiki, 'Quay', '#REDIRECT [[Ferry]]'),
    ({ wiki }) => movePage(wiki, { from: 'Ferry', to: 'Quay', updateLinks: true, ...by }),
  ],
  // It also changes a link of the page itself, so that the page returns with another text.
  'the undoing of a move that left a redirect': [
    wiki => movePage(wiki, { from: 'Ferry', to: 'Quay', updateLinks: true, ...by }),
    ({ wiki, directory }) => undoCommit(wiki, { commit: git(directory, 'rev-parse', 'HEAD'), ...by }),
  ],
}

test.for(Object.entries(pairs))('%s reaches the branch at once', async ([, [prepare, write]]) => {
  const { wiki, directory } = await newWiki({ Ferry: 'The [[Ferry]].', Tides: '[[Ferry]] and [[Quay]]' })
  const id = wiki.store.findPage('Ferry')?.id
  await prepare(wiki)
  const moves = () => git(directory, 'reflog', 'show', 'main').split('\n').length
  const [before, count] = [moves(), commitCount(directory)]
  await write({ wiki, directory })
  expect({ moves: moves() - before, commits: commitCount(directory) - count }).toEqual({ moves: 1, commits: 2 })
  expect(['Ferry', 'Quay'].map(key => wiki.store.findPage(key)?.id)).toContain(id)
  expect(git(directory, 'status', '--porcelain')).toBe('')
  expect((await verifyWiki(wiki)).lost).toEqual([])
})

describe('writes of one server at the same moment', () => {
  test('never give one title to two files', async () => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, {
      'Tide_times.wiki': 'a\n',
      'Big boat.wiki': 'b\n',
      'Old ship.wiki': 'c\n',
      'Low tide.wiki': 'd\n',
    })
    await deletePages(wiki, { titles: ['Tide times'], ...by })
    const done = await Promise.allSettled([
      createPage(wiki, { title: 'Tide times', source: 'new', ...by }),
      restorePage(wiki, { title: 'Tide times', ...by }),
    ])
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect([...wiki.store.problems()]).toEqual([])
    expect(gitPaths(directory)).toHaveLength(4)
  })

  test('a change of the settings is seen by every later plan', async () => {
    const { wiki, directory } = await newWiki({ Tides: tides })
    await Promise.all([
      migrateLayout(wiki, { layout: 'sharded', ...by }),
      createPage(wiki, { title: 'Quay', source: 'q', ...by }),
    ])
    expect(gitPaths(directory).filter(path => /^[0-9a-f]{2}\//.test(path))).toHaveLength(2)
  })

  test('of two uploads under one name one is refused', async () => {
    const { wiki } = await newWiki()
    const upload = (size: number) => addFile(wiki, { name: 'Chart.png', content: png(size), replace: false, ...by })
    const done = await Promise.allSettled([upload(4), upload(5)])
    // Either may come first.
    const codes = done.map(one => (one.status === 'fulfilled' ? 'saved' : one.reason.code))
    expect(codes.sort()).toEqual(['apierror-articleexists', 'saved'])
  })
})

test('every operation that commits has a race', () => {
  const folder = join(import.meta.dirname, '../../src/operations')
  const committing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      name => name.endsWith('.ts') && /\b(?:store|session)\.commit\(/.test(readFileSync(join(folder, name), 'utf8')),
    )
    .map(name => name.replace(/\.ts$/, ''))
  expect(committing.sort()).toEqual(Object.keys(races).sort())
})
