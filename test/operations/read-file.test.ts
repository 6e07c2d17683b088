import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { openFile, openThumbnail } from '../../src/operations/open-file.ts'
import { pageFiles } from '../../src/operations/page-files.ts'
import { readFile } from '../../src/operations/read-file.ts'
import { filesWithMetadata, metadataOf } from '../../src/operations/resources/file-metadata.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import { gif, mp4, png, svg, wav } from '../media/_files.ts'
import { ada, base, commitFiles, create, newWiki } from './_wiki.ts'

const time = new Date('2024-01-01T00:00:00Z')

/** Files of the wiki: names and bytes. */
const media: Readonly<Record<string, Buffer>> = {
  'Small.png': png(30, 20),
  'Big picture.png': png(1600, 1200),
  'Huge.png': png(3200, 10),
  'Plan.svg': svg('width="400" height="300"'),
  'Anim.gif': gif(20, 10, [20, 20, 20]),
  'Tone.wav': wav(2.4),
  'Click.wav': wav(0.1),
  'Movie.mp4': mp4(320, 240, { seconds: 3 }),
  'Paper.pdf': Buffer.from('%PDF-1.4\n'),
}

let wiki: Wiki
let directory: string

beforeAll(async () => {
  const made = await newWiki()
  wiki = made.wiki
  directory = made.directory
  for (const [name, content] of Object.entries(media))
    await addFile(wiki, { name, content, comment: null, author: ada, time })
  // Git takes what an upload may not be.
  await commitFiles(wiki, { 'File/Torn.png': 'no picture at all', 'File/Liar.jpg': png(5, 5) })
  await commitFiles(wiki, { 'File/Notes.txt': 'a note\n' })
  await create(wiki, 'File:Other name.png', '#REDIRECT [[File:Small.png]]')
  await create(wiki, 'File:Nowhere.png', '#REDIRECT [[File:Missing.png]]')
  await create(wiki, 'File:Only a page.png', 'described, never added')
  await create(wiki, 'Main Page', 'text')
})

const read = async (title: string) => (await readFile(wiki, { title, base })).file

describe('readFile', () => {
  test('returns the documented object, its keys in order', { tags: 'long' }, async () => {
    const whole = (size: number) => ({
      mediatype: 'BITMAP',
      size,
      width: 30,
      height: 20,
      duration: null,
      url: 'http://127.0.0.1:8080/files/Small.png',
    })
    const { length } = media['Small.png']!
    expect(JSON.stringify(await read('Small.png'))).toBe(
      JSON.stringify({
        title: 'Small.png',
        file_description_url: 'http://127.0.0.1:8080/wiki/File:Small.png',
        latest: { timestamp: '2024-01-01T00:00:00Z', user: { id: 1, name: 'Ada Example' } },
        preferred: whole(length),
        original: whole(length),
        thumbnail: whole(length),
      }),
    )
  })

  test.each([
    'Small.png',
    'File:Small.png',
    'Image:small.png',
    'Media: Small.png',
    'file:small.png#x',
    'File:Other name.png',
    'other_name.png',
  ])('%s is the same file', async title => {
    expect((await read(title)).title).toBe('Small.png')
  })

  test.each([
    ['Big picture.png', [800, 600, null], [1600, 1200, 'whole']],
    ['Huge.png', [800, 3, null], [2560, 8, null]],
    // Its picture is made on request, and not yet known.
    ['Plan.svg', [400, 300, null], [400, 300, null]],
  ] as const)('%s is shown smaller', async (title, preferred, thumbnail) => {
    const file = await read(title)
    const size = (wanted: 'whole' | null) => (wanted === null ? null : media[title]!.length)
    expect(file.preferred).toMatchObject({ width: preferred[0], height: preferred[1], size: size(preferred[2]) })
    expect(file.thumbnail).toMatchObject({ width: thumbnail[0], height: thumbnail[1], size: size(thumbnail[2]) })
    expect(file.preferred.url).toBe(`http://127.0.0.1:8080/files/thumb/${title.replace(' ', '_')}/${preferred[0]}px`)
  })

  test.each([
    ['Anim.gif', 'BITMAP', 0.6000000000000001],
    ['Small.png', 'BITMAP', null],
    ['Tone.wav', 'AUDIO', 2],
    ['Click.wav', 'AUDIO', 1],
    ['Movie.mp4', 'VIDEO', 3],
    ['Paper.pdf', 'OFFICE', null],
    ['Notes.txt', 'TEXT', null],
    ['Torn.png', 'UNKNOWN', null],
    ['Liar.jpg', 'BITMAP', null],
  ])('%s is %s and plays %s', async (title, mediatype, duration) => {
    const { preferred, original, thumbnail } = await read(title)
    expect(original).toMatchObject({ mediatype, duration })
    for (const form of [preferred, thumbnail]) expect(form).toMatchObject({ mediatype, duration })
  })

  test.each(['Tone.wav', 'Paper.pdf', 'Notes.txt', 'Torn.png'])(
    '%s, which has no picture, is its own preview',
    async title => {
      const { preferred, original, thumbnail } = await read(title)
      expect([preferred, thumbnail]).toEqual([original, original])
      expect(original).toMatchObject({ width: null, height: null, size: expect.any(Number) })
    },
  )

  test.each([
    ['Missing.png', 'rest-nonexistent-title'],
    ['Main Page', 'rest-nonexistent-title'],
    [':Main Page', 'rest-cannot-load-file'],
    ['File:Only a page.png', 'rest-cannot-load-file'],
    ['File:Nowhere.png', 'rest-cannot-load-file'],
    ['Special:Version', 'rest-nonexistent-title'],
    ['Bad[title', 'rest-nonexistent-title'],
    ['File:', 'rest-nonexistent-title'],
    ['Missing.txt', 'rest-nonexistent-title'],
  ])('%s: %s', async (title, code) => {
    await expect(read(title)).rejects.toMatchObject({ code, status: 404 })
  })

  test("URLs are relative to the API's mount point", async () => {
    const { file } = await readFile(wiki, { title: 'Big picture.png', base: 'https://x.example/w/rest.php/v1' })
    expect(file.original!.url).toBe('https://x.example/files/Big_picture.png')
    expect(file.preferred.url).toBe('https://x.example/files/thumb/Big_picture.png/800px')
    expect(file.file_description_url).toBe('https://x.example/wiki/File:Big_picture.png')
  })
})

describe('pageFiles', () => {
  const list = async (source: string) => {
    const title = `Page ${count++}`
    await create(wiki, title, source)
    return (await pageFiles(wiki, { title, base })).files.map(file => file.title)
  }
  let count = 0

  test.each([
    ['nothing', []],
    ['[[File:Small.png|thumb]] [[image:plan.svg]] [[File:Small.png]]', ['Plan.svg', 'Small.png']],
    ['[[:File:Small.png]] [[Media:Tone.wav]] [[Small.png]]', ['Tone.wav']],
    ['[[File:Missing.png]] [[File:Only a page.png]]', []],
    ['[[File:Other name.png]]', ['Small.png', 'Small.png']],
    ['<gallery>\nSmall.png|One\nFile:Plan.svg\n</gallery>', ['Plan.svg', 'Small.png']],
    ['<nowiki>[[File:Small.png]]</nowiki> <!-- [[File:Plan.svg]] -->', []],
    ['[[File:Small.png|a [[File:Plan.svg]] b]]', ['Plan.svg', 'Small.png']],
  ])('%s', async (source, titles) => {
    expect(await list(source)).toEqual(titles)
  })

  test('has the thumbnail and not the original', async () => {
    await create(wiki, 'Gallery', '[[File:Small.png]]')
    const { files } = await pageFiles(wiki, { title: 'gallery', base })
    expect(Object.keys(files[0]!)).toEqual(['title', 'file_description_url', 'latest', 'preferred', 'thumbnail'])
  })

  test('counts missing names as well', async () => {
    const names = (many: number) => Array.from({ length: many }, (_, at) => `[[File:No ${at}.png]]`).join('')
    expect(await list(`${names(99)}[[File:Small.png]]`)).toEqual(['Small.png'])
    await expect(list(`${names(100)}[[File:Small.png]]`)).rejects.toMatchObject({
      code: 'rest-media-too-many-links',
      status: 400,
    })
    // A redirect counts twice: as itself, and as its target file.
    await expect(list(`${names(99)}[[File:Other name.png]]`)).rejects.toMatchObject({ status: 400 })
  })

  test.each(['Nowhere', 'Bad[title', 'Special:Version', 'File:Small.png'])('%s has none', async title => {
    await expect(pageFiles(wiki, { title, base })).rejects.toMatchObject({ code: 'rest-nonexistent-title' })
  })
})

test('the engine gets the metadata of the files it names', async () => {
  const names = ['Small.png', 'Missing.png', 'Big_picture.png', 'Tone.wav', 'Other_name.png', 'Bad[']
  const files = await filesWithMetadata(wiki, names)
  const [small, missing, big, tone, other, bad] = files.map(file => file && metadataOf(file, 'http://x.example'))
  expect([missing, bad]).toEqual([null, null])
  expect(small).toMatchObject({
    name: 'Small.png',
    mime: 'image/png',
    width: 30,
    url: 'http://x.example/files/Small.png',
  })
  expect(small!.thumbnail(20)).toBe('http://x.example/files/thumb/Small.png/20px')
  expect(small!.thumbnail(30)).toBe(small!.url)
  expect(big!.thumbnail(220)).toBe('http://x.example/files/thumb/Big_picture.png/220px')
  expect(tone).toMatchObject({ mediatype: 'AUDIO', duration: 2.4 })
  expect(tone!.thumbnail(20)).toBe(tone!.url)
  expect(other!.name).toBe('Small.png')
})

test('a file can be opened repeatedly', async () => {
  const opened = await openFile(wiki, 'File:Big picture.png')
  for (const _ of [1, 2]) {
    const pieces: Buffer[] = []
    for await (const piece of opened.content()) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(media['Big picture.png']!)).toBe(true)
  }
  expect(await openThumbnail(wiki, opened, 1600)).toBe(null)
})

test('the results are the same without git', async () => {
  const other = await openWiki({ directory, backend: 'isomorphic-git' })
  onTestFinished(() => other.close())
  for (const title of ['Small.png', 'Tone.wav', 'Notes.txt']) {
    expect((await readFile(other, { title, base })).file).toEqual(await read(title))
  }
})
