// @module-tag long
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { commitFiles, create, newWiki, openTestWiki, writeWork } from '../operations/_wiki.ts'

/** A wiki whose configuration names programs; each leaves a file behind if it runs. */
async function armedWiki(): Promise<{ directory: string; ran: (name: string) => boolean }> {
  const { wiki, directory } = await newWiki({ A: 'one' })
  await create(wiki, 'B', 'two')
  await commitFiles(wiki, { '.gitattributes': '*.wiki filter=evil diff=evil\n' })
  await wiki.close()
  const traces = await temporaryDirectory()
  const script = (name: string): string => {
    const path = join(traces, `${name}.sh`)
    writeFileSync(path, `#!/bin/sh\ntouch ${join(traces, name)}\ncat\n`)
    chmodSync(path, 0o755)
    return path
  }
  for (const key of [
    'filter.evil.clean',
    'filter.evil.process',
    'diff.evil.textconv',
    'diff.evil.command',
    'core.fsmonitor',
  ])
    git(directory, 'config', key, script(key))
  for (const key of ['core.pager', 'core.editor', 'core.sshCommand', 'gpg.program', 'credential.helper'])
    git(directory, 'config', key, script(key))
  git(directory, 'config', 'log.showSignature', 'true')
  mkdirSync(join(directory, '.git/hooks'), { recursive: true })
  for (const hook of [
    'post-index-change',
    'post-checkout',
    'pre-commit',
    'post-commit',
    'reference-transaction',
    'pre-auto-gc',
  ])
    writeFileSync(join(directory, '.git/hooks', hook), `#!/bin/sh\ntouch ${join(traces, hook)}\n`, { mode: 0o755 })
  await writeWork(directory, 'A.wiki', 'changed')
  return { directory, ran: name => existsSync(join(traces, name)) }
}

const programs = [
  ...['diff.evil.textconv', 'diff.evil.command', 'core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand'],
  ...['gpg.program', 'credential.helper', 'post-index-change', 'post-checkout', 'pre-commit', 'post-commit'],
  ...['reference-transaction', 'pre-auto-gc'],
]
const filters = ['filter.evil.clean', 'filter.evil.process']

async function useAll(directory: string): Promise<string> {
  const wiki = await openTestWiki(directory)
  const { wikiStatus } = await import('../../src/operations/status.ts')
  const { backend, changes } = await wikiStatus(wiki)
  expect(changes.map(({ path }) => path)).toContain('A.wiki')
  await wiki.store.trees.commitNamed('no-such-name')
  const written = create(wiki, 'C', 'three')
  if (backend === 'git') await written
  else await expect(written).rejects.toMatchObject({ code: 'wiki-unsafe-repository' })
  await wiki.close()
  return backend
}

describe.skipIf(!hasGit || process.platform === 'win32')('a repository whose configuration names programs', () => {
  test('runs only the filters that git itself runs there', { tags: 'long' }, async () => {
    const { directory, ran } = await armedWiki()
    expect(await useAll(directory)).toBe('git')
    expect(programs.filter(ran)).toEqual([])
    expect(filters.some(ran)).toBe(true)
  })

  test.skipIf(process.geteuid?.() !== 0)(
    'is read without git if it belongs to another user',
    { tags: 'long' },
    async () => {
      const { directory, ran } = await armedWiki()
      giveAway(directory)
      expect(await useAll(directory)).toBe('isomorphic-git')
      expect([...programs, ...filters].filter(ran)).toEqual([])
    },
  )
})

/** Makes another user the owner of a folder and its content. */
function giveAway(directory: string): void {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  for (const path of ['.', ...paths]) lchownSync(join(directory, path), 12_345, 12_345)
}
