import { expect, test } from 'vitest'
import { createProgress, progressLine } from '../../src/cli/terminal/progress.ts'
import { guardOutput } from '../../src/cli/terminal/terminal-guard.ts'

function run(isTTY: boolean, times: readonly number[]) {
  const shown: string[] = []
  let now = 0
  const output = { isTTY, columns: 80, write: async (text: string | Uint8Array) => void shown.push(String(text)) }
  const progress = createProgress(guardOutput(output, 'text'), 'Reading', { clock: () => now })
  for (const time of times) {
    now = time
    progress.report(time, null)
  }
  return { shown, progress }
}

test('the first line appears after 250 ms, the next ones at least 100 ms apart', () => {
  expect(run(true, [10, 249, 250, 300, 349, 350, 1000]).shown).toEqual([
    '\u001b[GReading 250\u001b[K',
    '\u001b[GReading 350\u001b[K',
    '\u001b[GReading 1,000\u001b[K',
  ])
})

test('nothing is shown if stderr is not a terminal', () => {
  expect(run(false, [300, 600]).shown).toEqual([])
})

test('the line is removed once, and only if there was one', async () => {
  const { shown, progress } = run(true, [300])
  await progress.clear()
  await progress.clear()
  expect(shown).toEqual(['\u001b[GReading 300\u001b[K', '\u001b[G\u001b[K'])
  const silent = run(true, [100])
  await silent.progress.clear()
  expect(silent.shown).toEqual([])
})

test('a bar is drawn if the total is known', () => {
  expect(progressLine('Reading', 10_000, 40_000)).toBe('Reading [######..................] 25% of 40,000')
  expect(progressLine('Reading', 7, 5)).toBe('Reading [########################] 100% of 5')
})
