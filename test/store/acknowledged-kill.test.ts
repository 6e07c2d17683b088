import { appendFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { appendEvents, readLog } from '../../src/store/acknowledged/log.ts'
import { temporaryDirectory } from '../_setup.ts'

const kill = vi.hoisted(() => ({ isDue: false }))

/** Ends the caller after the rename, like a kill: the disk has the same content. */
vi.mock(import('../../src/store/repository/durable-file.ts'), async importOriginal => {
  const actual = await importOriginal()
  return {
    ...actual,
    replaceDurably: (...args) => {
      actual.replaceDurably(...args)
      if (kill.isDue) throw new Error('killed')
    },
  }
})

const hash = (at: number) => at.toString(16).padStart(40, '0')
const bounds = { limit: 500, kept: 5 }
const lineOf = (at: number) => `${hash(at)} 2024-02-03T04:05:06.000Z noted\n`

test('a log compacted by a killed process keeps the lines that others append meanwhile', async () => {
  const path = join(await temporaryDirectory(), 'main')
  for (let at = 0; at < 30; at++) await appendEvents(path, 'noted', [hash(at)], { durable: false })
  kill.isDue = true
  const keep = () => {
    appendFileSync(path, lineOf(40))
    return new Set<string>()
  }
  await expect(appendEvents(path, 'noted', [hash(30)], { durable: true, ...bounds, keep })).rejects.toThrow('killed')
  kill.isDue = false
  const expected = [26, 27, 28, 29, 30, 40].map(hash)
  expect(readLog(path).map(({ commit }) => commit)).toEqual(expected)
  await appendEvents(path, 'noted', [hash(41)], { durable: true, ...bounds, limit: 10_000 })
  expect(new Set(readLog(path).map(({ commit }) => commit))).toEqual(new Set([...expected, hash(41)]))
  await appendEvents(path, 'noted', [hash(42)], { durable: true, ...bounds, kept: 20 })
  expect(new Set(readLog(path).map(({ commit }) => commit))).toEqual(new Set([...expected, hash(41), hash(42)]))
  expect(readdirSync(dirname(path))).toEqual([basename(path)])
})
