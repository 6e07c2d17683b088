import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../_setup.ts'
import { wiki } from './harness.ts'

async function twoPages(): Promise<string> {
  const cwd = await temporaryDirectory()
  await wiki(['init'], { cwd })
  await wiki(['page', 'create', 'Way', '-f', '-'], { cwd, stdin: '#REDIRECT [[Target]]' })
  await wiki(['page', 'create', 'Target', '-f', '-'], { cwd, stdin: "It is '''here'''." })
  return cwd
}

describe('page get --html', () => {
  test('prints a document, of the target if the page redirects', async () => {
    const cwd = await twoPages()
    const followed = await wiki(['page', 'get', 'Way', '--html'], { cwd })
    expect(followed).toMatchObject({ status: 0, stderr: '' })
    expect(followed.stdout).toMatch(/^<!DOCTYPE html>.*It is <b[^>]*>here<\/b>/s)
    const itself = await wiki(['page', 'get', 'Way', '--html', '--no-redirect'], { cwd })
    expect(itself.stdout).toContain('mw:PageProp/redirect')
  })

  test('includes the data for converting back with the flavor edit', async () => {
    const cwd = await twoPages()
    const flavor = async (name: string) =>
      (await wiki(['page', 'get', 'Target', '--html', '--flavor', name], { cwd })).stdout.includes('data-parsoid')
    expect([await flavor('view'), await flavor('edit')]).toEqual([false, true])
  })

  test('writes the API object with --with-html, also of a revision and into a file', async () => {
    const cwd = await twoPages()
    const { stdout } = await wiki(['page', 'get', 'Target', '--with-html'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ key: 'Target', html: expect.stringContaining('here') })
    await wiki(['revision', 'get', 'Target@latest', '--with-html', '-o', 'out.json'], { cwd })
    const object = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'))
    expect(object).toMatchObject({ page: { key: 'Target' }, html: expect.stringContaining('here') })
  })
})
