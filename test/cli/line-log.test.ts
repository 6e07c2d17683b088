import { expect, test } from 'vitest'
import { createLineLog } from '../../src/cli/terminal/line-log.ts'

test('lines that nobody reads are lost, and what waits for a reader is bounded', async () => {
  let units = 0
  let isRead = false
  const waiting: (() => void)[] = []
  const write = (text: string | Uint8Array): Promise<void> => {
    units += text.length
    return isRead ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))
  }
  const log = createLineLog({ write } as Parameters<typeof createLineLog>[0])
  const line = 'x'.repeat(999)
  for (let at = 0; at < 10_000; at++) log.write(line)
  expect(units).toBeGreaterThan(1_000_000)
  expect(units).toBeLessThan(1_200_000)
  isRead = true
  for (const read of waiting) read()
  await new Promise(setImmediate)
  const before = units
  log.write(line)
  await log.flush()
  expect(units).toBe(before + 1000)
})
