/** Runs the steps of a scenario with the built product, and records what they do to the disk. */
import { join } from 'node:path'
import { Recording } from './operations.mjs'
import { git, product } from './product.mjs'
import { startTraced } from './trace.mjs'

/**
 * A scenario: `make(directory)` prepares a repository (its state counts as durable), and `steps` are command lines of the product,
 * each with `args` and `input`. Returns the recording; `commits`, the branch's commit before each step and after the last; and the
 * versions of each file that ever were.
 */
export async function record({ make, steps }, directory, log) {
  await make(directory)
  const recording = new Recording(directory)
  const commits = [tipOf(directory)]
  for (const [step, { args, input = '' }] of steps.entries()) {
    recording.mark('step', step)
    const command = [process.execPath, product.program, '-C', directory, ...args]
    const { status, stdout, stderr, calls } = await startTraced(log, command, {
      input,
      cwd: directory,
      env: product.environment,
    }).done
    if (status !== 0) throw new Error(`${args.join(' ')}: ${status} ${stdout}${stderr}`)
    recording.add(calls, directory)
    recording.mark('ack', step)
    commits.push(tipOf(directory))
  }
  return { recording, commits, versions: versionsOf(directory, commits.at(-1)) }
}

function tipOf(directory) {
  return git(directory, 'rev-parse', '--verify', 'refs/heads/main').stdout.trim()
}

/** Blobs of each path in the history of a commit. */
function versionsOf(directory, tip) {
  const versions = new Map()
  const said = git(
    directory,
    'log',
    '--format=',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--root',
    '-m',
    '-z',
    tip,
  ).stdout
  for (const [, blob, path] of said.matchAll(/:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) \w\0([^\0]+)\0/g)) {
    const known = versions.get(path) ?? new Set()
    versions.set(path, known.add(blob))
  }
  return versions
}

/** The file of the trace, beside the repository. */
export const logBeside = directory => join(directory, '..', 'trace')
