/**
 * Programs of others that judge the product. They are fetched into node_modules/.cache at their pinned versions, once. Where Python,
 * Java or the network is missing the command says so and passes, as .ci/run does without a browser.
 */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/judges/', import.meta.url))
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url))

/** The Nu Html Checker: MIT, 30 MB. Its script after the installation would fetch a Java. */
const checkerVersion = '26.9.27'

/** Milliseconds for an installation. */
const patience = 600_000

/** Returns the folder with the programs of the Python packages. */
export function pythonPrograms() {
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)
  const folder = join(cache, `python-${version}`)
  const programs = join(folder, 'bin')
  if (isComplete(folder)) return programs
  start('python3', ['-m', 'venv', '--clear', folder])
  start(join(programs, 'pip'), ['install', '--quiet', '--disable-pip-version-check', '--requirement', requirements])
  complete(folder)
  return programs
}

/** Returns the checker's file, for `java -jar`. */
export function htmlChecker() {
  start('java', ['-version'])
  const folder = join(cache, `vnu-${checkerVersion}`)
  if (!isComplete(folder)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--silent']
    start('npm', ['install', '--prefix', folder, ...quietly, `vnu-jar@${checkerVersion}`])
    complete(folder)
  }
  return join(folder, 'node_modules/vnu-jar/build/dist/vnu.jar')
}

/** An interrupted installation has no such mark. */
const isComplete = folder => existsSync(join(folder, 'complete'))
const complete = folder => writeFileSync(join(folder, 'complete'), '')

/** Runs a step of an installation. Where it fails, the judge is missing, and the command passes. */
function start(program, args) {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: patience })
  if (status === 0) return
  const why = error?.message ?? stderr.trim().split('\n').at(-1)
  console.log(`not run: ${program.split('/').at(-1)} ${args[0]} failed (${why})`)
  process.exit(0)
}
