import { describe, expect, test } from 'vitest'
import { createJobQueue } from '../../src/core/job-queue.ts'

const megabyte = 1024 * 1024

/** A queue with one slot, and jobs that end on request. */
function heldQueue() {
  const longest = { all: { jobs: 200, bytes: 128 * megabyte }, ofClient: { jobs: 50, bytes: 64 * megabyte } }
  const queue = createJobQueue({ most: 1, longest })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (client: string, name = client, bytes = 0): Promise<void> | null =>
    queue.add(
      client,
      () => {
        begun.push(name)
        return new Promise(resolve => ends.push(resolve))
      },
      bytes,
    )
  const endOne = async (): Promise<void> => {
    ends.shift()!()
    await new Promise(setImmediate)
  }
  return { queue, add, begun, endOne }
}

describe('a queue of jobs', () => {
  test('serves a late client before those that were already served', async () => {
    const { add, begun, endOne } = heldQueue()
    for (const name of ['a1', 'a2', 'a3']) void add('a', name)
    void add('b', 'b1')
    for (let count = 0; count < 3; count++) await endOne()
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  test('refuses too many jobs of one client, and accepts those of another', () => {
    const { add } = heldQueue()
    const taken = Array.from({ length: 100 }, () => add('a')).filter(job => job !== null)
    expect(taken).toHaveLength(51)
    expect(add('b')).not.toBeNull()
  })

  test('is bounded for all clients together', () => {
    const { add } = heldQueue()
    const taken = Array.from({ length: 500 }, (_, client) => add(String(client))).filter(job => job !== null)
    expect(taken).toHaveLength(201)
  })

  test('refuses jobs whose texts would take too much memory while they wait', async () => {
    const { add, endOne } = heldQueue()
    const megabytes = (client: string, count: number) => add(client, client, count * megabyte) !== null
    const taken = [megabytes('a', 500), megabytes('a', 40), megabytes('a', 30), megabytes('a', 20)]
    // The first one is running.
    expect(taken).toEqual([true, true, false, true])
    expect([megabytes('b', 60), megabytes('c', 20), megabytes('c', 8)]).toEqual([true, false, true])
    await endOne()
    expect([megabytes('d', 61), megabytes('d', 60)]).toEqual([false, true])
  })

  test('accepts a job of any size if no other waits', () => {
    const { add } = heldQueue()
    void add('a')
    expect([add('a', 'b', 1e9) !== null, add('a', 'c', 0) !== null]).toEqual([true, false])
  })

  test('leaves the last place to a client that has no job at work', async () => {
    const queue = createJobQueue({ most: 3, ofClient: 2 })
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const add = (client: string, name: string) =>
      void queue.add(client, () => {
        begun.push(name)
        return new Promise<void>(resolve => ends.set(name, resolve))
      })
    for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name)
    expect(begun).toEqual(['a1', 'a2'])
    for (const name of ['b1', 'b2']) add('b', name)
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    ends.get('a1')!()
    await new Promise(setImmediate)
    // The client that was served least comes first.
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2'])
    ends.get('b1')!()
    await new Promise(setImmediate)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3'])
  })

  test('continues after a failed job', async () => {
    const queue = createJobQueue({ most: 1 })
    await expect(queue.add('a', () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(await queue.add('a', async () => 1)).toBe(1)
  })

  test('rejects waiting jobs when it is closed', async () => {
    const { queue, add } = heldQueue()
    void add('a')
    const waiting = add('a')
    queue.close(new Error('closed'))
    await expect(waiting).rejects.toThrow('closed')
  })
})
