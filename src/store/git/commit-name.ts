/** Names of commits in git's syntax: a branch, a tag, a hash, HEAD, followed by `~2` or `^1`. */

import { runGit } from '../repository/process.ts'
import { type Repository, readRef } from '../repository/repository.ts'
import { parseCommit } from './objects.ts'
import type { BackendName } from './open-backend.ts'
import type { ReadObject } from './walk.ts'

/** Prefixes under which a short name may be a ref, in order of precedence. Source: gitrevisions(7). */
const refFolders = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']

/** Maximum steps back in a name. */
const longestWay = 100_000

interface Question {
  readonly read: ReadObject
  readonly name: string
  /** Opens the reader of git, which only names other than refs need. */
  readonly backend: () => Promise<BackendName>
}

/**
 * Finds the commit of a name; null if this clone has none. Names that are neither refs nor full hashes go to git, if there is
 * one.
 */
export async function resolveCommit(repository: Repository, { read, name, backend }: Question): Promise<string | null> {
  const parts = /^([^~^:\0-\x20\x7f]{1,300})((?:[~^]\d{0,6}){0,50})$/.exec(name)
  if (parts === null) return null
  const start = refHash(repository, parts[1]!) ?? ((await backend()) === 'git' ? askGit(repository, parts[1]!) : null)
  if (start === null) return null
  try {
    let commit = await peel(read, start)
    for (const [, sign, count] of parts[2]!.matchAll(/([~^])(\d*)/g)) {
      if (commit === null) return null
      commit =
        sign === '~' ? await ancestor(read, commit, Number(count || 1)) : await parent(read, commit, Number(count || 1))
    }
    // A commit names its parents also where a shallow clone lacks them.
    if (commit !== null) await read(commit)
    return commit
  } catch {
    // Beyond the boundary of a shallow clone, or never fetched.
    return null
  }
}

function refHash(repository: Repository, name: string): string | null {
  if (/^[0-9a-f]{40}$/.test(name)) return name
  // A ref's name cannot leave the folder of the refs.
  if (name.split('/').some(part => part === '' || part.startsWith('.'))) return null
  if (name === '@') return readRef(repository, 'HEAD')
  for (const folder of refFolders) {
    if (folder === '' && !/^[A-Z_]+$/.test(name)) continue
    const hash = readRef(repository, folder + name)
    if (hash !== null) return hash
  }
  return null
}

function askGit({ gitDirectory }: Repository, name: string): string | null {
  const question = ['rev-parse', '--verify', '--quiet', '--end-of-options', name]
  const { status, stdout } = runGit(question, { gitDirectory })
  const hash = stdout?.toString().trim() ?? ''
  return status === 0 && /^[0-9a-f]{40}$/.test(hash) ? hash : null
}

/** The commit of a tag; null if the tag names another kind of object. */
async function peel(read: ReadObject, hash: string): Promise<string | null> {
  let at = hash
  for (let depth = 0; depth < 10; depth++) {
    const { type, content } = await read(at)
    if (type === 'commit') return at
    const target = type === 'tag' ? /^object ([0-9a-f]{40})\n/.exec(content.toString('latin1'))?.[1] : undefined
    if (target === undefined) return null
    at = target
  }
  return null
}

async function ancestor(read: ReadObject, commit: string, steps: number): Promise<string | null> {
  let at: string | null = commit
  for (let step = 0; step < Math.min(steps, longestWay) && at !== null; step++) at = await parent(read, at, 1)
  return at
}

async function parent(read: ReadObject, commit: string, number: number): Promise<string | null> {
  if (number === 0) return commit
  return parseCommit(commit, (await read(commit)).content).parents[number - 1] ?? null
}
