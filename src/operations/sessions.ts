/**
 * Sessions of browsers: created with a token, identified by a cookie, ended by signing out, by revoking the token, or by not
 * being used for two weeks.
 */

import { createHash, randomBytes } from 'node:crypto'
import type { Repository } from '../store/repository/repository.ts'
import { readSessions, type StoredSession, sessionFileState, writeSessions } from '../store/repository/session-file.ts'

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
  readonly begin: (tokenId: string, agent?: string) => string
  /** Id of the token that a session was created with; null if the session has ended. */
  readonly tokenOf: (id: string) => string | null
  readonly end: (id: string) => void
  /** Lists the sessions that have not ended, the newest first. */
  readonly list: () => readonly ListedSession[]
  /** Ends the session with this hash, if there is one. */
  readonly endListed: (hash: string) => void
  /** Ends all sessions that were created with a token. */
  readonly endAll: (tokenId: string) => void
}

/**
 * Opens the sessions of a wiki, stored in a file beside its tokens, so that they survive restarts and are shared by all
 * servers of the wiki. Without a repository, or if the file is not writable, they are kept in memory. Only hashes are
 * stored, so the file does not allow anyone to take over a session.
 */
export function createSessions(repository: Repository | null = null): Sessions {
  let sessions = new Map<string, OpenSession>()
  let state = ''
  const refresh = (): void => {
    const now = repository === null ? '' : sessionFileState(repository)
    if (repository === null || now === state) return
    state = now
    const unsaved = [...sessions].filter(([, { isSaved }]) => !isSaved)
    sessions = new Map([
      ...readSessions(repository).map(({ hash, ...session }) => [hash, { ...session, isSaved: true }] as const),
      ...unsaved,
    ])
  }
  const save = (): void => {
    if (repository === null) return
    try {
      writeSessions(repository, [...sessions].map(stored))
      for (const [hash, session] of sessions) sessions.set(hash, { ...session, isSaved: true })
      state = sessionFileState(repository)
    } catch {
      // Sessions are then kept in memory, as in a read-only repository.
    }
  }
  const endListed = (hash: string): void => {
    refresh()
    if (sessions.delete(hash)) save()
  }
  return {
    begin: (tokenId, agent = '') => {
      refresh()
      const id = randomBytes(32).toString('base64url')
      const now = Date.now()
      const session = { tokenId, begun: now, end: now + idleMilliseconds, agent: plainAgent(agent), isSaved: false }
      sessions.set(sessionHash(id), session)
      for (const [hash, { end }] of sessions) if (end <= now || sessions.size > sessionLimit) sessions.delete(hash)
      save()
      return id
    },
    tokenOf: id => {
      refresh()
      const [hash, now] = [sessionHash(id), Date.now()]
      const session = sessions.get(hash)
      if (session === undefined || session.end <= now) return null
      const end = Math.min(now + idleMilliseconds, session.begun + sessionSeconds * 1000)
      if (end - session.end >= recordMilliseconds) {
        sessions.set(hash, { ...session, end, isSaved: false })
        save()
      }
      return session.tokenId
    },
    end: id => endListed(sessionHash(id)),
    list: () => {
      refresh()
      return [...sessions]
        .filter(([, { end }]) => end > Date.now())
        .map(([hash, { tokenId, begun, end, agent }]) => ({ hash, tokenId, begun, end, agent }))
        .sort((one, other) => other.begun - one.begun)
    },
    endListed,
    endAll: tokenId => {
      refresh()
      for (const [hash, session] of sessions) if (session.tokenId === tokenId) sessions.delete(hash)
      save()
    },
  }
}

interface OpenSession extends Omit<StoredSession, 'hash'> {
  /** True if the session is stored in the file. */
  readonly isSaved: boolean
}

function stored([hash, { tokenId, begun, end, agent }]: [hash: string, session: OpenSession]): StoredSession {
  return { hash, tokenId, begun, end, agent }
}

/** Quotes and other bytes than ASCII's would take two in the file. */
function plainAgent(agent: string): string {
  return agent.slice(0, agentLimit).replace(/[^ !#-[\]-~]/g, '?')
}

/** Names a session without its id. */
export function sessionHash(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}
