/** Paths of the record of acknowledged commits: a log in the git directory, and refs that keep the commits' objects. */

import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import type { Repository } from '../repository/repository.ts'

/** Paths and ref names of one branch's record. */
export interface RecordPlace {
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
export function recordPlace(repository: Repository): RecordPlace {
  const name = encodedBranch(repository)
  const folder = join(repository.commonDirectory, 'wiki', '.acknowledged')
  return {
    log: join(folder, name),
    verified: join(folder, `${name}.verified`),
    newest: `refs/wiki/${name}/acknowledged`,
    leftBehind: `refs/wiki/${name}/left-behind/`,
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
