import { describe, expect, test } from 'vitest'
import { findConflictPlaces } from '../../src/operations/comparing/conflict-places.ts'
import { conflictPieces } from '../../src/operations/conflict-pieces.ts'
import type { WorkerPool } from '../../src/operations/workers/worker-pool.ts'
import { edit, newWiki } from './_wiki.ts'

const lines = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${write(at)}\n`).join('')

/** Texts with a conflict in each of this number of lines, and unchanged lines between them. */
const collisions = (count: number) => {
  const text = (word: string) => lines(count, at => `${word} ${at}\n\nsame ${at}\n`)
  return { base: text('base'), mine: text('mine'), theirs: text('theirs') }
}

const asked = { by: 'lines', most: 400, withChanges: true } as const

describe('the places of a conflict', () => {
  test('are joined down to the requested number, and lose no text', () => {
    const texts = collisions(10)
    for (const most of [1, 3, 9, 10, 11]) {
      const pieces = findConflictPlaces({ ...texts, ...asked, most })
      const places = pieces.filter(piece => typeof piece !== 'string')
      expect(places.length).toBeLessThanOrEqual(most)
      for (const side of ['base', 'mine', 'theirs'] as const)
        expect(
          pieces
            .map(piece => (typeof piece === 'string' ? piece : piece[side]))
            .join('')
            .trimEnd(),
        ).toBe(texts[side].trimEnd())
    }
  })

  test('have the changes of both sides if these are wanted', () => {
    const [place] = findConflictPlaces({ base: 'a\n', mine: 'b\n', theirs: 'c\n', ...asked })
    expect(place).toMatchObject({
      both: 'c\nb\n',
      changes: { mine: [{ text: 'b' }, { text: 'a' }], theirs: [{ text: 'c' }, { text: 'a' }] },
    })
    const [plain] = findConflictPlaces({ base: 'a\n', mine: 'b\n', theirs: 'c\n', ...asked, withChanges: false })
    expect(plain).toMatchObject({ changes: { mine: null, theirs: null } })
  })

  test.each([
    ['a task that one ticks and the other removes', '[x] a\n[ ] a\n', '[ ] a\n', '[x] a\n[ ] a\n'],
    ['a section that one removes', '\n== B ==\nnew\n', '\n', '\n== B ==\nnew\n'],
    ['two paragraphs at one place', '\nmine\n\n', '\ntheirs\n\n', '\ntheirs\n\nmine\n\n'],
    ['two paragraphs at the end', '\nmine\n', '\ntheirs\n', '\ntheirs\n\nmine\n'],
    ['two rows of one key', '| b | 1 |\n', '| b | 2 |\n', '| b | 2 |\n| b | 1 |\n'],
    ['nothing of theirs', 'mine\n', '', 'mine\n'],
    ['nothing of mine', '', 'theirs\n', 'theirs\n'],
  ])('have both texts, and once what they have in common: %s', (_, mine, theirs, both) => {
    const ends = { by: 'lines', most: 1, withChanges: false } as const
    const texts = { base: 'base\nend\n', mine: `${mine}end\n`, theirs: `${theirs}end\n` }
    const [place] = findConflictPlaces({ ...texts, ...ends })
    expect(place).toMatchObject({ mine, theirs, both })
  })

  test('have no changes beyond a megabyte of them', { tags: 'long' }, () => {
    const text = (word: string) => lines(20_000, at => `${word} ${at}`)
    const pieces = findConflictPlaces({ base: text('base'), mine: text('mine'), theirs: text('theirs'), ...asked })
    expect(pieces).toMatchObject([{ changes: { mine: null, theirs: null } }])
    const several = findConflictPlaces({ ...collisions(5000), ...asked })
    const places = several.flatMap(piece => (typeof piece === 'string' ? [] : [piece.changes]))
    expect(JSON.stringify(places).length).toBeLessThan(1.2 * 1024 * 1024)
  })
})

test('the conflicts of long texts are found in a worker, those of short ones are not', async () => {
  const { wiki } = await newWiki({ Short: 'a' })
  const jobs: string[] = []
  const run = async ({ task }: { readonly task: string }) => {
    jobs.push(task)
    return ['found elsewhere']
  }
  const aside = { ...wiki, workerPool: () => ({ run }) as unknown as WorkerPool }
  await wiki.store.refresh()
  const first = wiki.store.findPage('Short')!.latest
  const second = await edit(wiki, 'Short', 'b')
  const query = { base: first, current: second, most: 400, withChanges: true }
  expect(await conflictPieces(aside, { ...query, text: 'c' })).toMatchObject([
    { base: 'a\n', mine: 'c\n', theirs: 'b\n' },
  ])
  expect(jobs).toEqual([])
  expect(await conflictPieces(aside, { ...query, text: 'c'.repeat(10_000) })).toEqual(['found elsewhere'])
  expect(jobs).toEqual(['conflict'])
})
