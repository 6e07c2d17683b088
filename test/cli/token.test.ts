import { expect, test } from 'vitest'
import { sampleWiki, wiki } from './harness.ts'

test('token create prints the token alone, and a note that it is shown only once', async () => {
  const cwd = sampleWiki()
  const made = await wiki(['token', 'create', 'Ada Example', '--email', 'ada@example.org'], { cwd })
  expect(made).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^wiki_[\w-]{43}\n$/),
    stderr: expect.stringMatching(/^Token [0-9a-f]{8} of Ada Example\. Keep it now: it cannot be shown again\.\n$/),
  })
  const listed = await wiki(['token', 'list'], { cwd })
  expect(listed.stdout).toMatch(/^[0-9a-f]{8}\tAda Example\tada@example\.org\tuser\tedit,upload,delete\t20\S+Z\t\n$/)
  expect(listed.stdout + listed.stderr).not.toContain(made.stdout.trim())
})

test('token create --json prints one object with the token; list omits the token', async () => {
  const cwd = sampleWiki()
  const made = await wiki(['token', 'create', 'Sweeper', '--bot', '--expires', '90d', '--json', '-q'], { cwd })
  const { token, ...entry } = JSON.parse(made.stdout)
  expect([token, entry.bot, made.stderr]).toEqual([expect.stringMatching(/^wiki_/), true, ''])
  expect(JSON.parse((await wiki(['token', 'list', '--json'], { cwd })).stdout)).toEqual({ tokens: [entry] })
  const table = await wiki(['token', 'list'], { cwd, tty: ['stdout'], env: { NO_COLOR: '1' } })
  expect(table.stdout).toMatch(/^Id .*\n[0-9a-f]{8} {2}Sweeper .* bot /)
})

test('token revoke accepts only an id from the list', async () => {
  const cwd = sampleWiki()
  const { id } = JSON.parse((await wiki(['token', 'create', 'Ada', '--json'], { cwd })).stdout)
  expect(await wiki(['token', 'revoke', 'ffffffffff'], { cwd })).toMatchObject({
    status: 2,
    stderr: 'wiki: There is no token ffffffffff\nhint: wiki token list\n',
  })
  expect((await wiki(['token', 'revoke', id], { cwd })).stderr).toBe(`Revoked token ${id} of Ada\n`)
  expect((await wiki(['token', 'list'], { cwd })).stdout).toBe('')
})
