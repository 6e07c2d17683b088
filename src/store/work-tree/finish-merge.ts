/** Finishes a git merge whose conflicts a person has settled in the files: git itself makes the commit, with two parents. */

import { WikiError } from '../../core/errors.ts'
import type { Author } from '../format/entries.ts'
import { hashBlob } from '../git/objects.ts'
import type { ProgramChoice } from '../repository/commit-programs.ts'
import { noteGitWrites } from '../repository/durable-file.ts'
import { runProgram } from '../repository/process.ts'
import type { Repository } from '../repository/repository.ts'
import { hashAtStage, readStaged } from './staged.ts'

export interface MergeEnding {
  /** Paths to record as they are; other paths of the merge are staged already. */
  readonly paths: readonly string[]
  /** "" uses git's own message. */
  readonly message: string
  readonly author: Author
  /** If undefined, no program of the user runs. */
  readonly programs: ProgramChoice | undefined
}

/** Default milliseconds after which git is ended. */
const usualPatience = 600_000

/**
 * Returns the reason why a conflicting file is not known to be settled, or null if it is. Git marks conflicts only if both sides
 * have a text; a file that still equals our side may not have been examined by anybody.
 */
export function unsettledReason(repository: Repository, path: string, file: Buffer | null): string | null {
  const staged = readStaged(repository)
  const [ours, theirs] = [hashAtStage(staged, path, 2), hashAtStage(staged, path, 3)]
  if (ours === null || theirs === null) return 'one side has deleted it'
  return file !== null && hashBlob(file) === ours ? 'it is as it was before the merge' : null
}

/**
 * Stages the files and commits. Errors: wiki-merge-unfinished with git's message: the merge continues then, and no file changes.
 */
export async function finishMerge(repository: Repository, ending: MergeEnding): Promise<void> {
  const { paths, message, author, programs } = ending
  const { gitDirectory, workTree } = repository
  if (workTree === null) throw new WikiError('wiki-no-work-tree')
  const environment = { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.address, GIT_EDITOR: 'true' }
  const timeout = programs?.patience ?? usualPatience
  const run = async (parameters: readonly string[], input: string): Promise<void> => {
    const options = { gitDirectory, workTree, cwd: workTree, timeout, environment, input, runsHooks: true }
    const { status, errors, output, isTimeout } = await runProgram(parameters, options)
    if (status === 0) return
    const reason = (errors.trim() || output.trim()).split('\n')[0]
    throw new WikiError('wiki-merge-unfinished', {
      params: [isTimeout ? 'it took too long' : reason || 'no reason given'],
    })
  }
  const start = Date.now()
  const add = ['--literal-pathspecs', 'add', '-A', '--pathspec-from-file=-', '--pathspec-file-nul']
  if (paths.length > 0) await run(add, paths.join('\0'))
  const words = message === '' ? ['--no-edit'] : ['-F', '-']
  await run(
    [...settingsFor(programs), 'commit', '-q', ...words, ...(runsChecks(programs) ? [] : ['--no-verify'])],
    message,
  )
  await noteGitWrites(repository, start)
}

function runsChecks(programs: ProgramChoice | undefined): boolean {
  return programs?.hooks === 'all'
}

/** Settings of git that disable every program that was not chosen. */
function settingsFor(programs: ProgramChoice | undefined): string[] {
  return [
    ...(programs === undefined || programs.hooks === 'none' ? ['-c', 'core.hooksPath=/dev/null'] : []),
    ...(programs?.sign === true ? [] : ['-c', 'commit.gpgSign=false']),
  ]
}
