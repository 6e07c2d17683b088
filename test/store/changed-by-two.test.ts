/**
 * Two processes change the files that are read, changed and written whole. A schedule from a seed decides which of them makes the next call
 * of the file system, so each seed is always the same sequence; every change that either has acknowledged is in the file.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { rounds } from '../_rounds.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { inTime } from '../_wait.ts'
import { bundleChild } from './_processes.ts'
import { numbersFrom } from './_random-history.ts'

const byTurns = fileURLToPath(new URL('_by-turns.cjs', import.meta.url))

interface Actor {
  readonly process: ChildProcess
  /** Its output so far. */
  readonly said: () => string
  /** Resolves when it asks for a turn (true) or has ended (false). */
  asks: Promise<boolean>
  /** Gives it the turn that it waits for. */
  readonly go: () => void
}

function startActor(script: string, folder: string, words: readonly string[]): Actor {
  const started = spawn(process.execPath, ['--require', byTurns, script, ...words], {
    env: { ...process.env, BY_TURNS: folder },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
  })
  const [, output, , asks, grants] = started.stdio as [null, Readable, null, Readable, Writable]
  let said = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise<false>(resolve => started.once('close', () => resolve(false)))
  const next = () => Promise.race([ended, new Promise<true>(resolve => asks.once('data', () => resolve(true)))])
  const actor: Actor = {
    process: started,
    said: () => said,
    asks: next(),
    go: () => {
      actor.asks = next()
      grants.write('.')
    },
  }
  return actor
}

/** Runs the tasks in two processes, which take turns by a seed; returns what they have printed. */
async function runBoth(folder: string, seed: number, tasks: readonly (readonly string[])[]): Promise<string[]> {
  const script = await bundleChild()
  const random = numbersFrom(seed)
  const actors = tasks.map(words => startActor(script, folder, words))
  for (let left = actors; left.length > 0; ) {
    const asking: Actor[] = []
    for (const actor of left) if (await inTime('the next turn', actor.asks)) asking.push(actor)
    left = asking
    asking[Math.floor(random() * asking.length)]?.go()
  }
  expect(actors.map(actor => actor.process.exitCode)).toEqual([0, 0])
  return actors.map(actor => actor.said())
}

// Slow: two processes for each seed.
describe('changes that two processes make at once are all there:', () => {
  beforeAll(async () => void (await bundleChild()))
  const seeds = Array.from({ length: rounds(1, 10, 100) }, (_, at) => at + 1)

  test.each(seeds)('sessions and tokens, seed %i', { tags: 'rounds' }, async seed => {
    const directory = await temporaryDirectory()
    git(directory, 'init', '--quiet')
    const folder = join(directory, '.git', 'wiki', '.access')
    const said = await runBoth(
      folder,
      seed,
      [1, 2].map(own => ['access', directory, `${seed * 2 + own}`]),
    )
    const events = said.flatMap(text => text.split('\n').map(line => line.split(' ') as [string, string]))
    const of = (kind: string) => events.flatMap(([one, name]) => (one === kind ? [name] : []))
    const namesIn = (file: string, list: string, name: string): string[] =>
      JSON.parse(readFileSync(join(folder, file), 'utf8'))[list].map((one: Record<string, string>) => one[name])
    const left = (begun: string[], ended: string[]) => begun.filter(name => !ended.includes(name)).sort()
    expect(of('begun').length).toBeGreaterThan(2)
    expect(namesIn('sessions.json', 'sessions', 'hash').sort()).toEqual(left(of('begun'), of('ended')))
    expect(namesIn('tokens.json', 'tokens', 'id').sort()).toEqual(left(of('made'), of('revoked')))
  })

  test.skipIf(!hasGit).each(seeds)('drivers in info/attributes, seed %i', { tags: 'rounds' }, async seed => {
    const directory = await temporaryDirectory()
    git(directory, 'init', '--quiet')
    const folder = join(directory, '.git', 'info')
    mkdirSync(folder, { recursive: true })
    await runBoth(
      folder,
      seed,
      ['merge', 'diff'].map(name => ['driver', directory, name]),
    )
    const text = readFileSync(join(folder, 'attributes'), 'utf8')
    for (const name of ['merge', 'diff']) expect(text).toContain(`*.wiki ${name}=wiki`)
  })
})
