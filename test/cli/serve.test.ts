import { expect, test } from 'vitest'
import { sampleWiki, wiki } from './harness.ts'

/** Runs `wiki serve` until `visit` is done with its address. */
async function served(argv: readonly string[], visit: (url: string) => Promise<void>) {
  let ready = (_: string): void => {}
  let stop = (): void => {}
  const address = new Promise<string>(resolve => {
    ready = resolve
  })
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  const watch = (text: string): void => ready(/http:[^\s"]+/.exec(text)?.[0] ?? '')
  const running = wiki(['serve', '-p', '0', ...argv], { cwd: sampleWiki(), stopped, watch })
  await Promise.race([address.then(visit), running])
  stop()
  return running
}

test('serve prints its address and a line to try, logs requests, and ends with 0', async () => {
  const { status, stdout, stderr } = await served([], async url => {
    expect(await (await fetch(`${url}/page/Main_Page`)).json()).toMatchObject({ id: 1, source: 'Hello.' })
  })
  expect(status).toBe(0)
  expect(stdout).toMatch(/^Serving Sample at (http:\S+\/v1) \(Ctrl-C ends it\)\nTry: curl \1\/page\/Main_Page\n$/)
  expect(stderr).toMatch(/^20\S+Z 200 GET \/v1\/page\/Main_Page \d+ bytes [\d.]+ ms\n$/)
})

test('with --json the address and each request are objects, with --quiet nothing is logged', async () => {
  const visit = async (url: string): Promise<void> => void (await fetch(`${url}/page/Main_Page`))
  const json = await served(['--json'], visit)
  expect(JSON.parse(json.stdout)).toEqual({ url: expect.stringMatching(/\/v1$/) })
  expect(JSON.parse(json.stderr)).toMatchObject({ event: 'request', status: 200 })
  expect((await served(['--quiet'], visit)).stderr).toBe('')
})

test.each([
  [[], 401],
  [['--allow-anonymous'], 201],
  [['--allow-anonymous', '--read-only'], 403],
])('with %j an edit is answered with %i', async (argv, expected) => {
  const body = JSON.stringify({ title: 'New', source: 'x', comment: null })
  await served(argv, async url => {
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${url}/page`, { method: 'POST', headers, body })).status).toBe(expected)
  })
})

test('a port that is no port is wrong usage', async () => {
  expect((await wiki(['serve', '--port', '70000'], { cwd: sampleWiki() })).status).toBe(2)
})
