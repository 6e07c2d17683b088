/** A pipe in place of one of git's files, or of ours, blocks whoever reads it. It is refused, or passed over like a damaged one. */

import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readBytes, readBytesLater } from '../../src/files/read-file.ts'
import { needsGit, temporaryDirectory } from '../_setup.ts'
import { sampleWiki, wiki } from '../cli/harness.ts'

/** Puts a pipe in place of a file, with a writer: without one a command that reads it would never end. */
function makePipe(path: string): void {
  rmSync(path, { force: true, recursive: true })
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('mkfifo', [path])
  const writer = spawn('sh', ['-c', 'echo x > "$0"', path], { stdio: 'ignore' })
  onTestFinished(() => void writer.kill())
}

const edit = ['page', 'edit', 'Main Page', '-f', '-', '-m', 'x']

describe.skipIf(process.platform === 'win32')('a pipe in place of', () => {
  test.each([
    [edit, '.git/index', 'its index is a pipe'],
    [edit, '.git/info/attributes', 'its file info/attributes is a pipe'],
    [edit, '.git/packed-refs', 'its file packed-refs is a pipe'],
    [edit, '.git/wiki/.acknowledged/main', '.git/wiki/.acknowledged/main is a pipe'],
    [edit, '.git/wiki/replaced', '.git/wiki/replaced is a pipe'],
    [edit, '.git/wiki/bases', '.git/wiki/bases: a pipe is in its place'],
    [['verify'], '.git/wiki/.acknowledged/main', '.git/wiki/.acknowledged/main: a pipe is in its place'],
    [['status'], '.git/logs/HEAD', 'its file logs/HEAD is a pipe'],
    [['status'], '.git/index', 'its file index is a pipe'],
    [['status'], '.git/info/exclude', 'its file info/exclude is a pipe'],
    [['status'], '.git/objects/info/alternates', 'its file objects/info/alternates is a pipe'],
    [['log'], '.git/shallow', 'its file shallow is a pipe'],
  ])('%j is refused: %s', async (command, file, message) => {
    const cwd = sampleWiki()
    await wiki(['log'], { cwd })
    makePipe(join(cwd, file))
    const { stderr, status } = await wiki(command, { cwd, stdin: 'New text.\n' })
    expect(stderr).toContain(message)
    expect(status).toBe(2)
  })

  test.each([
    [edit, '.git/wiki/journal'],
    [['log'], '.git/wiki/main/tail'],
    [['log'], '.git/wiki/main/base'],
    [['page', 'get', 'Main Page'], '.git/wiki/main/sound'],
    [['search', 'Hello'], '.git/wiki/main/search/segments.json'],
    [['verify'], '.git/wiki/.acknowledged/main.verified'],
  ])('%j does without: %s', async (command, file) => {
    const cwd = sampleWiki()
    await wiki(['search', 'Hello'], { cwd })
    makePipe(join(cwd, file))
    const { stderr, status } = await wiki(command, { cwd, stdin: 'New text.\n' })
    expect(status, stderr).toBe(0)
  })

  test('an object is refused', async context => {
    needsGit(context)
    const cwd = sampleWiki()
    const hash = execFileSync('git', ['rev-parse', 'HEAD:Main_Page.wiki'], { cwd, encoding: 'utf8' }).trim()
    await wiki(['log'], { cwd })
    const path = `.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`
    makePipe(join(cwd, path))
    expect((await wiki(['page', 'get', 'Main Page'], { cwd })).stderr).toContain(`${path.slice(5)} is a pipe`)
  })

  test('a file of a cache is an error', async () => {
    const pipe = join(await temporaryDirectory(), 'pipe')
    makePipe(pipe)
    expect(() => readBytes(pipe)).toThrow('a pipe is in its place')
    await expect(readBytesLater(pipe)).rejects.toThrow('a pipe is in its place')
  })
})

test('a device that stands for an empty file is read as one', () => {
  expect(readBytes('/dev/null')).toHaveLength(0)
})
