import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleWiki, wiki } from './harness.ts'

const refused = (name: string) =>
  `wiki: The text of ${name} is empty; nothing was written\n` +
  'hint: Add --allow-empty to save it anyway; wiki page delete removes a page\n'

test.each([
  ['page edit', ['page', 'edit', 'Main Page', '-f', '-'], ''],
  ['page edit, white space', ['page', 'edit', 'Main Page', '-f', '-'], ' \n\t\n'],
  ['page edit of HTML', ['page', 'edit', 'Main Page', '--html', '-f', '-'], '<p> </p>'],
  ['page edit of a revision', ['page', 'edit', 'Main Page', '--base', '1', '-f', '-'], ''],
])('%s with an empty stdin leaves the page unchanged', async (_, argv, stdin) => {
  const cwd = sampleWiki()
  expect(await wiki(argv, { cwd, stdin })).toEqual({ status: 2, stdout: '', stderr: refused('Main Page') })
  expect((await wiki(['page', 'get', 'Main Page'], { cwd })).stdout).toBe('Hello.\n')
  expect((await wiki([...argv, '--allow-empty'], { cwd, stdin })).status).toBe(0)
  expect((await wiki(['page', 'get', 'Main Page'], { cwd })).stdout.trim()).toBe('')
})

test.each(['create', 'edit'])('page %s makes no new page of nothing', async verb => {
  const cwd = sampleWiki()
  expect((await wiki(['page', verb, 'New', '-f', '-'], { cwd })).stderr).toBe(refused('New'))
  expect((await wiki(['page', verb, 'New', '-f', '-', '--allow-empty'], { cwd })).status).toBe(0)
})

test.each([
  ['an empty file', ': > "$1"'],
  ['white space', 'echo > "$1"'],
])('an editor that leaves %s does not blank the page', async (_, script) => {
  const cwd = sampleWiki()
  const path = join(cwd, '.git', 'editor.sh')
  writeFileSync(path, `${script}\n`)
  const env = { EDITOR: `sh ${path}` }
  const result = await wiki(['page', 'edit', 'Main Page'], { cwd, env })
  expect(result).toEqual({ status: 2, stdout: '', stderr: refused('Main Page') })
  expect((await wiki(['page', 'get', 'Main Page'], { cwd })).stdout).toBe('Hello.\n')
})
