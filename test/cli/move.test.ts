import { expect, test } from 'vitest'
import { sampleWiki, wiki } from './harness.ts'

async function linkedWiki() {
  const cwd = sampleWiki()
  const edit = (title: string, text: string) =>
    wiki(['page', 'create', title, '-f', '-', '-m', 'x'], { cwd, stdin: text })
  await edit('Harbour', 'See [[Old pier]], {{old pier}} and [[{{{1}}}]].')
  await edit('Old pier', 'Wood.')
  return cwd
}

test('wiki page move --update-links rewrites links; the dry run prints the difference', async () => {
  const cwd = await linkedWiki()
  const move = ['page', 'move', 'Old pier', 'New pier', '--update-links']
  const planned = await wiki([...move, '--dry-run'], { cwd })
  expect(planned.stdout).toContain('+See [[New pier|Old pier]], {{old pier}} and [[{{{1}}}]].')
  expect(planned.stderr).toBe(
    'Would move "Old pier" to "New pier", leaving a redirect, with 1 link on 1 page\nNot rewritten: [[{{{1}}}]] on "Harbour"\n',
  )
  const moved = await wiki(move, { cwd })
  expect(moved.stderr).toMatch(
    /^Moved "Old pier" to "New pier" as revision \d+ \(\w+\), leaving a redirect, with 1 link on 1 page\n/,
  )
  expect((await wiki(['page', 'get', 'Harbour'], { cwd })).stdout).toContain('[[New pier|Old pier]]')
})

test('--retitle lets links show the new title', async () => {
  const cwd = await linkedWiki()
  await wiki(['page', 'move', 'Old pier', 'Quay', '--retitle', '--no-redirect'], { cwd })
  expect((await wiki(['page', 'get', 'Harbour'], { cwd })).stdout).toContain('See [[Quay]],')
})

test('a move that changes only case says that links break', async () => {
  const cwd = await linkedWiki()
  const move = async (from: string, to: string, ...more: string[]) =>
    (await wiki(['page', 'move', from, to, ...more], { cwd })).stderr
  expect(await move('Old pier', 'OLD pier')).toContain(
    'No redirect could stay: 1 page links to "Old pier", where nothing is now (wiki links "Old pier" --to)\n',
  )
  expect(await move('OLD pier', 'Old pier')).not.toContain('No redirect')
  expect(await move('Old pier', 'OLD pier', '--update-links')).not.toContain('No redirect')
})

test('without an option a script does not change links', async () => {
  const cwd = await linkedWiki()
  expect((await wiki(['page', 'move', 'Old pier', 'Pier'], { cwd })).stderr).not.toContain('link')
  expect((await wiki(['page', 'get', 'Harbour'], { cwd })).stdout).toContain('[[Old pier]]')
})
