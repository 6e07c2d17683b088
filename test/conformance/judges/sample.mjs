/** A fresh copy of the sample wiki, served by the built program as users start it. */

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as operations from '../../../dist/lib/index.js'
import { buildFixture } from '../../../fixtures/replay.mjs'

const program = fileURLToPath(new URL('../../../bin/wiki.cjs', import.meta.url))

/** The owner of the copy, in whose name the token writes. */
const identity = {
  GIT_AUTHOR_NAME: 'Ada Example',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada Example',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

/** Serves the wiki for as long as `judge({ url, token, folder })` runs. `prepare` may write to the wiki before. */
export async function withSample(judge, prepare = async () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wiki-judged-'))
  const directory = join(folder, 'wiki')
  const tokenFile = join(folder, 'token')
  try {
    const { wiki } = await buildFixture('sample', { operations, directory })
    await prepare(wiki, operations)
    await wiki.close()
    const server = spawn(process.execPath, [program, '-C', directory, 'serve', '-p', '0', '--token-file', tokenFile], {
      env: { ...process.env, ...identity },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise(resolve => server.once('exit', resolve))
    try {
      const url = await addressOf(server)
      return await judge({ url, folder, token: readFileSync(tokenFile, 'utf8').trim() })
    } finally {
      server.kill()
      await ended
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads the address from the output, and goes on reading, so that the server never waits. */
function addressOf(server) {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = bytes => {
      if (output.length < 10_000) output += bytes
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
      if (address !== undefined && output.includes('\n')) resolve(address)
    }
    server.stdout.setEncoding('utf8').on('data', read)
    server.stderr.setEncoding('utf8').on('data', read)
    server.once('exit', status => reject(new Error(`The server ended with ${status}: ${output}`)))
  })
}
