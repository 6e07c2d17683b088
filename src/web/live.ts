/**
 * `GET /events`: changes of the wiki as they happen, for open pages. Source: HTML Standard, section 9.2, Server-sent
 * events.
 */

import type { ChangeList } from '../core/change.ts'
import { isWikiError, WikiError } from '../core/errors.ts'
import { type Client, networkOf } from '../http/client.ts'
import type { PageRequest } from '../http/page-request.ts'
import { readQuery } from '../http/params.ts'
import type { PlainResponse } from '../http/response.ts'
import { recentChanges } from '../operations/recent-changes.ts'
import type { Wiki } from '../operations/wiki.ts'
import { Follower, hasRoom, type Watch, watchOf } from './watch.ts'

/** Path of the event stream. */
export const livePath = '/events'

/** Maximum number of changes in one event. */
const maxChanges = 50

/**
 * Milliseconds of silence before a comment is sent to keep proxies from closing the stream; also the client's
 * reconnection delay.
 */
const heartbeat = 20_000
const retry = 5_000

/**
 * Responds with a stream of `changes` events: `{"changes": [...]}`, oldest first, as `/v1/changes` has them. The stream continues
 * after the event that `Last-Event-ID` or `?since=` names, and begins with a `lost` event if the wiki no longer has that change.
 * Errors: wiki-too-many-streams.
 */
export function liveResponse(incoming: PageRequest, { address }: Client): PlainResponse {
  const { wiki, event, target } = incoming
  const watch = watchOf(wiki.store)
  const network = networkOf(address)
  if (!hasRoom(watch, network)) throw new WikiError('wiki-too-many-streams')
  const since = event.req.headers.get('last-event-id') || readQuery(target.search)('since') || null
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
    body: { length: Number.POSITIVE_INFINITY, open: () => stream(incoming, watch, { network, since }) },
  }
}

interface Start {
  readonly network: string
  readonly since: string | null
}

/** A stream takes one of the limited places only when it is first read, so an unread response takes none. */
function stream(incoming: PageRequest, watch: Watch, { network, since }: Start): AsyncIterable<Uint8Array> {
  const follower = new Follower(network, [incoming.options.closing, incoming.event.req.signal])
  const events = write(incoming, watch, follower, since)
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => events.next(),
      return: () => {
        follower.end()
        return events.return(undefined)
      },
    }),
  }
}

async function* write(
  { wiki, onFault }: PageRequest,
  watch: Watch,
  follower: Follower,
  since: string | null,
): AsyncGenerator<Uint8Array, undefined> {
  if (!hasRoom(watch, follower.network)) return
  watch.add(follower)
  try {
    const isLost = since !== null && wiki.store.placeOfChange(since) === undefined
    // Found before the first bytes are sent: a client that opens the stream then reads the list, and hears of every later change.
    let cursor = since === null || isLost ? await newest(wiki) : since
    yield bytes(`retry: ${retry}\n${isLost ? 'event: lost\ndata: {}\n' : ''}\n`)
    while (!follower.isOver) {
      const list = await changesAfter(wiki, cursor)
      cursor = cursorOf(list) ?? cursor
      if (list.changes.length > 0) yield bytes(eventOf(list, cursor))
      else if (!(await follower.isWoken(heartbeat)) && !follower.isOver) yield bytes(':\n\n')
    }
  } catch (thrown) {
    // The client reconnects, and the `lost` event tells it that revisions were renumbered.
    if (!isWikiError(thrown)) onFault(thrown)
  } finally {
    watch.remove(follower)
  }
}

async function newest(wiki: Wiki): Promise<string | null> {
  return cursorOf(await recentChanges(wiki, { base: '/v1', limit: 1 }))
}

function changesAfter(wiki: Wiki, cursor: string | null): Promise<ChangeList> {
  return recentChanges(wiki, { base: '/v1', limit: maxChanges, newerThan: cursor ?? undefined })
}

/** Returns the cursor of a list's newest change; null for an empty wiki. */
export function cursorOf({ newer }: ChangeList): string | null {
  return newer === undefined ? null : new URL(newer, 'http://localhost').searchParams.get('newer_than')
}

function eventOf({ changes }: ChangeList, cursor: string | null): string {
  const data = JSON.stringify({ changes: [...changes].reverse() })
  return `id: ${cursor}\nevent: changes\ndata: ${data}\n\n`
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
