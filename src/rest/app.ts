/** The API as an h3 app: from a request to a response, and a line in the log. It opens no port. */

import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { H3, type H3Event, type HTTPResponse } from 'h3'
import type { Wiki } from '../operations/wiki.ts'
import { type Answer, byteLength, toResponse } from './answer.ts'
import { AnswerCache } from './answer-cache.ts'
import { answerRequest, type DoorOptions } from './dispatch.ts'
import { contentLanguage, errorAnswer } from './errors.ts'
import type { Log } from './log.ts'
import { readPeer, readTarget } from './params.ts'

export type { AccessEntry, ErrorEntry, Log, LogEntry } from './log.ts'

export interface AppOptions extends DoorOptions {
  /** Is told each request, and each fault of ours. */
  readonly log?: Log
}

/** What every request of one app shares. */
interface Door {
  readonly wiki: Wiki
  readonly options: AppOptions
  readonly cache: AnswerCache
}

/** Makes the app that answers for a wiki. */
export function createApp(wiki: Wiki, options: AppOptions = {}): H3 {
  // Routing is ours, see match.ts; so is malformed encoding: h3 would refuse bytes that the service takes for a title.
  const app = new H3({ silent: true, allowMalformedURL: true })
  const cache = new AnswerCache()
  return app.use(event => respond(event, { wiki, options, cache }))
}

async function respond(event: H3Event, door: Door): Promise<HTTPResponse> {
  const { wiki, options, cache } = door
  const start = performance.now()
  const id = requestId()
  const target = readTarget(event)
  const answer = await answerRequest({ event, wiki, target, options, cache }).catch(thrown =>
    faultAnswer(thrown, id, door),
  )
  const bytes = byteLength(answer)
  options.log?.({
    event: 'request',
    time: now(),
    id,
    peer: readPeer(event),
    method: event.req.method,
    target: target.path + target.search,
    status: answer.status,
    bytes,
    milliseconds: Math.round((performance.now() - start) * 1000) / 1000,
    agent: event.req.headers.get('user-agent') ?? '',
  })
  return toResponse(answer, { id, bytes })
}

/** Answers an error, and tells the log what the client is not told. */
async function faultAnswer(thrown: unknown, id: string, { wiki, options }: Door): Promise<Answer> {
  const answer = errorAnswer(thrown, await contentLanguage(wiki))
  if (answer.status === 500) options.log?.({ event: 'error', time: now(), id, error: inspect(thrown).slice(0, 10_000) })
  return answer
}

/** 24 hexadecimal digits. */
function requestId(): string {
  return randomUUID().replaceAll('-', '').slice(8)
}

function now(): string {
  return new Date().toISOString()
}
