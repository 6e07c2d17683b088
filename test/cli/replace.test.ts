import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git, hasGit } from '../_setup.ts'
import { sampleWiki, wiki } from './harness.ts'

test('wiki replace shows the difference, asks at a terminal, and writes one commit', async () => {
  const cwd = sampleWiki()
  await wiki(['page', 'create', 'Harbour', '-f', '-', '-m', 'x'], { cwd, stdin: 'An ancient pier, an ancient wall.' })
  const planned = await wiki(['replace', 'an ancient', 'a new', '--ignore-case', '--dry-run'], { cwd })
  expect(planned.stdout).toContain('-An ancient pier, an ancient wall.\n+a new pier, a new wall.')
  expect(planned.stderr).toBe('Would replace 2 places on 1 page\n')
  const tty = ['stdin', 'stderr'] as const
  const refused = await wiki(['replace', 'ancient', 'new'], { cwd, tty, stdin: 'n\n' } as never)
  expect(refused.stderr).toContain('Nothing was replaced')
  const done = await wiki(['replace', 'ancient', 'new'], { cwd })
  expect(done.stderr).toMatch(/^Replaced 2 places on 1 page in [0-9a-f]{7,}\n$/)
  expect((await wiki(['page', 'get', 'Harbour'], { cwd })).stdout).toBe('An new pier, an new wall.\n')
  const hash = /in ([0-9a-f]{7,})/.exec(done.stderr)?.[1] ?? ''
  await wiki(['undo', hash], { cwd })
  expect((await wiki(['page', 'get', 'Harbour'], { cwd })).stdout).toBe('An ancient pier, an ancient wall.\n')
  const none = await wiki(['replace', 'zebra', 'x', '--exit-code'], { cwd })
  expect(none).toMatchObject({ status: 1, stderr: 'Nothing to replace\n' })
})

test.skipIf(!hasGit)(
  'a dry run says that a filter was not run, in place of a page that cannot be changed',
  async () => {
    const cwd = sampleWiki()
    await wiki(['page', 'create', 'Harbour', '-f', '-', '-m', 'x'], { cwd, stdin: 'An ancient pier.' })
    writeFileSync(join(cwd, '.gitattributes'), 'Harbour.wiki filter=upper\n')
    git(cwd, 'config', 'filter.upper.clean', 'tr a-z A-Z')
    const planned = await wiki(['replace', 'ancient', 'new', '--dry-run'], { cwd })
    expect(planned.stderr).toContain('or a filter, which was not run, may store its text in another form')
  },
)
