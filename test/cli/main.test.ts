import { expect, test } from 'vitest'
import { configGet } from '../../src/cli/commands/config.ts'
import { git, gitWiki, sampleWiki, temporaryFolder, wiki } from './harness.ts'

test('wrong usage exits with 2, unlike any comparison', async () => {
  expect((await wiki(['compare', '--no-such-option'])).status).toBe(2)
  expect((await wiki(['compare', '1', '2', '3'])).status).toBe(2)
})

test.each([[[]], [['--help']], [['compare', '--help']], [['--version']]])('%j is help, and help is 0', async argv => {
  const { status, stdout, stderr } = await wiki(argv)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).not.toBe('')
})

test('global options work anywhere on the command line', async () => {
  const dir = sampleWiki()
  const line = ['history', 'Main Page', '-n', '1']
  const { stdout } = await wiki([...line, '--json', '--dir', dir])
  expect(stdout).toContain('"revisions":[{"id":1')
  for (const argv of [
    ['--json', '-C', dir, ...line],
    ['-C', dir, 'history', '--json', 'Main Page', '-n', '1'],
    [`-C${dir}`, '-n', '1', 'history', 'Main Page', '--json'],
  ])
    expect((await wiki(argv)).stdout).toBe(stdout)
})

test("a comment that looks like an option is the option's value", async () => {
  const cwd = sampleWiki()
  const argv = ['page', 'edit', 'Main Page', '-f', '-', '-m', '--json']
  const { stdout } = await wiki(argv, { cwd, stdin: 'x' })
  expect(stdout).toBe('')
  expect((await wiki(['history', 'Main Page', '-n', '1'], { cwd })).stdout).toContain('\t--json\n')
})

test('WIKI_DIR names the wiki, and --dir has priority', async () => {
  const dir = sampleWiki()
  const run = (argv: readonly string[], env: Record<string, string>) =>
    wiki(['page', 'get', 'Main Page', ...argv], { env })
  expect((await run([], { WIKI_DIR: dir })).status).toBe(0)
  expect((await run(['-C', dir], { WIKI_DIR: '/nonexistent' })).status).toBe(0)
  expect((await run([], {})).stderr).toMatch(/^wiki: No git repository at \/ or above it\n/)
})

test('a reader that stops early is not an error', async () => {
  const edits = Array.from({ length: 30 }, (_, n) => ({ files: { 'A.wiki': `${n}` }, message: `${n}` })).slice(0, 12)
  const result = await wiki(['history', 'A'], { cwd: await gitWiki(edits), readsOnly: 0 })
  expect(result).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('a check has the same exit status if nobody reads its output', async () => {
  expect(await wiki(['compare', '2', '4'], { cwd: sampleWiki(), readsOnly: 0 })).toMatchObject({
    status: 1,
    stderr: '',
  })
})

test.each([
  [['compare', '2', '4'], 1],
  [['compare', '4', '4'], 0],
  [['compare', '2', '99'], 2],
])('the status of %j does not depend on the output format', async (argv, status) => {
  const cwd = sampleWiki()
  const forms = [[], ['--json'], ['-q'], ['--color', 'always'], ['--no-pager']]
  const results = await Promise.all(forms.map(form => wiki([...argv, ...form], { cwd })))
  const atTerminal = await wiki(argv, { cwd, tty: ['stdin', 'stdout', 'stderr'] })
  expect([...results, atTerminal].map(result => result.status)).toEqual(Array(6).fill(status))
})

test('an error with --json is one line of JSON on stderr, and stdout is empty', async () => {
  const { status, stdout, stderr } = await wiki(['page', 'get', 'Nowhere at all', '--json'], { cwd: sampleWiki() })
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(stderr)).toMatchObject({ errorKey: 'rest-nonexistent-title', httpCode: 404 })
})

test('a bug exits with 70 and reporting instructions, and shows its stack only with WIKI_DEBUG', async () => {
  const { run } = configGet
  Object.assign(configGet, { run: () => Promise.reject(new TypeError('something is undefined')) })
  try {
    const result = await wiki(['config', 'get', 'x'])
    expect(result.status).toBe(70)
    expect(result.stderr).toBe(
      'wiki: this is a bug in wiki, please report it: something is undefined\n' +
        'hint: say that it was wiki 0.0.0, command "wiki config get"; WIKI_DEBUG=1 shows where it happened\n',
    )
    const debugged = await wiki(['config', 'get', 'x'], { env: { WIKI_DEBUG: '1' } })
    expect(debugged.stderr).toContain('TypeError: something is undefined\n    at ')
  } finally {
    Object.assign(configGet, { run })
  }
})

test('a system failure exits with 2 and is not a bug', async () => {
  const argv = ['page', 'get', 'Main Page', '-o', '/no/such/folder/file']
  const result = await wiki(argv, { cwd: sampleWiki() })
  expect(result.status).toBe(2)
  expect(result.stderr).toBe('wiki: /no/such/folder/file: no such file or directory\n')
})

test.each([
  ['compare "Fire station@prev" "Fire statoin"', 'Did you mean: wiki compare "Fire station@prev" "Fire station"'],
  ['page get "Main Page@latest"', 'Did you mean: wiki revision get "Main Page@latest"'],
  ['file get Nothing.png', 'wiki file list; if it was deleted: wiki page restore "File:Nothing.png"'],
  ['page history', 'Did you mean: wiki history'],
  ['page compare 1 2', 'Did you mean: wiki compare'],
  ['search fire -station --limit 5', 'Did you mean: wiki search fire NOT station --limit 5'],
  ['search żółw -pączka', 'Did you mean: wiki search "żółw" NOT "pączka"'],
])('%s gets the hint "%s"', async (line, hint) => {
  const argv = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? (word as string))
  const { status, stderr } = await wiki(argv, { cwd: sampleWiki() })
  expect(status).toBe(2)
  expect(stderr).toContain(`hint: ${hint}\n`)
})

test.each([
  ['page list --namespace talk', 'Talk:Main Page\n'],
  ['page list --namespace 1', 'Talk:Main Page\n'],
  ['search hello --namespace Talk,User', 'Talk:Main Page\n'],
])('%s finds the pages of a namespace by its name or its number', async (line, titles) => {
  const { stdout } = await wiki(line.split(' '), { cwd: sampleWiki() })
  expect(stdout.replace(/\t.*/g, '')).toBe(titles)
})

test('a range of revisions without a count is refused, not ignored', async () => {
  const { status, stderr } = await wiki(['history', 'Main Page', '--from', '1'], { cwd: sampleWiki() })
  expect(status).toBe(2)
  expect(stderr).toContain('--from and --to go with --count')
})

test('an unknown namespace is refused', async () => {
  const { status, stderr } = await wiki(['page', 'list', '--namespace', 'Nonsense'], { cwd: sampleWiki() })
  expect(status).toBe(2)
  expect(stderr).toContain('"Nonsense"')
})

test.each([
  [['page', 'list', '--prefix', 'Zzz'], 'No page found\n'],
  [['file', 'list'], 'No file found\n'],
  [['token', 'list'], 'No token\n'],
  [['page', 'files', 'Main Page'], 'The page uses no file\n'],
  [['check'], 'No problems in names and redirects; wiki check --all reads the texts too\n'],
])('%s reports an empty result at a terminal', async (argv, said) => {
  const cwd = sampleWiki()
  expect(await wiki(argv, { cwd, tty: ['stdout', 'stderr'] })).toEqual({ status: 0, stdout: '', stderr: said })
  expect(await wiki(argv, { cwd })).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('the source written to a file is the same as on stdout', async () => {
  const cwd = sampleWiki()
  expect(await wiki(['page', 'get', 'Main Page', '-o', 'out'], { cwd })).toEqual({ status: 0, stdout: '', stderr: '' })
  expect((await wiki(['page', 'create', 'Copy', '-f', 'out'], { cwd })).status).toBe(0)
  expect(git(cwd, ['show', 'HEAD:Copy.wiki'])).toBe('Hello.\n')
})

test('a page cannot write escape sequences to a terminal', async () => {
  const cwd = await gitWiki([{ files: { 'A.wiki': 'x\u001b]0;evil\u0007\n' }, message: 'c\u001b[2Jc' }])
  const terminal = { cwd, tty: ['stdout'], env: { NO_COLOR: '1' } } as const
  for (const argv of [
    ['page', 'get', 'A'],
    ['history', 'A'],
    ['search', 'evil'],
  ])
    expect((await wiki(argv, terminal)).stdout).not.toContain('\u001b')
  expect((await wiki(['page', 'get', 'A'], { cwd })).stdout).toBe('x\u001b]0;evil\u0007\n')
})

test.each([
  ['--user', ['--user', 'Carol <carol@example.org>'], {}, 'Carol <carol@example.org>'],
  ['the environment', [], { GIT_AUTHOR_NAME: 'Dave', GIT_AUTHOR_EMAIL: 'dave@example.org' }, 'Dave <dave@example.org>'],
  ['git config', [], { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '' }, 'Erin <erin@example.org>'],
  ['both, each for its part', [], { GIT_AUTHOR_NAME: 'Dave', GIT_AUTHOR_EMAIL: '' }, 'Dave <erin@example.org>'],
])('%s determines the author of an edit', async (_, argv, env, author) => {
  const cwd = sampleWiki()
  git(cwd, ['config', 'user.name', 'Erin'])
  git(cwd, ['config', 'user.email', 'erin@example.org'])
  await wiki(['page', 'edit', 'Main Page', '-f', '-', ...argv], { cwd, env, stdin: 'x' })
  expect(git(cwd, ['log', '-1', '--format=%an <%ae>'])).toBe(`${author}\n`)
})

test.each([
  ['--user is not', ['--user', 'Carol <carol@example.org>'], {}, 'Erin <erin@example.org>'],
  ['GIT_COMMITTER_NAME is', [], { GIT_COMMITTER_NAME: 'Dave' }, 'Dave <erin@example.org>'],
])('%s the committer, whom git names', async (_, argv, env, committer) => {
  const cwd = sampleWiki()
  git(cwd, ['config', 'user.name', 'Erin'])
  git(cwd, ['config', 'user.email', 'erin@example.org'])
  await wiki(['page', 'edit', 'Main Page', '-f', '-', ...argv], { cwd, env, stdin: 'x' })
  expect(git(cwd, ['log', '-1', '--format=%cn <%ce>'])).toBe(`${committer}\n`)
})

test('without a name and an email address nothing is written', async () => {
  const env = { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '' }
  const result = await wiki(['page', 'edit', 'Main Page', '-f', '-'], { cwd: sampleWiki(), env, stdin: 'x' })
  expect(result.status).toBe(2)
  expect(result.stderr).toContain('hint: git config --global user.name')
})

test('an edited file of the work tree is left unchanged, and named', async () => {
  const cwd = sampleWiki()
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${cwd}/Main_Page.wiki`, 'not committed\n')
  const result = await wiki(['page', 'edit', 'Main Page', '-f', '-', '-q'], { cwd, stdin: 'x' })
  expect(result.stderr).toMatch(/Main_Page\.wiki/)
  expect(git(cwd, ['status', '--porcelain'])).toContain('Main_Page.wiki')
})

test('init creates a wiki that the other commands can use', async () => {
  const cwd = temporaryFolder()
  const made = await wiki(['init', 'recipes', '--name', 'Our recipes'], { cwd })
  expect(made.stderr).toMatch(/^Wiki of 1 page in .*recipes: wrote wiki\.json, Main_Page\.wiki \([0-9a-f]{7,}\)\n$/)
  expect((await wiki(['config', 'get', 'name', '-C', 'recipes'], { cwd })).stdout).toBe('Our recipes\n')
  expect((await wiki(['init', 'recipes'], { cwd })).stderr).toMatch(/: nothing to write\n$/)
})

test('status and commit show and record edits made by hand', async () => {
  const cwd = sampleWiki()
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${cwd}/Main_Page.wiki`, 'By hand.\n')
  expect(await wiki(['status', '--exit-code'], { cwd })).toEqual({
    status: 1,
    stdout: 'modified\tMain_Page.wiki\tMain Page\n',
    stderr: 'Links as in a folder of files: titles and paths (wiki config get links)\n',
  })
  expect((await wiki(['compare', '--page', 'Main Page'], { cwd })).status).toBe(1)
  expect((await wiki(['commit', '-m', 'By hand'], { cwd })).stderr).toMatch(/^Recorded "Main Page" in [0-9a-f]{7,}\n$/)
  expect((await wiki(['status', '--exit-code'], { cwd })).status).toBe(0)
})

test.each([
  [['init', ''], 'dir'],
  [['export', '--files', '', 'Main Page'], '--files'],
  [['export', '-o', ''], '--output'],
  [['import', ''], 'dump'],
  [['page', 'edit', 'Main Page', '-f', ''], '--file'],
])('%j: the empty name of a path does not name the current folder', async (argv, name) => {
  const cwd = sampleWiki()
  const before = git(cwd, ['status', '--porcelain'])
  const result = await wiki(argv, { cwd })
  expect(result).toMatchObject({ status: 2, stdout: '' })
  expect(result.stderr).toMatch(
    new RegExp(`^wiki: The name of a file or folder is empty: ${name}\nhint: wiki ${argv[0]}( edit)? --help\n$`),
  )
  expect(git(cwd, ['status', '--porcelain'])).toBe(before)
})
