/**
 * The file of access tokens for writing through the server. It lies in a private folder inside the git directory, and holds
 * hashes, never a token.
 */

import { type BigIntStats, statSync } from 'node:fs'
import { WikiError } from '../../core/errors.ts'
import { isScopeList, type Scope } from '../../core/scopes.ts'
import { readText } from '../../files/read-file.ts'
import { accessPath, makeAccessFolder } from './access-folder.ts'
import { changeFile } from './durable-file.ts'
import type { Repository } from './repository.ts'
import { lasting, writeFailure } from './write-failure.ts'

/** A stored token. */
export interface StoredToken {
  /** Short name for listing and revoking: 8 hexadecimal digits. */
  readonly id: string
  /** SHA-256 of the token, hexadecimal. */
  readonly hash: string
  /** Author of the edits made with it. */
  readonly name: string
  /** "" if none is known. */
  readonly address: string
  readonly bot: boolean
  /** Missing for a token that was made before there were scopes. */
  readonly scopes?: readonly Scope[]
  /** ISO 8601. */
  readonly created: string
  /** ISO 8601; null for one without an expiry date. */
  readonly expires: string | null
}

/** Maximum tokens of one wiki; each login compares all of them. */
export const tokenLimit = 10_000

const formatVersion = 1
const largestFile = 8 * 1024 * 1024

const tokenPath = (repository: Repository): string => accessPath(repository, 'tokens.json')

/** Identifies the file's version: it changes when the file is replaced; "" if there is no file. Costs one stat. */
export function tokenFileState(repository: Repository): string {
  const stat = statOf(tokenPath(repository))
  return stat === null ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
}

/** Reads the tokens; empty if there is no file. Errors: wiki-bad-token-file. */
export function readTokens(repository: Repository): readonly StoredToken[] {
  const path = tokenPath(repository)
  const text = tokenText(path)
  if (text === null) return []
  const content = parse(text, path)
  const tokens = isRecord(content) && content.version === formatVersion ? content.tokens : null
  if (!Array.isArray(tokens)) throw damaged(path, 'it is not of the form that this version writes')
  const bad = tokens.findIndex(token => !isToken(token))
  if (bad >= 0) throw damaged(path, `entry ${bad + 1} is not a token`)
  return tokens
}

/**
 * Changes the tokens, durably and atomically, under a lock. If `change` throws, they stay unchanged. Errors: wiki-locked,
 * wiki-bad-token-file, wiki-cannot-write.
 */
export async function changeTokens(
  repository: Repository,
  change: (tokens: readonly StoredToken[]) => readonly StoredToken[],
): Promise<void> {
  const path = tokenPath(repository)
  try {
    makeAccessFolder(path)
    const text = () =>
      `${JSON.stringify({ version: formatVersion, tokens: change(readTokens(repository)) }, null, 1)}\n`
    await changeFile(path, text, { mode: 0o600 })
    await lasting('the list of tokens')
  } catch (error) {
    throw writeFailure(repository, error)
  }
}

function tokenText(path: string): string | null {
  const stat = statOf(path)
  if (stat === null) return null
  if (!stat.isFile() || stat.size > largestFile) throw damaged(path, 'it is not a file of tokens')
  return refusing(path, () => readText(path))
}

function statOf(path: string): BigIntStats | null {
  return refusing(path, () => statSync(path, { bigint: true, throwIfNoEntry: false })) ?? null
}

/** Reports an unreadable file as an error. Treating it as missing would lock every user out without a reason. */
function refusing<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    throw damaged(path, 'it cannot be read', cause)
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(path, 'it is not JSON')
  }
}

/** The path is for the server's operator, not for its clients. */
function damaged(path: string, reason: string, cause?: unknown): WikiError {
  return new WikiError('wiki-bad-token-file', {
    params: [reason],
    hint: `Repair ${path}, or delete it and create new tokens`,
    cause,
  })
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** Every member of a token, and its type. */
const tokenMembers: Readonly<Record<keyof StoredToken, (value: unknown) => boolean>> = {
  id: value => typeof value === 'string' && /^[0-9a-f]{8}$/.test(value),
  hash: value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  name: value => isText(value) && value !== '',
  address: isText,
  bot: value => typeof value === 'boolean',
  scopes: value => value === undefined || isScopeList(value),
  created: isTime,
  expires: value => value === null || isTime(value),
}

function isToken(value: unknown): value is StoredToken {
  return isRecord(value) && Object.entries(tokenMembers).every(([name, accepts]) => accepts(value[name]))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
