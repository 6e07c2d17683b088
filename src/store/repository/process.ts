/**
 * Starts git: the only file of the store that starts a process. Every call gets a clean environment, and disables parts of a
 * repository's configuration that run programs or change results (hooks, replaced objects, the file system monitor). Each git syncs
 * all that it writes, and so do those that it starts.
 */

import { type ChildProcessWithoutNullStreams, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { PassThrough, type Readable } from 'node:stream'
import { WikiError } from '../../core/errors.ts'
import { gitEnvironment, readingEnvironment } from './environment.ts'
import { missingObject } from './missing-object.ts'
import { refusePipes } from './pipes.ts'
import { knownVersion, noteVersion, syncOptions } from './sync-settings.ts'

/** A git process. Its end is awaited from the start: a short one may end before its output is read. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly gitDirectory: string
  /** Standard output, piped on from the start, because node discards unread output at the process's end. */
  readonly stdout: Readable
  readonly ended: Promise<number | null>
  readonly errors: () => string
}

const noMonitor = ['-c', 'core.fsmonitor=false']
const noHooks = ['-c', 'core.hooksPath=/dev/null']
const safeOptions = [
  ...['--no-replace-objects', '--no-optional-locks'],
  ...noMonitor,
  ...noHooks,
  ...['-c', 'log.showRoot=true'],
]

/** Returns the version of git, such as 2.39.5; null if there is none. One that is installed later is found: only success is remembered. */
export function gitVersion(): string | null {
  const known = knownVersion()
  if (known !== undefined) return known
  const { status, stdout } = runGit(['--version'])
  return status === 0 ? noteVersion(stdout.toString()) : null
}

/** Maximum bytes of output that wait for their reader. */
const readBytes = 1024 * 1024

/** Maximum bytes of standard error that are kept. */
const errorLimit = 4096

/** Options of every git, before those of the call: they name the repository and make git sync. Throws `wiki-bad-repository` if git would wait for a pipe there. */
function firstOptions(gitDirectory: string | undefined, workTree?: string): string[] {
  if (gitDirectory !== undefined) refusePipes(gitDirectory)
  return [
    ...(gitDirectory === undefined ? [] : [`--git-dir=${gitDirectory}`]),
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
    ...syncOptions(),
  ]
}

/** Starts git with arguments. */
export function startGit(
  gitDirectory: string,
  parameters: readonly string[],
  { workTree, cwd, environment }: Pick<RunOptions, 'workTree' | 'cwd' | 'environment'> = {},
): Running {
  const first = firstOptions(gitDirectory, workTree)
  const child = spawn('git', [...first, ...safeOptions, ...parameters], {
    windowsHide: true,
    cwd,
    env: { ...readingEnvironment(), ...environment },
    // A process group of its own: a filter that git starts in a work tree ends with it.
    detached: workTree !== undefined,
  })
  child.stdin.on('error', () => {})
  return { child, gitDirectory, ...watch(child) }
}

/** Options of a short git process. */
export interface RunOptions {
  /** Without one git looks for a repository from `cwd` upwards. */
  readonly gitDirectory?: string
  readonly workTree?: string
  readonly cwd?: string
  /** Standard input. */
  readonly input?: string | Uint8Array
  /** Maximum bytes of output; git is ended beyond them. */
  readonly limit?: number
  /** Milliseconds after which git is ended. */
  readonly timeout?: number
  /** Variables beside those of `readingEnvironment`. */
  readonly environment?: NodeJS.ProcessEnv
  /** Starts a process group of its own, without the terminal, which ends as a whole. */
  readonly isGroup?: boolean
  /** Lets `runProgram` run hooks: every one that git runs in this command. */
  readonly runsHooks?: boolean
}

/** Runs git to its end. `status` is not 0 if it failed, and null if it could not be started or was ended. */
export function runGit(parameters: readonly string[], options: RunOptions = {}): SpawnSyncReturns<Buffer> {
  const { gitDirectory, workTree, cwd, input, limit = 1024 * 1024, timeout, environment } = options
  const first = firstOptions(gitDirectory, workTree)
  return spawnSync('git', [...first, ...safeOptions, ...parameters], {
    cwd,
    input: input ?? '',
    maxBuffer: limit,
    timeout,
    env: { ...readingEnvironment(), ...environment },
    windowsHide: true,
  })
}

/** Result of a program that the user has configured git to run. */
export interface ProgramResult {
  /** 0 if it succeeded. */
  readonly status: number | null
  readonly output: string
  /** Beginning of standard error. */
  readonly errors: string
  readonly isTimeout: boolean
}

/** Maximum bytes of a program's output and messages that are kept. */
const programLimit = 64 * 1024

/**
 * Runs git so that it may run programs of the user's: signing and, with `runsHooks`, hooks. They can use the terminal, if there is one, to ask for a
 * passphrase. After `timeout` milliseconds the process is ended; with `isGroup` the programs that it started, too.
 */
export async function runProgram(parameters: readonly string[], options: RunOptions): Promise<ProgramResult> {
  const { gitDirectory, workTree, cwd, input = '', timeout, environment, isGroup = false, runsHooks = false } = options
  const first = [...firstOptions(gitDirectory, workTree), ...noMonitor, ...(runsHooks ? [] : noHooks)]
  const env = { ...gitEnvironment(), ...environment }
  const child = spawn('git', [...first, ...parameters], { cwd, env, windowsHide: true, detached: isGroup })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const texts = { output: '', errors: '' }
  child.stdout.on('data', chunk => keep('output', chunk))
  child.stderr.on('data', chunk => keep('errors', chunk))
  let isTimeout = false
  const timer = setTimeout(() => {
    isTimeout = true
    if (isGroup) endGroup(child.pid)
    child.kill('SIGKILL')
    // A grandchild may keep the pipes open.
    child.stdout.destroy()
    child.stderr.destroy()
  }, timeout)
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve)
      child.once('error', reject)
    })
    return { status, ...texts, isTimeout }
  } finally {
    clearTimeout(timer)
  }
  function keep(name: keyof typeof texts, chunk: Buffer): void {
    if (texts[name].length < programLimit) texts[name] = (texts[name] + chunk.toString()).slice(0, programLimit)
  }
}

/** Returns the short output of a git command; "" if it fails, for example for a missing setting. */
export async function askGit(gitDirectory: string, parameters: readonly string[]): Promise<string> {
  const running = startGit(gitDirectory, parameters)
  running.child.stdin.end()
  let output = ''
  for await (const chunk of running.stdout) output += chunk
  return (await running.ended) === 0 ? output : ''
}

/** Runs git in the background, so that this process may end first; resolves at its end. */
export function runInBackground(gitDirectory: string, parameters: readonly string[]): Promise<void> {
  const options = { windowsHide: true, detached: true, stdio: 'ignore', env: readingEnvironment() } as const
  const child = spawn('git', [...firstOptions(gitDirectory), ...safeOptions, ...parameters], options)
  child.unref()
  return new Promise((resolve, reject) => {
    child.once('exit', () => resolve())
    child.once('error', reject)
  })
}

function watch(child: ChildProcessWithoutNullStreams): Pick<Running, 'stdout' | 'ended' | 'errors'> {
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(0, errorLimit)
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', reject)
  })
  ended.catch(() => {})
  return { stdout: child.stdout.pipe(new PassThrough({ highWaterMark: readBytes })), ended, errors: () => errors }
}

/**
 * Yields standard output; throws when the process could not start or failed. A reader that stops early ends the process, which
 * would otherwise wait forever.
 */
export async function* output(running: Running): AsyncIterable<Buffer> {
  let isRead = false
  try {
    for await (const chunk of running.stdout) yield chunk
    isRead = true
  } finally {
    if (!isRead) running.child.kill()
  }
  if ((await running.ended) !== 0) throw gitFailure(running)
}

/** Matches git's messages about missing objects, which differ by version. */
const lacking =
  /(?:bad object|cat-file|could not fetch|unable to read(?: tree)?|could not read|missing \w+) \(?([0-9a-f]{40})\b/i

/** Creates the error of a failed process: `wiki-objects-missing` or `wiki-bad-repository`. */
export function gitFailure({ child, gitDirectory, errors }: Running): WikiError {
  const hash = lacking.exec(errors())?.[1]
  if (hash !== undefined) return missingObject(hash)
  const ended = child.signalCode === null ? 'git failed' : `git was ended by ${child.signalCode}`
  return new WikiError('wiki-bad-repository', { params: [gitDirectory, errors().split('\n')[0] || ended] })
}

/** Yields the lines of standard output, those of a chunk together: a promise for each line would be expensive. */
export async function* lineBatches(running: Running): AsyncIterable<string[]> {
  let rest = ''
  for await (const chunk of output(running)) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() as string
    yield lines
  }
  if (rest !== '') yield [rest]
}

/** Lines written to standard input at a time. */
const linesAtOnce = 1024

/**
 * Writes lines to standard input, no faster than git reads them, then ends it. An error of the lines' source ends the process and
 * rejects the returned promise.
 */
export function feed({ child }: Running, lines: Iterable<string>): () => unknown {
  const source = lines[Symbol.iterator]()
  let failure: unknown
  const write = () => {
    try {
      for (let isFull = false; !isFull; ) {
        const some = taken(source, linesAtOnce)
        if (some.length < linesAtOnce) return void child.stdin.end(ended(some))
        isFull = !child.stdin.write(ended(some))
      }
      child.stdin.once('drain', write)
    } catch (error) {
      failure = error
      child.kill()
    }
  }
  write()
  return () => failure
}

/** Takes at most this many. */
export function taken<Item>(source: Iterator<Item>, most: number): Item[] {
  const some: Item[] = []
  while (some.length < most) {
    const { done, value } = source.next()
    if (done) break
    some.push(value)
  }
  return some
}

function ended(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** Result of a git process; `status` is null if it was killed or could not start. */
export interface GitResult {
  readonly status: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

/** Runs git, and the programs that it starts, for a bounded time without blocking this process. */
export function runGitBounded(
  parameters: readonly string[],
  { gitDirectory, workTree, cwd, input, limit = readBytes, timeout = 30_000, environment }: RunOptions,
): Promise<GitResult> {
  const first = firstOptions(gitDirectory, workTree)
  const env = { ...readingEnvironment(), ...environment }
  // A process group of its own: a hanging filter ends with the git that waits for it.
  const child = spawn('git', [...first, ...safeOptions, ...parameters], { cwd, env, windowsHide: true, detached: true })
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let [size, stderr] = [0, '']
    const end = (status: number | null) => {
      clearTimeout(timer)
      resolve({ status, stdout: Buffer.concat(chunks), stderr })
    }
    const give = () => {
      endGroup(child.pid)
      child.stdout.destroy()
      child.stderr.destroy()
      end(null)
    }
    const timer = setTimeout(give, timeout)
    child.once('error', () => end(null))
    child.once('close', end)
    child.stdin.on('error', () => {})
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(0, errorLimit)
    })
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) return give()
      chunks.push(chunk)
    })
    child.stdin.end(input ?? '')
  })
}

/** Ends a process that was started as a group, and everything that it started. */
export function endGroup(id: number | undefined): void {
  if (id === undefined) return
  try {
    process.kill(-id, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
