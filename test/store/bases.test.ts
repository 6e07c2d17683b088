import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashBlob } from '../../src/store/git/objects.ts'
import type { Store } from '../../src/store/store.ts'
import { readBases } from '../../src/store/work-tree/bases.ts'
import { git, hasGit, needsGit } from '../_setup.ts'
import { bundleChild } from './_processes.ts'
import { stopWriter } from './_stopped.ts'
import { newStore, openFresh, planOf, write } from './_store.ts'

const blob = (text: string) => hashBlob(Buffer.from(text))
const bases = ({ repository }: Store) => Object.fromEntries(readBases(repository))

async function newWiki(): Promise<{ store: Store; directory: string; put: (text: string) => void }> {
  const made = await newStore()
  await write(made.store, { 'A.wiki': 'a\n', 'B.wiki': 'b\n' })
  return { ...made, put: text => writeFileSync(join(made.directory, 'A.wiki'), text) }
}

test("a write that leaves a changed file behind notes the file's base", async () => {
  const { store, put } = await newWiki()
  put('mine\n')
  await write(store, { 'A.wiki': 'theirs\n', 'B.wiki': 'b2\n' })
  expect(bases(store)).toEqual({ 'A.wiki': [{ from: blob('a\n'), to: blob('theirs\n') }] })
  await write(store, { 'A.wiki': 'theirs, again\n' })
  expect(bases(store)).toEqual({ 'A.wiki': [{ from: blob('a\n'), to: blob('theirs, again\n') }] })
})

test('a page created on both sides, and a deleted file, are noted as well', async () => {
  const { store, directory } = await newWiki()
  writeFileSync(join(directory, 'N.wiki'), 'mine\n')
  rmSync(join(directory, 'A.wiki'))
  await write(store, { 'A.wiki': 'theirs\n', 'N.wiki': 'theirs\n' })
  expect(bases(store)).toEqual({
    'A.wiki': [{ from: blob('a\n'), to: blob('theirs\n') }],
    'N.wiki': [{ from: null, to: blob('theirs\n') }],
  })
})

test('nothing is noted for files that follow, and a note is deleted with the change', async () => {
  const { store, directory, put } = await newWiki()
  const notes = join(directory, '.git/wiki/bases')
  await write(store, { 'A.wiki': 'a2\n' })
  expect(existsSync(notes)).toBe(false)
  put('mine\n')
  await write(store, { 'A.wiki': 'a3\n' })
  put('a3\n')
  await write(store, { 'A.wiki': 'a4\n' })
  expect([readFileSync(notes, 'utf8'), readFileSync(join(directory, 'A.wiki'), 'utf8')]).toEqual(['{}', 'a4\n'])
})

test('a damaged note is ignored', async () => {
  const { store, directory, put } = await newWiki()
  writeFileSync(join(directory, '.git/wiki/bases'), '{"A.wiki": [')
  put('mine\n')
  await write(store, { 'A.wiki': 'a2\n' })
  expect(bases(store)).toEqual({ 'A.wiki': [{ from: blob('a\n'), to: blob('a2\n') }] })
  expect(statSync(join(directory, '.git/wiki/bases')).size).toBeGreaterThan(0)
})

describe.skipIf(!hasGit)('a base', () => {
  let script: string

  beforeAll(async () => {
    script = await bundleChild()
  })

  test("starts again if git has seen the file in the branch's state", async () => {
    const { store, directory, put } = await newWiki()
    put('mine\n')
    await write(store, { 'A.wiki': 'a2\n' })
    git(directory, 'checkout', '--', 'A.wiki')
    put('mine, on a2\n')
    await write(store, { 'A.wiki': 'a3\n' })
    expect(bases(store)).toEqual({
      'A.wiki': [
        { from: blob('a\n'), to: blob('a2\n') },
        { from: blob('a2\n'), to: blob('a3\n') },
      ],
    })
  })

  test.each(['.git/wiki/bases', '.git/index', '.git/refs/heads/main'])(
    'is not lost where the writer is killed when it has written %s',
    { tags: 'long' },
    async path => {
      const { store, directory, put } = await newWiki()
      put('mine\n')
      const writer = await stopWriter(script, directory, { 'A.wiki': 'a2\n' }, path)
      expect(bases(store)['A.wiki']?.[0]?.from).toBe(blob('a\n'))
      await writer.kill()
      const opened = await openFresh(directory)
      await write(opened, { 'A.wiki': 'a3\n' })
      expect(bases(opened)).toEqual({ 'A.wiki': [{ from: blob('a\n'), to: blob('a3\n') }] })
      expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('mine\n')
    },
  )

  test('is noted for a file saved between the notes and the moment at which it would follow', {
    tags: 'long',
  }, async () => {
    const { directory, put } = await newWiki()
    writeFileSync(join(directory, 'B.wiki'), 'mine, too\n')
    const texts = { 'A.wiki': 'a2\n', 'B.wiki': 'b2\n' }
    const writer = await stopWriter(script, directory, texts, '.git/wiki/bases')
    put('mine\n')
    await writer.go()
    expect(bases(await openFresh(directory))).toEqual({
      'A.wiki': [{ from: blob('a\n'), to: blob('a2\n') }],
      'B.wiki': [{ from: blob('b\n'), to: blob('b2\n') }],
    })
  })

  test.each([
    ['goes back', 'a2\n', 'a\n', {}],
    [
      'stays if it was saved since, made from a text that the branch never had',
      'mine\n',
      'mine\n',
      { 'A.wiki': [{ from: blob('a2\n'), to: blob('a\n') }] },
    ],
  ])(
    'of a file that followed before a branch that never moved: it %s',
    { tags: 'long' },
    async (_, saved, expected, noted) => {
      const { directory, put } = await newWiki()
      const writer = await stopWriter(script, directory, { 'A.wiki': 'a2\n' }, '.git/index')
      expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('a2\n')
      if (saved !== 'a2\n') put(saved)
      await writer.kill()
      const opened = await openFresh(directory)
      await write(opened, { 'B.wiki': 'b2\n' })
      expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe(expected)
      expect(bases(opened)).toEqual(noted)
      expect(git(directory, 'show', 'main:A.wiki')).toBe('a')
      expect(git(directory, 'status', '--porcelain')).toBe(expected === 'a\n' ? '' : ' M A.wiki')
    },
  )
})

test('a file saved again while it is committed has the committed text as its base', async context => {
  needsGit(context)
  const { store, directory } = await newStore()
  await write(store, { 'A.wiki': 'first\n', 'B.wiki': 'first\n' })
  const [read, saved] = ['first\nsecond\n', 'first\nsecond\nthird\n']
  for (const path of ['A.wiki', 'B.wiki']) writeFileSync(join(directory, path), saved)
  const content = Buffer.from(read)
  const changes = [{ path: 'A.wiki', content, work: hashBlob(content) }]
  expect(await store.commit(() => ({ ...planOf({}), changes }))).toMatchObject({ leftAlone: ['A.wiki'] })
  // Another user's text of the other page, of the same length: here the file is behind.
  await write(store, { 'B.wiki': read })
  expect(Object.keys(bases(store))).toEqual(['B.wiki'])
  expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe(saved)
  expect(git(directory, 'diff', '--cached', '--name-only')).toBe('')
})

test.each(['null', '[]', '{"A.wiki":null}', '{"A.wiki":[null]}', '{'])(
  'notes damaged to %s count as none',
  async text => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'first\n' })
    writeFileSync(join(directory, '.git', 'wiki', 'bases'), text)
    expect(bases(store)).toEqual({})
    expect(await write(store, { 'A.wiki': 'second\n' })).toMatchObject({ leftAlone: [] })
  },
)
