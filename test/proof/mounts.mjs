/** Separate file systems, which are full or read-only while all others are not. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { workplace } from './scene.mjs'

/** The reason why this user cannot mount, or null. */
export function cannotMount() {
  const place = join(workplace, 'mount')
  const isPossible = mount(place, '-t', 'tmpfs', 'wiki-proof').status === 0
  if (isPossible) unmount(place)
  return isPossible ? null : 'this user may not mount file systems'
}

/** Mounts on a folder, which is created. `how`: arguments of `mount`. */
export function mount(place, ...how) {
  mkdirSync(place, { recursive: true })
  return spawnSync('mount', [...how, place])
}

/** Mounts again, with other options. The system refuses to make it read-only while a file on it is being written. */
export function remount(place, options) {
  for (let left = 100; left > 0; left--) {
    const { status, stderr } = spawnSync('mount', ['-o', `remount,${options}`, place], { encoding: 'utf8' })
    if (status === 0) return
    if (left === 1) throw new Error(`remount,${options}: ${stderr}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
}

/** Unmounts, even while files there are open. */
export function unmount(place) {
  spawnSync('umount', ['--lazy', place])
}
