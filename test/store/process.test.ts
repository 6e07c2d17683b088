import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lineBatches, output, type Running, runProgram, startGit } from '../../src/store/repository/process.ts'
import { git, temporaryDirectory } from '../_setup.ts'
import { until } from '../_wait.ts'

/** Git that writes more than pipes hold, so that it cannot end before its output is read. */
async function talkativeGit(): Promise<Running> {
  const folder = await temporaryDirectory()
  git(folder, 'init', '-q')
  const input = 'a line of some length\n'.repeat(300_000)
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: folder, input, encoding: 'utf8' })
  return startGit(join(folder, '.git'), ['cat-file', 'blob', blob.trim()])
}

test.each([
  ['chunks', output],
  ['lines', lineBatches],
] as const)('git is ended when who reads its %s stops before their end', async (_, read) => {
  const running = await talkativeGit()
  for await (const _ of read(running)) break
  expect(await running.ended).toBe(null)
})

test.skipIf(process.platform === 'win32')(
  'a program that takes too long ends with those that it has started',
  async () => {
    const folder = await temporaryDirectory()
    git(folder, 'init', '-q')
    const pidFile = join(folder, 'pid')
    git(folder, 'config', 'alias.hang', `!sleep 600 & echo $! > '${pidFile}'; wait`)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const running = runProgram(['hang'], { gitDirectory: join(folder, '.git'), timeout: 1000, isGroup: true })
    const pid = await until('the program starts another', () => Number(textOf(pidFile)) || undefined)
    vi.advanceTimersByTime(1000)
    expect(await running).toMatchObject({ isTimeout: true })
    await expect.poll(() => isAlive(pid)).toBe(false)
  },
)

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** A process that has ended may stay a zombie until its new parent asks for it. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}
