/** Paths of the record of acknowledged commits: a log in the git directory, and refs that keep the commits' objects. */

import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { namesIn } from '../../files/read-file.ts'
import { listRefs } from '../repository/list-refs.ts'
import type { Repository } from '../repository/repository.ts'

/** Paths and ref names of one branch's record. */
export interface RecordPaths {
  /** Branch that the edits were made on, as people name it; `HEAD` where it was detached. */
  readonly branch: string
  /** Absolute path of the log. */
  readonly log: string
  /** Absolute path of the result of the last verification. */
  readonly verified: string
  /** Full name of the ref that names the newest acknowledged commit. */
  readonly newest: string
  /** Prefix of the refs that keep heads from which the newest one does not descend; a hash follows. */
  readonly leftBehind: string
}

/** Longest encoded name of a branch, in characters: file systems allow 255 bytes, and suffixes follow. */
const longestName = 180

/**
 * Returns the paths of the branch's record. The folder begins with a dot, which no branch does, so that it never collides with a
 * branch's index folder.
 */
export function recordPaths(repository: Repository): RecordPaths {
  return placeNamed(repository, encodedBranch(repository))
}

/**
 * Returns the records of branches that are gone (deleted, renamed) and of detached HEADs that are attached by now. Their edits are
 * everybody's concern: no other look at the record meets them.
 */
export function orphanedPlaces(repository: Repository): readonly RecordPaths[] {
  const { commonDirectory } = repository
  const own = encodedBranch(repository)
  const branches = [...listRefs(repository)].filter(name => name.startsWith('refs/heads/'))
  const owned = new Set([own, ...branches.map(name => shortened(name.slice('refs/heads/'.length)))])
  return namesIn(folderOf(commonDirectory))
    .filter(name => !/\.(?:lock|verified)$/.test(name) && !owned.has(name))
    .map(name => placeNamed(repository, name))
}

/** Returns the full names of the branches that have a record. */
export function recordedBranches(repository: Repository): string[] {
  const refs = [...listRefs(repository, ['refs/wiki'])].map(name => name.split('/')[2] as string)
  const recorded = new Set([...namesIn(folderOf(repository.commonDirectory)), ...refs])
  const branches = [...listRefs(repository, ['refs/heads'])]
  return branches.filter(name => recorded.has(shortened(name.slice('refs/heads/'.length)))).sort()
}

function placeNamed({ commonDirectory }: Repository, name: string): RecordPaths {
  const folder = folderOf(commonDirectory)
  return {
    branch: decodedBranch(name),
    log: join(folder, name),
    verified: join(folder, `${name}.verified`),
    newest: `refs/wiki/${name}/acknowledged`,
    leftBehind: `refs/wiki/${name}/left-behind/`,
  }
}

function folderOf(commonDirectory: string): string {
  return join(commonDirectory, 'wiki', '.acknowledged')
}

function decodedBranch(name: string): string {
  try {
    return name.startsWith('@') ? 'HEAD' : decodeURIComponent(name)
  } catch {
    return name
  }
}

/**
 * Encodes a branch as one part of a ref name, so that `a` and `a/b` are files beside each other. A detached HEAD is `@`, followed
 * by the name of a linked work tree; no encoded branch begins so.
 */
function encodedBranch({ branch, gitDirectory, commonDirectory }: Repository): string {
  if (branch === 'HEAD') return gitDirectory === commonDirectory ? '@' : `@${shortened(basename(gitDirectory))}`
  return shortened(branch.replace(/^refs\/heads\//, ''))
}

function shortened(name: string): string {
  const encoded = encodeURIComponent(name)
  if (encoded.length <= longestName) return encoded
  const hash = createHash('sha1').update(name).digest('hex')
  return `${encoded.slice(0, longestName - hash.length - 1)}-${hash}`
}
