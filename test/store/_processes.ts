/** Child processes with a separate store. */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Number that no process has: above those of Linux and macOS, and no multiple of four, as those of Windows are. */
export const deadProcess = 2 ** 22 + 1

let bundled: Promise<string> | undefined

/** Makes the script that child processes run, once for all files of a worker, and returns its path. For `beforeAll`. */
export function bundleChild(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

async function bundle(): Promise<string> {
  const outdir = await mkdtemp(join(tmpdir(), 'wiki-child-'))
  await build({
    entryPoints: [fileURLToPath(new URL('_child.ts', import.meta.url))],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // In parts, because one backend must not load the imports of the other.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['isomorphic-git'],
    logLevel: 'error',
  })
  return join(outdir, '_child.mjs')
}

export interface Child {
  readonly process: ChildProcess
  /** The lines that it has printed. */
  readonly lines: string[]
  /** Called with each line as it arrives. */
  onLine: (line: string) => void
  /** Its standard error and how it ended: exit code or signal. */
  readonly ended: Promise<{ readonly end: number | string | null; readonly errors: string }>
}

/**
 * Starts the script: `build <directory>`, `write <directory> <page> <how often>`, `change <directory> <texts>`,
 * `compact <directory> <slice to die before>`, or `import <directory> <dump>`.
 */
export function startChild(script: string, ...words: string[]): Child {
  return start([script, ...words], process.env)
}

/** As `startChild`; the script is killed before that call of those that change a file. */
export function startKilled(call: number, script: string, ...words: string[]): Child {
  return start(['--require', killAt, script, ...words], { ...process.env, KILL_AT: `${call}` })
}

const killAt = fileURLToPath(new URL('../proof/kill-at.cjs', import.meta.url))

function start(words: readonly string[], env: NodeJS.ProcessEnv): Child {
  const started = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  let [rest, errors] = ['', '']
  const child: Child = {
    process: started,
    lines,
    onLine: () => {},
    ended: new Promise(resolve => started.once('close', (code, signal) => resolve({ end: code ?? signal, errors }))),
  }
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    const whole = (rest + text).split('\n')
    rest = whole.pop() as string
    for (const line of whole) {
      lines.push(line)
      child.onLine(line)
    }
  })
  started.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return child
}
