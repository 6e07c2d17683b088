import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { commitPrograms } from '../../src/store/repository/commit-programs.ts'
import { keepTrailers } from '../../src/store/repository/hook-message.ts'
import { findRepository } from '../../src/store/repository/repository.ts'
import { hasGit } from '../_setup.ts'
import { until } from '../_wait.ts'
import { git, sampleWiki, temporaryFolder, wiki } from './harness.ts'

/** Writes a hook; `$OUT` is a folder for its records. */
function hook(cwd: string, name: string, body: string, folder = join(cwd, '.git/hooks')): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`)
  chmodSync(join(folder, name), 0o755)
}

const edit = (cwd: string, ...options: string[]) =>
  wiki(['page', 'edit', 'Main Page', '-f', '-', '-m', 'Changed', ...options], { cwd, stdin: 'New text.\n' })

/** Every part of a repository that an edit could change. */
function stateOf(cwd: string): string {
  const index = git(cwd, ['ls-files', '-s'])
  return [git(cwd, ['rev-parse', 'HEAD']), index, readFileSync(join(cwd, 'Main_Page.wiki'), 'utf8')].join('\n')
}

describe.skipIf(!hasGit || process.platform === 'win32')('hooks', () => {
  test('pre-commit sees the content to be committed, and can refuse it', { tags: 'long' }, async () => {
    const cwd = sampleWiki()
    const out = temporaryFolder()
    // The commit contains neither the work tree nor staged changes.
    writeFileSync(join(cwd, 'Other.wiki'), 'staged\n')
    git(cwd, ['add', 'Other.wiki'])
    hook(
      cwd,
      'pre-commit',
      `git diff --cached --name-only > ${out}/names; git show :Main_Page.wiki > ${out}/text; pwd > ${out}/cwd; echo "$GIT_AUTHOR_NAME" > ${out}/author`,
    )
    expect((await edit(cwd)).status).toBe(0)
    expect(readFileSync(join(out, 'names'), 'utf8')).toBe('Main_Page.wiki\n')
    expect(readFileSync(join(out, 'text'), 'utf8')).toBe('New text.\n')
    expect(readFileSync(join(out, 'cwd'), 'utf8').trim()).toBe(cwd)
    expect(readFileSync(join(out, 'author'), 'utf8')).toBe('Test User\n')
    expect(git(cwd, ['diff', '--cached', '--name-only'])).toBe('Other.wiki\n')

    hook(cwd, 'pre-commit', 'echo "no: \\033[2J bad word" >&2; exit 1')
    const before = stateOf(cwd)
    const argv = ['page', 'edit', 'Main Page', '-f', '-']
    const refused = await wiki(argv, { cwd, stdin: 'Bad.\n', tty: ['stderr'] })
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain('The hook pre-commit refuses the edit')
    expect(refused.stderr).toMatch(/bad word/)
    expect(refused.stderr).not.toContain('\u001b[2J')
    expect(stateOf(cwd)).toBe(before)
    expect(readdirSync(join(cwd, '.git')).filter(name => name.startsWith('wiki-hooks-'))).toEqual([])
    expect((await wiki([...argv, '--no-verify'], { cwd, stdin: 'Bad.\n' })).status).toBe(0)
  })

  test('a pre-commit that edits the wiki itself is refused', { tags: 'long' }, async () => {
    const cwd = sampleWiki()
    const program = fileURLToPath(new URL('../../bin/wiki.cjs', import.meta.url))
    hook(cwd, 'pre-commit', `echo more | '${process.execPath}' '${program}' page edit Log -f - -m Logged`)
    const before = stateOf(cwd)
    const { status, stderr } = await edit(cwd)
    expect([status, stderr]).toEqual([2, expect.stringContaining('it edits the wiki itself')])
    expect(stateOf(cwd)).toBe(before)
  })

  test('a pre-commit that changes the content to be committed is refused', async () => {
    const cwd = sampleWiki()
    hook(cwd, 'pre-commit', 'git update-index --force-remove Main_Page.wiki')
    const before = stateOf(cwd)
    expect((await edit(cwd)).stderr).toContain('it changed what is to be committed')
    expect(stateOf(cwd)).toBe(before)
  })

  test.each([
    ['removes it', 'rm "$GIT_INDEX_FILE"'],
    ['puts a folder there', 'rm "$GIT_INDEX_FILE"; mkdir "$GIT_INDEX_FILE"'],
    ['puts a pipe there, which would block', 'rm "$GIT_INDEX_FILE"; mkfifo "$GIT_INDEX_FILE"'],
    ['overwrites it', 'echo no index > "$GIT_INDEX_FILE"'],
  ])('a pre-commit that has the path of the index and %s is refused', async (_, body) => {
    const cwd = sampleWiki()
    hook(cwd, 'pre-commit', body)
    const before = stateOf(cwd)
    const says = 'it left no index that git can read'
    expect(await edit(cwd)).toMatchObject({ status: 2, stderr: expect.stringContaining(says) })
    expect(stateOf(cwd)).toBe(before)
  })

  test('commit-msg and prepare-commit-msg may change the message, and our trailers survive', {
    tags: 'long',
  }, async () => {
    const cwd = sampleWiki()
    hook(cwd, 'prepare-commit-msg', 'printf "[%s] " "$2" | cat - "$1" > "$1.new" && mv "$1.new" "$1"')
    hook(cwd, 'commit-msg', 'printf "\\nChange-Id: I1\\n" >> "$1"')
    expect((await edit(cwd, '--minor')).status).toBe(0)
    const { revisions } = JSON.parse((await wiki(['history', 'Main Page', '--json'], { cwd })).stdout)
    expect(revisions[0]).toMatchObject({ minor: true, comment: '[message] Changed\n\nChange-Id: I1' })
    hook(cwd, 'commit-msg', ': > "$1"')
    const refused = await wiki(['page', 'edit', 'Main Page', '-f', '-'], { cwd, stdin: 'Empty.\n' })
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('it left an empty message') })
  })

  test.each([
    ['removes it', 'rm "$1"', 'it left no message: no file'],
    ['puts a folder there', 'rm "$1"; mkdir "$1"', 'it left no message: no regular file'],
    ['puts a pipe there, which would block', 'rm "$1"; mkfifo "$1"', 'it left no message: no regular file'],
    ['puts a link there', 'mv "$1" "$1.moved"; ln -s "$1.moved" "$1"', 'it left no message: no regular file'],
    ['writes megabytes', 'head -c 2000000 /dev/zero | tr "\\0" a > "$1"', 'it left no message: '],
    ['writes a NUL byte, which git refuses too', 'printf "a\\0b\\n" > "$1"', 'it left a NUL byte in the message'],
  ])('a commit-msg that has the file of the message and %s is refused', async (_, body, says) => {
    const cwd = sampleWiki()
    hook(cwd, 'commit-msg', body)
    const before = stateOf(cwd)
    expect(await edit(cwd)).toMatchObject({ status: 2, stderr: expect.stringContaining(says) })
    expect(stateOf(cwd)).toBe(before)
  })

  test('core.hooksPath is obeyed, post-commit runs after the branch has moved, and its failure changes nothing', async () => {
    const cwd = sampleWiki()
    const out = temporaryFolder()
    hook(cwd, 'pre-commit', 'exit 1')
    hook(cwd, 'post-commit', `git log -1 --format=%s > ${out}/done; echo posted >&2; exit 1`, join(cwd, 'my-hooks'))
    git(cwd, ['config', 'core.hooksPath', 'my-hooks'])
    expect((await edit(cwd)).status).toBe(0)
    expect(readFileSync(join(out, 'done'), 'utf8')).toBe('Changed\n')
  })

  test.each([
    'page create X -f -',
    'page move Fire_house Fire_home',
    'page delete Fire_house --yes',
    'commit',
    'config set name New',
    'init --name New',
  ])('%s runs them', async line => {
    const cwd = sampleWiki()
    hook(cwd, 'pre-commit', 'echo stop >&2; exit 1')
    writeFileSync(join(cwd, 'Fresh.wiki'), 'fresh\n')
    const before = git(cwd, ['rev-parse', 'HEAD'])
    const result = await wiki(line.split(' '), { cwd, stdin: 'text' })
    expect(result.stderr).toContain('The hook pre-commit refuses the edit; nothing was written: stop')
    expect(git(cwd, ['rev-parse', 'HEAD'])).toBe(before)
  })

  test('a hook that hangs is terminated, and nothing is written', async () => {
    const cwd = sampleWiki()
    hook(cwd, 'pre-commit', 'touch started; exec sleep 600')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const repository = findRepository(cwd)
    const programs = commitPrograms(repository, { hooks: 'all', sign: true, patience: 300 })
    const tree = git(cwd, ['rev-parse', 'HEAD^{tree}']).trim()
    const who = 'A <a@example.org> 1 +0000'
    const draft = { tree, parent: null, author: who, committer: who, message: 'x\n' }
    const refused = expect(programs.check(draft)).rejects.toMatchObject({
      code: 'wiki-hook-refused',
      message: expect.stringContaining('it took too long'),
    })
    await until('the hook runs', () => existsSync(join(cwd, 'started')) || undefined)
    vi.advanceTimersByTime(300)
    await refused
  })
})

test.each([
  ['One\n\nWiki-Minor: true\n', 'One!\n\nWiki-Minor: true\n', 'One!\n\nWiki-Minor: true\n'],
  ['One\n\nWiki-Minor: true\n', 'One\n\nWiki-Minor: true\n\nA word\n', 'One\n\nA word\n\nWiki-Minor: true\n'],
  ['One\n\nWiki-Minor: true\n', 'One\n\nWiki-Minor: true\nChange-Id: 1\n', 'One\n\nChange-Id: 1\nWiki-Minor: true\n'],
  ['One\n\nWiki-Minor: true\n', 'Two\n', 'Two\n\nWiki-Minor: true\n'],
  ['One\n\nWiki-Minor: true\n', '\n', ''],
  ['One\n', 'Two\n', 'Two\n'],
])('a changed message keeps our trailers: %j, %j', (before, after, expected) => {
  expect(keepTrailers(before, after)).toBe(expected)
})

const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined

/** Configures signing of commits with a new SSH key. */
function signing(cwd: string): void {
  const key = join(temporaryFolder(), 'key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', key])
  const allowed = `${key}.allowed`
  writeFileSync(allowed, `test@example.org ${readFileSync(`${key}.pub`, 'utf8')}`)
  const settings = {
    'gpg.format': 'ssh',
    'user.signingKey': key,
    'gpg.ssh.allowedSignersFile': allowed,
    'commit.gpgSign': 'true',
  }
  for (const [name, value] of Object.entries(settings)) git(cwd, ['config', name, value])
}

describe.skipIf(!hasGit || process.platform === 'win32')('commit.gpgSign', () => {
  test.skipIf(!hasKeygen)('signs with SSH so that git verifies it, and the history reads as before', async () => {
    const cwd = sampleWiki()
    signing(cwd)
    expect(await edit(cwd, '--minor')).toMatchObject({ status: 0 })
    const verified = spawnSync('git', ['verify-commit', 'HEAD'], { cwd, encoding: 'utf8' })
    expect(verified.stderr).toContain('Good "git" signature for test@example.org')
    const { revisions } = JSON.parse((await wiki(['history', 'Main Page', '--json'], { cwd })).stdout)
    expect(revisions[0]).toMatchObject({ comment: 'Changed', minor: true, user: { name: 'Test User' } })
    expect(git(cwd, ['fsck', '--strict'])).toBe('')
    expect(git(cwd, ['status', '--porcelain'])).toBe('')
  })

  test('calls the OpenPGP program to sign the bytes of the commit', async () => {
    const cwd = sampleWiki()
    const out = temporaryFolder()
    const body = `cat > ${out}/signed; echo "$@" > ${out}/arguments; echo "[GNUPG:] SIG_CREATED " >&2; printf -- "-----BEGIN PGP SIGNATURE-----\\n\\nabc\\n-----END PGP SIGNATURE-----\\n"`
    hook(out, 'gpg', body, out)
    git(cwd, ['config', 'gpg.program', join(out, 'gpg')])
    git(cwd, ['config', 'commit.gpgSign', 'true'])
    expect((await edit(cwd)).status).toBe(0)
    const commit = git(cwd, ['cat-file', 'commit', 'HEAD'])
    expect(commit).toContain('gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n')
    expect(readFileSync(join(out, 'signed'), 'utf8')).toBe(
      commit.replace(/gpgsig .*?-----END PGP SIGNATURE-----\n/s, ''),
    )
    expect(readFileSync(join(out, 'arguments'), 'utf8')).toContain('--status-fd=2 -bsau')
  })

  test.each(['true', 'treu'])('a commit that cannot be signed is not created: %s', { tags: 'long' }, async value => {
    const cwd = sampleWiki()
    const out = temporaryFolder()
    hook(out, 'gpg', 'echo "no key" >&2; exit 2', out)
    git(cwd, ['config', 'gpg.program', join(out, 'gpg')])
    git(cwd, ['config', 'commit.gpgSign', value])
    const before = stateOf(cwd)
    const result = await edit(cwd)
    expect(result.status).toBe(2)
    expect(result.stderr).toContain('The commit could not be signed; nothing was written')
    expect(stateOf(cwd)).toBe(before)
  })
})

describe.skipIf(!hasGit || process.platform === 'win32')('a server', () => {
  /** Runs a server for one edit; returns its output. */
  async function served(cwd: string, ...options: string[]): Promise<{ stdout: string; status: number }> {
    let ready = (_: string): void => {}
    let stop = (): void => {}
    const address = new Promise<string>(resolve => {
      ready = resolve
    })
    const stopped = new Promise<void>(resolve => {
      stop = resolve
    })
    const watch = (text: string): void => void (/http:[^\s"]+/.test(text) && ready(/http:[^\s"]+/.exec(text)![0]))
    const running = wiki(['serve', '-p', '0', '--allow-anonymous', ...options], { cwd, stopped, watch })
    const url = await address
    const body = JSON.stringify({ source: 'Served.', title: 'Served', comment: 'Over REST' })
    const answer = await fetch(`${url}/page`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    stop()
    return { stdout: (await running).stdout, status: answer.status }
  }

  test('runs hooks and signs only by an explicit setting, and says so when it starts', { tags: 'long' }, async () => {
    const cwd = sampleWiki()
    const out = temporaryFolder()
    hook(cwd, 'pre-commit', `echo x >> ${out}/ran; exit 1`)
    git(cwd, ['config', 'commit.gpgSign', 'true'])
    git(cwd, ['config', 'gpg.program', 'false'])
    const plain = await served(cwd)
    expect(plain.stdout).toContain('Edits run no hooks, though there are some (pre-commit): --hooks\n')
    expect(plain.stdout).toContain('Edits are not signed, though commit.gpgSign is set: --sign\n')
    expect(plain.status).toBe(201)
    expect(existsSync(join(out, 'ran'))).toBe(false)
    git(cwd, ['reset', '-q', '--hard', 'HEAD~1'])
    const started = JSON.parse((await served(cwd, '--json')).stdout)
    expect(started).toMatchObject({ hooks: [], ignored: { hooks: ['pre-commit'], commitGpgSign: true } })
    git(cwd, ['reset', '-q', '--hard', 'HEAD~1'])
    expect(await served(cwd, '--hooks')).toMatchObject({
      status: 403,
      stdout: expect.stringContaining('Edits run hooks: pre-commit'),
    })
    git(cwd, ['config', 'wiki.serverHooks', 'true'])
    expect(await served(cwd)).toMatchObject({ status: 403 })
    expect(await served(cwd, '--sign')).toMatchObject({ stdout: expect.stringContaining('Edits are signed\n') })
  })
})

describe.skipIf(!hasGit || process.geteuid?.() !== 0)('a repository of another user', () => {
  function givenAway(): string {
    const cwd = sampleWiki()
    for (const path of ['.', ...readdirSync(cwd, { recursive: true, encoding: 'utf8' })])
      lchownSync(join(cwd, path), 12_345, 12_345)
    return cwd
  }

  test("is read but not written; the error carries git's remedy", async () => {
    const cwd = givenAway()
    hook(cwd, 'pre-commit', `touch ${cwd}/ran`)
    expect((await wiki(['page', 'get', 'Main Page'], { cwd })).stdout).toBe('Hello.\n')
    const result = await edit(cwd)
    expect(result.status).toBe(2)
    expect(result.stderr).toContain('belongs to somebody else, so git would refuse it; nothing was written')
    expect(result.stderr).toContain(`git config --global --add safe.directory "${cwd}"`)
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })

  test.each([
    ['the folder', (cwd: string) => [cwd], true],
    ['any folder', () => ['*'], true],
    ['any folder, then none again', () => ['*', ''], false],
    ['another folder', () => ['/elsewhere'], false],
  ] as const)('safe.directory names %s', async (_, values, isSafe) => {
    const cwd = givenAway()
    const settings = values(cwd)
    const pairs = settings.flatMap((value, at) => [
      [`GIT_CONFIG_KEY_${at}`, 'safe.directory'],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ])
    const before = { ...process.env }
    Object.assign(process.env, Object.fromEntries(pairs), { GIT_CONFIG_COUNT: `${settings.length}` })
    try {
      expect((await edit(cwd)).status).toBe(isSafe ? 0 : 2)
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    }
    const file = join(temporaryFolder(), 'gitconfig')
    writeFileSync(file, `[safe]\n${settings.map(value => `\tdirectory = ${value}\n`).join('')}`)
    const usual = process.env.GIT_CONFIG_GLOBAL
    process.env.GIT_CONFIG_GLOBAL = file
    try {
      const result = await wiki(['page', 'create', 'Another', '-f', '-'], { cwd, stdin: 'x' })
      expect(result.status).toBe(isSafe ? 0 : 2)
    } finally {
      process.env.GIT_CONFIG_GLOBAL = usual
    }
  })

  test('its own configuration is ignored', async () => {
    const cwd = givenAway()
    git(cwd, ['config', '--file', join(cwd, '.git/config'), 'safe.directory', '*'])
    expect((await edit(cwd)).status).toBe(2)
  })
})
