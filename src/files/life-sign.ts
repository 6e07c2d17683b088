/**
 * Shows other processes of this machine that one runs, whatever numbers they see: it listens at a socket in the git directory, and the
 * kernel refuses connections to the socket of a dead process. A stopped process still listens.
 */

import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import type { Server } from 'node:net'
import { dirname, join } from 'node:path'
import { checkMayChange, makeFolder } from './private-files.ts'

/** An open sign of this process. */
interface Sign {
  server: Server
  readonly path: string
  users: number
}

/** `asked`: the kernel's answer is on its way. `unknown`: it has none. */
export type Answer = 'alive' | 'dead' | 'asked' | 'unknown'

/** The signs that this process shows, by folder, and the answers about others, by path. A dead process stays dead. */
interface Known {
  readonly signs: Map<string, Sign>
  readonly answers: Map<string, Exclude<Answer, 'unknown'>>
}

/** Each bundle of the command line contains this module; a process shows one sign in each repository. */
const key = Symbol.for('gitwiki life signs')
const everywhere = globalThis as { [key]?: Known }
everywhere[key] ??= { signs: new Map(), answers: new Map() }
const { signs, answers } = everywhere[key]

/** Loaded when the first lock is taken, because most commands take none. */
const sockets = () => process.getBuiltinModule('node:net')

/** Longest path of a socket. Source: unix(7), `sun_path`. */
const longestPath = 100

/** Milliseconds after which the sign of a dead process is removed. Until then others learn from it that its locks are free. */
const keptMilliseconds = 60 * 60 * 1000

/**
 * Shows that this process, called `name`, runs, to those who look in the repository that a folder belongs to. Returns a function that ends
 * it. Does nothing where that is impossible.
 */
export function showLife(folder: string, name: string): () => void {
  const place = signFolderOf(folder)
  if (place === null || process.platform !== 'linux') return () => {}
  const sign = shown(place, name)
  if (sign === null) return () => {}
  sign.users++
  return () => {
    if (--sign.users === 0) end(place, sign)
  }
}

/**
 * Returns true for a process in no container. It shows a sign only where one in a container has been before: programs that copy a
 * repository may stumble over a socket. Source: Linux, include/linux/proc_ns.h, PROC_PID_INIT_INO.
 */
function isOutside(): boolean {
  try {
    return readlinkSync('/proc/self/ns/pid') === 'pid:[4026531836]'
  } catch {
    return false
  }
}

/** Returns true if processes that have no number here may work on the repository of a folder: this one is in a container, or one has been there. */
export function mayHaveContainers(folder: string): boolean {
  const place = signFolderOf(folder)
  return process.platform === 'linux' && (!isOutside() || (place !== null && existsSync(place)))
}

/** Somebody may have deleted the sign, with all of the folder `wiki`. */
function shown(place: string, name: string): Sign | null {
  const sign = signs.get(place)
  if (sign === undefined) return isOutside() && !existsSync(place) ? null : begin(place, name)
  if (existsSync(sign.path)) return sign
  const renewed = begin(place, name)
  if (renewed === null) return sign
  sign.server.close()
  sign.server = renewed.server
  signs.set(place, sign)
  return sign
}

function begin(place: string, name: string): Sign | null {
  const path = join(place, name)
  // Between its creation and the moment when it listens a socket refuses connections like that of a dead process. Node removes the name
  // that it has created when the server closes: by then another sign may have the final one.
  const unready = `${path}.new`
  try {
    makeFolder(place)
    checkMayChange(path)
    removeOld(place)
    remove(unready)
    const server = sockets().createServer(other => other.destroy())
    server.on('error', () => {})
    withShortPath(unready, short => server.listen({ path: short, writableAll: true }))
    server.unref()
    if (!server.listening) return null
    renameSync(unready, path)
    const sign = { server, path, users: 0 }
    signs.set(place, sign)
    return sign
  } catch {
    return null
  }
}

/** The name goes first: a refused connection to one that is there means that its process is dead. */
function end(place: string, { server, path }: Sign): void {
  signs.delete(place)
  remove(path)
  server.close()
}

/** Signs mean nothing after a power cut, so no write waits until their names are on the disk. */
function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It is gone, or stays until its process is dead.
  }
}

function removeOld(place: string): void {
  for (const name of readdirSync(place)) {
    const path = join(place, name)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined || Math.abs(Date.now() - stat.mtimeMs) < keptMilliseconds) continue
    if (answerAt(path) === 'dead') remove(path)
  }
}

/** Calls `use` with a path to the same socket that is short enough. */
function withShortPath<Result>(path: string, use: (short: string) => Result): Result {
  if (Buffer.byteLength(path) <= longestPath) return use(path)
  const folder = openSync(dirname(path), 'r')
  try {
    return use(`/proc/self/fd/${folder}/${path.slice(dirname(path).length + 1)}`)
  } finally {
    closeSync(folder)
  }
}

/** Maximum number of answers. */
const mostAnswers = 1000

/** Returns whether a process shows that it runs; `unknown` if it shows nothing. */
export function answerOf(folder: string, name: string): Answer {
  const place = signFolderOf(folder)
  return place === null ? 'unknown' : answerAt(join(place, name))
}

/** Resolves when it is known of every process that shows a sign in the repository of a folder whether it runs. */
export async function signsAnswered(folder: string): Promise<void> {
  const place = signFolderOf(folder)
  if (place === null || !existsSync(place)) return
  const paths = readdirSync(place).map(name => join(place, name))
  await Promise.all(paths.filter(path => answers.get(path) === undefined).map(ask))
}

function answerAt(path: string): Answer {
  const answer = answers.get(path)
  if (answer === undefined) void ask(path)
  // It may die later: the next call asks again.
  else if (answer === 'alive') answers.delete(path)
  return answer ?? answers.get(path) ?? 'unknown'
}

/** Asks the kernel, which answers a moment later. */
function ask(path: string): Promise<void> {
  const asked = socketAt(path)
  if (asked === null) return Promise.resolve()
  if (answers.size >= mostAnswers) answers.clear()
  answers.set(path, 'asked')
  return new Promise(resolve => {
    const note = (answer: 'alive' | 'dead' | null) => {
      if (answer === null) answers.delete(path)
      else answers.set(path, answer)
      resolve()
    }
    try {
      const socket = withShortPath(path, short => sockets().connect(short))
      socket.once('connect', () => {
        note('alive')
        socket.destroy()
      })
      socket.once('error', ({ code }: NodeJS.ErrnoException) => {
        // It may have ended its sign and begun another one meanwhile.
        if (code === 'ECONNREFUSED' && socketAt(path) === asked) note('dead')
        // Too many others are asking.
        else note(code === 'EAGAIN' ? 'alive' : null)
      })
    } catch {
      note(null)
    }
  })
}

/** Identifies the socket at a path; null if there is none. A link could lead to a socket of the user's. */
function socketAt(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return stat?.isSocket() ? `${stat.dev} ${stat.ino} ${stat.ctimeNs}` : null
}

/** Folders of signs, by the folders that were looked for; null where there is no repository. */
const places = new Map<string, string | null>()

/** The folder of the signs of the repository that a folder belongs to. */
function signFolderOf(folder: string): string | null {
  const known = places.get(folder)
  if (known !== undefined) return known
  const top = repositoryAround(folder)
  const place = top === null ? null : join(top, 'wiki', '.alive')
  if (places.size >= mostAnswers) places.clear()
  places.set(folder, place)
  return place
}

/** The common git directory that a folder is in; null if it is in none. */
export function repositoryAround(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (isFolder(join(at, 'objects')) && existsSync(join(at, 'HEAD'))) return at
    if (dirname(at) === at) return null
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
