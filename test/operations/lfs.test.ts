import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkChange } from '../../src/operations/check-change.ts'
import { checkWiki } from '../../src/operations/check-wiki.ts'
import { listFiles } from '../../src/operations/list-files.ts'
import { openFile } from '../../src/operations/open-file.ts'
import { readFile } from '../../src/operations/read-file.ts'
import { renderPage } from '../../src/operations/render-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { readPointer } from '../../src/store/git/lfs.ts'
import { git, needsGit } from '../_setup.ts'
import { newWiki } from './_wiki.ts'

beforeEach(context => needsGit(context))

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const oid = createHash('sha256').update(pixel).digest('hex')
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${pixel.length}\n`

/** A wiki with one picture under Git LFS, as a clone without git-lfs has it, and the place where its content belongs. */
async function wikiOfPointer(): Promise<{ wiki: Wiki; place: string }> {
  const { wiki, directory } = await newWiki({ A: '[[File:Dot.png]]' })
  writeFileSync(join(directory, 'Dot.png'), pointer)
  git(directory, 'add', '-A')
  git(directory, 'commit', '-q', '-m', 'A picture')
  const place = join(directory, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid)
  mkdirSync(dirname(place), { recursive: true })
  return { wiki, place }
}

async function bytesOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

const base = 'http://localhost/v1'

describe('a pointer of Git LFS', () => {
  test('is read as the content it refers to', async () => {
    const { wiki, place } = await wikiOfPointer()
    writeFileSync(place, pixel)
    const { file } = await readFile(wiki, { title: 'Dot.png', base })
    expect(file.original).toMatchObject({ mediatype: 'BITMAP', size: pixel.length, width: 1, height: 1 })
    expect(await bytesOf((await openFile(wiki, 'Dot.png')).content())).toEqual(pixel)
    expect((await listFiles(wiki)).files).toMatchObject([{ size: pixel.length }])
    expect((await renderPage(wiki, { title: 'A' })).html).toContain('<img resource="./File:Dot.png"')
    expect((await checkWiki(wiki)).problems).toEqual([])
  })

  test.each([
    ['is missing', () => {}],
    ['is not whole', (place: string) => writeFileSync(place, pixel.subarray(1))],
    ['is damaged', (place: string) => writeFileSync(place, Buffer.from(pixel).fill(0, 40, 50))],
    ['is a folder', (place: string) => mkdirSync(place)],
  ])('whose content %s is reported, with the solution', async (_, make) => {
    const { wiki, place } = await wikiOfPointer()
    make(place)
    const { file } = await readFile(wiki, { title: 'Dot.png', base })
    expect(file.original).toMatchObject({ mediatype: 'BITMAP', size: pixel.length, width: null, height: null })
    await expect(openFile(wiki, 'Dot.png')).rejects.toMatchObject({ code: 'wiki-lfs-missing', hint: 'git lfs pull' })
    expect((await checkWiki(wiki)).problems).toMatchObject([{ kind: 'missing-content', path: 'Dot.png' }])
    const response = await createApp(wiki).fetch(new Request('http://localhost/files/Dot.png'))
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ errorKey: 'wiki-lfs-missing' })
  })

  test('is looked up again, because its content may arrive later', async () => {
    const { wiki, place } = await wikiOfPointer()
    await expect(openFile(wiki, 'Dot.png')).rejects.toMatchObject({ code: 'wiki-lfs-missing' })
    writeFileSync(place, pixel)
    expect((await readFile(wiki, { title: 'Dot.png', base })).file.original).toMatchObject({ width: 1 })
    rmSync(place)
    await expect(openFile(wiki, 'Dot.png')).rejects.toMatchObject({ code: 'wiki-lfs-missing' })
  })
})

test("a page's text is read as the pointer itself, and reported", async () => {
  const { wiki, place } = await wikiOfPointer()
  writeFileSync(place, pixel)
  const directory = wiki.store.repository.workTree as string
  writeFileSync(join(directory, 'Page.wiki'), pointer)
  git(directory, 'add', '-A')
  git(directory, 'commit', '-q', '-m', 'A page')
  const found = [
    { kind: 'missing-content', path: 'Page.wiki', message: expect.stringContaining('readers see the pointer') },
  ]
  expect((await checkWiki(wiki)).problems).toMatchObject(found)
  const { problems } = await checkChange(wiki, { from: 'HEAD~1', to: 'HEAD', sinceParting: false })
  expect(problems.filter(({ kind }) => kind === 'missing-content')).toMatchObject(found)
})

describe('text that is not a pointer', () => {
  test.each([
    ['another text', 'version 2\n'.repeat(20)],
    ['a path for an id', pointer.replace(oid, '../../../../etc/passwd')],
    ['an id that is too short', pointer.replace(oid, oid.slice(1))],
    ['no size', pointer.replace(/size.*/, '')],
    ['a longer text', pointer + 'x'.repeat(2000)],
  ])('%s', (_, text) => {
    expect(readPointer(Buffer.from(text))).toBeNull()
  })
})
