import { describe, expect, test, vi } from 'vitest'
import { type Edits, mergeEdits } from '../../src/operations/comparing/merge-edits.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { undoCommit } from '../../src/operations/undo-commit.ts'
import { type UndoRequest, undoRevisions } from '../../src/operations/undo-revisions.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { ada, bob, commitCount, commitFiles, edit, gitText, lastMessage, newWiki } from './_wiki.ts'

const first = 'The tide comes twice a day.\n\nThe ferry waits.'
const second = 'The tide comes twice each day.\n\nThe ferry waits.'
const third = 'The tide comes twice each day.\n\nThe old ferry waits.'

/** A page of three revisions: ids 1 to 3; the second is by Bob. */
async function ferryWiki() {
  const { wiki, directory } = await newWiki({ Ferry: first })
  await edit(wiki, 'Ferry', second, { author: bob })
  await edit(wiki, 'Ferry', third)
  return { wiki, directory }
}

async function undo(wiki: Wiki, request: Partial<UndoRequest>) {
  return undoRevisions(wiki, { revision: 2, comment: null, author: ada, ...request })
}

describe('undoRevisions', () => {
  test('undoes the latest revision, byte for byte', async () => {
    const { wiki, directory } = await ferryWiki()
    const before = wiki.store.revision(2)?.blob
    const done = await undo(wiki, { revision: 3 })
    expect(done).toMatchObject({
      changed: true,
      merged: false,
      undone: [3, 3],
      page: { source: second, latest: { id: 4 } },
    })
    expect(wiki.store.revision(4)).toMatchObject({ blob: before, reverted: true })
    expect(lastMessage(directory)).toBe(
      `Undid revision 3 by Ada Example\n\nWiki-Reverts: ${wiki.store.revision(3)?.commit}`,
    )
  })

  test('merges long texts in a worker, once', async () => {
    const long = '\n\nAnd the harbour sleeps.'.repeat(400)
    const { wiki } = await newWiki({ Ferry: first + long })
    await edit(wiki, 'Ferry', second + long)
    await edit(wiki, 'Ferry', third + long)
    const tasks: string[] = []
    const workerPool = {
      run: async (job: { readonly task: string; readonly edits: Edits }) => {
        tasks.push(job.task)
        return mergeEdits(job.edits)
      },
    }
    await undo({ ...wiki, workerPool: () => workerPool as never }, { revision: 2 })
    expect(tasks).toEqual(['merge'])
    expect(await wiki.store.text(wiki.store.revision(4) as never)).toBe(
      `The tide comes twice a day.\n\nThe old ferry waits.${long}\n`,
    )
  })

  test('looks for text that has moved where it merges', async () => {
    const { wiki } = await ferryWiki()
    const run = async ({ edits }: { readonly edits: Edits }) => ({
      local: null,
      remote: null,
      moved: `undo ${edits.isUndo}`,
    })
    const long = '\n\nAnd the harbour sleeps.'.repeat(400)
    await edit(wiki, 'Ferry', third + long)
    const undoing = undo({ ...wiki, workerPool: () => ({ run }) as never }, { revision: 2 })
    await expect(undoing).rejects.toMatchObject({
      code: 'undo-failure',
      hint: expect.stringMatching(/^A part of it has moved since: "undo true"/),
    })
  })

  test('keeps later edits of other words', async () => {
    const { wiki, directory } = await ferryWiki()
    const done = await undo(wiki, { revision: 2 })
    const text = 'The tide comes twice a day.\n\nThe old ferry waits.'
    expect(done).toMatchObject({ merged: true, comment: 'Undid revision 2 by Bob Example', page: { source: text } })
    expect(gitText(directory, 'Ferry.wiki')).toBe(`${text}\n`)
  })

  test('undoes a range except its first revision', async () => {
    const { wiki } = await ferryWiki()
    await edit(wiki, 'Ferry', `${third}\n\nMore.`)
    const done = await undo(wiki, { revision: 3, after: 1 })
    expect(done).toMatchObject({
      undone: [2, 3],
      comment: 'Undid revisions 2 to 3',
      page: { source: `${first}\n\nMore.` },
    })
  })

  test('refuses if later edits changed the same words, and reports both differences', async () => {
    const { wiki, directory } = await ferryWiki()
    await edit(wiki, 'Ferry', third.replace('each', 'every'))
    await expect(undo(wiki, { revision: 2 })).rejects.toMatchObject({
      code: 'undo-failure',
      status: 409,
      data: { base: 2, current: 4, local: { diff: expect.any(Array) }, remote: { diff: expect.any(Array) } },
    })
    expect(commitCount(directory)).toBe(4)
  })

  test('writes nothing if the page contains none of the edit any more', async () => {
    const { wiki, directory } = await ferryWiki()
    await edit(wiki, 'Ferry', third.replace('each', 'a'))
    expect(await undo(wiki, { revision: 2 })).toMatchObject({
      changed: false,
      commit: null,
      page: { latest: { id: 4 } },
    })
    expect(commitCount(directory)).toBe(4)
  })

  test('follows the page to its current title, and undoes the move', async () => {
    const { wiki } = await ferryWiki()
    await movePage(wiki, { from: 'Ferry', to: 'Boat', author: ada, comment: '' })
    expect(await undo(wiki, { revision: 2 })).toMatchObject({ page: { title: 'Boat' }, merged: true })
    expect(await undo(wiki, { revision: 4 })).toMatchObject({ changed: true, page: { id: 1, title: 'Ferry' } })
  })

  test('leaves the page that a commit moved where it is, if another of its pages is undone', async () => {
    const { wiki } = await newWiki({ Ferry: first, Pier: 'p', Quay: 'See [[Ferry]].' })
    await movePage(wiki, { from: 'Ferry', to: 'Boat', author: ada, comment: '', updateLinks: true })
    const { latest } = wiki.store.findPage('Quay')!
    expect(await undo(wiki, { revision: latest, title: 'Quay' })).toMatchObject({ page: { source: 'See [[Ferry]].' } })
    expect(wiki.store.findPage('Boat')).toMatchObject({ id: 1 })
    await commitFiles(wiki, { 'Boat.wiki': null, 'Ship.wiki': first, 'Quay.wiki': 'q', 'Pier.wiki': 'new' })
    await undo(wiki, { revision: wiki.store.findPage('Quay')!.latest })
    expect(wiki.store.findPage('Ship')).toBeDefined()
    expect(await wiki.store.text(wiki.store.revision(wiki.store.findPage('Pier')!.latest)!)).toBe('new')
  })

  test('undoes no move of a page that has changed since the client read it', async () => {
    const { wiki } = await ferryWiki()
    await movePage(wiki, { from: 'Ferry', to: 'Boat', author: ada, comment: '' })
    const { latest } = wiki.store.findPage('Boat')!
    const expected = wiki.store.revision(latest)!.commit
    vi.spyOn(wiki.store, 'commit').mockImplementationOnce(async plan => {
      await edit(wiki, 'Boat', 'An edit in between.')
      return wiki.store.commit(plan)
    })
    await expect(undo(wiki, { revision: latest, expected })).rejects.toMatchObject({ code: 'rest-precondition-failed' })
  })

  test('deletes nothing that came with a move', async () => {
    const { wiki } = await ferryWiki()
    await commitFiles(wiki, { 'Ferry.wiki': null, 'Boat.wiki': `${third}\n`, 'New.wiki': 'n', 'Chart.png': 'c' })
    const { latest } = wiki.store.findPage('Boat')!
    await expect(undo(wiki, { revision: latest })).rejects.toMatchObject({ code: 'wiki-usage' })
    expect(wiki.store.findPage('New')).toBeDefined()
  })

  test('shows the changes in a dry run', async () => {
    const { wiki, directory } = await ferryWiki()
    const { patch, changed } = await undo(wiki, { revision: 2, dryRun: true })
    expect(changed).toBe(true)
    expect(patch).toContain('-The tide comes twice each day.\n+The tide comes twice a day.')
    expect(commitCount(directory)).toBe(3)
  })

  test('keeps bytes and line ends', async () => {
    const { wiki } = await newWiki()
    const bytes = ['one\r\n\r\ntwo \xff\r\n', 'one\r\n\r\nthree\r\n', 'ONE\r\n\r\nthree\r\n']
    for (const text of bytes) {
      const changes = [{ path: 'A.wiki', content: Buffer.from(text, 'latin1') }]
      await wiki.store.commit(() => ({ changes, author: ada, comment: '', subject: 'By hand' }))
    }
    const blobs = bytes.map((_, at) => wiki.store.revision(at + 1)?.blob)
    await expect(undo(wiki, { revision: 2 })).rejects.toMatchObject({ code: 'wiki-not-utf8' })
    await undo(wiki, { revision: 3, after: 1 })
    expect(wiki.store.revision(4)?.blob).toBe(blobs[0])
    await edit(wiki, 'A', 'x\n\ny')
  })

  test('keeps the line ends of a merged text', async () => {
    const { wiki } = await newWiki()
    for (const text of ['a b\r\n\r\nc\r\n', 'a d\r\n\r\nc\r\n', 'a d\r\n\r\ne\r\n']) {
      const changes = [{ path: 'A.wiki', content: Buffer.from(text) }]
      await wiki.store.commit(() => ({ changes, author: ada, comment: '', subject: 'By hand' }))
    }
    await undo(wiki, { revision: 2 })
    expect(await wiki.store.text(wiki.store.revision(4)!)).toBe('a b\r\n\r\ne\r\n')
  })

  test('does not reveal hidden users or texts', async () => {
    const { wiki } = await ferryWiki()
    await hideRevision(wiki, { id: 2, parts: ['user'], reason: '', comment: '', author: ada })
    expect((await undo(wiki, { revision: 2, dryRun: true })).comment).toBe('Undid revision 2 by a hidden user')
    await hideRevision(wiki, { id: 2, parts: ['text'], reason: '', comment: '', author: ada })
    await expect(undo(wiki, { revision: 2 })).rejects.toMatchObject({ code: 'rest-permission-denied-revision' })
    await expect(undo(wiki, { revision: 3 })).rejects.toMatchObject({ code: 'rest-permission-denied-revision' })
  })

  test.each<[string, Partial<UndoRequest>, string]>([
    ['the first revision', { revision: 1 }, 'undo-norev'],
    ['a revision that is not there', { revision: 99 }, 'rest-nonexistent-revision'],
    ['a range that ends before it begins', { revision: 2, after: 3 }, 'rest-nonexistent-title-revision'],
    ['a range over two pages', { revision: 3, after: 4 }, 'rest-nonexistent-title-revision'],
    ["another page's revision", { revision: 2, title: 'Quay' }, 'rest-nonexistent-title-revision'],
  ])('refuses %s', async (_, request, code) => {
    const { wiki } = await ferryWiki()
    const { createPage } = await import('../../src/operations/create-page.ts')
    await createPage(wiki, { title: 'Quay', source: 'q', comment: '', author: ada })
    await expect(undo(wiki, request)).rejects.toMatchObject({ code })
  })

  test('tells the user how to restore a deleted page', async () => {
    const { wiki } = await ferryWiki()
    await deletePages(wiki, { titles: ['Ferry'], author: ada, comment: '' })
    await expect(undo(wiki, { revision: 2 })).rejects.toMatchObject({
      code: 'apierror-missingtitle',
      hint: 'wiki page restore "Ferry"',
    })
  })
})

describe('what has moved since', () => {
  const page = ['Tides.', 'Boats.', 'Ropes.', 'Knots.', 'Sails.'].map(line => `${line} They are here.`)
  const spam = 'Buy cheap watches now'
  const at = (place: number, line: string) => page.toSpliced(place, 0, line).join('\n\n')
  const sentence = (place: number) => page.with(place, `${page[place]} ${spam}.`).join('\n\n')

  test.each([
    ['a paragraph', at(1, spam), at(4, spam)],
    ['a paragraph that became an item', at(1, spam), at(4, `* ${spam}`)],
    ['a sentence', sentence(1), sentence(3)],
  ])('is not undone, and it is said: %s', async (_, added, moved) => {
    const { wiki } = await newWiki({ A: page.join('\n\n') })
    await edit(wiki, 'A', added)
    await edit(wiki, 'A', moved)
    await expect(undo(wiki, { revision: 2 })).rejects.toMatchObject({ code: 'undo-failure', status: 409 })
    await expect(undoCommit(wiki, { commit: 'HEAD~1', comment: null, author: ada })).rejects.toMatchObject({
      code: 'undo-failure',
    })
    expect(wiki.store.revision(4)).toBeUndefined()
  })

  test('is no fault if somebody took it away, or added it once more', async () => {
    const { wiki } = await newWiki({ A: page.join('\n\n') })
    await edit(wiki, 'A', at(1, spam))
    await edit(wiki, 'A', page.join('\n\n'))
    expect(await undo(wiki, { revision: 2 })).toMatchObject({ changed: false })
    await edit(wiki, 'A', at(1, spam))
    await edit(wiki, 'A', `${at(1, spam)}\n\n${spam}`)
    const done = await undo(wiki, { revision: 4 })
    expect(done.page.source).toBe(`${page.join('\n\n')}\n\n${spam}`)
  })
})
