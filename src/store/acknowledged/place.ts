/** Paths of the record of acknowledged commits: a log in the git directory, and refs that keep the commits' objects. */

import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import type { Repository } from '../repository/repository.ts'

/** Paths and ref names of one branch's record. */
export interface RecordPlace {
  /** Absolute path of the log. */
  readonly log: string
  /** Absolute path of the note of what was verified last. */
  readonly verified: string
  /** Full name of the ref that names the newest acknowledged commit. */
  readonly newest: string
  /** Prefix of the refs that keep heads which the newest one does not descend from; a hash follows. */
  readonly leftBehind: string
}

/** Longest encoded name of a branch, in characters: file systems allow 255 bytes, and suffixes follow. */
const longestName = 180

/**
 * Returns the place of the branch's record. The folder begins with a dot, which no branch does, so that no branch's index
 * folder can be in its place.
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
 * Encodes a branch as one part of a ref name: `a` and `a/b` are files beside each other, not a file and a folder. A detached
 * HEAD is `@`, with the name of a linked work tree behind it; no encoded branch begins so.
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
