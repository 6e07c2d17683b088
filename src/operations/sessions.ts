/**
 * Sessions of browsers: created with a token, identified by a cookie, ended by signing out, by revoking the token, or after a
 * day.
 */

import { createHash, randomBytes } from 'node:crypto'
import type { Repository } from '../store/repository/repository.ts'
import { readSessions, type StoredSession, sessionFileState, writeSessions } from '../store/repository/session-file.ts'

/** Seconds that a session lasts. */
export const sessionSeconds = 24 * 60 * 60

/** Maximum sessions; the oldest are dropped. */
const sessionLimit = 10_000

export interface Sessions {
  /** Creates a session with a token; returns the id for the cookie. */
  readonly begin: (tokenId: string) => string
  /** Id of the token that a session was created with; null if the session has ended. */
  readonly tokenOf: (id: string) => string | null
  readonly end: (id: string) => void
  /** Ends all sessions that were begun with a token. */
  readonly endAll: (tokenId: string) => void
}

/**
 * Opens the sessions of a wiki, stored in a file beside its tokens: they outlive the server, and other servers of the wiki know
 * them. Without a repository, or if the file cannot be written, they live in memory. Only hashes are stored, so that reading the
 * file lets nobody take over a session.
 */
export function createSessions(repository: Repository | null = null): Sessions {
  let sessions = new Map<string, Kept>()
  let state = ''
  const refresh = (): void => {
    const now = repository === null ? '' : sessionFileState(repository)
    if (repository === null || now === state) return
    state = now
    const unsaved = [...sessions].filter(([, { isSaved }]) => !isSaved)
    sessions = new Map([...readSessions(repository).map(kept), ...unsaved])
  }
  const save = (): void => {
    if (repository === null) return
    try {
      writeSessions(repository, [...sessions].map(stored))
      for (const [hash, session] of sessions) sessions.set(hash, { ...session, isSaved: true })
      state = sessionFileState(repository)
    } catch {
      // Then they live in memory, as in a read-only repository.
    }
  }
  return {
    begin: tokenId => {
      refresh()
      const id = randomBytes(32).toString('base64url')
      sessions.set(hashOf(id), { tokenId, end: Date.now() + sessionSeconds * 1000, isSaved: false })
      for (const [hash, { end }] of sessions)
        if (end <= Date.now() || sessions.size > sessionLimit) sessions.delete(hash)
      save()
      return id
    },
    tokenOf: id => {
      refresh()
      const session = sessions.get(hashOf(id))
      return session !== undefined && session.end > Date.now() ? session.tokenId : null
    },
    end: id => {
      refresh()
      if (sessions.delete(hashOf(id))) save()
    },
    endAll: tokenId => {
      refresh()
      for (const [hash, session] of sessions) if (session.tokenId === tokenId) sessions.delete(hash)
      save()
    },
  }
}

interface Kept extends Omit<StoredSession, 'hash'> {
  /** True if the file has it. */
  readonly isSaved: boolean
}

function kept({ hash, tokenId, end }: StoredSession): [hash: string, session: Kept] {
  return [hash, { tokenId, end, isSaved: true }]
}

function stored([hash, { tokenId, end }]: [hash: string, session: Kept]): StoredSession {
  return { hash, tokenId, end }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}
