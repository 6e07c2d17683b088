import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { inTime, until } from '../_wait.ts'
import { type RunOptions, sampleWiki, temporaryFolder, wiki } from './harness.ts'

const program = fileURLToPath(new URL('../../bin/wiki.cjs', import.meta.url))

/** Runs `wiki serve` until `visit` is done with its address. */
async function served(
  argv: readonly string[],
  visit: (url: string, printed: () => string) => Promise<void>,
  options: RunOptions = {},
) {
  let ready = (_: string): void => {}
  let stop = (): void => {}
  const address = new Promise<string>(resolve => {
    ready = resolve
  })
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  let text = ''
  const watch = (piece: string): void => {
    text += piece
    const url = /http:[^\s"]+/.exec(text)?.[0]
    if (url !== undefined) ready(url)
  }
  const running = wiki(['serve', '-p', '0', ...argv], { cwd: sampleWiki(), stopped, watch, ...options })
  await Promise.race([address.then(url => visit(url, () => text)), running])
  stop()
  return running
}

test('serve prints its address and an example, logs requests, and ends with 0', async () => {
  const { status, stdout, stderr } = await served([], async url => {
    expect(await (await fetch(`${url}/page/Main_Page`)).json()).toMatchObject({ id: 1, source: 'Hello.' })
  })
  expect(status).toBe(0)
  expect(stdout).toMatch(
    /^Serving Sample \(branch main\) at (http:\S+)\/v1 \(Ctrl-C ends it\)\nTry: curl \1\/v1\/page\/Main_Page\nEdit as .+: the link in \S+\/\.git\/wiki\/\.access\/sign-in-link \(once, for ten minutes\)\n$/,
  )
  expect(stderr).toMatch(/^20\S+Z 200 GET \/v1\/page\/Main_Page \d+ bytes [\d.]+ ms\n$/)
})

test('serve can be read where no link can be written, and says that nobody can sign in', async () => {
  const cwd = sampleWiki()
  const folder = join(cwd, '.git/wiki/.access')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, '..'), { recursive: true })
  // Nobody may make a folder there, not even root.
  writeFileSync(folder, '')
  const read = async (url: string) => {
    expect(await (await fetch(`${url}/page/Main_Page`)).json()).toMatchObject({ id: 1, source: 'Hello.' })
  }
  const { status, stdout, stderr } = await served([], read, { cwd })
  expect(stdout).not.toContain('the link in')
  expect(stderr).toMatch(/^Nobody can sign in: .+$/m)
  expect(status).toBe(0)
})

test('serve says why nobody can sign in where git knows no name', async () => {
  const cwd = sampleWiki()
  appendFileSync(join(cwd, '.git/config'), '[user]\n\tuseConfigOnly = true\n')
  const env = { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '', EMAIL: '' }
  const { stdout, stderr } = await served([], async () => {}, { cwd, env })
  expect(stdout).not.toContain('the link in')
  expect(stderr).toMatch(/^Nobody can sign in, because git knows no name for you\. Set one: git config /m)
})

test.each([['--read-only'], ['--no-ui'], ['--trust-proxy', '10.0.0.1'], ['--host', '0.0.0.0']])(
  'serve %s %s prints no link that signs in',
  async (...options) => {
    const { stdout } = await served(options, async () => {})
    expect(stdout).not.toContain('UserLogin')
  },
)

test.each<[where: string, tty: NonNullable<RunOptions['tty']>]>([
  ['on a terminal', ['stdout']],
  ['as a file in a log, which others may read', []],
])('serve gives a new link to sign in when a page asks for one, %s', async (_, tty) => {
  const fileIn = /the link in (.+) \(once/
  const said: string[] = []
  const { stdout } = await served(
    [],
    async (url, printed) => {
      const page = url.replace(/\/v1$/, '/wiki/Special:UserLogin')
      const linkIn = (text: string): string | undefined => {
        const file = fileIn.exec(text)?.[1]
        if (file !== undefined) expect(statSync(file).mode & 0o077).toBe(0)
        return /code=(wiki_[\w-]+)/.exec(file === undefined ? text : readFileSync(file, 'utf8'))?.[1]
      }
      const post = (fields: Record<string, string>) =>
        fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
      const code = await until('the first link', () => linkIn(printed()))
      expect((await post({ code })).status).toBe(303)
      expect(await (await fetch(page)).text()).toContain('Print a new link')
      const before = printed()
      expect(await (await post({ do: 'link' })).text()).toContain('A link was printed')
      const another = await until('the second link', () => linkIn(printed().slice(before.length)))
      expect(another).not.toBe(code)
      expect((await post({ code: another })).status).toBe(303)
      said.push(code, another)
    },
    { tty },
  )
  for (const code of said) expect(stdout.includes(code)).toBe(tty.length > 0)
})

test.skipIf(process.platform !== 'linux').each<[when: string, children: number]>([
  ['as soon as it listens', 0],
  ['when it has started a worker, which loads the engine', 1],
])('SIGTERM %s ends it', { tags: 'long' }, async (_, children) => {
  const child = spawn(process.execPath, [program, 'serve', '-p', '0'], { cwd: sampleWiki() })
  await inTime('the server says its address', once(child.stdout, 'data'))
  const started = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'latin1').split(' ').length - 1
  await until('the worker starts', () => started() >= children || undefined)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await inTime('the server ends', ended)).toEqual([0, null])
})

test('with --json the address and each request are objects, and with --quiet nothing is logged', async () => {
  const visit = async (url: string): Promise<void> => void (await fetch(`${url}/page/Main_Page`))
  const json = await served(['--json'], visit)
  expect(JSON.parse(json.stdout)).toMatchObject({ url: expect.stringMatching(/\/v1$/), branch: 'main' })
  expect(JSON.parse(json.stderr)).toMatchObject({ event: 'request', status: 200 })
  expect((await served(['--quiet'], visit)).stderr).toBe('')
})

test.each([
  [[], 401],
  [['--allow-anonymous'], 201],
  [['--allow-anonymous', '--read-only'], 403],
])('with %j an edit gets status %i', async (argv, expected) => {
  const body = JSON.stringify({ title: 'New', source: 'x', comment: null })
  await served(argv, async url => {
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${url}/page`, { method: 'POST', headers, body })).status).toBe(expected)
  })
})

test('an invalid port is wrong usage', async () => {
  expect((await wiki(['serve', '--port', '70000'], { cwd: sampleWiki() })).status).toBe(2)
})

/** Sends a write with headers that `fetch` does not allow; returns the status and the body. */
function write(url: string, headers: Record<string, string>, source = 'x'): Promise<[number, Record<string, unknown>]> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/page`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
    sent.on('error', reject)
    sent.on('response', response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => (text += chunk))
      response.on('end', () => resolve([response.statusCode ?? 0, { ...JSON.parse(text), ...response.headers }]))
    })
    sent.end(JSON.stringify({ title: 'New', source, comment: null }))
  })
}

test('--token-file creates a token that permits writing, and reuses it at the next start', async () => {
  const cwd = sampleWiki()
  const file = join(cwd, '.git', 'token')
  const token = () => readFileSync(file, 'utf8').trim()
  const { stderr } = await served(
    ['--token-file', '.git/token'],
    async url => {
      expect(await write(url, { authorization: `Bearer ${token()}` })).toMatchObject([201, { key: 'New' }])
    },
    { cwd },
  )
  expect(stderr).toMatch(/^A token of Test User \([0-9a-f]{8}\) is in \S+token\n/)
  expect(stderr).not.toContain(token())
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const first = token()
  await served(['--token-file', '.git/token'], async () => {}, { cwd })
  expect(token()).toBe(first)
  expect((await wiki(['history', 'New'], { cwd })).stdout).toContain('Test User')
})

test('--token-file does not overwrite a file with other content, and the server does not start', async () => {
  const cwd = sampleWiki()
  const { status, stderr } = await served(['--token-file', 'wiki.json'], async () => {}, { cwd })
  expect([status, stderr]).toEqual([2, expect.stringContaining('cannot store a token')])
  expect(JSON.parse(readFileSync(join(cwd, 'wiki.json'), 'utf8'))).toEqual({ name: 'Sample' })
})

test("--trust-proxy and --allow-host accept a proxy's headers, and edits are recorded under its client", async () => {
  const cwd = sampleWiki()
  const forwarded = {
    'x-forwarded-for': '198.51.100.1, 203.0.113.7',
    'x-forwarded-host': 'wiki.example',
    'x-forwarded-proto': 'https',
  }
  const argv = ['--allow-anonymous', '--trust-proxy', '10.0.0.0/8, 127.0.0.1', '--allow-host', 'wiki.example']
  const { stderr } = await served(
    [...argv, '--json'],
    async url => {
      const [status, body] = await write(url, forwarded)
      expect([status, body.location]).toEqual([201, 'https://wiki.example/v1/page/New'])
    },
    { cwd },
  )
  expect(JSON.parse(stderr)).toMatchObject({ peer: '203.0.113.7', status: 201 })
  expect((await wiki(['history', 'New'], { cwd })).stdout).toContain('203.0.113.7')
  await served(['--allow-anonymous'], async url => {
    const [status, body] = await write(url, forwarded)
    expect([status, body.location]).toEqual([201, `${url}/page/New`])
  })
})

test('--https and --max-body', async () => {
  await served(['--allow-anonymous', '--https', '--max-body', '1024'], async url => {
    const [status, body] = await write(url, {})
    expect([status, body.location]).toEqual([201, `${url.replace('http:', 'https:')}/page/New`])
    expect(await write(url, {}, 'x'.repeat(1024))).toMatchObject([413, { errorKey: 'rest-body-too-large' }])
  })
})

test('--memory limits the caches, and pages are served even with 1 MB', async () => {
  const text = 'word '.repeat(30_000)
  await served(['--allow-anonymous', '--memory', '1'], async url => {
    await write(url, {}, text)
    for (const _ of [1, 2])
      expect(await (await fetch(`${url}/page/New`)).json()).toMatchObject({ source: text.trimEnd() })
  })
})

test('wiki.serverMemory is the default of --memory, and an invalid value is reported', async () => {
  const cwd = sampleWiki()
  appendFileSync(join(cwd, '.git/config'), '[wiki]\n\tserverMemory = much\n')
  const { status, stderr } = await wiki(['serve', '-p', '0'], { cwd })
  expect([status, stderr]).toEqual([2, expect.stringContaining('"wiki.serverMemory" must be between 1 and 65536')])
  expect(await wiki(['page', 'list'], { cwd })).toMatchObject({ status: 0 })
})

test.each([
  [['--memory', '0'], '"0" for parameter "memory" must be between 1 and 65536'],
  [['--memory', 'much'], '"much" for parameter "memory" must be between 1 and 65536'],
  [['--memory', '80MB'], '"80MB" for parameter "memory" must be between 1 and 65536'],
  [['--trust-proxy', 'localhost'], '"localhost" is neither an IP address nor a block like 10.0.0.0/8'],
  [['--max-body', '1'], 'between 1024 and'],
])('%j is wrong usage', async (argv, message) => {
  const { status, stderr } = await wiki(['serve', '-p', '0', ...argv], { cwd: sampleWiki() })
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('--open starts the browser with the address only, and only at a terminal', async context => {
  context.skip(process.platform === 'win32', 'the browser of this test is a shell script')
  const folder = temporaryFolder()
  const [browser, opened] = [join(folder, 'a browser; false'), join(folder, 'opened')]
  writeFileSync(browser, `#!/bin/sh\necho "$#" "$1" > '${opened}'\n`)
  chmodSync(browser, 0o755)
  const env = { BROWSER: browser }
  await served(['--open'], async () => {}, { env })
  expect(existsSync(opened)).toBe(false)
  let address = ''
  await served(
    ['--open'],
    async url => {
      address = url
      await until(
        'the browser is opened',
        () => (existsSync(opened) && /\n$/.test(readFileSync(opened, 'utf8'))) || undefined,
      )
    },
    { env, tty: ['stdout'] },
  )
  expect(readFileSync(opened, 'utf8')).toBe(`1 ${address.replace('/v1', '')}/wiki/Main_Page\n`)
  const { stderr } = await served(['--open'], async () => {}, { env: { BROWSER: '/no/such/browser' }, tty: ['stdout'] })
  expect(stderr).toMatch(/^No browser could be started with \/no\/such\/browser; open http:\S+\n$/)
})

test('a wiki that cannot be read ends the server with the error', async () => {
  const cwd = sampleWiki()
  const folder = join(cwd, '.git/wiki/main')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'eras.json'), '{damaged')
  const child = spawn(process.execPath, [program, 'serve', '-p', '0'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', chunk => (errors += chunk))
  expect(await inTime('the server ends', once(child, 'exit'))).toEqual([2, null])
  expect(errors).toMatch(/eras\.json is damaged/)
})
