/** Compare-and-swap on a branch, by git's own lock protocol, with the reflog entry. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { lastArgument } from '../../core/shell-quote.ts'
import { appendLines, makeFolder } from '../../files/private-files.ts'
import { type PreparedFile, prepareFile } from './durable-file.ts'
import { listRefs } from './list-refs.ts'
import { type Held, takeLockFile } from './lock-file.ts'
import { headOf, type Repository, readGitConfig, readRef, readRefIfSound } from './repository.ts'

export interface RefUpdate {
  /** Commit that the branch must still name; null if it must not exist, or with `isBroken` name no commit. */
  readonly from: string | null
  /** True to replace a file that names no commit, as a power cut may leave it. */
  readonly isBroken?: boolean
  readonly to: string
  /** Line of the reflog: author and action. */
  readonly committer: string
  readonly reason: string
  /** Called when no other process can move the branch any more, before it moves. An error prevents the move. */
  readonly beforeMove?: () => void
  /** The branch's new file, if it was prepared while the objects were synced: see `prepareMove`. */
  readonly prepared?: PreparedFile
}

/**
 * Writes and syncs the file that the branch gets when it moves to a commit. The caller discards it in the end. Throws
 * `wiki-cannot-write` for a new branch whose name another one excludes.
 */
export async function prepareMove(repository: Repository, to: string): Promise<PreparedFile> {
  checkName(repository)
  return prepareRef(repository, to)
}

function prepareRef(repository: Repository, to: string): Promise<PreparedFile> {
  return prepareFile(refPath(repository), `${to}\n`)
}

/**
 * Moves the branch; false, without a change, if it does not name `from` any more. The caller awaits `namesSynced` when all locks are
 * released. Throws `wiki-locked`, and
 * `wiki-bad-repository` if HEAD was detached and names a branch now.
 */
export async function updateRef(repository: Repository, update: RefUpdate): Promise<boolean> {
  const { isBroken = false, to } = update
  const prepared = update.prepared ?? (isBroken ? await prepareRef(repository, to) : await prepareMove(repository, to))
  try {
    return await moveTo(repository, update, prepared)
  } finally {
    prepared.discard()
  }
}

async function moveTo(repository: Repository, update: RefUpdate, prepared: PreparedFile): Promise<boolean> {
  const path = refPath(repository)
  const release = await takeLockFile(path)
  try {
    if (repository.branch === 'HEAD' && headOf(repository) !== 'HEAD')
      throw new WikiError('wiki-bad-repository', { params: [repository.gitDirectory, 'HEAD is not detached any more'] })
    if (namedCommit(repository, update) !== update.from) return false
    checkHeld(release, path)
    update.beforeMove?.()
    checkHeld(release, path)
    prepared.publish()
    logUpdate(repository, update)
    return true
  } finally {
    release()
  }
}

function namedCommit(repository: Repository, { isBroken = false }: Pick<RefUpdate, 'isBroken'>): string | null {
  return isBroken ? readRefIfSound(repository, repository.branch) : readRef(repository, repository.branch)
}

/** Throws `wiki-locked` if others took this process for dead. */
function checkHeld(lock: Held, path: string): void {
  if (!lock.isHeld()) throw new WikiError('wiki-locked', { params: [`${path}.lock`] })
}

/** `a` and `a/b` cannot both be branches: one is a file, the other needs a folder of that name. One of them may be packed. */
function checkName(repository: Repository): void {
  const { branch, gitDirectory } = repository
  if (branch === 'HEAD' || readRef(repository, branch) !== null) return
  const other = [...listRefs(repository)].find(ref => ref.startsWith(`${branch}/`) || branch.startsWith(`${ref}/`))
  if (other === undefined) return
  const [name, taken] = [branch, other].map(ref => ref.replace(/^refs\/heads\//, '')) as [string, string]
  throw new WikiError('wiki-cannot-write', {
    params: [gitDirectory, `there is a branch ${taken}, so ${name} cannot be one`],
    hint: `Rename one of them, for example with: git branch -m ${lastArgument(taken)} <new name>`,
  })
}

/** File with the branch's commit, if it is not packed. */
export function refPath({ branch, gitDirectory, commonDirectory }: Repository): string {
  return join(branch === 'HEAD' ? gitDirectory : commonDirectory, branch)
}

/** The branch has moved: an unwritable log must not be reported as a failure. */
function logUpdate(repository: Repository, update: RefUpdate): void {
  try {
    appendReflogs(repository, update)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

function appendReflogs(repository: Repository, { from, to, committer, reason }: RefUpdate): void {
  const line = `${from ?? '0'.repeat(40)} ${to} ${committer}\t${reason.replace(/\s+/g, ' ')}\n`
  const logs = [join(repository.commonDirectory, 'logs', repository.branch)]
  if (repository.branch !== 'HEAD' && headOf(repository) === repository.branch)
    logs.push(join(repository.gitDirectory, 'logs', 'HEAD'))
  const setting = readGitConfig(join(repository.commonDirectory, 'config')).get('core.logallrefupdates')
  const isLogged = setting === undefined ? repository.workTree !== null : setting !== 'false'
  for (const log of logs) {
    if (!isLogged && !existsSync(log)) continue
    makeFolder(dirname(log))
    appendLines(log, line)
  }
}
