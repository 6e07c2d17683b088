/** Memory of request bodies that are still arriving, over all requests of this process. */

/**
 * Maximum bytes. Beyond it bodies are dropped, those of anonymous users first, and of these the oldest of the client that holds
 * most; never the only one.
 */
export const heldBodyBytes = 128 * 1024 * 1024

/** Bytes allocated for the beginning of a body. */
const firstBytes = 16 * 1024

/** A body that is still arriving. Its pieces are copied, because a client may send each byte as a piece of its own. */
export interface HeldBody extends Sender {
  bytes: Buffer
  length: number
}

interface Sender {
  readonly isAnonymous: boolean
  /** The client that the body counts for. */
  readonly client: string
  /** Closes the connection. */
  readonly drop: () => void
}

/** Oldest first. */
const held = new Set<HeldBody>()

/** Begins a body, which counts until it ends. */
export function beginBody(sender: Sender): HeldBody {
  const body = { ...sender, bytes: Buffer.alloc(0), length: 0 }
  held.add(body)
  return body
}

export function addPiece(body: HeldBody, piece: Uint8Array): void {
  const length = body.length + piece.length
  if (length > body.bytes.length) {
    const bytes = Buffer.allocUnsafeSlow(Math.max(length, 2 * body.bytes.length, firstBytes))
    body.bytes.copy(bytes, 0, 0, body.length)
    body.bytes = bytes
    dropOldest()
  }
  body.bytes.set(piece, body.length)
  body.length = length
}

export function bytesOf({ bytes, length }: HeldBody): Buffer {
  return bytes.subarray(0, length)
}

/** Ends a body, complete or not. */
export function endBody(body: HeldBody): void {
  held.delete(body)
}

function dropOldest(): void {
  let sum = 0
  for (const { bytes } of held) sum += bytes.length
  while (sum > heldBodyBytes && held.size > 1) {
    const body = nextToDrop()
    sum -= body.bytes.length
    held.delete(body)
    body.drop()
  }
}

function nextToDrop(): HeldBody {
  const anonymous = [...held].filter(({ isAnonymous }) => isAnonymous)
  const bodies = anonymous.length > 0 ? anonymous : [...held]
  const bytesOfClients = new Map<string, number>()
  for (const { client, bytes } of bodies) bytesOfClients.set(client, (bytesOfClients.get(client) ?? 0) + bytes.length)
  return bodies.reduce((next, body) =>
    bytesOfClients.get(body.client)! > bytesOfClients.get(next.client)! ? body : next,
  )
}
