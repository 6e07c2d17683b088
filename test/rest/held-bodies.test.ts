import { expect, onTestFinished, test } from 'vitest'
import { addPiece, beginBody, bytesOf, endBody, type HeldBody, heldBodyBytes } from '../../src/http/held-bodies.ts'

/** Begins bodies, oldest first. Returns them, and the numbers of those that were dropped, in order. */
function begin(
  senders: readonly ('anonymous' | 'known')[],
  clients: readonly string[] = [],
): { bodies: HeldBody[]; dropped: number[] } {
  const dropped: number[] = []
  const bodies = senders.map((sender, number) => {
    const client = clients[number] ?? ''
    return beginBody({ isAnonymous: sender === 'anonymous', client, drop: () => void dropped.push(number) })
  })
  onTestFinished(() => bodies.forEach(endBody))
  return { bodies, dropped }
}

const half = Buffer.alloc(heldBodyBytes / 2)

test('beyond the limit the oldest body is dropped, that of an anonymous user first', () => {
  const { bodies, dropped } = begin(['known', 'anonymous', 'known', 'anonymous'])
  for (const body of bodies.slice(0, 2)) addPiece(body, half)
  expect(dropped).toEqual([])
  addPiece(bodies[2]!, half)
  expect(dropped).toEqual([1])
  addPiece(bodies[3]!, half)
  expect(dropped).toEqual([1, 3])
})

test('the bodies of the client that holds most are dropped, not an older one of another', () => {
  const { bodies, dropped } = begin(
    ['anonymous', 'anonymous', 'anonymous', 'anonymous'],
    ['quiet', 'flood', 'flood', 'flood'],
  )
  addPiece(bodies[0]!, Buffer.alloc(1000))
  for (const body of bodies.slice(1)) addPiece(body, half)
  expect(dropped).toEqual([1, 2])
})

test('a body that has ended does not count, and the only one is never dropped', () => {
  const { bodies, dropped } = begin(['anonymous', 'anonymous'])
  addPiece(bodies[0]!, half)
  endBody(bodies[0]!)
  addPiece(bodies[1]!, half)
  addPiece(bodies[1]!, half)
  addPiece(bodies[1]!, half)
  expect(dropped).toEqual([])
})

test('a body in pieces of one byte takes at most twice its bytes', () => {
  const [body] = begin(['known']).bodies as [HeldBody]
  const text = 'abc'.repeat(30_000)
  for (const sign of text) addPiece(body, Buffer.from(sign))
  expect(bytesOf(body).toString()).toBe(text)
  expect(body.bytes.length).toBeLessThan(2 * text.length)
})
