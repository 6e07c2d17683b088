/**
 * The programs that a user's git runs for each commit: hooks and signing. Commits are made here without git's porcelain, so these
 * programs are run here, on the draft. Source: githooks(5), git-commit(1), git-commit-tree(1).
 */

import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { makeTemporaryFolder, removeFolder, writeFile } from '../../files/private-files.ts'
import { removeAtSignal } from '../../files/unfinished.ts'
import { readRegular } from '../../files/work-file.ts'
import { booleanOf } from './config-text.ts'
import { checkedVariable, isInsideCheck, settingsEnvironment } from './environment.ts'
import { lastValue, readSettings } from './git-config.ts'
import { keepTrailers } from './hook-message.ts'
import { type ProgramResult, runProgram } from './process.ts'
import type { Repository } from './repository.ts'

export interface ProgramChoice {
  /** Run the hooks; `unverified` omits `pre-commit` and `commit-msg`, as `git commit --no-verify` does. */
  readonly hooks: 'all' | 'unverified' | 'none'
  /** Sign if `commit.gpgSign` is set. */
  readonly sign: boolean
  /** Milliseconds after which a program is ended, and the write refused. Of a server, writes wait half as long for those before them. */
  readonly patience: number
  /** For edits over a server: `wiki.serverHooks` and `wiki.serverSign` of git's settings decide what is not set here. */
  readonly byServer?: boolean
  /** Called with the output of hooks. */
  readonly say?: ((text: string) => void) | undefined
}

/** A draft of a commit. */
export interface Draft {
  readonly tree: string
  readonly parent: string | null
  /** As `ident` formats them: `Name <address> seconds +0000`. */
  readonly author: string
  readonly committer: string
  readonly message: string
}

export interface CommitPrograms {
  /** True if there is nothing to run: then a draft is committed unchanged. */
  readonly isIdle: boolean
  /** Names of the hooks that run, and whether commits are signed. */
  readonly hooks: readonly string[]
  readonly isSigned: boolean
  /** Programs that are configured but do not run: a server runs only those that it was allowed to. */
  readonly leftOut: { readonly hooks: readonly string[]; readonly sign: boolean }
  /**
   * Runs the hooks on a draft whose objects are written; returns the final message. Throws `wiki-hook-refused`; nothing may be
   * written then.
   */
  readonly check: (draft: Draft) => Promise<string>
  /** Makes the signed commit and returns its hash; null if commits are not signed. Throws `wiki-not-signed`. */
  readonly sign: (draft: Draft) => Promise<string | null>
  /** Runs `post-commit`, whose failure is ignored. */
  readonly done: () => Promise<void>
}

const checked = ['pre-commit', 'prepare-commit-msg', 'commit-msg'] as const
const unverified: ReadonlySet<string> = new Set(['pre-commit', 'commit-msg'])

/** Reads the hooks and signing settings of a repository, which git must trust. */
export function commitPrograms(repository: Repository, choice: ProgramChoice): CommitPrograms {
  const settings = readSettings({ repository, environment: settingsEnvironment() })
  const allows = (setting: string) => choice.byServer === true && booleanOf(lastValue(settings, setting)) === true
  const signing = lastValue(settings, 'commit.gpgsign')
  // Git refuses a value other than a boolean. Here it counts as true, so that nothing is left unsigned by a typing error.
  const asksSigning = signing !== undefined && booleanOf(signing) !== false
  const isSigned = asksSigning && (choice.sign || allows('wiki.serversign'))
  const mode = choice.hooks === 'none' && allows('wiki.serverhooks') ? 'all' : choice.hooks
  const folder = hooksFolder(repository, lastValue(settings, 'core.hookspath'))
  const present = [...checked, 'post-commit'].filter(hook => isProgram(join(folder, hook)))
  const running = present.filter(hook => mode === 'all' || (mode === 'unverified' && !unverified.has(hook)))
  const runs = (hook: string) => running.includes(hook)
  const hooks = checked.filter(runs)
  const run = { repository, choice }
  return {
    isIdle: !isSigned && running.length === 0,
    hooks: running,
    isSigned,
    leftOut: { hooks: mode === 'none' ? present : [], sign: asksSigning && !isSigned },
    check: async draft => {
      // The edit of a hook would start the hook again, without end.
      if (isInsideCheck(repository.commonDirectory))
        throw refusal(hooks[0] ?? 'pre-commit', 'it edits the wiki itself', ownEdit)
      return hooks.length === 0 ? draft.message : checkDraft(hooks, draft, run)
    },
    sign: async draft => (isSigned ? signDraft(draft, run) : null),
    done: async () => {
      if (runs('post-commit')) await runHook('post-commit', [], run).catch(() => {})
    },
  }
}

const ownEdit = 'Let the hook only look at the commit, and edit the wiki before it'

interface Run {
  readonly repository: Repository
  readonly choice: ProgramChoice
}

/** A relative path counts from the folder in which hooks run. */
function hooksFolder(
  { commonDirectory, workTree, gitDirectory }: Repository,
  setting: string | null | undefined,
): string {
  if (!setting) return join(commonDirectory, 'hooks')
  const { HOME = '/' } = settingsEnvironment()
  return setting.startsWith('~/') ? join(HOME, setting.slice(2)) : resolve(workTree ?? gitDirectory, setting)
}

function isProgram(path: string): boolean {
  try {
    // Windows has no such permission: every file counts as executable there.
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The hooks see an index of the new tree in a separate file, so that staged changes stay untouched. */
async function checkDraft(hooks: readonly string[], draft: Draft, run: Run): Promise<string> {
  const folder = makeTemporaryFolder(join(run.repository.gitDirectory, 'wiki-hooks-'))
  const finished = removeAtSignal(folder)
  try {
    const environment = {
      ...identityOf(draft),
      GIT_INDEX_FILE: join(folder, 'index'),
      GIT_EDITOR: ':',
      [checkedVariable]: run.repository.commonDirectory,
    }
    const file = join(folder, 'COMMIT_EDITMSG')
    writeFile(file, draft.message)
    await plumb(['read-tree', draft.tree], environment, run)
    for (const hook of hooks) {
      const parameters = { 'prepare-commit-msg': [file, 'message'], 'commit-msg': [file] }[hook] ?? []
      await runHook(hook, parameters, run, environment)
      if (hook === 'pre-commit') await refuseChanges(draft.tree, environment, run)
    }
    const message = keepTrailers(draft.message, messageIn(file))
    if (message.trim() === '') throw refusal('commit-msg', 'it left an empty message')
    return message
  } finally {
    removeFolder(folder)
    finished()
  }
}

/** Maximum bytes of a message: each list of revisions reads whole messages. */
const messageLimit = 1024 * 1024

/** Reads what the hooks left. The file may be anything now; a pipe would block this process. */
function messageIn(file: string): string {
  const found = readRegular(file, messageLimit)
  if (found === null || typeof found === 'string')
    throw refusal('commit-msg', `it left no message: ${found ?? 'no file'}`)
  if (found.content.includes(0)) throw refusal('commit-msg', 'it left a NUL byte in the message')
  return found.content.toString()
}

const nothingRun = { status: null, output: '' }

/** A hook that formats and stages files would commit a text that its author has not seen. */
async function refuseChanges(tree: string, environment: NodeJS.ProcessEnv, run: Run): Promise<void> {
  const index = lstatSync(environment.GIT_INDEX_FILE as string, { throwIfNoEntry: false })
  // The path may be anything now; git would wait for a pipe.
  const { status, output } = index?.isFile() ? await runIn(run, ['write-tree'], environment) : nothingRun
  if (status !== 0) throw refusal('pre-commit', 'it left no index that git can read')
  if (output.trim() === tree) return
  throw refusal(
    'pre-commit',
    'it changed what is to be committed',
    'Put the change into the text, or pass the hook over: --no-verify',
  )
}

async function plumb(parameters: readonly string[], environment: NodeJS.ProcessEnv, run: Run): Promise<ProgramResult> {
  const result = await runIn(run, parameters, environment)
  if (result.status === 0) return result
  throw new WikiError('wiki-bad-repository', { params: [run.repository.gitDirectory, reasonOf(result, 'git failed')] })
}

/** `git hook run` finds hooks and starts them on each system. It exists since 2.36. */
async function runHook(
  hook: string,
  parameters: readonly string[],
  run: Run,
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  const result = await runIn(run, ['hook', 'run', '--ignore-missing', hook, '--', ...parameters], environment)
  if (result.status === 0) {
    if (result.errors.trim() !== '') run.choice.say?.(result.errors.trimEnd())
    return
  }
  if (/'hook' is not a git command/.test(result.errors))
    throw refusal(hook, 'git 2.36 or newer is needed to run it', 'Pass hooks over with: --no-verify')
  throw refusal(hook, reasonOf(result, `it ended with status ${result.status}`))
}

function refusal(
  hook: string,
  reason: string,
  hint = 'Fix the reported problem, or skip the hook with: --no-verify',
): WikiError {
  return new WikiError('wiki-hook-refused', { params: [hook, reason], hint })
}

/** Lets git create the commit object, because git knows every format of signatures; no ref names the object yet. */
async function signDraft(draft: Draft, run: Run): Promise<string> {
  const { tree, parent, message } = draft
  const parents = parent === null ? [] : ['-p', parent]
  const parameters = ['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', '-S', ...parents, tree]
  const result = await runIn(run, parameters, identityOf(draft), message)
  const hash = result.output.trim()
  if (result.status === 0 && /^[0-9a-f]{40}$/.test(hash)) return hash
  const hint =
    'Try it with: git commit-tree -S "HEAD^{tree}" -m test; or switch it off with: git config commit.gpgSign false'
  throw new WikiError('wiki-not-signed', { params: [reasonOf(result, 'git failed')], hint })
}

async function runIn(run: Run, parameters: readonly string[], environment: NodeJS.ProcessEnv, input = '') {
  const { gitDirectory, workTree } = run.repository
  const place = { gitDirectory, ...(workTree !== null && { workTree }), cwd: workTree ?? gitDirectory }
  try {
    const { patience, byServer = false } = run.choice
    const options = { ...place, environment, input, timeout: patience, isGroup: byServer }
    return await runProgram(parameters, { ...options, runsHooks: parameters[0] === 'hook' })
  } catch {
    return { status: null, output: '', errors: 'there is no git', isTimeout: false }
  }
}

function reasonOf({ errors, isTimeout }: ProgramResult, otherwise: string): string {
  return isTimeout ? 'it took too long' : errors.trim() || otherwise
}

/** Variables with the people of a draft, for hooks and for git itself. */
function identityOf({ author, committer }: Draft): NodeJS.ProcessEnv {
  return { ...variablesOf('AUTHOR', author), ...variablesOf('COMMITTER', committer) }
}

function variablesOf(role: string, who: string): NodeJS.ProcessEnv {
  const [, name = '', address = '', time = ''] = /^([^<]*) <([^<>]*)> (\d+ [+-]\d{4})$/.exec(who) ?? []
  return { [`GIT_${role}_NAME`]: name, [`GIT_${role}_EMAIL`]: address, [`GIT_${role}_DATE`]: `@${time}` }
}
