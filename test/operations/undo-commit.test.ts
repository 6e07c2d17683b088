import { describe, expect, test } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { migrateLayout } from '../../src/operations/migrate-layout.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { pageHistory } from '../../src/operations/page-history.ts'
import { undoCommit } from '../../src/operations/undo-commit.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { git } from '../_setup.ts'
import { wiki as command } from '../cli/harness.ts'
import { ada, base, bob, commitCount, commitFiles, create, edit, gitText, newWiki } from './_wiki.ts'

const pages = { Ferry: 'The ferry waits.\n\nIt is old.', Tides: 'High.', Old: '#REDIRECT [[Ferry]]' }

async function undo(wiki: Wiki, directory: string, request: { dryRun?: boolean; commit?: string } = {}) {
  const commit = request.commit ?? git(directory, 'rev-parse', 'HEAD')
  return undoCommit(wiki, { commit, comment: null, author: ada, ...request })
}

/** Each makes a change in one commit, or in the last of several. */
const actions: readonly (readonly [string, (wiki: Wiki) => Promise<unknown>])[] = [
  ['edits of several pages', wiki => commitFiles(wiki, { 'Ferry.wiki': 'A\n', 'Tides.wiki': 'B\n' })],
  ['a new page', wiki => create(wiki, 'Quay', 'q')],
  ['a deletion', wiki => deletePages(wiki, { titles: ['Ferry', 'Tides'], author: bob, comment: '' })],
  ['a move', wiki => movePage(wiki, { from: 'Ferry', to: 'Boat', author: bob, comment: '' })],
  [
    'a move without a redirect',
    wiki => movePage(wiki, { from: 'Ferry', to: 'Boat', redirect: false, author: bob, comment: '' }),
  ],
  ['a move with edits', wiki => moveWithLinks(wiki)],
]

/** A page moves, and links to it are rewritten, in one commit. */
async function moveWithLinks(wiki: Wiki): Promise<void> {
  const text = Buffer.from(`${pages.Ferry}\n`)
  const changes = [
    { path: 'Boat.wiki', content: text },
    { path: 'Ferry.wiki', content: Buffer.from('#REDIRECT [[Boat]]\n') },
    { path: 'Old.wiki', content: Buffer.from('#REDIRECT [[Boat]]\n') },
  ]
  await wiki.store.commit(() => ({ changes, author: bob, comment: 'moved', subject: 'Move' }))
}

describe('undoCommit', () => {
  test.each(actions)('of %s restores the earlier tree and ids', async (_, act) => {
    const { wiki, directory } = await newWiki(pages)
    await wiki.store.refresh()
    const tree = git(directory, 'rev-parse', 'HEAD^{tree}')
    const ids = ['Ferry', 'Tides', 'Old'].map(key => wiki.store.findPage(key)?.id)
    await act(wiki)
    const hash = git(directory, 'rev-parse', 'HEAD')
    const done = await undo(wiki, directory)
    expect(done).toMatchObject({
      undone: hash,
      changed: true,
      comment: `Undid commit ${hash.slice(0, 10)}`,
      leftAlone: [],
    })
    expect(git(directory, 'rev-parse', 'HEAD^{tree}')).toBe(tree)
    expect(git(directory, 'status', '--porcelain')).toBe('')
    expect(['Ferry', 'Tides', 'Old'].map(key => wiki.store.findPage(key)?.id)).toEqual(ids)
    expect(git(directory, 'log', '-1', '--format=%B')).toContain(`Wiki-Reverts: ${hash}`)
    expect(await undo(wiki, directory, { commit: hash })).toMatchObject({ changed: false, commit: null })
  })

  test('keeps later edits, also of a page that moves back', async () => {
    const { wiki, directory } = await newWiki(pages)
    await moveWithLinks(wiki)
    const commit = git(directory, 'rev-parse', 'HEAD')
    await edit(wiki, 'Boat', `${pages.Ferry}\n\nMore.`)
    await undo(wiki, directory, { commit })
    expect(gitText(directory, 'Ferry.wiki')).toBe(`${pages.Ferry}\n\nMore.\n`)
    expect(gitText(directory, 'Old.wiki')).toBe('#REDIRECT [[Ferry]]\n')
    const { revisions } = await pageHistory(wiki, { title: 'Ferry', base })
    expect(revisions.at(-1)).toMatchObject({ id: 1 })
  })

  test('refuses if the page was moved again since', async () => {
    const { wiki, directory } = await newWiki(pages)
    await movePage(wiki, { from: 'Ferry', to: 'Boat', redirect: false, author: bob, comment: '' })
    const commit = git(directory, 'rev-parse', 'HEAD')
    await movePage(wiki, { from: 'Boat', to: 'Ship', redirect: false, author: bob, comment: '' })
    await expect(undo(wiki, directory, { commit })).rejects.toMatchObject({ code: 'undo-failure' })
  })

  test('refuses as a whole, and writes nothing, if one page cannot be merged', async () => {
    const { wiki, directory } = await newWiki(pages)
    await commitFiles(wiki, { 'Ferry.wiki': 'The boat waits.\n', 'Tides.wiki': 'Low.\n' })
    const commit = git(directory, 'rev-parse', 'HEAD')
    await edit(wiki, 'Ferry', 'The ship waits.')
    const count = commitCount(directory)
    await expect(undo(wiki, directory, { commit })).rejects.toMatchObject({ code: 'undo-failure', status: 409 })
    expect(commitCount(directory)).toBe(count)
  })

  test('does not delete a page that was edited since it was created', async () => {
    const { wiki, directory } = await newWiki(pages)
    await create(wiki, 'Quay', 'q')
    const commit = git(directory, 'rev-parse', 'HEAD')
    await edit(wiki, 'Quay', 'q r')
    await expect(undo(wiki, directory, { commit })).rejects.toMatchObject({ code: 'undo-failure' })
  })

  test('does not show or restore hidden text', async () => {
    const { wiki, directory } = await newWiki(pages)
    await edit(wiki, 'Tides', 'secret')
    await edit(wiki, 'Tides', 'clean')
    const commit = git(directory, 'rev-parse', 'HEAD')
    await hideRevision(wiki, { id: 4, parts: ['text'], reason: '', comment: '', author: ada })
    await expect(undo(wiki, directory, { commit })).rejects.toMatchObject({ code: 'rest-permission-denied-revision' })
    await expect(undo(wiki, directory)).rejects.toMatchObject({ code: 'wiki-usage' })
    expect(await wiki.store.text(wiki.store.revision(5)!)).toBe('clean\n')
  })

  test('undoes only commits of this branch', async () => {
    const { wiki, directory } = await newWiki(pages)
    await edit(wiki, 'Tides', 'Low.')
    const commit = git(directory, 'rev-parse', 'HEAD')
    git(directory, 'reset', '-q', '--hard', 'HEAD~1')
    await expect(undo(wiki, directory, { commit })).rejects.toMatchObject({ code: 'wiki-usage' })
    await expect(undo(wiki, directory, { commit: 'nothing' })).rejects.toMatchObject({ code: 'wiki-usage' })
  })

  test('is used by wiki undo for a commit of several pages', async () => {
    const { wiki, directory } = await newWiki(pages)
    await commitFiles(wiki, { 'Ferry.wiki': 'A\n', 'Tides.wiki': 'B\n' })
    // With fewer digits a hash may be all decimal, like a revision's id.
    const short = git(directory, 'rev-parse', '--short=16', 'HEAD')
    const preview = await command(['undo', short, '--dry-run'], { cwd: directory })
    expect(preview.stdout).toContain('-A\n+The ferry waits.')
    const done = await command(['undo', short], { cwd: directory })
    expect(done.stderr).toMatch(/^Undid [0-9a-f]{7,} of "Ferry", "Tides" in [0-9a-f]{7,}\n$/)
    expect(gitText(directory, 'Tides.wiki')).toBe('High.\n')
  })
})

test('undoing a commit that moved all files names the command that moves them back', async () => {
  const { wiki, directory } = await newWiki(pages)
  await migrateLayout(wiki, { layout: 'sharded', author: ada, comment: null })
  await expect(undo(wiki, directory)).rejects.toMatchObject({
    code: 'wiki-usage',
    hint: 'Move them back with: wiki migrate-layout folders',
  })
  expect(wiki.store.findPage('Ferry')).toBeDefined()
})
