import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { routeTables } from '../../src/rest/routes.ts'
import { loosePath } from '../../src/store/git/objects.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { isFull, oneIn } from '../_rounds.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { wiki as command } from '../cli/harness.ts'
import { edit, newWiki, openTestWiki } from '../operations/_wiki.ts'
import { sending } from '../rest/_asking.ts'

interface Clone {
  readonly directory: string
  readonly missing: string
  /** True if the remote's program has run. */
  readonly ran: () => boolean
}

/** A clone that lacks the first text of A; its configuration names a program as the remote. */
async function partialClone(remote: (mark: string) => Readonly<Record<string, string>>): Promise<Clone> {
  const { wiki, directory } = await newWiki({ A: 'one', B: 'two' })
  await edit(wiki, 'A', 'three')
  await wiki.close()
  const missing = git(directory, 'rev-parse', 'HEAD~1:A.wiki').trim()
  rmSync(loosePath(join(directory, '.git/objects'), missing))
  const mark = join(await temporaryDirectory(), 'ran')
  const settings = {
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.promisor': 'true',
    'remote.origin.partialCloneFilter': 'blob:none',
    ...remote(mark),
  }
  for (const [key, value] of Object.entries(settings)) git(directory, 'config', key, value)
  return { directory, missing, ran: () => existsSync(mark) }
}

const remotes: readonly (readonly [name: string, (mark: string) => Readonly<Record<string, string>>])[] = [
  ['ext::', mark => ({ 'remote.origin.url': `ext::touch ${mark}`, 'protocol.ext.allow': 'always' })],
  ['ssh', mark => ({ 'remote.origin.url': 'ssh://host/x', 'core.sshCommand': `touch ${mark}; false` })],
  ['a folder', mark => ({ 'remote.origin.url': '.', 'remote.origin.uploadpack': `touch ${mark}; false` })],
]

const commands = [
  ...[
    ['page', 'get', 'A@1'],
    ['page', 'get', 'A'],
    ['revision', 'get', '1'],
    ['page', 'get', 'A@1', '--html'],
  ],
  ...[['compare', '1', '3'], ['compare', 'HEAD~1..HEAD'], ['compare', 'nothing..HEAD'], ['history', 'A'], ['status']],
  ...[['search', 'one'], ['search', '--history', 'one'], ['lint', 'A@1'], ['check'], ['export'], ['page', 'list']],
]

/** URLs of every route that reads: A for a title, the missing revision for an id. */
const addresses = routeTables.flatMap(({ mounts, routes }) =>
  routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => mounts[0] + path.replace('{to}', '3').replace(/\{(?:id|from|type|width)\}/, '1'))
    .map(path => path.replace(/\{(?:title|name)\*?\}/, 'A')),
)

describe.skipIf(!hasGit || process.platform === 'win32')('a partial clone whose remote is', () => {
  test.each(remotes)('%s: git itself runs its program', async (_, remote) => {
    const { directory, missing, ran } = await partialClone(remote)
    expect(() => git(directory, 'cat-file', 'blob', missing)).toThrow()
    expect(ran()).toBe(true)
  })

  test.each(remotes)('%s: no reading command runs it', { tags: 'long' }, async (_, remote) => {
    const { directory, ran } = await partialClone(remote)
    for (const argv of commands) {
      const { stderr } = await command(['-C', directory, '--no-input', ...argv])
      expect(ran(), `${argv.join(' ')}: ${stderr}`).toBe(false)
    }
  })

  test('an ext:: program: no page for browsers runs it', { tags: 'long' }, async () => {
    const { directory, ran } = await partialClone(remotes[0]![1])
    const app = createApp(await openTestWiki(directory), { allowAnonymous: true, pages: async () => handlePage })
    const rests = ['', '?oldid=1', '?diff=2&oldid=1', '?diff=2&oldid=1&view=side', '?action=raw&oldid=1']
    const actions = [
      'history',
      'authors',
      'info',
      'links',
      'edit',
      'edit&oldid=1',
      'edit&undo=1',
      'edit&undo=2',
      'lead',
    ]
    const specials = ['Statistics', 'LintErrors', 'RecentChanges', 'Search?search=one', 'Diff/1/2', 'Lists/orphans']
    const asked = [
      ...[...rests, ...actions.map(action => `?action=${action}`)].map(rest => `/wiki/A${rest}`),
      ...[...specials, 'WhatLinksHere/A', 'MovePage/A', 'DeletePage/A'].map(name => `/wiki/Special:${name}`),
    ]
    const statuses = new Set<number>()
    for (const address of asked) {
      const answer = await app.request(address, { headers: { accept: 'text/html' } })
      await answer.text()
      statuses.add(answer.status)
      expect(ran(), address).toBe(false)
    }
    // The missing text was requested, and others were shown.
    expect([statuses.has(500), statuses.has(200)]).toEqual([true, true])
  })

  // Slow: every route starts git. In `npm test` each remote is tried with an index or without, and each route with one of them.
  const indexed = remotes.map(
    ([name, remote], at) =>
      [name, remote, isFull ? [true, false] : [at % 2 === 0], oneIn(remotes.length, addresses, at)] as const,
  )

  test.each(indexed)(
    '%s: no reading route runs it, with and without an index',
    { tags: 'rounds' },
    async (_, remote, forms, addresses) => {
      for (const hasIndex of forms) {
        const { directory, missing, ran } = await partialClone(remote)
        if (!hasIndex) rmSync(join(directory, '.git/wiki'), { recursive: true })
        const opened = await openTestWiki(directory)
        const app = createApp(opened, { allowAnonymous: true })
        for (const address of addresses) {
          await (await app.request(address)).text()
          expect(ran(), address).toBe(false)
        }
        const answer = await app.request('/v1/revision/1')
        expect(answer.status).toBe(500)
        expect(await answer.json()).toMatchObject({ errorKey: 'wiki-objects-missing' })
        const conflict = sending('PUT', { source: 'four', comment: '', latest: { id: 1, timestamp: '' } })
        await (await app.request('/v1/page/A', conflict)).text()
        expect(ran(), 'an edit of the revision that is missing').toBe(false)
        expect(missing).toMatch(/^[0-9a-f]{40}$/)
      }
    },
  )
})

test('a clone without texts is refused by a few processes', { tags: 'long' }, async context => {
  context.skip(!hasGit || process.platform === 'win32', 'the program that counts is a script of sh')
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, number) => [`Page_${number}.wiki`, `text ${number}`]),
  )
  const { wiki, directory: origin } = await newWiki({})
  await wiki.close()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(origin, name), text)
  git(origin, 'add', '.')
  git(origin, 'commit', '-q', '-m', 'Pages')
  git(origin, 'config', 'uploadpack.allowFilter', 'true')
  const directory = join(await temporaryDirectory(), 'clone')
  git(origin, 'clone', '-q', '--filter=blob:none', '--no-checkout', `file://${origin}`, directory)
  const tools = await temporaryDirectory()
  const log = join(tools, 'log')
  const program = git(origin, '--exec-path').trim()
  writeFileSync(join(tools, 'git'), `#!/bin/sh\necho "$*" >> "${log}"\nexec "${program}/git" "$@"\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${tools}:${process.env.PATH}`)
  try {
    const { status, stderr } = await command(['-C', directory, 'log', '-n', '1'])
    expect([status, stderr]).toEqual([2, expect.stringContaining('lacks the object')])
  } finally {
    vi.unstubAllEnvs()
  }
  const started = readFileSync(log, 'utf8')
    .split('\n')
    .filter(line => /cat-file|rev-list/.test(line))
  expect(started.length).toBeGreaterThan(1)
  expect(started.length).toBeLessThan(10)
})
