/**
 * Owners of locks and of temporary files: which process made one, and whether it still runs. A number and a host name do not tell:
 * containers have numbers of their own and may share a host name, and numbers are used again.
 */

import { createHash } from 'node:crypto'
import { lstatSync, readlinkSync, statfsSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { type Answer, answerOf } from './life-sign.ts'
import { randomName } from './random-name.ts'
import { namesIn, readText } from './read-file.ts'

/** A process, as its files name it. */
interface Owner {
  /** Machine: its id and host name. Two may have the same. */
  readonly machine: string
  /** One run of a kernel, "00000000" where the system does not tell. */
  readonly boot: string
  /** The process numbers that `pid` is one of. */
  readonly space: string
  readonly pid: number
  /** Distinguishes processes that had the same number one after the other. */
  readonly start: string
  readonly token: string
}

/**
 * `dead` is certain. `asked`: the kernel knows, and the next call has its answer. `unknown`: a process of another machine, or one that
 * cannot be seen from here.
 */
export type Life = Answer

const pattern = /^([0-9a-f]{6})([0-9a-f]{8})([0-9a-f]{6})-(\d{1,10})-([0-9a-z]+)-([0-9a-f]{8})$/

/** Matches an owner within a name or a text. */
export const ownerPattern = /[0-9a-f]{20}-\d{1,10}-[0-9a-z]+-[0-9a-f]{8}/

const unknownBoot = '00000000'

/** Each bundle of the command line contains this module; a process is one owner. */
const key = Symbol.for('gitwiki owner')
const everywhere = globalThis as { [key]?: Owner }

/** This process. The system is asked once, when the first lock is taken. */
function self(): Owner {
  everywhere[key] ??= {
    machine: digest(`${contentOf('/etc/machine-id').trim()}\n${hostname()}`, 6),
    boot: bootNow(),
    space: digest(`${linkOf('/proc/self/ns/pid')} ${linkOf('/proc/self/ns/time')}`, 6),
    pid: process.pid,
    start: processAt('self')?.start ?? Math.floor(performance.timeOrigin).toString(36),
    token: randomName().slice(0, 8),
  }
  return everywhere[key]
}

function bootNow(): string {
  const id = contentOf('/proc/sys/kernel/random/boot_id').trim()
  return id === '' ? unknownBoot : digest(id, 8)
}

/** The name of this process in its locks and in the names of its temporary files. */
export function ownName(): string {
  const { machine, boot, space, pid, start, token } = self()
  return `${machine}${boot}${space}-${pid}-${start}-${token}`
}

/**
 * Returns whether a process runs. `place`: a folder of the repository in which it has taken locks.
 */
export function lifeOf(name: string, place: string): Life {
  const owner = parse(name)
  if (owner === null) return 'unknown'
  const own = self()
  if (owner.boot !== own.boot) return isFormerBoot(owner, place) ? 'dead' : 'unknown'
  if (owner.boot === unknownBoot && owner.machine !== own.machine) return 'unknown'
  const life = owner.space === own.space ? lifeByNumber(owner) : 'unknown'
  // A folder of another machine: a process there may have been seen on this kernel by another mount only.
  return life === 'unknown' && isLocal(place) ? answerOf(place, name) : life
}

/** Returns true if the kernel of this process is the one that the process runs or ran on. */
export function isOfThisBoot(name: string): boolean {
  const { boot } = parse(name) ?? {}
  return boot === self().boot && boot !== unknownBoot
}

function parse(name: string): Owner | null {
  const [, machine = '', boot = '', space = '', pid = '', start = '', token = ''] = pattern.exec(name) ?? []
  return token === '' ? null : { machine, boot, space, pid: Number(pid), start, token }
}

/**
 * A machine runs one kernel at a time. Others may have the same id and name, if they were copied, but they cannot reach a file system of
 * this one except through the network.
 */
function isFormerBoot({ machine, boot }: Owner, place: string): boolean {
  const own = self()
  return boot !== unknownBoot && own.boot !== unknownBoot && machine === own.machine && isLocal(place)
}

function lifeByNumber({ pid, start }: Owner): Life {
  if (!isRunning(pid)) return 'dead'
  if (process.platform !== 'linux') return pid !== process.pid || start === self().start ? 'alive' : 'dead'
  if (pid === process.pid) return start === self().start ? 'alive' : 'dead'
  // The folder may list the processes of another name space, and may hide those of other users.
  const found = linkOf('/proc/self') === `${process.pid}` ? processAt(`${pid}`) : null
  if (found === null) return 'unknown'
  return found.start === start && !found.isOver ? 'alive' : 'dead'
}

/** Returns true if there is a process with a number, also a killed one that nobody has waited for. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Start of a process, in ticks since the machine started; null where the system does not tell. A killed process that nobody has waited for
 * is over if all of its threads are. Source: proc_pid_stat(5), fields 3 and 22.
 */
function processAt(pid: string): { readonly start: string; readonly isOver: boolean } | null {
  // The second field is the program's name in parentheses, and may contain any character.
  const fields = contentOf(`/proc/${pid}/stat`).replace(/^.*\)/s, '').trim().split(' ')
  const start = fields[19]
  if (start === undefined) return null
  const isOver = /^[ZXx]/.test(fields[0] as string) && namesIn(`/proc/${pid}/task`).length <= 1
  return { start: Number(start).toString(36), isOver }
}

/** Returns true if the process is a git, or if the system does not tell. */
export function isGit(pid: number): boolean {
  const name = linkOf('/proc/self') === `${process.pid}` ? contentOf(`/proc/${pid}/comm`) : ''
  return name === '' || name.startsWith('git')
}

/**
 * File systems that one kernel has to itself, by the type that statfs(2) tells: ext4, XFS, Btrfs, F2FS, ZFS, tmpfs, bcachefs, overlay.
 * Of all others it is assumed that another machine may be using them.
 */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994, 0xca451a4e, 0x794c7630,
])
const overlayType = 0x794c7630

/** Returns true if only this machine reaches the folder, unless it exports it. */
export function isLocal(folder: string): boolean {
  return localTypes.has(typeOf(folder))
}

function typeOf(folder: string): number {
  try {
    return process.platform === 'linux' ? statfsSync(folder).type >>> 0 : 0
  } catch {
    return 0
  }
}

/** Identifies a folder on this kernel, so that a copy of it is another one; "" where that may change while it is used. */
export function identityOf(folder: string): string {
  const type = typeOf(folder)
  if (!localTypes.has(type) || type === overlayType) return ''
  const stat = statSync(folder, { throwIfNoEntry: false, bigint: true })
  return stat === undefined ? '' : `${stat.dev.toString(36)}.${stat.ino.toString(36)}`
}

/** Milliseconds by which a clock may differ at the start of a machine from what it is corrected to. */
const bootTolerance = 60_000

/**
 * Returns true if a file is older than this run of the machine. If in doubt, it is not: the clock may have been set since. The folder of
 * processes has the time of the start as the clock was then.
 */
export function isOlderThanBoot(time: number): boolean {
  if (process.platform !== 'linux') return false
  const uptime = Math.max(Number(contentOf('/proc/uptime').split(' ')[0]) || 0, Number(process.hrtime.bigint()) / 1e9)
  const started = Math.min(Date.now() - uptime * 1000, statSync('/proc', { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return time < started - bootTolerance
}

/** Returns true if a process that can be seen has a file open, under any path that ends with its name. */
export function isOpenSomewhere(path: string): boolean {
  const file = identityAt(path)
  return file !== null && namesIn('/proc').some(pid => /^\d+$/.test(pid) && opens(pid, basename(path), file))
}

function opens(pid: string, name: string, file: FileIdentity): boolean {
  return namesIn(`/proc/${pid}/fd`).some(descriptor => {
    const place = `/proc/${pid}/fd/${descriptor}`
    const path = linkOf(place)
    return path.endsWith(`/${name}`) && mayBe(file, { open: identityAt(place), here: identityAt(path) })
  })
}

interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
}

/** In another container the device of the same file may have another number, unless the open file is seen here under its own path. */
function mayBe({ dev, ino }: FileIdentity, { open, here }: Record<'open' | 'here', FileIdentity | null>): boolean {
  if (open === null || open.dev === dev) return open === null || open.ino === ino
  return open.dev !== here?.dev || open.ino !== here.ino
}

/** Null if the system does not tell. */
function identityAt(path: string): FileIdentity | null {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return null
  }
}

/** Milliseconds after which a temporary file counts as left behind although its process is unknown. Removing it early fails one write. */
const unknownMilliseconds = 24 * 60 * 60 * 1000

/** Returns true if the process of a temporary file is dead or, if it is unknown, the file is old. */
export function isLeftBehind(path: string, name: string, place: string): boolean {
  const life = lifeOf(name, place)
  if (life !== 'unknown') return life === 'dead'
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > unknownMilliseconds
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}

function contentOf(path: string): string {
  try {
    return readText(path, 'latin1')
  } catch {
    return ''
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
