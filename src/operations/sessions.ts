/**
 * Sessions of browsers: created with a token, identified by a cookie, ended by signing out, by revoking the token, or by not
 * being used for two weeks.
 */

import { createHash, randomBytes } from 'node:crypto'
import type { Repository } from '../store/repository/repository.ts'
import { changeSessions, readSessions, type StoredSession, sessionFileState } from '../store/repository/session-file.ts'
import { lasting } from '../store/repository/write-failure.ts'

const day = 24 * 60 * 60

/** Longest duration of a session in seconds, and that of its cookie. */
export const sessionSeconds = 90 * day

/**
 * Milliseconds after its last use when a session ends, and between two records of its use. A text may be written for longer than a day, and
 * the form's token is that of the session. Source: OWASP Session Management Cheat Sheet, "Session Expiration".
 */
const idleMilliseconds = 14 * day * 1000
const recordMilliseconds = day * 1000

/** Maximum number of sessions; the oldest are evicted. */
const sessionLimit = 10_000

/** Characters that are stored of a browser's name for itself; 10,000 of them leave the file within its bound. */
const agentLimit = 120

/** A session as lists show it. */
export interface ListedSession {
  /** Hash of the id in the cookie: it names the session, and nobody can take the session over with it. */
  readonly hash: string
  readonly tokenId: string
  /** Milliseconds since 1970. */
  readonly begun: number
  readonly end: number
  /** The browser's name for itself; "" if unknown. */
  readonly agent: string
}

export interface Sessions {
  /** Creates a session with a token, for a browser that calls itself `agent`; returns the id for the cookie. */
  readonly begin: (tokenId: string, agent?: string) => Promise<string>
  /** Id of the token that a session was created with; null if the session has ended. */
  readonly tokenOf: (id: string) => string | null
  readonly end: (id: string) => Promise<void>
  /** Lists the sessions that have not ended, the newest first. */
  readonly list: () => readonly ListedSession[]
  /** Ends the session with this hash, if there is one. */
  readonly endListed: (hash: string) => Promise<void>
  /** Ends all sessions that were created with a token. */
  readonly endAll: (tokenId: string) => Promise<void>
}

/** A change that this process has made, and that the file may lack. */
interface Change {
  readonly kind: 'begun' | 'used' | 'ended'
  readonly session: OpenSession
}

type OpenSession = Omit<StoredSession, 'hash'>

/**
 * Opens the sessions of a wiki, stored in a file beside its tokens, so that they survive restarts and are shared by all
 * servers of the wiki. Without a repository, or if the file is not writable, they are kept in memory. Only hashes are
 * stored, so the file does not allow anyone to take over a session.
 */
export function createSessions(repository: Repository | null = null): Sessions {
  let open = new Map<string, OpenSession>()
  let state = ''
  const changes = new Map<string, Change>()
  const refresh = (): void => {
    const now = repository === null ? '' : sessionFileState(repository)
    if (repository === null || now === state) return
    state = now
    open = withChanges(mapOf(readSessions(repository)), changes)
  }
  /** Changes the file as it is now. `isEnded` is true for those that end, whoever began them meanwhile. */
  const save = async (isEnded: (session: OpenSession) => boolean = () => false): Promise<void> => {
    open = withChanges(open, changes)
    if (repository === null) return changes.clear()
    let written: readonly (readonly [string, Change])[] = []
    try {
      await changeSessions(repository, before => {
        written = [...changes]
        return listOf(withChanges(mapOf(before), changes)).filter(session => !isEnded(session))
      })
      for (const [hash, change] of written) if (changes.get(hash) === change) changes.delete(hash)
      await lasting('the list of sessions')
    } catch {
      // They are kept in memory, as in a read-only repository, and are in the next file that can be written.
      for (const hash of changes.keys()) if (changes.size > sessionLimit) changes.delete(hash)
    }
  }
  const end = async (ended: readonly (readonly [string, OpenSession])[], isEnded?: (one: OpenSession) => boolean) => {
    for (const [hash, session] of ended) changes.set(hash, { kind: 'ended', session })
    if (ended.length > 0 || isEnded !== undefined) await save(isEnded)
  }
  const endListed = async (hash: string): Promise<void> => {
    refresh()
    const session = open.get(hash)
    await end(session === undefined ? [] : [[hash, session]])
  }
  return {
    begin: async (tokenId, agent = '') => {
      refresh()
      const id = randomBytes(32).toString('base64url')
      const now = Date.now()
      const session = { tokenId, begun: now, end: now + idleMilliseconds, agent: plainAgent(agent) }
      changes.set(sessionHash(id), { kind: 'begun', session })
      await save()
      return id
    },
    tokenOf: id => {
      refresh()
      const [hash, now] = [sessionHash(id), Date.now()]
      const session = open.get(hash)
      if (session === undefined || session.end <= now) return null
      const end = Math.min(now + idleMilliseconds, session.begun + sessionSeconds * 1000)
      if (end - session.end >= recordMilliseconds) {
        const isUnsaved = changes.get(hash)?.kind === 'begun'
        changes.set(hash, { kind: isUnsaved ? 'begun' : 'used', session: { ...session, end } })
        // The request does not wait: if this is lost, the session's next use is recorded.
        void save()
      }
      return session.tokenId
    },
    end: id => endListed(sessionHash(id)),
    list: () => {
      refresh()
      return listOf(open)
        .filter(({ end }) => end > Date.now())
        .sort((one, other) => other.begun - one.begun)
    },
    endListed,
    endAll: tokenId => {
      refresh()
      const isEnded = (session: OpenSession) => session.tokenId === tokenId
      return end(
        [...open].filter(([, session]) => isEnded(session)),
        isEnded,
      )
    },
  }
}

/** Applies changes to sessions, oldest first. One that another server has ended does not come back because it was used here. */
function withChanges(open: Map<string, OpenSession>, changes: ReadonlyMap<string, Change>): Map<string, OpenSession> {
  for (const [hash, { kind, session }] of changes)
    if (kind === 'ended') open.delete(hash)
    else if (kind === 'begun' || open.has(hash)) open.set(hash, session)
  const now = Date.now()
  for (const [hash, { end }] of open) if (end <= now || open.size > sessionLimit) open.delete(hash)
  return open
}

function mapOf(sessions: readonly StoredSession[]): Map<string, OpenSession> {
  return new Map(sessions.map(({ hash, ...session }) => [hash, session]))
}

function listOf(sessions: ReadonlyMap<string, OpenSession>): StoredSession[] {
  return [...sessions].map(([hash, session]) => ({ hash, ...session }))
}

/** Quotes and other bytes than ASCII's would take two in the file. */
function plainAgent(agent: string): string {
  return agent.slice(0, agentLimit).replace(/[^ !#-[\]-~]/g, '?')
}

/** Names a session without its id. */
export function sessionHash(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}
