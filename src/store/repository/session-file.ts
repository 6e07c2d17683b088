/** The file of browser sessions. It holds only hashes of the session ids. */

import { statSync } from 'node:fs'
import { readText } from '../../files/read-file.ts'
import { accessPath, makeAccessFolder } from './access-folder.ts'
import { changeFile } from './durable-file.ts'
import type { Repository } from './repository.ts'

/** A stored session. */
export interface StoredSession {
  /** SHA-256 of the id in the browser's cookie, hexadecimal. */
  readonly hash: string
  /** Id of the token that it was created with. */
  readonly tokenId: string
  /** Milliseconds since 1970. */
  readonly begun: number
  readonly end: number
  /** The browser's name for itself, as its request had it. */
  readonly agent: string
}

/** Other ports of the machine got the cookies of version 1, so its sessions have ended. */
const formatVersion = 2
const largestFile = 4 * 1024 * 1024

const pathOf = (repository: Repository): string => accessPath(repository, 'sessions.json')

/** Identifies the file's version: it changes when the file is replaced; "" if there is no file. */
export function sessionFileState(repository: Repository): string {
  try {
    const stat = statSync(pathOf(repository), { bigint: true, throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
  } catch {
    return ''
  }
}

/** Reads the sessions. A damaged file counts as empty: users sign in again. */
export function readSessions(repository: Repository): readonly StoredSession[] {
  try {
    const path = pathOf(repository)
    if (statSync(path).size > largestFile) return []
    const { version, sessions } = JSON.parse(readText(path)) as Record<string, unknown>
    return version === formatVersion && Array.isArray(sessions) ? sessions.filter(isSession) : []
  } catch {
    return []
  }
}

/**
 * Changes the sessions, durably, under a lock, so that none comes back that ended at another server. Errors: wiki-locked, and those of the
 * system.
 */
export async function changeSessions(
  repository: Repository,
  change: (sessions: readonly StoredSession[]) => readonly StoredSession[],
): Promise<void> {
  const path = pathOf(repository)
  makeAccessFolder(path)
  const text = () => `${JSON.stringify({ version: formatVersion, sessions: change(readSessions(repository)) })}\n`
  await changeFile(path, text, { mode: 0o600 })
}

function isSession(value: unknown): value is StoredSession {
  if (typeof value !== 'object' || value === null) return false
  const { hash, tokenId, begun, end, agent } = value as Record<string, unknown>
  const isNamed = typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) && typeof tokenId === 'string'
  return isNamed && Number.isFinite(begun) && Number.isFinite(end) && typeof agent === 'string'
}
