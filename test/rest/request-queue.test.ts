import { expect, test } from 'vitest'
import { createRequestQueue } from '../../src/rest/request-queue.ts'

const begin = () => () => {}

/** Runs tasks to the end of the last one; `between` is done in each turn of the event loop meanwhile. */
async function runAll(tasks: readonly (() => void)[], milliseconds: number, between: () => void): Promise<void> {
  const queue = createRequestQueue({ milliseconds, begin })
  let left = tasks.length
  for (const task of tasks)
    queue(() => {
      left--
      task()
    })
  while (left > 0) await new Promise<void>(resolve => setImmediate(resolve)).then(between)
}

test('tasks start in order of arrival, and none at once', async () => {
  const begun: number[] = []
  const all = runAll(
    [1, 2, 3].map(number => () => void begun.push(number)),
    1000,
    () => {},
  )
  expect(begun).toEqual([])
  await all
  expect(begun).toEqual([1, 2, 3])
})

test('the synchronous part of a task is finished before the next one starts', async () => {
  const steps: string[] = []
  const task = (name: string) => async () => {
    for (let step = 0; step < 3; step++) {
      steps.push(`${name}${step}`)
      await null
    }
  }
  await runAll([task('a'), task('b')], 1000, () => {})
  expect(steps).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2'])
})

test('the event loop continues between tasks that use the whole time slice', async () => {
  const seen: string[] = []
  const tasks = [1, 2, 3].map(number => () => void seen.push(`task ${number}`))
  await runAll(tasks, 0, () => void seen.push('loop'))
  expect(seen.join()).toMatch(/task 1,loop,task 2,loop,task 3/)
})

test('a task started by another task is run, and so is one that arrives when the queue is empty', async () => {
  const queue = createRequestQueue({ milliseconds: 1000, begin })
  await new Promise<void>(resolve => queue(() => queue(resolve)))
  await new Promise<void>(resolve => queue(resolve))
})

test('each iteration begins before its first task, and ends after its last one', async () => {
  const steps: string[] = []
  const queue = createRequestQueue({
    milliseconds: 0,
    begin: () => {
      steps.push('begin')
      return () => steps.push('end')
    },
  })
  for (const name of ['a', 'b']) queue(() => void steps.push(name))
  await new Promise<void>(resolve => queue(resolve))
  await new Promise<void>(resolve => setImmediate(resolve))
  expect(steps).toEqual(['begin', 'a', 'end', 'begin', 'b', 'end', 'begin', 'end'])
})
