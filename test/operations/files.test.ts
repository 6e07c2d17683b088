import { describe, expect, test } from 'vitest'
import { type AddFileRequest, addFile } from '../../src/operations/add-file.ts'
import { maxFileBytes } from '../../src/operations/editing/limits.ts'
import { listFiles } from '../../src/operations/list-files.ts'
import { readFile } from '../../src/operations/read-file.ts'
import { searchPages } from '../../src/operations/search-pages.ts'
import { contentFor } from '../media/_files.ts'
import { ada, commitCount, commitFiles, create, gitPaths, lastMessage, newWiki } from './_wiki.ts'

const request = (name: string, more: Partial<AddFileRequest> = {}): AddFileRequest => ({
  name,
  content: contentFor(name, '\0\x01\x02\xff'),
  comment: 'upload',
  author: ada,
  ...more,
})

describe('addFile', () => {
  test.each([
    ['small.png', 'File/Small.png'],
    ['File:a b.PNG', 'File/A_b.PNG'],
    ['image:x.svg', 'File/X.svg'],
    ['notes.txt', 'File/Notes.txt'],
  ])('%s is written to %s', async (name, path) => {
    const { wiki, directory } = await newWiki()
    const { file, changed } = await addFile(wiki, request(name))
    expect(gitPaths(directory)).toEqual([path])
    expect(file.path).toBe(path)
    expect(changed).toBe(true)
  })

  test("returns the file's entry in the list", async () => {
    const { wiki } = await newWiki()
    const time = new Date('2024-01-01T00:00:00Z')
    const { file } = await addFile(wiki, request('small file.png', { time }))
    expect(JSON.stringify(file)).toBe(
      JSON.stringify({
        title: 'Small file.png',
        path: 'File/Small_file.png',
        mediatype: 'BITMAP',
        mime: 'image/png',
        size: 12,
        latest: { timestamp: '2024-01-01T00:00:00Z', user: { id: 1, name: 'Ada Example' } },
      }),
    )
  })

  test('replaces a file at its path', async () => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, { 'images/x.png': 'old' })
    const { file } = await addFile(wiki, request('images/x.png', { comment: null }))
    expect(file).toMatchObject({ path: 'images/x.png', size: 12 })
    expect(gitPaths(directory)).toEqual(['images/x.png'])
    expect(lastMessage(directory)).toMatch(/^Replace File:Images\/x.png\n/)
  })

  test('without a comment the subject names the added file', async () => {
    const { wiki, directory } = await newWiki()
    await addFile(wiki, request('Y.png', { comment: null }))
    expect(lastMessage(directory)).toMatch(/^Add File:Y.png\n/)
  })

  test('unchanged bytes are not written', async () => {
    const { wiki, directory } = await newWiki()
    await addFile(wiki, request('x.png'))
    expect((await addFile(wiki, request('X.png'))).changed).toBe(false)
    expect(commitCount(directory)).toBe(1)
  })

  test.each<[string, Partial<AddFileRequest>, string]>([
    ['x.exe', {}, 'wiki-bad-file'],
    ['png', {}, 'wiki-bad-file'],
    ['x.constructor', {}, 'wiki-bad-file'],
    ['Talk:x.png', {}, 'wiki-bad-file'],
    ['x.png', { content: Buffer.alloc(0) }, 'wiki-bad-file'],
    ['x.png', { content: Buffer.alloc(maxFileBytes + 1) }, 'wiki-bad-file'],
    ['x\0.png', {}, 'apierror-invalidtitle'],
    ['../x.png', {}, 'apierror-invalidtitle'],
  ])('%j is refused', async (name, more, code) => {
    const { wiki } = await newWiki({ A: 'a' })
    await expect(addFile(wiki, request(name, more))).rejects.toMatchObject({ code, status: 400 })
  })
})

test('listFiles lists in order of title, and counts all', async () => {
  const { wiki } = await newWiki({ 'File:A.png': 'only a description' })
  for (const name of ['c.pdf', 'b.ogg', 'd.stl']) await addFile(wiki, request(name))
  const { files, total } = await listFiles(wiki)
  expect(files.map(({ title, mediatype }) => [title, mediatype])).toEqual([
    ['B.ogg', 'AUDIO'],
    ['C.pdf', 'OFFICE'],
    ['D.stl', '3D'],
  ])
  expect(total).toBe(3)
  expect(await listFiles(wiki, { limit: 1 })).toMatchObject({ files: [{ title: 'B.ogg' }], total: 3 })
})

test('an author without an account has the id 0, and a picture made on request no size', async () => {
  const { wiki } = await newWiki()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="9" height="9"/></svg>'
  const author = { name: '192.0.2.1', address: '' }
  await addFile(wiki, { ...request('drawing.svg'), content: Buffer.from(svg), author })
  const { file } = await readFile(wiki, { title: 'Drawing.svg', base: 'http://wiki/v1' })
  expect(file.latest.user).toEqual({ id: 0, name: '192.0.2.1' })
  expect(file.original).toMatchObject({ size: svg.length, url: 'http://wiki/files/Drawing.svg' })
  expect(file.preferred).toMatchObject({ size: null, width: 40, url: 'http://wiki/files/thumb/Drawing.svg/40px' })
  await create(wiki, 'Drawn', '[[File:Drawing.svg|thumb]]')
  const { pages } = await searchPages(wiki, { q: 'drawn', base: 'http://wiki/v1' })
  expect(pages[0]?.thumbnail).toMatchObject({ mimetype: 'image/png', size: null, width: 60, height: 45 })
})
