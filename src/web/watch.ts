/** Streams that wait for changes of a wiki. All of them share one poll of the branch. */

import { setMaxListeners } from 'node:events'
import type { Wiki } from '../operations/wiki.ts'

/**
 * Maximum number of streams of a wiki, and of one network. The server accepts 900 connections, most of which must stay
 * free for reads.
 */
const maxStreams = 200
const mostOfNetwork = 50

/** Milliseconds between two polls of the branch. */
const interval = 500

type Store = Wiki['store']

/** The streams of one wiki. */
export interface Watch {
  readonly followers: ReadonlySet<Follower>
  readonly add: (follower: Follower) => void
  readonly remove: (follower: Follower) => void
}

const watches = new WeakMap<Store, Watch>()

/** Returns the streams of a wiki, creating the set on first use. */
export function watchOf(store: Store): Watch {
  const watch = watches.get(store) ?? createWatch(store)
  watches.set(store, watch)
  return watch
}

/** Returns true if this network may open one more stream. */
export function hasRoom({ followers }: Watch, network: string): boolean {
  if (followers.size >= maxStreams) return false
  let own = 0
  for (const follower of followers) if (follower.network === network) own++
  return own < mostOfNetwork
}

function createWatch(store: Store): Watch {
  const followers = new Set<Follower>()
  let timer: NodeJS.Timeout | undefined
  let state = ''
  const poll = async (): Promise<void> => {
    // A repository that cannot be read now is read by the next poll.
    await store.refresh().catch(() => {})
    const now = store.state
    if (now !== state) for (const follower of followers) follower.wake()
    state = now
  }
  return {
    followers,
    add: follower => {
      // The state that waiting streams have seen stays, so that the next poll wakes them.
      if (followers.size === 0) state = store.state
      followers.add(follower)
      timer ??= setInterval(() => void poll(), interval).unref()
    },
    remove: follower => {
      followers.delete(follower)
      follower.end()
      if (followers.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}

/** One waiting stream. */
export class Follower {
  readonly network: string
  #isOver = false
  #isAwake = false
  #wake: (() => void) | null = null
  readonly #signals: readonly AbortSignal[]
  readonly #onEnd = (): void => this.end()

  /** Creates a stream that ends when one of the signals aborts: the server shuts down, or the client disconnects. */
  constructor(network: string, signals: readonly (AbortSignal | undefined)[]) {
    this.network = network
    this.#signals = signals.filter(signal => signal !== undefined)
    for (const signal of this.#signals) {
      if (signal.aborted) this.#isOver = true
      // From the eleventh stream of a server on node would warn of a leak.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', this.#onEnd)
    }
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Notifies the stream that the wiki has changed. */
  wake(): void {
    this.#isAwake = true
    this.#wake?.()
  }

  /** Ends the stream permanently. */
  end(): void {
    this.#isOver = true
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#onEnd)
    this.wake()
  }

  /** Waits for at most this many milliseconds. Resolves to true if the wiki has changed since the last wait. */
  async isWoken(milliseconds: number): Promise<boolean> {
    if (!this.#isAwake) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, milliseconds).unref()
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#wake = null
    const isAwake = this.#isAwake
    this.#isAwake = false
    return isAwake
  }
}
