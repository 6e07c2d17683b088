import { describe, expect, test } from 'vitest'
import type { HideablePart } from '../../src/core/wiki-config.ts'
import { compareRevisions } from '../../src/operations/compare-revisions.ts'
import { countHistory } from '../../src/operations/count-history.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { pageHistory } from '../../src/operations/page-history.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { readRevision, readRevisionBare } from '../../src/operations/read-revision.ts'
import { updatePage } from '../../src/operations/update-page.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import { git, hasGit } from '../_setup.ts'
import { ada, base, bob, edit, newWiki } from './_wiki.ts'

const request = (id: number, parts: readonly HideablePart[], reason = '') => ({
  id,
  parts,
  reason,
  comment: null,
  author: ada,
})

/** A page with revisions 1 to 3, of which the second is Bob's, minor. */
async function threeRevisions(): Promise<{ wiki: Wiki; directory: string }> {
  const made = await newWiki({ A: 'one' })
  await edit(made.wiki, 'A', 'two', { author: bob, minor: true, comment: 'second' })
  await edit(made.wiki, 'A', 'three')
  return made
}

const denied = { status: 403 }

describe.skipIf(!hasGit)('a hidden revision whose commit git writes again', () => {
  const rebase = (directory: string) =>
    git(
      directory,
      '-c',
      'user.name=Other',
      '-c',
      'user.email=o@example.org',
      'rebase',
      '-q',
      '--force-rebase',
      '--root',
    )

  test('stays hidden, and is shown again on request', async () => {
    const { wiki, directory } = await threeRevisions()
    const former = wiki.store.revision(2)!.commit
    await hideRevision(wiki, request(2, ['text', 'user', 'comment'], 'why'))
    rebase(directory)
    await wiki.store.refresh()
    const revision = [...wiki.store.allRevisions()].find(({ blob }) => blob === wiki.store.formerRevisions(2)[0]?.blob)!
    expect(revision.commit).not.toBe(former)
    await expect(readRevision(wiki, { id: revision.id })).rejects.toMatchObject(denied)
    const { revisions } = await pageHistory(wiki, { title: 'A', base })
    expect(revisions.map(({ comment, user }) => [comment, user?.name ?? null])).toContainEqual([null, null])
    const shown = await hideRevision(wiki, request(revision.id, [], ''))
    expect(shown).toMatchObject({ changed: true, hidden: [] })
    expect((await readRevision(wiki, { id: revision.id })).source).toBe('two')
  })

  test('hides no other revision with its text while its commit is in the history', async () => {
    const { wiki } = await threeRevisions()
    await hideRevision(wiki, request(2, ['text', 'user']))
    await edit(wiki, 'A', 'two')
    expect((await readPage(wiki, { title: 'A', base })).source).toBe('two')
  })
})

describe('a revision whose text is hidden', () => {
  test('is neither read nor compared nor a base for edits', async () => {
    const { wiki } = await threeRevisions()
    await hideRevision(wiki, request(2, ['text'], 'an address'))
    await expect(readRevision(wiki, { id: 2 })).rejects.toMatchObject(denied)
    await expect(readRevisionBare(wiki, { id: 2, base })).rejects.toMatchObject(denied)
    await expect(compareRevisions(wiki, { from: 2, to: 3 })).rejects.toMatchObject(denied)
    await expect(compareRevisions(wiki, { from: 1, to: 2 })).rejects.toMatchObject(denied)
    const stale = { title: 'A', source: 'other', comment: null, base: 2, author: ada }
    await expect(updatePage(wiki, stale)).rejects.toMatchObject(denied)
    expect((await compareRevisions(wiki, { from: 1, to: 3 })).diff).not.toEqual([])
  })

  test('is listed in the history and not counted', async () => {
    const { wiki } = await threeRevisions()
    await hideRevision(wiki, request(2, ['text']))
    const { revisions } = await pageHistory(wiki, { title: 'A', base })
    expect(revisions.map(({ id, comment }) => [id, comment])).toContainEqual([2, 'second'])
    const count = async (type: 'edits' | 'minor' | 'editors') => (await countHistory(wiki, { title: 'A', type })).count
    expect([await count('edits'), await count('minor'), await count('editors')]).toEqual([2, 0, 2])
    expect((await countHistory(wiki, { title: 'A', type: 'edits', from: 1, to: 3 })).count).toBe(0)
  })

  test('is shown again, also in a clone', async () => {
    const { wiki, directory } = await threeRevisions()
    await hideRevision(wiki, request(2, ['text'], 'why'))
    const clone = await openWiki({ directory })
    await expect(readRevision(clone, { id: 2 })).rejects.toMatchObject(denied)
    expect(await hideRevision(wiki, request(2, [], ''))).toMatchObject({ changed: true, hidden: [] })
    expect((await readRevision(clone, { id: 2 })).source).toBe('two')
    await clone.close()
  })
})

test('a hidden author and summary are null, and filters skip them', async () => {
  const { wiki } = await threeRevisions()
  await hideRevision(wiki, request(2, ['user', 'comment']))
  expect(await readRevision(wiki, { id: 2 })).toMatchObject({ user: null, comment: null, source: 'two' })
  expect((await countHistory(wiki, { title: 'A', type: 'editors' })).count).toBe(1)
  const { revisions } = await pageHistory(wiki, { title: 'A', base })
  expect(revisions[1]).toMatchObject({ id: 2, user: null, comment: null })
})

test('revisions with the same text, as after a move, are named', async () => {
  const { wiki } = await newWiki({ A: 'secret' })
  await movePage(wiki, { from: 'A', to: 'B', comment: null, author: ada, redirect: false })
  await edit(wiki, 'B', 'clean')
  expect((await hideRevision(wiki, request(1, ['user']))).sameText).toEqual([])
  expect((await hideRevision(wiki, request(1, ['text']))).sameText).toEqual([2])
  expect((await hideRevision(wiki, request(2, ['text']))).sameText).toEqual([])
})

test('a hidden revision is not hidden again', async () => {
  const { wiki } = await threeRevisions()
  expect((await hideRevision(wiki, request(2, ['text', 'user'], 'a'))).changed).toBe(true)
  expect((await hideRevision(wiki, request(2, ['user', 'text'], 'a'))).changed).toBe(false)
  expect((await hideRevision(wiki, request(1, [], ''))).changed).toBe(false)
})

test.each([
  ['the text of the latest revision', 3, ['text'], 'wiki-hide-latest'],
  ['a revision that is not there', 99, ['text'], 'rest-nonexistent-revision'],
] as const)('%s is not hidden', async (_, id, parts, code) => {
  const { wiki } = await threeRevisions()
  await expect(hideRevision(wiki, request(id, parts))).rejects.toMatchObject({ code })
  expect((await readPage(wiki, { title: 'A', base })).source).toBe('three')
})
