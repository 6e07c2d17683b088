/**
 * Makes the sample wiki in sample-wiki/, from the history in fixtures/sample, with the built library. An existing one stays
 * unchanged; `--fresh` deletes it and makes it again. Needs no git binary.
 */

import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildFixture } from '../fixtures/replay.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))
const library = join(top, 'dist/lib/index.js')
const target = join(top, 'sample-wiki')
/** Made here first, so that an interrupted run leaves nothing that looks like a wiki. */
const unfinished = join(top, 'dist/sample-wiki')

async function main() {
  if (!existsSync(library)) throw new Error('the library is not built yet: npm run build')
  if (existsSync(target) && !process.argv.includes('--fresh')) return `${shown(target)} is there already`
  await rm(unfinished, { recursive: true, force: true })
  const operations = await import(new URL('../dist/lib/index.js', import.meta.url).href)
  const { wiki, revisions } = await buildFixture('sample', { operations, directory: unfinished })
  await wiki.close()
  await rm(target, { recursive: true, force: true })
  await rename(unfinished, target)
  return `Made ${shown(target)} from ${revisions.length} edits`
}

function shown(path) {
  return relative(process.cwd(), path) || '.'
}

try {
  process.stderr.write(`${await main()}\n`)
} catch (error) {
  process.stderr.write(`sample-wiki: ${error.message}\n`)
  process.exitCode = 1
}
