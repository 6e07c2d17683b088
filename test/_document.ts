/** Runs the blocks of shell commands of a document, in order. */

import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const top = fileURLToPath(new URL('..', import.meta.url))

/** True if the tools that the documents use are installed. */
export const hasShellTools = ['bash', 'curl', 'head', 'grep'].every(tool => spawnSync(tool, ['--version']).status === 0)

export interface DocumentRun {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a document's blocks in a folder, as one script that stops at the first failure; PORT is a free port. */
export async function runDocument(
  name: string,
  { directory, env = {} }: { readonly directory: string; readonly env?: Readonly<Record<string, string>> },
): Promise<DocumentRun> {
  const document = readFileSync(join(top, name), 'utf8')
  const blocks = [...document.matchAll(/^```sh\n(.*?)^```$/gms)].map(match => match[1])
  if (blocks.length < 4) throw new Error(`${name} has ${blocks.length} blocks: is it the right one?`)
  const wiki = `#!/bin/sh\nexec "${process.execPath}" "${join(top, 'bin/wiki.cjs')}" "$@"\n`
  writeFileSync(join(directory, 'wiki'), wiki, { mode: 0o755 })
  // A server that the document starts ends with it.
  const script = [`PATH="${directory}:$PATH"`, 'set -eu', "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT", ...blocks]
  return runShell(script.join('\n'), directory, { ...env, PORT: String(await freePort()) })
}

function runShell(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<DocumentRun> {
  const child = spawn('bash', ['-c', script], { cwd, env: { ...process.env, ...env }, timeout: 170_000 })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      written[name] += chunk
    })
  }
  return new Promise(resolve => child.on('close', status => resolve({ status, ...written })))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
