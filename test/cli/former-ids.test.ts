// @module-tag long
/** Ids on the command line that now belong to another revision, because a commit was rewritten. */

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { needsGit, temporaryDirectory } from '../_setup.ts'
import { wiki } from './harness.ts'

beforeEach(context => needsGit(context))

const env = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' }

/** A clone whose unshared revision 2 was amended after it was read. */
async function amendedClone(): Promise<string> {
  const folder = await temporaryDirectory()
  const [remote, cwd] = [join(folder, 'remote'), join(folder, 'here')]
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote])
  execFileSync('git', ['clone', '-q', remote, cwd], { stdio: 'ignore' })
  const git = (...parameters: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...parameters], { cwd })
  const save = (text: string, ...parameters: string[]) => {
    writeFileSync(join(cwd, 'Tides.wiki'), text)
    git('add', '-A')
    git('commit', '-q', '-m', 'Save', ...parameters)
  }
  save('one\n\ntwo\n')
  git('push', '-q', 'origin', 'HEAD:main')
  git('fetch', '-q')
  save('one, first\n\ntwo\n')
  await wiki(['status'], { cwd })
  save('one, first\n\ntwo, amended\n', '--amend')
  await wiki(['status'], { cwd })
  writeFileSync(join(folder, 'new.wiki'), 'one, second\n\ntwo\n')
  return cwd
}

test('page edit --base refuses such an id as a conflict, and accepts its commit', { tags: 'long' }, async () => {
  const cwd = await amendedClone()
  const file = ['-f', '../new.wiki']
  const refused = await wiki(['page', 'edit', 'Tides', '--base', '2', ...file], { cwd, env })
  expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('2 names another revision')])
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' }).trim()
  expect((await wiki(['page', 'edit', 'Tides', '--base', commit, ...file], { cwd, env })).status).toBe(0)
})

test('revision hide accepts such an id only by its commit', { tags: 'long' }, async () => {
  const cwd = await amendedClone()
  const refused = await wiki(['revision', 'hide', '2', '--author'], { cwd, env })
  expect(refused.status).toBe(2)
  const [, address = ''] = /Name its commit: "(Tides@[0-9a-f]{16})"/.exec(refused.stderr) ?? []
  expect((await wiki(['revision', 'hide', address, '--author'], { cwd, env })).stderr).toContain('Revision 2 hides')
})
