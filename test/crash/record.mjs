/** Runs the steps of a scenario with the built product, and records what they do to the disk. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Recording } from './operations.mjs'
import { git, onEarlierStart, product } from './product.mjs'
import { bytesOf, handleOf, startTraced } from './trace.mjs'

/**
 * Runs a scenario of `scenarios.mjs`. Returns it with the `recording`; `commits`, the branch's commit before each step and after
 * the last (null: there was none); and `versions`, the blobs that each path ever had.
 */
export async function record(scenario, directory, log) {
  const { make, steps } = scenario
  await make(directory)
  const recording = new Recording(directory)
  const commits = [tipOf(directory)]
  if (steps[0].path === undefined) await runCommands({ recording, commits, steps, directory, log })
  else await runServer({ recording, commits, steps, directory, log })
  return { scenario, recording, commits, versions: versionsOf(directory) }
}

const commandOf = (directory, args) => [
  ...onEarlierStart(dirname(directory)),
  process.execPath,
  product.program,
  '-C',
  directory,
  ...args,
]

async function runCommands({ recording, commits, steps, directory, log }) {
  for (const [step, { args, shell, input = '', status: expected = 0 }] of steps.entries()) {
    recording.mark('step', step)
    const how = { input, cwd: directory, env: product.environment }
    const { status, stdout, stderr, calls } = await startTraced(
      log,
      shell === undefined ? commandOf(directory, args) : ['sh', '-c', shell],
      how,
    ).done
    if (status !== expected) throw new Error(`${shell ?? args.join(' ')}: ${status} ${stdout}${stderr}`)
    // The message on its output says that it is done; what it does after that is cut as well.
    let isSaid = shell !== undefined
    recording.add(calls, directory, ({ pid, name, words }) => {
      const isMessage = pid === calls[0].pid && name === 'write' && /^[12]</.test(words[0])
      if (isMessage && !isSaid) recording.mark('ack', step)
      isSaid ||= isMessage
    })
    if (!isSaid) recording.mark('ack', step)
    commits.push(tipOf(directory))
  }
}

async function runServer({ recording, commits, steps, directory, log }) {
  const args = ['serve', '--port', '0', '--allow-anonymous', '--json']
  const started = startTraced(log, commandOf(directory, args), { cwd: directory, env: product.environment })
  const url = await new Promise((resolve, reject) => {
    started.done.then(({ stderr }) => reject(new Error(`the server ended: ${stderr}`)))
    started.child.stdout.on('data', () => {
      const found = /"url":"([^"]+)"/.exec(started.printed.stdout)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  for (const { path, method, body } of steps) {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    await response.text()
    commits.push(tipOf(directory))
  }
  process.kill(traceeOf(started.child.pid), 'SIGTERM')
  const { calls } = await started.done
  let answered = 0
  recording.mark('step', 0)
  recording.add(calls, directory, ({ name, words }) => {
    if (!/^writev?$/.test(name) || !/^socket/.test(handleOf(words[0]).path ?? '')) return
    if (!/^HTTP\/1\.1 20/.test(bytesOf(words[1]).toString('latin1'))) return
    recording.mark('ack', answered++)
    if (answered < steps.length) recording.mark('step', answered)
  })
  if (answered !== steps.length) throw new Error(`${answered} responses of ${steps.length} are in the trace`)
}

const traceeOf = pid => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

function tipOf(directory) {
  const { status, stdout } = git(directory, 'rev-parse', '--verify', '-q', 'refs/heads/main')
  return status === 0 ? stdout.trim() : null
}

/** Blobs of each path in the history of all branches. */
function versionsOf(directory) {
  const versions = new Map()
  const how = ['--format=', '--raw', '--no-abbrev', '--no-renames', '--root', '-m', '-z']
  const said = git(directory, 'log', ...how, '--all').stdout
  for (const [, blob, path] of said.matchAll(/:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) \w\0([^\0]+)\0/g)) {
    const known = versions.get(path) ?? new Set()
    versions.set(path, known.add(blob))
  }
  return versions
}

/** The file of the trace, beside the repository. */
export const logBeside = directory => join(directory, '..', 'trace')
