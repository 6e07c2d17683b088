/** `wiki check` as a gate, in the repositories that CI makes. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ensureBuilt } from '../_built.ts'
import { hasShellTools } from '../_document.ts'
import { madeOnce, needsGit } from '../_setup.ts'
import { git, gitWiki, temporaryFolder, wiki } from './harness.ts'

const program = fileURLToPath(new URL('../../bin/wiki.cjs', import.meta.url))
const alice = 'Alice <alice@example.org>'
const faulty = 'Old <tt>code</tt> and [[Ebb.\n'

/** `main` with an old problem; `draft`, which breaks a redirect, adds a problem and fixes one. HEAD is on `draft`. */
const parted = madeOnce(async () => {
  const cwd = await gitWiki([
    {
      files: {
        'A.wiki': faulty,
        'B.wiki': 'Fine.\n',
        'C.wiki': 'Fine.\n',
        'To_C.wiki': '#REDIRECT [[C]]\n',
        'wiki.json': '{}\n',
      },
      message: 'Begin',
      user: alice,
    },
  ])
  git(cwd, ['checkout', '-q', '-b', 'draft'])
  writeFileSync(join(cwd, 'A.wiki'), `A new line.\n\n${faulty}`)
  writeFileSync(join(cwd, 'B.wiki'), 'Not {{fine.\n')
  git(cwd, ['rm', '-q', 'C.wiki'])
  git(cwd, ['commit', '-qam', 'Draft'])
  git(cwd, ['checkout', '-q', 'main'])
  writeFileSync(join(cwd, 'Main_only.wiki'), 'Not [[fine\n')
  git(cwd, ['add', '.'])
  git(cwd, ['commit', '-qm', 'On main'])
  git(cwd, ['checkout', '-q', 'draft'])
  return cwd
})

const kindsIn = (stdout: string): string[] =>
  (JSON.parse(stdout).problems as { path: string; kind: string }[]).map(({ path, kind }) => `${path} ${kind}`)

test('a branch is checked for the problems that it adds, also on other pages, and not for existing ones', {
  tags: 'long',
}, async context => {
  needsGit(context)
  const cwd = await parted()
  const { status, stdout } = await wiki(['check', '--since', 'main', '--json'], { cwd })
  expect(kindsIn(stdout)).toEqual(['To_C.wiki broken-redirect', 'B.wiki unclosed-template'])
  expect(status).toBe(1)
  const range = await wiki(['check', '--range', 'main...draft', '--json'], { cwd })
  expect(range.stdout).toBe(stdout)
})

test('the severity that fails can be chosen', { tags: 'long' }, async context => {
  needsGit(context)
  const cwd = await parted()
  git(cwd, ['checkout', '-q', 'draft~1'])
  writeFileSync(join(cwd, 'B.wiki'), '<tt>note</tt>\n')
  git(cwd, ['checkout', '-q', '-b', 'notes'])
  git(cwd, ['commit', '-qam', 'A note'])
  const run = async (...more: string[]) => (await wiki(['check', '--since', 'main', ...more], { cwd })).status
  expect(await run()).toBe(0)
  expect(await run('--fail-on', 'note')).toBe(1)
  expect(await run('--fail-on', 'error')).toBe(0)
})

test('staged changes and the work tree are checked', { tags: 'long' }, async context => {
  needsGit(context)
  const cwd = await parted()
  writeFileSync(join(cwd, 'Staged.wiki'), '[[staged\n')
  git(cwd, ['add', 'Staged.wiki'])
  writeFileSync(join(cwd, 'Untracked.wiki'), '<<<<<<< a\n=======\n>>>>>>> b\n')
  writeFileSync(join(cwd, 'B.wiki'), 'Fine again.\n')
  const run = async (...args: string[]) => kindsIn((await wiki(['check', ...args, '--json'], { cwd })).stdout)
  expect(await run('--staged')).toEqual(['Staged.wiki unclosed-link'])
  expect(await run('--work')).toEqual(['Untracked.wiki conflict-marker', 'Staged.wiki unclosed-link'])
  expect(await run('--work', '--since', 'main')).toEqual([
    'To_C.wiki broken-redirect',
    'Untracked.wiki conflict-marker',
    'Staged.wiki unclosed-link',
  ])
})

test('a hook checks what its commit records, whichever index git has made for it', { tags: 'long' }, async context => {
  needsGit(context)
  context.skip(!hasShellTools, 'the hook is a script of sh')
  await ensureBuilt()
  const cwd = await parted()
  const linked = join(temporaryFolder(), 'linked')
  git(cwd, ['worktree', 'add', '-q', '-b', 'linked', linked])
  mkdirSync(join(cwd, '.git/hooks'), { recursive: true })
  const hook = `#!/bin/sh\nexec "${process.execPath}" "${program}" check --staged\n`
  writeFileSync(join(cwd, '.git/hooks/pre-commit'), hook, { mode: 0o755 })
  for (const folder of [cwd, linked]) {
    const named = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.org', 'commit', '-qm', 'Edit']
    const commit = (...args: string[]) => spawnSync('git', [...named, ...args], { cwd: folder }).status
    writeFileSync(join(folder, 'Staged.wiki'), '[[staged\n')
    git(folder, ['add', 'Staged.wiki'])
    writeFileSync(join(folder, 'B.wiki'), 'Fine.\n')
    writeFileSync(join(folder, 'A.wiki'), `${faulty}\n{{new\n`)
    expect(commit('-a')).toBe(1)
    expect(commit('--', 'A.wiki')).toBe(1)
    expect(commit('-i', '--', 'B.wiki')).toBe(1)
    expect(commit('--', 'B.wiki')).toBe(0)
    expect(commit()).toBe(1)
    // The same hook checks an edit of the wiki itself, which stages nothing.
    const edit = (text: string) => wiki(['page', 'edit', 'B', '-f', '-', '--user', alice], { cwd: folder, stdin: text })
    expect((await edit('{{new\n')).status).toBe(2)
    expect((await edit('Finer.\n')).status).toBe(0)
  }
})

test('a text that is not UTF-8 is reported once, wherever it is', async context => {
  needsGit(context)
  const cwd = await parted()
  const run = async (...args: string[]) => kindsIn((await wiki(['check', ...args, '--json'], { cwd })).stdout)
  const latin = Buffer.from('\ufffd stays.\n').toString('latin1')
  writeFileSync(join(cwd, 'Caf\xe9.md'), `${latin}Caf\xe9\n`, 'latin1')
  writeFileSync(join(cwd, 'Character.txt'), latin, 'latin1')
  expect(await run('--work')).toEqual(['Caf\xe9.md not-utf8'])
  git(cwd, ['add', '.'])
  expect(await run('--staged')).toEqual(['Caf\xe9.md not-utf8'])
  git(cwd, ['commit', '-qm', 'Latin-1'])
  const { stdout } = await wiki(['check', '--range', 'draft~1..draft'], { cwd })
  expect(stdout).toMatch(/^Caf\xe9\.md:2:4: error: not-utf8: /m)
  writeFileSync(join(cwd, 'Caf\xe9.md'), `${latin}Caf\xe9, and a caf\xe9\n`, 'latin1')
  expect(await run('--work')).toEqual([])
})

test('each format goes to its file, and one to stdout', async context => {
  needsGit(context)
  const cwd = await parted()
  const { status, stdout } = await wiki(
    ['check', '--since', 'main', '--format', 'sarif=out.sarif', '--format', 'junit=out.xml', '--format', 'github'],
    { cwd },
  )
  expect(status).toBe(1)
  expect(stdout).toMatch(
    /^::error file=To_C.wiki,line=1,endLine=1,col=13,endColumn=14,title=broken-redirect in To C::It redirects to C/m,
  )
  expect(JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8')).runs[0].results.length).toBe(2)
  expect(readFileSync(join(cwd, 'out.xml'), 'utf8')).toContain('failures="2"')
})

describe('the baseline', () => {
  test('lets old problems pass, and is updated when they are fixed', async context => {
    needsGit(context)
    const cwd = await parted()
    const run = (...args: string[]) => wiki(['check', '--all', ...args], { cwd })
    expect((await run()).status).toBe(1)
    expect((await run('--update-baseline')).status).toBe(0)
    expect(existsSync(join(cwd, 'wiki-baseline.json'))).toBe(true)
    expect(await run()).toMatchObject({ status: 0, stdout: '' })
    git(cwd, ['commit', '-q', '--allow-empty', '-m', 'Nothing'])
    await wiki(['page', 'edit', 'B', '-f', '-'], { cwd, stdin: 'Fine again.\n' })
    expect(await run()).toMatchObject({ status: 2, stderr: expect.stringContaining('--prune') })
    expect((await run('--prune')).status).toBe(0)
    expect(JSON.parse(readFileSync(join(cwd, 'wiki-baseline.json'), 'utf8'))).not.toHaveProperty('B.wiki')
    expect((await run()).status).toBe(0)
  })
})

test('settings of the wiki and comments on a page silence kinds', async context => {
  needsGit(context)
  const cwd = await parted()
  git(cwd, ['checkout', '-q', 'main'])
  writeFileSync(
    join(cwd, 'wiki.json'),
    JSON.stringify({
      checks: { levels: { 'broken-redirect': 'off', 'obsolete-tag': 'error' }, exclude: ['drafts/**'] },
    }),
  )
  git(cwd, ['commit', '-qam', 'Settings'])
  git(cwd, ['checkout', '-q', 'draft'])
  git(cwd, ['merge', '-q', '--no-edit', 'main'])
  writeFileSync(
    join(cwd, 'B.wiki'),
    '<!-- wiki-check-ignore unclosed-template: shown on purpose -->\n{{fine <tt>x</tt>\n',
  )
  git(cwd, ['commit', '-qam', 'Comment'])
  const { stdout } = await wiki(['check', '--since', 'main', '--json'], { cwd })
  expect(kindsIn(stdout)).toEqual(['B.wiki obsolete-tag'])
})

test.each([
  [['--range', 'main']],
  [['--staged', '--work']],
  [['--since', 'main', '--all']],
  [['--format', 'yaml']],
  [['--format', 'json', '--format', 'sarif']],
  [['--since', 'main', '--update-baseline']],
  [['--since', 'nowhere']],
])('%j is refused with exit 2', async args => {
  const cwd = await gitWiki([{ files: { 'A.wiki': 'a\n' }, message: 'Begin', user: alice }])
  const { status, stderr } = await wiki(['check', ...args], { cwd })
  expect(status).toBe(2)
  expect(stderr).not.toBe('')
})

test('a report that cannot be written does not affect the others, and each file is named once', async context => {
  needsGit(context)
  const cwd = await parted()
  const formats = (...names: string[]) => names.flatMap(name => ['--format', name])
  const run = (...names: string[]) => wiki(['check', '--since', 'main', ...formats(...names)], { cwd })
  const { status, stderr } = await run('sarif=gone/x.sarif', 'gitlab=ok.json', 'text=ok.txt')
  expect([status, stderr]).toEqual([2, expect.stringContaining('gone/x.sarif')])
  for (const name of ['ok.json', 'ok.txt']) expect(readFileSync(join(cwd, name), 'utf8')).toContain('To_C.wiki')
  for (const names of [['sarif='], ['sarif=a', 'junit=./a']])
    expect(await run(...names)).toMatchObject({ status: 2, stderr: expect.stringMatching(/file|written to/) })
})

test('an unknown kind in the settings is reported', async () => {
  const levels = { 'red-lnik': 'error', 'obsolete-tag': 'off' }
  const files = { 'A.wiki': 'a\n', 'wiki.json': JSON.stringify({ checks: { levels } }) }
  const cwd = await gitWiki([{ files, message: 'Begin', user: alice }])
  const { status, stderr } = await wiki(['check', '--all'], { cwd })
  expect([status, stderr]).toEqual([0, 'wiki.json: checks.levels names "red-lnik", which is not a kind of problem\n'])
})

describe('clones made by CI', () => {
  test('a shallow clone without the base names the fetch, and works with the tree of the base alone', async context => {
    needsGit(context)
    const origin = await parted()
    const cwd = join(temporaryFolder(), 'clone')
    git(origin, ['clone', '-q', '--depth=1', '-b', 'draft', `file://${origin}`, cwd])
    const missing = await wiki(['check', '--range', 'origin/main..HEAD'], { cwd })
    expect(missing.status).toBe(2)
    git(cwd, /git (fetch .*)/.exec(missing.stderr)![1]!.split(' '))
    const { stdout } = await wiki(['check', '--range', 'origin/main..HEAD', '--json'], { cwd })
    expect(kindsIn(stdout)).toEqual(['To_C.wiki broken-redirect', 'B.wiki unclosed-template'])
  })

  test('the merge commit that GitHub checks out is compared with its first parent', async context => {
    needsGit(context)
    const origin = await parted()
    git(origin, ['checkout', '-q', '--detach', 'main'])
    git(origin, ['merge', '-q', '--no-ff', '-m', 'Merge draft', 'draft'])
    git(origin, ['update-ref', 'refs/pull/1/merge', 'HEAD'])
    const cwd = join(temporaryFolder(), 'clone')
    git(origin, ['init', '-q', cwd])
    git(cwd, ['fetch', '-q', '--depth=2', origin, 'refs/pull/1/merge'])
    git(cwd, ['checkout', '-q', '--detach', 'FETCH_HEAD'])
    const { stdout } = await wiki(['check', '--range', 'HEAD^1..HEAD', '--json'], { cwd })
    expect(kindsIn(stdout)).toEqual(['To_C.wiki broken-redirect', 'B.wiki unclosed-template'])
  })
})

describe('other clones', () => {
  const expected = ['To_C.wiki broken-redirect', 'B.wiki unclosed-template']

  test('a full clone', async context => {
    needsGit(context)
    const origin = await parted()
    const cwd = join(temporaryFolder(), 'clone')
    git(origin, ['clone', '-q', '-b', 'draft', `file://${origin}`, cwd])
    const { status, stdout } = await wiki(['check', '--since', 'origin/main', '--json'], { cwd })
    expect([status, kindsIn(stdout)]).toEqual([1, expected])
  })

  test('a fork with an outdated main is compared with its upstream repository', { tags: 'long' }, async context => {
    needsGit(context)
    const upstream = await parted()
    const fork = join(temporaryFolder(), 'fork')
    git(upstream, ['clone', '-q', '-b', 'draft', `file://${upstream}`, fork])
    git(fork, ['branch', '-q', 'main', 'origin/main~1'])
    git(fork, ['remote', 'rename', 'origin', 'upstream'])
    git(fork, ['fetch', '-q', 'upstream'])
    const { status, stdout } = await wiki(['check', '--since', 'upstream/main', '--json'], { cwd: fork })
    expect([status, kindsIn(stdout)]).toEqual([1, expected])
  })

  test('a default branch with another name', { tags: 'long' }, async context => {
    needsGit(context)
    const origin = await parted()
    git(origin, ['branch', '-m', 'main', 'trunk'])
    git(origin, ['checkout', '-q', 'trunk'])
    const cwd = join(temporaryFolder(), 'clone')
    git(origin, ['clone', '-q', `file://${origin}`, cwd])
    git(cwd, ['checkout', '-q', 'draft'])
    for (const base of ['origin/trunk', 'origin/HEAD']) {
      const { status, stdout } = await wiki(['check', '--since', base, '--json'], { cwd })
      expect([status, kindsIn(stdout)]).toEqual([1, expected])
    }
  })
})

test('every command of docs/how-to/ci.md works, in order', { tags: 'long' }, async context => {
  needsGit(context)
  const origin = await parted()
  const cwd = join(temporaryFolder(), 'clone')
  git(origin, ['clone', '-q', '-b', 'draft', `file://${origin}`, cwd])
  git(cwd, ['branch', '-q', 'main', 'origin/main'])
  const document = readFileSync(new URL('../../docs/how-to/ci.md', import.meta.url), 'utf8')
  const lines = [...document.matchAll(/^ {4}((?:wiki|git) .*)$/gm)].map(match => match[1]!.split(' '))
  expect(lines.length).toBeGreaterThan(8)
  for (const [program, ...args] of lines) {
    if (program === 'git') git(cwd, args)
    else expect([0, 1], args.join(' ')).toContain((await wiki(args, { cwd })).status)
  }
})

describe('the action', () => {
  const { runs, inputs } = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'))
  const [{ run, env }] = runs.steps

  /** Runs its step like the runner: bash ends at the first command that fails, also within a pipe. */
  function act(cwd: string, range: string) {
    // Replaces npm, which would fetch the package: a program of the same name that installs this one in the folder.
    const tools = temporaryFolder()
    const script = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`
    writeFileSync(join(tools, 'wiki'), script, { mode: 0o755 })
    const npm = `#!/bin/sh\ntest "$7" = gitwiki@1 && mkdir -p "$6/node_modules/.bin" && cp ${tools}/wiki "$6/node_modules/.bin"\n`
    writeFileSync(join(tools, 'npm'), npm, { mode: 0o755 })
    const summary = join(tools, 'summary.md')
    const given = { RANGE: range, FAIL_ON: 'error', PACKAGE: 'gitwiki@1', GITHUB_STEP_SUMMARY: summary }
    const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${tools}:${process.env.PATH}`, ...given },
    })
    return { status, stdout, stderr, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' }
  }

  test('runs the gate with its inputs', { tags: 'long' }, async context => {
    needsGit(context)
    context.skip(!hasShellTools, 'the action runs in bash')
    const cwd = await parted()
    expect(Object.keys(env)).toEqual(['RANGE', 'FAIL_ON', 'PACKAGE'])
    const { status, stdout, stderr, summary } = act(cwd, 'main...draft')
    expect([status, stderr]).toEqual([1, ''])
    expect(stdout).toContain('::error file=To_C.wiki')
    expect(summary).toContain('2 new problems')
    expect(existsSync(join(cwd, 'wiki.sarif'))).toBe(true)
  })

  test.for([1, 2, 5])(
    'compares a merge with its base in a clone of depth %i',
    { tags: 'long' },
    async (depth, context) => {
      needsGit(context)
      context.skip(!hasShellTools, 'the action runs in bash')
      const origin = await parted()
      git(origin, ['checkout', '-q', 'main'])
      // A message that looks like the head of a commit.
      git(origin, ['merge', '-q', '--no-ff', '-m', 'parent 0000000000000000000000000000000000000000', 'draft'])
      const cwd = join(temporaryFolder(), 'clone')
      git(origin, ['clone', '-q', `--depth=${depth}`, '-b', 'main', `file://${origin}`, cwd])
      const { status, stdout, stderr, summary } = act(cwd, inputs.range.default)
      expect([status, stderr]).toEqual([1, ''])
      expect(stdout).toContain('::error file=To_C.wiki')
      expect(stdout).not.toContain('Main_only')
      expect(summary).toContain('2 new problems')
    },
  )

  test('requests a range if there is no parent', async context => {
    needsGit(context)
    context.skip(!hasShellTools, 'the action runs in bash')
    const cwd = await gitWiki([{ files: { 'A.wiki': faulty }, message: 'parent 1\n\nparent 2', user: alice }])
    expect(act(cwd, inputs.range.default)).toMatchObject({
      status: 2,
      stdout: '::error::HEAD has no parent to compare with: give a range.\n',
    })
  })
})

test('third-party actions are pinned to a commit', () => {
  for (const file of ['docs/how-to/github-action.md', '.github/workflows/ci.yml', 'action.yml']) {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    for (const [, name, revision] of text.matchAll(/uses: ([\w/-]+)@(\S+)/g))
      if (name !== 'OWNER/gitwiki') expect(revision, `${name} in ${file}`).toMatch(/^[0-9a-f]{40}$/)
  }
})

describe('--fix', () => {
  const files = {
    'A.wiki':
      '<tt>a</tt> and <TT class="x">b</TT> <strike>c</strike>\n\n<div/>text\n[[::Category:X]] <center>kept</center>\n',
    'B.wiki': '#REDIRECT [[C]]\n',
    'C.wiki': '#REDIRECT [[D#E]]\n',
    'D.wiki': '== E ==\nD. <small>to the end\n',
  }
  const fixed = {
    'A.wiki':
      '<code>a</code> and <code class="x">b</code> <s>c</s>\n\n<div></div>text\n[[:Category:X]] <center>kept</center>\n',
    'B.wiki': '#REDIRECT [[D#E]]\n',
  }
  const text = (cwd: string, path: string): string => git(cwd, ['show', `HEAD:${path}`])

  test('the dry run prints the difference, and the run applies it in one commit', async () => {
    const cwd = await gitWiki([{ files, message: 'Begin', user: alice }])
    const dry = await wiki(['check', '--all', '--fix', '--dry-run'], { cwd })
    expect(dry.stdout).toContain('+<code>a</code> and')
    expect(git(cwd, ['rev-list', '--count', 'HEAD'])).toBe('1\n')
    await wiki(['check', '--all', '--fix', '-m', 'By rule'], { cwd })
    expect(git(cwd, ['log', '--format=%s'])).toBe('By rule\nBegin\n')
    for (const [path, expected] of Object.entries(fixed)) expect(text(cwd, path)).toBe(expected)
    expect((await wiki(['check', '--all', '--fix'], { cwd })).stderr).toContain('There are no automatic fixes')
  })

  test('lint fixes the requested kinds on the named pages', async () => {
    const cwd = await gitWiki([{ files, message: 'Begin', user: alice }])
    const { stdout } = await wiki(['lint', 'A', '--type', 'obsolete-tag', '--fix'], { cwd })
    expect(stdout).toBe('A.wiki:4:18: note: obsolete-tag: A tag that is obsolete in HTML. (<center>)\n')
    expect(text(cwd, 'A.wiki')).toContain('<code>a</code> and <code class="x">b</code> <s>c</s>\n\n<div/>text')
  })

  test('a report lists what is left, where it is after the fixes', async () => {
    const cwd = await gitWiki([{ files: { ...files, 'B.wiki': 'B\n' }, message: 'Begin', user: alice }])
    writeFileSync(join(cwd, 'B.wiki'), '<strike>a</strike> [[b\n')
    git(cwd, ['commit', '-qam', 'Faults'])
    const { stdout, status } = await wiki(['check', '--since', 'HEAD~1', '--fix', '--json'], { cwd })
    const [problem, ...others] = JSON.parse(stdout).problems
    expect(problem).toMatchObject({ kind: 'unclosed-link', line: 1, column: 10 })
    expect([others, status]).toEqual([[], 1])
    writeFileSync(join(cwd, 'C.wiki'), '<tt>c</tt> {{d\n')
    git(cwd, ['commit', '-qam', 'More'])
    const lint = await wiki(['lint', 'C.wiki', '--fix'], { cwd })
    expect([lint.stdout, lint.status]).toEqual([
      expect.stringMatching(/^C\.wiki:1:16: \w+: unclosed-template: .*\n$/),
      1,
    ])
    expect((await wiki(['lint', '-', '--fix'], { cwd, stdin: '<tt>' })).stderr).toContain('not texts from stdin')
  })

  test('a file that a user is editing is left unchanged', async () => {
    const cwd = await gitWiki([{ files, message: 'Begin', user: alice }])
    writeFileSync(join(cwd, 'A.wiki'), 'My draft.\n')
    await wiki(['check', '--all', '--fix'], { cwd })
    expect(readFileSync(join(cwd, 'A.wiki'), 'utf8')).toBe('My draft.\n')
  })

  test('problems of a file that is not a revision yet do not change the page', async () => {
    const cwd = await gitWiki([{ files, message: 'Begin', user: alice }])
    writeFileSync(join(cwd, 'A.wiki'), '<tt>a</tt> is no longer what it was.\n')
    const { stderr } = await wiki(['lint', 'A', '--fix'], { cwd })
    expect(stderr).toContain('Left A.wiki unchanged: it has uncommitted changes')
    expect(text(cwd, 'A.wiki')).toBe(files['A.wiki'])
  })

  test('it passes only if it fixes every failing problem', async () => {
    const cwd = await gitWiki([{ files: { 'A.wiki': '<tt>a</tt>\n' }, message: 'Begin', user: alice }])
    const run = async (...args: string[]) => (await wiki([...args, '--fix'], { cwd })).status
    const fails = ['check', '--all', '--fail-on', 'note']
    expect(await run(...fails, '--dry-run')).toBe(1)
    writeFileSync(join(cwd, 'A.wiki'), '<tt>a</tt>, and more\n')
    expect(await run(...fails)).toBe(1)
    expect(await run('lint', 'A')).toBe(1)
    git(cwd, ['commit', '-qam', 'More'])
    expect(await run(...fails)).toBe(0)
  })

  test('JSON of a dry run contains the difference', async () => {
    const cwd = await gitWiki([{ files: { 'A.wiki': '<tt>a</tt>\n' }, message: 'Begin', user: alice }])
    const { stdout } = await wiki(['lint', 'A', '--fix', '--dry-run', '--json'], { cwd })
    expect(JSON.parse(stdout)).toEqual({
      ...{ pages: [{ title: 'A', path: 'A.wiki', count: 1 }], edited: [], unread: [], left: 0 },
      patch:
        'diff --git a/A.wiki b/A.wiki\n--- a/A.wiki\n+++ b/A.wiki\n@@ -1,1 +1,1 @@\n-<tt>a</tt>\n+<code>a</code>\n',
    })
  })

  test.each([
    ['check', '--all', '--dry-run'],
    ['lint', '--comment', 'Why'],
    ['lint', '--fix', '--dry-run', '--format', 'sarif'],
    ['check', '--all', '--fix', '--dry-run', '--output', 'out'],
  ])('options that would be ignored are refused: %s %s %s %s', async (...args) => {
    const cwd = await gitWiki([{ files: { 'A.wiki': 'A\n' }, message: 'Begin', user: alice }])
    const { status, stderr } = await wiki(args.filter(Boolean), { cwd })
    expect({ status, said: /--dry-run|--comment/.test(stderr) }).toEqual({ status: 2, said: true })
  })
})

test('lint writes the formats of the check, also for Markdown', async () => {
  const cwd = await gitWiki([
    { files: { 'A.wiki': '<tt>a</tt>\n', 'B.md': '---\na: "\n---\n' }, message: 'Begin', user: alice },
  ])
  const { status, stdout } = await wiki(['lint', '--all', '--format', 'github', '--format', 'sarif=out.sarif'], { cwd })
  expect(status).toBe(1)
  expect(stdout).toContain('::notice file=A.wiki,line=1')
  expect(stdout).toContain('::warning file=B.md,line=1')
  expect(JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8')).runs[0].results.length).toBe(2)
})
