import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { needsGit } from '../_setup.ts'
import { git, sampleWiki, temporaryFolder, wiki } from './harness.ts'

/** An editor that records the file it is given, and then runs these commands on it (`$1`). */
function editor(script: string) {
  const folder = temporaryFolder()
  const note = join(folder, 'note')
  writeFileSync(join(folder, 'editor.sh'), `printf %s "$1" > ${note}\n${script}\n`)
  const editedFile = (): string => readFileSync(note, 'utf8')
  // A text that wiki kept for the user would remain there.
  onTestFinished(() => rmSync(dirname(editedFile()), { recursive: true, force: true }))
  return { command: `sh ${join(folder, 'editor.sh')}`, editedFile }
}

test('the edited file becomes the next revision, and is deleted', async () => {
  const cwd = sampleWiki()
  const { command, editedFile } = editor('echo "And bye." >> "$1"')
  const result = await wiki(['page', 'edit', 'Main Page'], { cwd, env: { EDITOR: command } })
  expect(result.stderr).toMatch(/^Saved "Main Page" as revision 6 \([0-9a-f]{7,}\)\n$/)
  expect(editedFile()).toMatch(/\/Main_Page\.wiki$/)
  expect(existsSync(editedFile())).toBe(false)
  expect((await wiki(['page', 'get', 'Main Page'], { cwd })).stdout).toBe('Hello.\nAnd bye.\n')
})

test('the first search result is opened', async () => {
  const cwd = sampleWiki()
  const { command } = editor('echo "Or red." >> "$1"')
  const env = { EDITOR: command }
  const result = await wiki(['search', '--open', 'old', 'station'], { cwd, env, tty: ['stdin', 'stdout'] })
  expect(result.stderr).toMatch(/^Saved "Fire station" as revision 6 /)
})

test('an edit is cancelled by leaving the text unchanged', async () => {
  const cwd = sampleWiki()
  const { command, editedFile } = editor('')
  const result = await wiki(['page', 'edit', 'Main Page'], { cwd, env: { EDITOR: command } })
  expect(result).toEqual({ status: 0, stdout: '', stderr: 'Nothing was changed in the editor; nothing was saved\n' })
  expect(existsSync(editedFile())).toBe(false)
})

test('a page without a text is not created', async () => {
  const cwd = sampleWiki()
  const result = await wiki(['page', 'create', 'New'], { cwd, env: { EDITOR: editor('').command } })
  expect(result.status).toBe(2)
  expect(result.stderr).toBe('wiki: The text is empty; no page was created\n')
})

test('the editor is the one that git would start', async () => {
  const cwd = sampleWiki()
  appendFileSync(join(cwd, '.git/config'), '[core]\n\teditor = "echo \'of git\' >>"\n')
  const names = ['WIKI_EDITOR', 'GIT_EDITOR', 'core.editor', 'VISUAL', 'EDITOR'] as const
  const all = Object.fromEntries(names.map(name => [name, `echo ${name} >>`]))
  const chosen = async (title: string, env: Record<string, string>): Promise<string> => {
    expect((await wiki(['page', 'create', title], { cwd, env })).status).toBe(0)
    return (await wiki(['page', 'get', title], { cwd })).stdout
  }
  expect(await chosen('A', all)).toBe('WIKI_EDITOR\n')
  expect(await chosen('B', { ...all, WIKI_EDITOR: '' })).toBe('GIT_EDITOR\n')
  expect(await chosen('C', { ...all, WIKI_EDITOR: '', GIT_EDITOR: '' })).toBe('of git\n')
  writeFileSync(join(cwd, '.git/config'), '[core]\n\trepositoryformatversion = 0\n')
  const { VISUAL = '', EDITOR = '' } = all
  expect(await chosen('D', { VISUAL, EDITOR })).toBe('VISUAL\n')
  expect(await chosen('E', { VISUAL, EDITOR, TERM: 'dumb' })).toBe('EDITOR\n')
})

test('text written before the editor failed is kept, and reported', async () => {
  const cwd = sampleWiki()
  const { command, editedFile } = editor('echo "Much work." >> "$1"; exit 4')
  const result = await wiki(['page', 'edit', 'Main Page'], { cwd, env: { EDITOR: command } })
  expect(result.status).toBe(2)
  expect(result.stderr).toBe(`wiki: The editor failed (4): ${command}\nYour text is kept in ${editedFile()}\n`)
  expect(readFileSync(editedFile(), 'utf8')).toBe('Hello.\nMuch work.\n')
})

test('an edit that conflicts with a newer one is kept as well', async context => {
  needsGit(context)
  const cwd = sampleWiki()
  const { command, editedFile } = editor(`
    echo "Mine." > "$1"
    cd ${cwd} && echo "Theirs." > Main_Page.wiki
    GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@t git commit -qam theirs --author "T <t@t>"`)
  const result = await wiki(['page', 'edit', 'Main Page', '--json'], { cwd, env: { EDITOR: command } })
  expect(result.status).toBe(3)
  expect(result.stdout).toBe('')
  expect(JSON.parse(result.stderr)).toMatchObject({
    errorKey: 'edit-conflict',
    base: 1,
    current: 6,
    draft: editedFile(),
    hint: 'See what the others changed: wiki compare 1 6',
  })
  expect(readFileSync(editedFile(), 'utf8')).toBe('Mine.\n')
  expect(git(cwd, ['show', 'HEAD:Main_Page.wiki'])).toBe('Theirs.\n')
})

test('an edit elsewhere on the page is merged', async context => {
  needsGit(context)
  const cwd = sampleWiki()
  const { command } = editor(`
    sed -i 's/Nobody/Somebody/' "$1"
    cd ${cwd} && sed -i 's/blue/green/' Fire_station.wiki
    GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@t git commit -qam theirs --author "T <t@t>"`)
  const result = await wiki(['page', 'edit', 'Fire station'], { cwd, env: { EDITOR: command } })
  expect(result.stderr).toContain('merged with the newer edits of others')
  const { stdout } = await wiki(['page', 'get', 'Fire station'], { cwd })
  expect(stdout).toBe('== House ==\nThe old fire station is green.\n\n== Crew ==\nSomebody.\nOr Bob.\n')
})

test('text that is not UTF-8 is refused, because saving it would lose some of it', async () => {
  const result = await wiki(['page', 'create', 'New', '-f', '-'], {
    cwd: sampleWiki(),
    stdin: Buffer.from([0x66, 0xff]),
  })
  expect(result.status).toBe(2)
  expect(result.stderr).toMatch(/^wiki: stdin is not UTF-8 text\nhint: .*iconv/)
})

test('without a terminal and a named editor nothing is opened', async () => {
  const result = await wiki(['page', 'edit', 'Main Page'], { cwd: sampleWiki() })
  expect(result.status).toBe(2)
  expect(result.stderr).toContain('hint: Give the text in a file: -f <file>, or on stdin: -f -')
})
