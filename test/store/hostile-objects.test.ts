import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import type { GitObject } from '../../src/store/git/backend.ts'
import { openNative } from '../../src/store/git/native.ts'
import { loosePath, looseSize, maxObjectBytes, readLoose, streamLoose } from '../../src/store/git/objects.ts'
import { checkTreeSize } from '../../src/store/git/tree-size.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { newWiki, openTestWiki } from '../operations/_wiki.ts'

const megabyte = 1024 * 1024

/** Writes any bytes as an object, by default under their hash; returns the folder and the hash. */
async function looseObject(
  header: string,
  content: Buffer,
  { objects, hash }: { readonly objects?: string; readonly hash?: string } = {},
): Promise<[objects: string, hash: string]> {
  const folder = objects ?? (await temporaryDirectory())
  const frame = Buffer.concat([Buffer.from(`${header}\0`), content])
  const name = hash ?? createHash('sha1').update(frame).digest('hex')
  const path = loosePath(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  writeFileSync(path, deflateSync(frame))
  return [folder, name]
}

/** Bytes that streaming gives before it ends or fails. */
async function streamed(objects: string, hash: string): Promise<{ bytes: number; failed: boolean }> {
  let bytes = 0
  try {
    for await (const piece of streamLoose(objects, hash)!) bytes += piece.length
    return { bytes, failed: false }
  } catch {
    return { bytes, failed: true }
  }
}

describe('a loose object', () => {
  test('that claims 10 bytes and unpacks to 200 MB is neither unpacked nor streamed any further', {
    tags: 'long',
  }, async () => {
    const object = await looseObject('blob 10', Buffer.alloc(200 * megabyte))
    expect(readLoose(...object)).toBeNull()
    const { bytes, failed } = await streamed(...object)
    expect(failed).toBe(true)
    expect(bytes).toBeLessThan(megabyte)
  })

  test.each(['blob 4294967296', 'blob 99999999999999999999', 'blob -1', 'blob x', 'blob'])(
    'that says "%s" and holds three is not believed',
    async header => {
      const object = await looseObject(header, Buffer.from('abc'))
      expect(readLoose(...object)).toBeNull()
      expect((await streamed(...object)).failed).toBe(true)
    },
  )

  test('is read whole up to the limit, and above it only as a stream, after its size', { tags: 'long' }, async () => {
    const bytes = maxObjectBytes + 1
    const object = await looseObject(`blob ${bytes}`, Buffer.alloc(bytes))
    expect(readLoose(...object)).toBeNull()
    expect(looseSize(...object)).toBe(bytes)
    expect(await streamed(...object)).toEqual({ bytes, failed: false })
  })
})

const [blobOfOther, treeOfItself] = ['b'.repeat(40), 'a'.repeat(40)]

/** A wiki with a page, and its object directory. */
async function wikiOfOne() {
  const { directory, wiki } = await newWiki({ A: 'one', B: 'two' })
  return { directory, wiki, objects: join(directory, '.git', 'objects') }
}

async function textOf({ store }: Wiki, blob: string): Promise<string> {
  return (await store.bytes(blob)).toString()
}

/** Makes a commit of a tree with these entries the tip of the branch. */
async function tipOf(
  directory: string,
  objects: string,
  rows: readonly (readonly [mode: string, name: string, hash: string])[],
) {
  const content = Buffer.concat(
    rows.flatMap(([mode, name, hash]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, 'hex')]),
  )
  const [, tree] = await looseObject(`tree ${content.length}`, content, { objects })
  const person = 'Ada <ada@example.org> 1700000000 +0000'
  const body = Buffer.from(`tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nTip\n`)
  const [, commit] = await looseObject(`commit ${body.length}`, body, { objects })
  writeFileSync(join(directory, '.git', 'refs', 'heads', 'main'), `${commit}\n`)
}

describe('an object that is stored under the name of another', () => {
  test.each(['git', 'isomorphic-git'] as const)('is not read, with %s', async backend => {
    if (backend === 'git' && !hasGit) return
    const { directory, objects } = await wikiOfOne()
    await looseObject('blob 6', Buffer.from('other\n'), { objects, hash: blobOfOther })
    const wiki = await openTestWiki(directory, { backend })
    await expect(textOf(wiki, blobOfOther)).rejects.toMatchObject({ code: 'wiki-objects-missing' })
    await expect(textOf(wiki, git(directory, 'rev-parse', 'HEAD:A.wiki'))).resolves.toBe('one\n')
  })

  test.skipIf(!hasGit)('is not read from a pack', async () => {
    const { directory, objects } = await wikiOfOne()
    git(directory, 'repack', '-adq')
    const hash = git(directory, 'rev-parse', 'HEAD:A.wiki')
    const [name] = readdirSync(join(objects, 'pack')).filter(file => file.endsWith('.idx'))
    const path = join(objects, 'pack', name as string)
    const index = readFileSync(path)
    // Another last digit: the object that the index names so is the page's.
    const at = index.indexOf(Buffer.from(hash, 'hex'), 8 + 4 * 256) + 19
    index[at] = (index[at] as number) ^ 1
    const other = `${hash.slice(0, 38)}${(index[at] as number).toString(16).padStart(2, '0')}`
    rmSync(path)
    writeFileSync(path, index)
    const wiki = await openTestWiki(directory)
    await expect(textOf(wiki, other)).rejects.toMatchObject({ code: 'wiki-objects-missing' })
  })

  test.each(['git', 'isomorphic-git'] as const)(
    'and lists itself ends no walk, and refuses the wiki, with %s',
    async backend => {
      if (backend === 'git' && !hasGit) return
      const { directory, objects } = await wikiOfOne()
      const row = Buffer.concat([Buffer.from('40000 A\0'), Buffer.from(treeOfItself, 'hex')])
      await looseObject(`tree ${row.length}`, row, { objects, hash: treeOfItself })
      await tipOf(directory, objects, [['40000', 'A', treeOfItself]])
      const wiki = await openTestWiki(directory, { backend })
      await expect(wiki.store.refresh()).rejects.toMatchObject({ code: 'wiki-objects-missing', params: [treeOfItself] })
    },
  )
})

test('a tree that contains itself is too large, whatever reads it', async () => {
  const row = Buffer.concat([Buffer.from('40000 A\0'), Buffer.from(treeOfItself, 'hex')])
  const objects: Readonly<Record<string, GitObject>> = {
    [commitOfIt]: { type: 'commit', content: Buffer.from(`tree ${treeOfItself}\n`) },
    [treeOfItself]: { type: 'tree', content: row },
  }
  const read = async (hash: string) => objects[hash] as GitObject
  await expect(checkTreeSize(read, commitOfIt)).rejects.toMatchObject({ code: 'wiki-too-large' })
})

const commitOfIt = 'c'.repeat(40)

describe.skipIf(!hasGit)('a loose text that goes on after its size', () => {
  /** Bytes after the five that the header announces. */
  const more = {
    'with zeros': Buffer.alloc(3 * megabyte),
    'as the response to another request': Buffer.from(`\n${blobOfOther} blob 6\nother\n\n`),
    'as the next response': Buffer.from('\n'),
  }

  test.each(Object.entries(more))('%s: it alone is unread, and the texts after it are right', async (_, rest) => {
    const { directory, objects } = await wikiOfOne()
    const [, hash] = await looseObject('blob 5', Buffer.from('hello'), { objects })
    const second = git(directory, 'rev-parse', 'HEAD:B.wiki')
    const next = Buffer.from(`${second} blob 4\ntwo\n\n`)
    const bytes = Buffer.concat([Buffer.from('hello'), rest, rest.length === 1 ? next : Buffer.alloc(0)])
    await looseObject('blob 5', bytes, { objects, hash })
    const first = git(directory, 'rev-parse', 'HEAD:A.wiki')
    const gitDirectory = join(directory, '.git')
    const backend = openNative({ gitDirectory, objectDirectory: await temporaryDirectory(), shallow: () => new Set() })
    const asked = [first, hash, second, first]
    const contents: (string | undefined)[] = []
    for await (const content of backend.readBlobs(asked)) contents.push(content?.toString())
    expect(contents.filter((_, at) => at !== 1)).toEqual(['one\n', 'two\n', 'one\n'])
    const sizes: (number | null)[] = []
    for await (const some of backend.textSizes(asked)) sizes.push(...some)
    expect(sizes.filter((_, at) => at !== 1)).toEqual([3, 3, 3])
    const starts: (string | undefined)[] = []
    for await (const some of backend.starts(asked)) starts.push(...some.map(start => start?.toString()))
    expect(starts.filter((_, at) => at !== 1)).toEqual(['one\n', 'two\n', 'one\n'])
    expect((await backend.read(second)).content.toString()).toBe('two\n')
    const streamOf = async (blob: string) => {
      const pieces: Buffer[] = []
      for await (const piece of backend.stream(blob)) pieces.push(piece)
      return Buffer.concat(pieces).toString()
    }
    await expect(streamOf(hash)).rejects.toMatchObject({ code: 'wiki-objects-missing' })
    await expect(streamOf(second)).resolves.toBe('two\n')
    backend.close()
  })

  test('is named by verify, and every other page is served', async () => {
    const { directory, objects } = await wikiOfOne()
    const [, hash] = await looseObject('blob 5', Buffer.from('hello'), { objects })
    await looseObject('blob 5', Buffer.alloc(3 * megabyte), { objects, hash })
    const [a, b] = [git(directory, 'rev-parse', 'HEAD:A.wiki'), git(directory, 'rev-parse', 'HEAD:B.wiki')]
    await tipOf(directory, objects, [
      ['100644', 'A.wiki', a],
      ['100644', 'B.wiki', b],
      ['100644', 'Bad.wiki', hash],
    ])
    const wiki = await openTestWiki(directory)
    expect((await verifyWiki(wiki)).unread).toEqual(['Bad'])
    await expect(textOf(wiki, hash)).rejects.toMatchObject({ code: 'wiki-objects-missing' })
    await expect(textOf(wiki, a)).resolves.toBe('one\n')
  })
})

test.skipIf(!hasGit)(
  "an object too large for memory is refused by git's reader, and the next one is read",
  { tags: 'long' },
  async () => {
    const { directory } = await newWiki({ A: 'one' })
    writeFileSync(join(directory, 'large'), Buffer.alloc(maxObjectBytes + 1))
    const large = git(directory, 'hash-object', '-w', 'large')
    const small = git(directory, 'rev-parse', 'HEAD:A.wiki')
    const gitDirectory = join(directory, '.git')
    const empty = await temporaryDirectory()
    const backend = openNative({ gitDirectory, objectDirectory: empty, shallow: () => new Set() })
    const answers = [backend.read(small), backend.read(large), backend.read(small)]
    const [before, refused, after] = await Promise.allSettled(answers)
    expect(refused).toMatchObject({ reason: { code: 'rest-resource-limit-exceeded' } })
    for (const read of [before, after]) expect(String((read as { value: GitObject }).value.content)).toBe('one\n')
    backend.close()
  },
)
