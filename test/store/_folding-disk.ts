/**
 * A disk on which names in any case and Unicode form are one file, as on Windows and macOS: a real one, where root may mount it, or one that
 * is simulated for this process over any file system.
 */

import { spawnSync } from 'node:child_process'
import type fs from 'node:fs'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { temporaryDirectory } from '../_setup.ts'

type Fs = typeof fs

/** State of the simulation: folders in which names are folded, and how. */
export interface Folding {
  readonly tops: Set<string>
  fold: (name: string) => string
  /** Throws where a link to this path fails. */
  beforeLink?: ((path: string) => void) | undefined
}

/** As NTFS and HFS+ do, at once. */
export function foldAll(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** As XFS does with `version=ci`. */
export function foldAscii(name: string): string {
  return name.replace(/[A-Z]/g, letter => letter.toLowerCase())
}

/** Returns the functions of `node:fs` over a simulated disk; git's own folder is left out, as its names differ by more than case. */
export function foldingFs(real: Fs, folding: Folding): Partial<Fs> {
  // The call itself reports a name that is too long.
  const isThere = (path: string) => basename(path).length < 256 && real.existsSync(path)
  const step = (folder: string, name: string): string => {
    const path = join(folder, name)
    if (isThere(path) || !isThere(folder)) return path
    const wanted = folding.fold(name)
    const there = real.readdirSync(folder).find(one => folding.fold(one) === wanted)
    return there === undefined ? path : join(folder, there)
  }
  const map = <P>(path: P): P => {
    if (typeof path !== 'string' || folding.tops.size === 0) return path
    const handle = /^\/proc\/self\/fd\/\d+(?=\/)/.exec(path)?.[0]
    const base = handle === undefined ? path : real.readlinkSync(handle)
    const top = [...folding.tops].find(one => base === one || base.startsWith(`${one}/`))
    if (top === undefined) return path
    const from = handle ?? top
    const names = path
      .slice(from.length)
      .split('/')
      .filter(name => name !== '' && name !== '.')
    if (handle === undefined && names[0] === '.git') return path
    return names.reduce(step, from) as P
  }
  const renameSync: Fs['renameSync'] = (from, to) => {
    const [source, target] = [map(from as string), map(to as string)]
    if (source !== target && isThere(target)) real.unlinkSync(target)
    real.renameSync(source, join(dirname(target), basename(to as string)))
  }
  const one =
    'access appendFile chmod exists lstat mkdir open opendir readdir readFile readlink realpath rm rmdir stat unlink utimes writeFile'
  const first = (act: (...all: never[]) => unknown) =>
    Object.assign((path: never, ...rest: never[]) => act(map(path), ...rest), act)
  const mapped = Object.fromEntries(
    one
      .split(' ')
      .flatMap(name => [`${name}Sync`, name].map(each => [each, first(real[each as 'lstatSync'] as never)])),
  )
  const promises = Object.fromEntries(
    one.split(' ').flatMap(name => {
      const act = real.promises[name as 'lstat'] as ((...all: never[]) => unknown) | undefined
      return act === undefined ? [] : [[name, first(act)]]
    }),
  )
  return {
    ...mapped,
    promises: { ...real.promises, ...promises } as never,
    linkSync: (from, to) => {
      folding.beforeLink?.(String(to))
      real.linkSync(map(from), map(to))
    },
    symlinkSync: (target, path) => real.symlinkSync(target, map(path)),
    renameSync,
  }
}

/** A mounted disk; `reason`: there is none, because of this. */
export type Mounted = { readonly folder: string; readonly unmount: () => void } | { readonly reason: string }

/** Mounts an NTFS in a file, which ignores case and refuses the names that Windows refuses. */
export async function mountNtfs(): Promise<Mounted> {
  if (process.getuid?.() !== 0) return { reason: 'only root may mount' }
  const folder = await temporaryDirectory()
  const [image, place] = [join(folder, 'image'), join(folder, 'disk')]
  mkdirSync(place)
  writeFileSync(image, '')
  truncateSync(image, 64 * 1024 * 1024)
  const commands = [
    ['mkntfs', '-F', '-q', image],
    ['lowntfs-3g', '-o', 'ignore_case,windows_names', image, place],
  ] as const
  for (const [program, ...rest] of commands) {
    const { status, error, stderr } = spawnSync(program, rest, { encoding: 'utf8' })
    if (error !== undefined) return { reason: `there is no ${program} (Debian: ntfs-3g)` }
    if (status !== 0) return { reason: `${program}: ${stderr.trim().split('\n')[0]}` }
  }
  const unmount = () => {
    spawnSync('umount', ['--lazy', place])
    rmSync(image, { force: true })
  }
  return { folder: place, unmount }
}
