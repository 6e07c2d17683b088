import { describe, expect, test, vi } from 'vitest'
import { Pairs } from '../../src/store/index/pairs.ts'
import { flagBits } from '../../src/store/index/records.ts'
import { RevisionIndex } from '../../src/store/index/revision-index.ts'
import type { RevisionLog } from '../../src/store/index/revision-log.ts'

const length = 20_000

/** Two pages edited alternately; every 1,000th revision of the first is minor. */
function longLog(): RevisionLog {
  const { log } = RevisionIndex.create()
  const rest = { commit: 0, blob: '0'.repeat(40), size: 1, model: 'wikitext' as const }
  for (let at = 0; at < 2 * length; at++) {
    const sequence = (at >> 1) + 1
    const flags = at % 2 === 0 && sequence % 1000 === 0 ? flagBits.minor : 0
    log.addRevision({ ...rest, page: at % 2, previous: at < 2 ? null : at - 2, sequence, flags })
  }
  return log
}

describe('of a long history', () => {
  const log = longLog()
  const latest = 2 * length - 2

  test.each([1, 2, 3, 4999, 5000, 16_383, 16_384, length - 1, length])(
    'revision %i is found in few steps',
    sequence => {
      const counted = vi.spyOn(log, 'counted')
      expect(log.reaching(latest, 'sequence', sequence)).toBe((sequence - 1) * 2)
      expect(counted.mock.calls.length).toBeLessThan(6 * Math.log2(length))
      counted.mockRestore()
    },
  )

  test.each([1, 7, 20])('minor revision %i is found in few steps', count => {
    const counted = vi.spyOn(log, 'counted')
    expect(log.reaching(latest, 'minor', count)).toBe((count * 1000 - 1) * 2)
    expect(counted.mock.calls.length).toBeLessThan(6 * Math.log2(length))
    counted.mockRestore()
  })

  test('each page counts its own', () => {
    expect([log.counted(latest, 'minor'), log.counted(latest + 1, 'minor')]).toEqual([20, 0])
  })
})

describe('pairs', () => {
  test('are counted once however often they are added', () => {
    const pairs = new Pairs(null, { offset: 0, length: 0 })
    for (const [key, value] of [
      [2, 5],
      [1, 9],
      [2, 3],
      [2, 5],
      [2 ** 40, 1],
    ] as const)
      pairs.add(key, value)
    expect([1, 2, 3, 2 ** 40].map(key => pairs.count(key))).toEqual([1, 2, 0, 1])
    expect(pairs.find(2)).toEqual([5, 3])
    expect(pairs.last).toBe(2 ** 40)
  })

  test('added to a fork are not in the original', () => {
    const pairs = new Pairs(null, { offset: 0, length: 0 })
    pairs.add(1, 1)
    const fork = pairs.fork()
    fork.add(1, 2)
    expect([pairs.count(1), fork.count(1)]).toEqual([1, 2])
  })
})
