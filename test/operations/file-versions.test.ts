import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { fileVersions, openFileVersion, revertFile } from '../../src/operations/file-versions.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { git, hasGit } from '../_setup.ts'
import { ada, bob, commitFiles, newWiki, openTestWiki } from './_wiki.ts'

const drawing = (width: number): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"/>`)

async function add(wiki: Wiki, width: number, author = ada, name = 'Tide.svg'): Promise<void> {
  await addFile(wiki, { name, content: drawing(width), comment: `width ${width}`, author })
}

async function textOf(wiki: Wiki, title: string, commit: string): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of (await openFileVersion(wiki, { title, commit })).content()) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

async function widthsOf(wiki: Wiki, title = 'Tide.svg'): Promise<string[]> {
  const versions = await fileVersions(wiki, { title, limit: 50 })
  return Promise.all(
    versions.map(async ({ commit }) => /width="(\d+)"/.exec(await textOf(wiki, title, commit))?.[1] ?? ''),
  )
}

describe('the versions of a file', () => {
  test('are listed, opened and restored', async () => {
    const { wiki, directory } = await newWiki({ Tides: 'x' })
    for (const [width, author] of [
      [1, ada],
      [2, bob],
      [3, ada],
    ] as const)
      await add(wiki, width, author)
    const versions = await fileVersions(wiki, { title: 'File:Tide.svg', limit: 50 })
    expect(versions.map(({ user, comment, size, isLatest }) => [user.name, comment, size, isLatest])).toEqual([
      [ada.name, 'width 3', 62, true],
      [bob.name, 'width 2', 62, false],
      [ada.name, 'width 1', 62, false],
    ])
    expect(await widthsOf(wiki)).toEqual(['3', '2', '1'])
    expect((await fileVersions(wiki, { title: 'Tide.svg', limit: 2 })).length).toBe(2)
    await revertFile(wiki, { title: 'Tide.svg', commit: versions[2]!.commit, comment: 'back', author: bob })
    expect(await widthsOf(wiki)).toEqual(['1', '3', '2', '1'])
    const reopened = await openTestWiki(directory)
    expect(await widthsOf(reopened)).toEqual(['1', '3', '2', '1'])
    await reopened.store.rebuild()
    expect(await widthsOf(reopened)).toEqual(['1', '3', '2', '1'])
  })

  test('exclude those of other files', async () => {
    const { wiki } = await newWiki({ Tides: 'x' })
    await add(wiki, 1)
    await add(wiki, 2, ada, 'Fog.svg')
    const [fog] = await fileVersions(wiki, { title: 'Fog.svg', limit: 5 })
    for (const commit of [fog!.commit, 'f'.repeat(40), '', 'HEAD', '../../etc'])
      await expect(openFileVersion(wiki, { title: 'Tide.svg', commit })).rejects.toMatchObject({
        code: 'rest-nonexistent-revision',
      })
    await expect(fileVersions(wiki, { title: 'Nothing.svg', limit: 5 })).rejects.toMatchObject({
      code: 'rest-nonexistent-title',
    })
  })

  test.skipIf(!hasGit)('follow a file that is moved, deleted and added again', async () => {
    const { wiki, directory } = await newWiki({ Tides: 'x' })
    const run = (...args: string[]) => git(directory, '-c', 'user.name=A', '-c', 'user.email=a@x', ...args)
    await add(wiki, 1)
    await add(wiki, 2)
    const path = wiki.store.findFile('File:Tide.svg')!.path
    const moved = path.replace('Tide', 'Ebb')
    renameSync(join(directory, path), join(directory, moved))
    run('add', '-A')
    run('commit', '-qm', 'move')
    expect(await widthsOf(wiki, 'Ebb.svg')).toEqual(['2', '1'])
    writeFileSync(join(directory, moved), drawing(3))
    run('commit', '-qam', 'wider')
    expect(await widthsOf(wiki, 'Ebb.svg')).toEqual(['3', '2', '1'])
    await deletePages(wiki, { titles: ['File:Ebb.svg'], comment: null, author: ada })
    await add(wiki, 4, ada, 'Ebb.svg')
    expect(await widthsOf(wiki, 'Ebb.svg')).toEqual(['4', '3', '2', '1'])
  })

  test.skipIf(!hasGit)('of a merged branch are those that it added', async () => {
    const { wiki, directory } = await newWiki({ Tides: 'x' })
    await add(wiki, 1)
    const path = wiki.store.findFile('File:Tide.svg')!.path
    const run = (...args: string[]) => git(directory, '-c', 'user.name=A', '-c', 'user.email=a@x', ...args)
    run('checkout', '-qb', 'side')
    writeFileSync(join(directory, path), drawing(2))
    run('commit', '-qam', 'two')
    run('checkout', '-q', '-')
    writeFileSync(join(directory, 'Other.wiki'), 'other')
    run('add', '-A')
    run('commit', '-qm', 'other')
    run('merge', '-q', '--no-ff', '-m', 'merge', 'side')
    expect(await widthsOf(wiki)).toEqual(['2', '1'])
  })

  test('that are hidden are not opened', async () => {
    const { wiki } = await newWiki({ Tides: 'x' })
    await add(wiki, 1)
    await add(wiki, 2)
    const [, first] = await fileVersions(wiki, { title: 'Tide.svg', limit: 5 })
    const [, { blob }] = (await wiki.store.fileVersions(wiki.store.findFile('File:Tide.svg')!, 5)) as [
      unknown,
      { blob: string },
    ]
    const hidden = { [`${first!.commit}/${blob}`]: { parts: ['text', 'user', 'comment'] } }
    await commitFiles(wiki, { 'wiki.json': JSON.stringify({ hidden }) })
    const versions = await fileVersions(wiki, { title: 'Tide.svg', limit: 5 })
    expect([versions[1]!.size, versions[1]!.user.name, versions[1]!.comment]).toEqual([null, null, null])
    await expect(openFileVersion(wiki, { title: 'Tide.svg', commit: first!.commit })).rejects.toMatchObject({
      code: 'rest-permission-denied-revision',
    })
  })
})
