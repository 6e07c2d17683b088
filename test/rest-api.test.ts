import { expect, test } from 'vitest'
import { hasShellTools, runDocument } from './_document.ts'
import { temporaryDirectory } from './_setup.ts'

test('every command of docs/reference/rest-api.md works, in order', async context => {
  context.skip(!hasShellTools, 'the document is for a shell with curl')
  const { status, stdout, stderr } = await runDocument('docs/reference/rest-api.md', {
    directory: await temporaryDirectory(),
  })
  expect(status, `${stdout}\n${stderr}`).toBe(0)
  for (const expected of [
    '"key":"Pier"',
    '"source":"Fifty metres',
    'stale tag: 412',
    '"count":3',
    '"kind":"link"',
    'missing-end-tag',
    '* one',
    'A b c d E',
    '"title":"Depth.txt"',
    '"key":"North_pier"',
    '"deleted":[{"key":"North_pier"',
  ])
    expect(stdout).toContain(expected)
})
