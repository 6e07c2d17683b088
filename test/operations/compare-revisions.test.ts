import { symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compareRevisions, compareWork } from '../../src/operations/compare-revisions.ts'
import { readRevision } from '../../src/operations/read-revision.ts'
import { resolveRevision } from '../../src/operations/resolve-revision.ts'
import { falseElements } from '../conformance/_diff-elements.ts'
import { importedWiki } from './_import.ts'
import { commitFiles, edit, newWiki, type TestWiki, writeWork } from './_wiki.ts'

/** Page A with the revisions 1 and 3, page B with 2. */
async function twoRevisions(): Promise<TestWiki> {
  const test = await newWiki({ A: '== Head ==\nold line', B: 'b' })
  await edit(test.wiki, 'A', '== Head ==\nnew line\n==== Deep ====\n===== Deeper =====')
  return test
}

test('compares in either order, with the sections of both sides', async () => {
  const { wiki } = await twoRevisions()
  const sections = {
    head: { level: 2, heading: '== Head ==', offset: 0 },
    deep: { level: 4, heading: '==== Deep ====', offset: 20 },
  }
  const there = await compareRevisions(wiki, { from: 1, to: 3 })
  expect(Object.keys(there)).toEqual(['from', 'to', 'diff'])
  expect(there.from).toEqual({ id: 1, slot_role: 'main', sections: [sections.head] })
  expect(there.to).toEqual({ id: 3, slot_role: 'main', sections: [sections.head, sections.deep] })
  expect(there.diff.map(element => element.type)).toEqual([0, 3, 1, 1])
  const back = await compareRevisions(wiki, { from: 3, to: 1 })
  expect(back.from).toEqual(there.to)
})

test('offsets lie in the source, however the file ends', async () => {
  const { wiki } = await newWiki()
  const ends = ['', '\n', '\n\n', '\n\n\n', ' \n', '\r\n\r\n', '\n \n\n']
  const heads = ['', 'é one\n\n== Ü ==', '== Ü ==\nmoved line of words\n\né one', 'x']
  const texts = heads.flatMap(head => ends.map(end => head + end)).filter(text => text !== '')
  for (const text of texts) await commitFiles(wiki, { 'A.wiki': text })
  const last = wiki.store.lastRevisionId
  expect(last).toBeGreaterThan(20)
  for (let from = 1; from <= last; from++) {
    for (let to = 1; to <= last; to += 3) {
      const { diff, ...sides } = await compareRevisions(wiki, { from, to })
      const [old, now] = await Promise.all([from, to].map(async id => (await readRevision(wiki, { id })).source))
      expect(falseElements(diff, { from: old!, to: now! }), `${from} ${to}`).toEqual([])
      for (const { offset } of diff) {
        expect(offset.from ?? -1).toBeLessThan(Buffer.byteLength(old!))
        expect(offset.to ?? -1).toBeLessThan(Buffer.byteLength(now!))
      }
      for (const { heading, offset } of sides.from.sections)
        expect(Buffer.from(old!).subarray(offset).toString()).toMatch(new RegExp(`^${heading}`))
    }
  }
})

test('a revision is equal to itself', async () => {
  const { wiki } = await twoRevisions()
  expect((await compareRevisions(wiki, { from: 3, to: 3 })).diff).toEqual([])
})

describe('errors, in their order', () => {
  test.each([
    [98, 99, 'rest-compare-nonexistent', 404, 'The revision specified by the from parameter does not exist'],
    [1, 99, 'rest-compare-nonexistent', 404, 'The revision specified by the to parameter does not exist'],
    [0, 1, 'rest-compare-nonexistent', 404, 'The revision specified by the from parameter does not exist'],
    [
      1,
      2,
      'rest-compare-page-mismatch',
      400,
      'The specified revisions belong to different pages; refusing to compare them',
    ],
  ])('%i and %i: %s', async (from, to, code, status, message) => {
    const { wiki } = await twoRevisions()
    await expect(compareRevisions(wiki, { from, to })).rejects.toMatchObject({ code, status, message })
  })

  test('binary content cannot be compared', async () => {
    const { wiki } = await newWiki({ A: 'a' })
    await commitFiles(wiki, { 'A.wiki': 'a\0b' })
    await expect(compareRevisions(wiki, { from: 1, to: 2 })).rejects.toMatchObject({
      code: 'rest-compare-wrong-content',
      status: 400,
      message: expect.stringContaining('the to parameter'),
    })
  })
})

describe('the work tree', () => {
  test('is compared with the latest revision, as number 0', async () => {
    const { wiki, directory } = await twoRevisions()
    await writeWork(directory, 'A.wiki', 'something else\n')
    const { from, to, diff } = await compareWork(wiki, { title: 'a' })
    expect([from.id, to.id]).toEqual([3, 0])
    expect(diff.length).toBeGreaterThan(0)
  })

  test('is equal without edits', async () => {
    const { wiki } = await twoRevisions()
    expect((await compareWork(wiki, { title: 'A' })).diff).toEqual([])
  })

  test('may be on the left', async () => {
    const { wiki } = await twoRevisions()
    const work = await resolveRevision(wiki, 'A@work')
    expect((await compareRevisions(wiki, { from: work, to: 1 })).from.id).toBe(0)
    await expect(compareRevisions(wiki, { from: work, to: 2 })).rejects.toMatchObject({
      code: 'rest-compare-page-mismatch',
    })
  })

  test('is not read through a symbolic link', async () => {
    const { wiki, directory } = await twoRevisions()
    await unlink(join(directory, 'A.wiki'))
    await expect(compareWork(wiki, { title: 'A' })).rejects.toMatchObject({ code: 'wiki-bad-work-file' })
    await symlink('/etc/hostname', join(directory, 'A.wiki'))
    await expect(compareWork(wiki, { title: 'A' })).rejects.toMatchObject({ code: 'wiki-bad-work-file' })
  })

  test('does not exist in a bare repository', async () => {
    const { wiki } = await importedWiki([{ path: 'A.wiki', text: 'a' }])
    await expect(compareWork(wiki, { title: 'A' })).rejects.toMatchObject({ code: 'wiki-no-work-tree' })
  })
})
