/** Moved files are paired with their new versions, within limits. */

import { expect, test } from 'vitest'
import { similarFiles } from '../../src/operations/comparing/similar-files.ts'

type Texts = Readonly<Record<string, string>>

async function pairs(gone: Texts, come: Texts) {
  const hashes = (texts: Texts) => new Map(Object.entries(texts).map(([path, text]) => [path, text.slice(0, 99)]))
  const read: string[] = []
  const reader = (texts: Texts) => async (path: string) => {
    read.push(path)
    return texts[path] as string
  }
  const moves = await similarFiles({
    ...{ gone: hashes(gone), come: hashes(come) },
    ...{ goneText: reader(gone), comeText: reader(come) },
  })
  return { moves: Object.fromEntries(moves), read }
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `Line ${from + at} of the text.\n`).join('')

test('each file is paired with the most similar one, whichever is longer', async () => {
  const gone = { 'a.md': `a ${lines(0, 100)}`, 'b.md': `b ${lines(500, 600)}`, 'c.md': 'Other words.\n' }
  const come = { 'x.md': lines(500, 590), 'y.md': lines(0, 130), 'z.md': 'Nothing alike.\n', 'b.txt': lines(500, 600) }
  expect((await pairs(gone, come)).moves).toEqual({ 'a.md': 'y.md', 'b.md': 'x.md' })
})

test('empty files, and files of very different lengths, are not similar', async () => {
  expect((await pairs({ 'a.md': 'a' }, { 'b.md': '', 'c.md': lines(0, 50) })).moves).toEqual({})
  expect((await pairs({ 'a.md': '' }, { 'b.md': ' \n' })).moves).toEqual({})
})

test('texts above the limit are not kept, and equal files are paired anyway', { tags: 'long' }, async () => {
  const large = 'x'.repeat(20 * 1024 * 1024)
  const come = { 'p.md': `p${large}`, 'q.md': `q${large}`, 'r.md': lines(0, 9), 's.md': lines(9, 18) }
  const { moves, read } = await pairs({ 'a.md': lines(0, 9), 'b.md': 'gone\n' }, come)
  expect(moves).toEqual({ 'a.md': 'r.md' })
  expect(read).not.toContain('s.md')
})
