/**
 * One stream of the wiki's changes for all tabs of this browser: a browser opens at most six connections to a server, and a stream holds
 * one of them. Source: HTML Standard, 9.2 Server-sent events; Web Locks API.
 */

import { urlPrefix } from './api.ts'

/** An event for a tab. `open` comes whenever the stream begins again, so changes before it may have been missed. */
export type StreamEvent =
  | { readonly kind: 'open' | 'lost' }
  /** JSON of the new changes. */
  | { readonly kind: 'changes'; readonly data: string }

/** Name of the lock that the tab with the stream has, and of the channel on which it notifies the others. */
const shared = 'wiki-changes'
/** Milliseconds after which a tab tries again where the server refused the stream. */
const between = 60_000

/**
 * Calls `listen` for each event while the tab is visible, and with `open` when it becomes visible again. Returns the function that ends
 * this.
 */
export function followChanges(listen: (event: StreamEvent) => void): () => void {
  const channel = new BroadcastChannel(shared)
  const over = new AbortController()
  let turn: AbortController | null = null
  const isVisible = (): boolean => document.visibilityState === 'visible' && !over.signal.aborted
  const notify = (event: StreamEvent): void => {
    listen(event)
    channel.postMessage(event)
  }
  const takeTurn = async (): Promise<void> => {
    if (turn !== null || !isVisible()) return
    turn = new AbortController()
    const { signal } = turn
    await haveTurn(signal, notify)
    turn = null
    // A tab that was hidden and shown again meanwhile has no other occasion.
    if (signal.aborted) await takeTurn()
  }
  const timer = setInterval(() => void takeTurn(), between)
  const change = (): void => {
    if (isVisible()) {
      listen({ kind: 'open' })
      void takeTurn()
    } else turn?.abort()
  }
  channel.onmessage = ({ data }: MessageEvent<StreamEvent>) => isVisible() && listen(data)
  document.addEventListener('visibilitychange', change)
  void takeTurn()
  return () => {
    over.abort()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', change)
    turn?.abort()
    channel.close()
  }
}

/**
 * Waits until no other tab has the stream, and reads it until the signal aborts or the server refuses it. Pages that are not from a secure
 * origin have no locks, so each of them has a stream.
 */
async function haveTurn(signal: AbortSignal, notify: (event: StreamEvent) => void): Promise<void> {
  const locks = navigator.locks as LockManager | undefined
  if (locks === undefined) return readStream(signal, notify)
  await locks.request(shared, { signal }, () => readStream(signal, notify)).catch(() => {})
}

function readStream(signal: AbortSignal, notify: (event: StreamEvent) => void): Promise<void> {
  return new Promise(resolve => {
    const events = new EventSource(`${urlPrefix}/events`)
    const end = (): void => {
      events.close()
      resolve()
    }
    if (signal.aborted) return end()
    signal.addEventListener('abort', end)
    events.addEventListener('open', () => notify({ kind: 'open' }))
    events.addEventListener('lost', () => notify({ kind: 'lost' }))
    events.addEventListener('changes', ({ data }: MessageEvent<string>) => notify({ kind: 'changes', data }))
    // The browser reconnects on its own, except to a server that refused the stream.
    events.addEventListener('error', () => events.readyState === EventSource.CLOSED && end())
  })
}
