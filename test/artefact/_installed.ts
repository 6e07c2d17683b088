/**
 * The package as `npm pack` makes it, installed in an empty folder outside the checkout: what users run. The first test that needs
 * it installs it, for all files of the run.
 */

import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { ensureBuilt, ensurePackageBuilt } from '../_built.ts'
import { afterwards } from '../_cleanup.ts'
import { isFull } from '../_rounds.ts'
import { inTime, until } from '../_wait.ts'

const root = resolve(import.meta.dirname, '../..')

/** True if the package can be installed here. */
export const hasNpm = spawnSync('npm', ['--version']).status === 0

export interface Installation {
  /** The folder in which `npm install gitwiki` ran. */
  readonly folder: string
  /** The package in it. */
  readonly package: string
  /** The command, as npm links it. */
  readonly program: string
}

let installation: Promise<Installation> | undefined

/** Installs the package, or waits for the test file that does. Takes ten seconds, of which four are CPU. */
export function installed(): Promise<Installation> {
  installation ??= installOnce(join(tmpdir(), 'installed'))
  return installation
}

/** Returns the command for a test of its process: the installed one in full runs, else the built one of the checkout. */
export async function testedProgram(): Promise<string> {
  await ensureBuilt()
  return isFull && hasNpm ? (await installed()).program : join(root, 'bin/wiki.cjs')
}

async function installOnce(folder: string): Promise<Installation> {
  const done = join(folder, 'done')
  try {
    mkdirSync(folder)
  } catch {
    await until('the package is installed by another test file', () => existsSync(done) || undefined)
    const failure = readFileSync(done, 'utf8')
    if (failure !== '') throw new Error(failure)
    return placesIn(folder)
  }
  try {
    await install(folder)
    writeFileSync(done, '')
  } catch (error) {
    writeFileSync(done, String(error))
    throw error
  }
  return placesIn(folder)
}

function placesIn(folder: string): Installation {
  const modules = join(folder, 'node_modules')
  return { folder, package: join(modules, 'gitwiki'), program: join(modules, '.bin/wiki') }
}

async function install(folder: string): Promise<void> {
  await ensurePackageBuilt()
  mkdirSync(join(folder, 'home'))
  // `prepare` would build the package again, while other tests run it.
  npm(root, 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder)
  const { packages, ...lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { devDependencies, ...own } = packages['']
  const file = `file:${own.name}-${own.version}.tgz`
  const top = { name: 'user', dependencies: { [own.name]: file } }
  const production = Object.entries<{ readonly dev?: boolean }>(packages).filter(([path, { dev }]) => path && !dev)
  const locked = {
    '': top,
    [`node_modules/${own.name}`]: { ...own, resolved: file },
    ...Object.fromEntries(production),
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(top))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, name: 'user', packages: locked }))
  try {
    // The versions of the checkout, whose `npm ci` left them in npm's cache.
    npm(folder, 'ci', '--prefer-offline', '--fetch-retries=0', '--no-audit', '--no-fund', '--loglevel=error')
  } catch (error) {
    console.warn(`npm cannot install the dependencies, so those of the checkout are linked: ${error}`)
    link(folder, Object.keys(Object.fromEntries(production)))
  }
}

function npm(cwd: string, ...args: string[]): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' })
}

/** Unpacks the package beside links to the packages of the checkout. */
function link(folder: string, packages: readonly string[]): void {
  const places = placesIn(folder)
  mkdirSync(places.package, { recursive: true })
  const [file] = Object.values(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies)
  const packed = join(folder, String(file).replace('file:', ''))
  execFileSync('tar', ['-xzf', packed, '--strip-components=1', '-C', places.package])
  for (const path of packages.filter(path => path.lastIndexOf('node_modules/') === 0 && existsSync(join(root, path)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
  mkdirSync(dirname(places.program), { recursive: true })
  symlinkSync(join(places.package, 'bin/wiki.cjs'), places.program)
}

export interface RunOptions {
  readonly cwd?: string
  readonly input?: string | Uint8Array
  /** Variables beside `PATH`, an empty `HOME`, `TMPDIR` and an author; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Starts it where the `PATH` has only node, npm and a shell. */
  readonly withoutGit?: boolean
}

export interface RunResult {
  /** The exit status; null if a signal ended it. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the installed command to its end. */
export async function wiki(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = await startWiki(args, options)
  // A command that ends before it has read its input closes the pipe.
  child.stdin!.on('error', () => {})
  child.stdin!.end(options.input ?? '')
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)])
  const [status] = await ended
  return { status, stdout, stderr }
}

/** Starts the installed command with pipes, or with the given streams. */
export async function startWiki(
  args: readonly string[],
  { cwd, env = {}, withoutGit = false }: RunOptions = {},
  more: SpawnOptions = {},
): Promise<ChildProcess> {
  const { folder, program } = await installed()
  return spawn(program, args, { cwd: cwd ?? folder, env: { ...userEnvironment(folder, withoutGit), ...env }, ...more })
}

export function userEnvironment(folder: string, withoutGit = false): NodeJS.ProcessEnv {
  const node = dirname(process.execPath)
  return {
    PATH: withoutGit ? withoutOthers(folder) : `${node}${delimiter}${process.env.PATH}`,
    HOME: join(folder, 'home'),
    TMPDIR: tmpdir(),
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
  }
}

/** A folder with node, npm and the shell that npm starts, and nothing else. */
function withoutOthers(folder: string): string {
  const tools = join(folder, 'tools')
  mkdirSync(tools, { recursive: true })
  for (const name of ['node', 'npm', 'sh'].filter(name => !existsSync(join(tools, name)))) {
    const found =
      name === 'node' ? process.execPath : execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
    symlinkSync(realpathSync(found.trim()), join(tools, name))
  }
  return tools
}

export interface Served {
  /** Origin of the server, without a slash at its end. */
  readonly url: string
  readonly child: ChildProcess
  /** All lines of stderr so far. */
  readonly log: () => string
  /** Ends the server with a signal (default: SIGTERM), and resolves with its exit status. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Runs `wiki serve` of the installed package on a free port; the end of the test stops it. */
export async function serve(
  wikiFolder: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Served> {
  const child = await startWiki(['serve', '--port', '0', ...args], { ...options, cwd: wikiFolder })
  const exit: Promise<[number | null]> = once(child, 'exit') as Promise<[number | null]>
  let [said, log] = ['', '']
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
  })
  afterwards(() => child.exitCode === null && child.kill('SIGKILL'))
  const url = await until('the server prints its address, or ends', () => {
    if (child.exitCode !== null) throw new Error(`wiki serve ended with ${child.exitCode}: ${log}`)
    return /https?:\/\/[^\s"/]+:\d+/.exec(said)?.[0]
  })
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return (await inTime('the server ends', exit))[0]
  }
  return { url, child, log: () => log, stop }
}
