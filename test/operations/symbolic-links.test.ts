/** Symbolic links in the tree: `CLAUDE.md` that leads to the page `AGENTS.md`. */

import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { checkChange } from '../../src/operations/check-change.ts'
import { commitWork } from '../../src/operations/commit-work.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { git, needsGit } from '../_setup.ts'
import { siteOf } from '../web/_site.ts'
import { ada, newWiki, openTestWiki } from './_wiki.ts'

beforeEach(context => needsGit(context))

async function linkedWiki(): Promise<{ wiki: Wiki; directory: string }> {
  const { directory } = await newWiki()
  writeFileSync(join(directory, 'AGENTS.md'), '# Agents\n')
  writeFileSync(join(directory, 'Home.md'), '[one](CLAUDE.md) [other](AGENTS.md) [none](Missing.md)\n')
  writeFileSync(join(directory, 'run.sh'), 'true\n')
  symlinkSync('AGENTS.md', join(directory, 'CLAUDE.md'))
  symlinkSync('run.sh', join(directory, 'go.sh'))
  symlinkSync('/etc/passwd', join(directory, 'passwd.md'))
  symlinkSync('../../etc/passwd', join(directory, 'up.md'))
  symlinkSync('.git/config', join(directory, 'config.md'))
  git(directory, 'add', '-A')
  git(directory, 'commit', '-qm', 'links')
  return { wiki: await openTestWiki(directory), directory }
}

test('an edit of the target is committed, and a new link is no page', async () => {
  const { wiki, directory } = await linkedWiki()
  appendFileSync(join(directory, 'CLAUDE.md'), 'More.\n')
  symlinkSync('AGENTS.md', join(directory, 'New.md'))
  const { recorded } = await commitWork(wiki, { author: ada, comment: null })
  expect(recorded.map(({ path }) => path)).toEqual(['AGENTS.md'])
  expect(git(directory, 'status', '--porcelain')).toBe('?? New.md')
})

test('a link to one leads somewhere, committed or staged', async () => {
  const { wiki, directory } = await linkedWiki()
  const problems = async (change: Parameters<typeof checkChange>[1]) =>
    (await checkChange(wiki, change)).problems.map(({ path, text }) => [path, text])
  expect(await problems({ from: null, to: 'HEAD', sinceParting: false })).toEqual([['Home.md', 'Missing.md']])
  symlinkSync('AGENTS.md', join(directory, 'New.md'))
  writeFileSync(join(directory, 'Home.md'), '[one](New.md) [other](AGENTS.md)\n')
  git(directory, 'add', '-A')
  expect(await problems({ from: 'HEAD', to: { state: 'staged' }, sinceParting: false })).toEqual([])
})

test('its address leads to the page, or shows the file, and nothing outside of the wiki', async () => {
  const { wiki } = await linkedWiki()
  const { ask } = siteOf(wiki)
  const open = (path: string) => ask(`/wiki/Special:RepositoryFile/${path}`)
  const page = await open('CLAUDE.md')
  expect([page.status, page.headers.get('location')]).toEqual([302, '/wiki/AGENTS'])
  expect(await (await open('go.sh')).text()).toBe('true\n')
  for (const path of ['passwd.md', 'up.md', 'config.md', 'AGENTS.md']) expect((await open(path)).status).toBe(404)
  expect(await (await ask('/wiki/Home')).text()).toContain('/wiki/Special:RepositoryFile/CLAUDE.md')
})

test('a link out of the root of the wiki shows nothing', async () => {
  const { directory } = await newWiki()
  mkdirSync(join(directory, 'docs'))
  writeFileSync(join(directory, 'docs', 'run.sh'), 'true\n')
  writeFileSync(join(directory, 'wiki.json'), '{"root":"docs"}\n')
  writeFileSync(join(directory, 'secret.sh'), 'false\n')
  symlinkSync('run.sh', join(directory, 'docs', 'go.sh'))
  symlinkSync('../wiki.json', join(directory, 'docs', 'settings.json'))
  symlinkSync('../secret.sh', join(directory, 'docs', 'secret.sh'))
  git(directory, 'add', '-A')
  git(directory, 'commit', '-qm', 'links')
  const { ask } = siteOf(await openTestWiki(directory))
  const statuses = ['go.sh', 'settings.json', 'secret.sh'].map(async path => {
    return (await ask(`/wiki/Special:RepositoryFile/${path}`)).status
  })
  expect(await Promise.all(statuses)).toEqual([200, 404, 404])
})
