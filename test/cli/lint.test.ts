/** `wiki lint` on files that are no pages yet, and on what the engine does not call a fault. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleWiki, wiki } from './harness.ts'

test('files that were added to the work tree are looked at, by themselves and by their titles', async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'New_page.wiki'), 'a [[link\n')
  writeFileSync(join(cwd, 'Main_Page.wiki'), '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n')
  const all = await wiki(['lint'], { cwd })
  expect(all).toMatchObject({
    status: 1,
    stdout: 'Main_Page.wiki:1:1: conflict-marker\nNew_page.wiki:1:3: unclosed-link\n',
  })
  expect((await wiki(['lint', 'New page'], { cwd })).stdout).toBe('New_page.wiki:1:3: unclosed-link\n')
  expect((await wiki(['lint', 'New_page.wiki'], { cwd })).stdout).toBe('New_page.wiki:1:3: unclosed-link\n')
  expect((await wiki(['lint', '--type', 'conflict-marker'], { cwd })).stdout).toBe(
    'Main_Page.wiki:1:1: conflict-marker\n',
  )
  expect(await wiki(['lint', 'Nowhere'], { cwd })).toMatchObject({ status: 2 })
  const onTerminal = await wiki(['lint', 'New page', '--no-pager'], { cwd, tty: ['stdout'] })
  expect(onTerminal.stdout).toContain('hint: Add ]]')
})

test('a comment with a reason silences a kind', async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'New_page.wiki'), 'a [[link <!-- wiki-check-ignore unclosed-link: on purpose -->\n')
  expect(await wiki(['lint'], { cwd })).toMatchObject({ status: 0, stdout: '' })
})
