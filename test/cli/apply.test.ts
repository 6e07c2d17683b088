// @module-tag long
import { expect, test } from 'vitest'
import { sampleWiki, wiki } from './harness.ts'

test('wiki apply accepts the output of wiki compare --unified, and exits with 3 if it does not fit', {
  tags: 'long',
}, async () => {
  const cwd = sampleWiki()
  await wiki(['page', 'create', 'Harbour', '-f', '-'], { cwd, stdin: 'An old pier.' })
  await wiki(['page', 'edit', 'Harbour', '-f', '-'], { cwd, stdin: 'A new pier.' })
  const patch = (await wiki(['compare', 'Harbour@prev', 'Harbour@latest', '--unified'], { cwd })).stdout
  const tooLate = await wiki(['apply'], { cwd, stdin: patch })
  expect(tooLate).toMatchObject({ status: 3 })
  expect(tooLate.stderr).toContain('The patch does not fit Harbour as it is now')
  await wiki(['undo', 'Harbour@latest'], { cwd })
  const planned = await wiki(['apply', '--dry-run'], { cwd, stdin: patch })
  expect(planned).toMatchObject({ status: 0, stderr: 'Would apply the patch to "Harbour"\n' })
  expect(planned.stdout).toContain('+A new pier.')
  const done = await wiki(['apply', '-m', 'again'], { cwd, stdin: patch })
  expect(done.stderr).toMatch(/^Applied the patch to "Harbour" in [0-9a-f]{7,}\n$/)
  expect((await wiki(['page', 'get', 'Harbour'], { cwd })).stdout).toBe('A new pier.\n')
  expect(await wiki(['apply', 'no-such-file'], { cwd })).toMatchObject({ status: 2 })
})
