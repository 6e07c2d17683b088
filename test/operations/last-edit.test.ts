/** The date of a page: the latest time of its revisions, of which it may have any number. */

import { expect, test } from 'vitest'
import { lastEdit } from '../../src/operations/resources/last-edit.ts'
import { newStore, write } from '../store/_store.ts'

test('a revision has the latest time up to it', async () => {
  const { store } = await newStore()
  const ids: number[] = []
  for (const time of ['2026-03-01', '2026-01-01', '2026-05-01']) {
    await write(store, { 'A.wiki': `${time}\n` }, { time: new Date(`${time}T00:00:00Z`) })
    ids.push(store.lastRevisionId)
  }
  const dates = ids.map(id => lastEdit(store, store.revision(id)!))
  expect(dates).toEqual(['2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z'])
})

test('a response to a read does not look at the whole history', () => {
  let looks = 0
  const timesFrom = function* () {
    for (;;) {
      looks++
      yield '2026-01-01T00:00:00Z'
    }
  }
  expect(lastEdit({ timesFrom }, { id: 1, timestamp: '2025-01-01T00:00:00Z' })).toBe('2026-01-01T00:00:00Z')
  expect(looks).toBe(100)
})
