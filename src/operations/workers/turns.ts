/** Counts the requests of each client that the main thread works on, so that none has the whole thread for itself. */

/**
 * Requests of one client that are worked on at once; further ones wait. Between two steps of one request all the others that
 * were begun take a step.
 */
export const requestsAtOnce = 4

export interface Turns {
  /** Counts a request, until the function that it returns is called. */
  readonly begin: (client: string) => () => void
  /** Waits for a worker or for the network. The client's next request may begin meanwhile. */
  readonly whileAway: <Result>(client: string, wait: () => Promise<Result>) => Promise<Result>
  /** Returns true if no further request of the client may begin now. */
  readonly isFull: (client: string) => boolean
  /** Adds a function that is called when a client has room for another request. */
  readonly onRoom: (call: () => void) => void
}

/** Creates the count, with no requests. */
export function createTurns(): Turns {
  const begun = new Map<string, number>()
  const listeners = new Set<() => void>()
  const add = (client: string, difference: number): void => {
    const count = (begun.get(client) ?? 0) + difference
    if (count === 0) begun.delete(client)
    else begun.set(client, count)
    if (difference < 0 && count < requestsAtOnce) for (const hasRoom of listeners) hasRoom()
  }
  return {
    begin: client => {
      add(client, 1)
      let isBegun = true
      return () => {
        if (isBegun) add(client, -1)
        isBegun = false
      }
    },
    whileAway: async (client, wait) => {
      if (!begun.has(client)) return wait()
      add(client, -1)
      try {
        return await wait()
      } finally {
        add(client, 1)
      }
    },
    isFull: client => (begun.get(client) ?? 0) >= requestsAtOnce,
    onRoom: call => void listeners.add(call),
  }
}
