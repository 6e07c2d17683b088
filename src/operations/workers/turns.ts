/** Counts the requests of each client that the main thread works on, so that none has the whole thread for itself. */

/**
 * Requests of one client that are worked on at once; further ones wait. Between two steps of one request all the others that
 * were begun take a step.
 */
export const requestsAtOnce = 4

/** Requests of one client that are begun, with writes and those that wait for a worker, a decoder or the network: bounds what waits there. */
export const requestsBegun = 100

export interface Turns {
  /** Counts a request, until the function that it returns is called: when its work is done, also if its client has left. */
  readonly begin: (client: string) => () => void
  /** Waits for a worker or a decoder. The client's next request may begin meanwhile. */
  readonly whileAway: <Result>(client: string, wait: () => Promise<Result>) => Promise<Result>
  /**
   * Waits for the network, then for a turn: otherwise all requests whose last bytes come at once would be worked on at once. Nobody
   * else may wait for the result, because a request that does keeps its own turn.
   */
  readonly untilArrived: <Result>(client: string, wait: () => Promise<Result>) => Promise<Result>
  /** Returns true if no further request of the client may begin now. */
  readonly isFull: (client: string) => boolean
  /** Adds a function that is called when a client has room for another request. */
  readonly onRoom: (call: () => void) => void
}

/** The requests of a client. */
interface Requests {
  atWork: number
  begun: number
  /** Called for those that have arrived, one for each turn that is free. */
  readonly arrived: (() => void)[]
}

/** Creates the count, with no requests. */
export function createTurns(): Turns {
  const clients = new Map<string, Requests>()
  const listeners = new Set<() => void>()
  const leave = (own: Requests): void => {
    own.atWork--
    if (own.atWork < requestsAtOnce) own.arrived.shift()?.()
    for (const hasRoom of listeners) hasRoom()
  }
  const away = async <Result>(client: string, wait: () => Promise<Result>, isInTurn: boolean): Promise<Result> => {
    const own = clients.get(client)
    // A write of the API, which takes no turn, may have none to give back.
    if (own === undefined || own.atWork === 0) return wait()
    leave(own)
    try {
      return await wait()
    } finally {
      while (isInTurn && own.atWork >= requestsAtOnce) await new Promise<void>(resolve => own.arrived.push(resolve))
      own.atWork++
    }
  }
  return {
    begin: client => {
      const own = clients.get(client) ?? { atWork: 0, begun: 0, arrived: [] }
      clients.set(client, own)
      own.atWork++
      own.begun++
      let isBegun = true
      return () => {
        if (!isBegun) return
        isBegun = false
        own.begun--
        if (own.begun === 0) clients.delete(client)
        leave(own)
      }
    },
    whileAway: (client, wait) => away(client, wait, false),
    untilArrived: (client, wait) => away(client, wait, true),
    isFull: client => {
      const { atWork, begun } = clients.get(client) ?? { atWork: 0, begun: 0 }
      return atWork >= requestsAtOnce || begun >= requestsBegun
    },
    onRoom: call => void listeners.add(call),
  }
}
