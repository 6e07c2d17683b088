// @module-tag long
import { expect, test } from 'vitest'
import { hasShellTools, runDocument } from './_document.ts'
import { temporaryDirectory } from './_setup.ts'

test('every command of docs/authentication.md works, in order', { tags: 'long' }, async context => {
  context.skip(!hasShellTools, 'the document is for a shell with curl')
  const { status, stdout, stderr } = await runDocument('docs/authentication.md', {
    directory: await temporaryDirectory(),
  })
  expect(status, `${stdout}\n${stderr}`).toBe(0)
  for (const expected of [
    'Ada Example',
    '"key":"Tide_times"',
    '{"user":{"name":"Ada Example","bot":false,"scopes":["edit","upload","delete"]},"csrf_token":null}',
    '"key":"Moon"',
    '"key":"Sun"',
    'wiki-login-required',
    '127.0.0.1',
  ])
    expect(stdout).toContain(expected)
  expect(stdout.match(/^401$/gm)).toHaveLength(2)
})
