import { describe, expect, test } from 'vitest'
import { createTurns, requestsAtOnce, requestsBegun } from '../../src/operations/workers/turns.ts'
import { createRequestQueue } from '../../src/rest/request-queue.ts'

const begin = () => () => {}

/** Runs tasks to the end of the last one; `between` is done in each turn of the event loop meanwhile. */
async function runAll(tasks: readonly (() => void)[], milliseconds: number, between: () => void): Promise<void> {
  const queue = createRequestQueue({ milliseconds, begin, turns: createTurns() })
  let left = tasks.length
  for (const task of tasks)
    queue('', () => {
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
  const queue = createRequestQueue({ milliseconds: 1000, begin, turns: createTurns() })
  await new Promise<void>(resolve => queue('', () => queue('', resolve)))
  await new Promise<void>(resolve => queue('', resolve))
})

test('each iteration begins before its first task, and ends after its last one', async () => {
  const steps: string[] = []
  const queue = createRequestQueue({
    milliseconds: 0,
    turns: createTurns(),
    begin: () => {
      steps.push('begin')
      return () => steps.push('end')
    },
  })
  for (const name of ['a', 'b']) queue('', () => void steps.push(name))
  await new Promise<void>(resolve => queue('', resolve))
  await new Promise<void>(resolve => setImmediate(resolve))
  expect(steps).toEqual(['begin', 'a', 'end', 'begin', 'b', 'end', 'begin', 'end'])
})

describe('with several clients', () => {
  /** A queue, the names of its requests that have begun, and the functions that end them. */
  const clients = () => {
    const turns = createTurns()
    const queue = createRequestQueue({ milliseconds: 1000, begin, turns })
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const ask = (client: string, name: string) =>
      queue(client, () => {
        begun.push(name)
        ends.set(name, turns.begin(client))
      })
    const settled = async () => {
      for (let at = 0; at < 3; at++) await new Promise(setImmediate)
      return begun.join(' ')
    }
    return { turns, ask, ends, settled }
  }

  test('they take turns, whoever has sent more', async () => {
    const { ask, settled } = clients()
    for (const name of ['a1', 'a2', 'a3']) ask('a', name)
    for (const name of ['b1', 'b2']) ask('b', name)
    expect(await settled()).toBe('a1 b1 a2 b2 a3')
  })

  test('one has only so many requests at work; the next begins when one of them is done', async () => {
    const { ask, ends, settled } = clients()
    for (let at = 0; at < 900; at++) ask('flood', `${at}`)
    const first = Array.from({ length: requestsAtOnce }, (_, at) => at).join(' ')
    expect(await settled()).toBe(first)
    ask('reader', 'page')
    expect(await settled()).toBe(`${first} page`)
    ends.get('0')!()
    ends.get('0')!()
    expect(await settled()).toBe(`${first} page ${requestsAtOnce}`)
  })

  test('a request that waits for a worker or for its body keeps no other from beginning', async () => {
    const { turns, ask, settled } = clients()
    for (let at = 0; at <= requestsAtOnce; at++) ask('a', `${at}`)
    const first = await settled()
    let arrive = (): void => {}
    const away = turns.whileAway('a', () => new Promise<void>(resolve => (arrive = resolve)))
    expect(await settled()).toBe(`${first} ${requestsAtOnce}`)
    arrive()
    await away
    ask('a', 'last')
    expect(await settled()).toBe(`${first} ${requestsAtOnce}`)
  })

  test('those whose bodies arrive at once go on in turn', async () => {
    const { turns } = clients()
    const arrivals: (() => void)[] = []
    const done: number[] = []
    const ends = Array.from({ length: 20 }, (_, at) => {
      const end = turns.begin('a')
      const body = () => new Promise<void>(resolve => arrivals.push(resolve))
      void turns.untilArrived('a', body).then(() => done.push(at))
      return end
    })
    for (const arrive of arrivals) arrive()
    await new Promise(setImmediate)
    const first = Array.from({ length: requestsAtOnce }, (_, at) => at)
    expect(done).toEqual(first)
    ends[0]!()
    await new Promise(setImmediate)
    expect(done).toEqual([...first, requestsAtOnce])
    for (let at = 1; at < ends.length; at++) {
      ends[at]!()
      await new Promise(setImmediate)
    }
    expect(done).toHaveLength(ends.length)
    expect(turns.isFull('a')).toBe(false)
  })

  test('no more begin while many of them wait for workers', async () => {
    const { turns, ask, ends, settled } = clients()
    let finish = (): void => {}
    const job = new Promise<void>(resolve => (finish = resolve))
    for (let at = 0; at < requestsBegun; at++) {
      ask('a', `${at}`)
      await settled()
      void turns.whileAway('a', () => job)
    }
    ask('a', 'further')
    expect(await settled()).not.toContain('further')
    finish()
    for (const end of ends.values()) end()
    expect(await settled()).toContain('further')
  })

  test('a task that is taken out does not start', async () => {
    const { turns, ask, settled } = clients()
    const queue = createRequestQueue({ milliseconds: 1000, begin, turns })
    const begun: string[] = []
    const takeOut = ['a1', 'a2'].map(name => queue('a', () => void begun.push(name)))
    takeOut[0]!()
    queue('b', () => void begun.push('b'))()
    ask('c', 'c')
    await settled()
    expect(begun).toEqual(['a2'])
  })
})
