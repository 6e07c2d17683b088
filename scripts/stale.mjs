/** Compares the times of the files that `build.mjs` writes with those of its sources. */

import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const compiled = `dist/wiki.cjs.${process.version}-${process.platform}-${process.arch}`
/** The last file that each part of the build writes, by the name of the part. */
const results = { cli: compiled, web: 'dist/web/assets.json', lib: 'dist/lib/index.js', manual: 'man/wiki.1' }

/** Files beside `src` that the build reads. */
const settings = [
  'bin/wiki.cjs',
  'scripts/build.mjs',
  'scripts/own-styles.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** Returns true if a source is newer than a result of the parts; of all parts, if none is named. */
export function isStale(parts = Object.keys(results)) {
  const built = Math.min(...parts.map(part => timeOf(results[part])))
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map(path => join('src', String(path)))
  return [...settings, 'src', ...sources].some(path => timeOf(path) > built)
}

/** Milliseconds of the last change; 0 for a missing file. */
function timeOf(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
