import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createContext } from '../../src/cli/context.ts'
import { logLosses, lossLines } from '../../src/cli/log-losses.ts'
import type { Io } from '../../src/cli/terminal/io.ts'
import { shortHash } from '../../src/core/short-hash.ts'
import type { LostEdit } from '../../src/operations/verify-wiki.ts'
import { hasGit } from '../_setup.ts'
import { git, sampleWiki, wiki } from './harness.ts'

const terminal = { tty: ['stdin', 'stdout', 'stderr'], env: { NO_COLOR: '1' } } as const

/** The sample, whose last two edits git took away: Bob's page, and Alice's edit of the fire station. */
function poorerWiki(): { cwd: string; talk: string; painted: string } {
  const cwd = sampleWiki()
  const [talk, painted] = git(cwd, ['log', '-2', '--format=%H']).trim().split('\n') as [string, string]
  git(cwd, ['reset', '-q', '--hard', 'HEAD~2'])
  return { cwd, talk, painted }
}

function quietIo(cwd: string): Io {
  return { env: {}, cwd, stderr: { isTTY: false, columns: 80, write: async () => {} } } as unknown as Io
}

describe.skipIf(!hasGit)('wiki verify', () => {
  test('prints nothing and exits with 0 if nothing was lost', async () => {
    const cwd = sampleWiki()
    expect(await wiki(['verify'], { cwd })).toEqual({ status: 0, stdout: '', stderr: '' })
    expect((await wiki(['verify'], { cwd, ...terminal })).stderr).toBe('Nothing was lost of 6 saved edits on main\n')
  })

  test('lists lost edits, oldest first, and exits with 1', async () => {
    const { cwd, talk, painted } = poorerWiki()
    expect(await wiki(['verify'], { cwd })).toMatchObject({
      status: 1,
      stdout: [
        `lost\t${painted}\t2026-01-31T16:00:00Z\tAlice\t\tFire station\tmain\n`,
        `lost\t${talk}\t2026-01-31T17:00:00Z\tBob\t\tTalk:Main Page\tmain\n`,
      ].join(''),
    })
    const { stdout, stderr } = await wiki(['verify'], { cwd, ...terminal })
    expect(stdout).toContain(`lost  ${painted.slice(0, 10)}  2026-01-31T16:00:00Z  Alice`)
    expect(stderr).toContain('wiki restore')
    const json = JSON.parse((await wiki(['verify', '--json'], { cwd })).stdout)
    expect(json.lost[0]).toMatchObject({
      kind: 'lost',
      commit: painted,
      restore: `wiki restore ${painted.slice(0, 10)}`,
    })
  })

  test('accepts a loss', async () => {
    const { cwd, talk, painted } = poorerWiki()
    const accept = `${talk.slice(0, 8)},${painted}`
    expect(await wiki(['verify', '--accept', accept], { cwd })).toMatchObject({ status: 0, stdout: '' })
    expect((await wiki(['verify', '--accept', 'nothing'], { cwd })).status).toBe(2)
  })

  test('accepts all losses', async () => {
    const { cwd } = poorerWiki()
    const { status, stdout, stderr } = await wiki(['verify', '--accept', 'all'], { cwd })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr.match(/^The loss of \w+ is accepted$/gm)).toHaveLength(2)
    expect((await wiki(['verify'], { cwd })).status).toBe(0)
  })

  test('is a part of wiki check', async () => {
    const { cwd, talk } = poorerWiki()
    const { status, stdout } = await wiki(['check'], { cwd })
    expect(status).toBe(1)
    expect(stdout).toContain(
      `lost-edit\tTalk/Main_Page.wiki\tTalk:Main Page\tThe acknowledged edit ${talk.slice(0, 10)} of main`,
    )
  })

  test("builds no index beside a server's if nothing is recorded", async () => {
    const cwd = sampleWiki()
    rmSync(join(cwd, '.git', 'wiki'), { recursive: true })
    const context = createContext(quietIo(cwd), { pager: false, input: false }, {})
    await logLosses(context, () => expect.unreachable())
    await context.close()
    expect(existsSync(join(cwd, '.git', 'wiki', 'main', 'base'))).toBe(false)
  })

  test('is abandoned if the wiki was removed since the server started', async () => {
    const cwd = sampleWiki()
    const context = createContext(quietIo(cwd), { pager: false, input: false }, {})
    await context.wiki()
    rmSync(cwd, { recursive: true })
    await logLosses(context, () => expect.unreachable())
    await context.close()
  })

  test("says in a server's log what git has lost of the branch", async () => {
    const { cwd } = poorerWiki()
    const tree = git(cwd, ['rev-parse', 'main^{tree}']).trim()
    rmSync(join(cwd, '.git', 'objects', tree.slice(0, 2), tree.slice(2)))
    const context = createContext(quietIo(cwd), { pager: false, input: false }, {})
    const lines: string[] = []
    await logLosses(context, line => lines.push(line))
    await context.close()
    expect(lines[0]?.slice(25)).toMatch(/^main: The repository lacks the object [0-9a-f]{40}, .*wiki restore --repair$/)
  })

  test("writes its lines to a server's log", async () => {
    const { cwd, talk } = poorerWiki()
    const context = createContext(quietIo(cwd), { pager: false, input: false }, {})
    const lines: string[] = []
    await logLosses(context, line => lines.push(line))
    await context.close()
    expect(lines.map(line => line.slice(25))).toEqual([
      expect.stringContaining('lost edit (lost): Fire station by Alice; bring it back with: wiki restore '),
      `lost edit (lost): Talk:Main Page by Bob; bring it back with: wiki restore ${talk.slice(0, 10)}`,
    ])
  })
})

describe.skipIf(!hasGit)('wiki restore', () => {
  test('restores everything', async () => {
    const { cwd, talk, painted } = poorerWiki()
    const { status, stderr } = await wiki(['restore'], { cwd })
    expect(status).toBe(0)
    expect(stderr).toContain(`Restored ${shortHash(painted)} of "Fire station" in `)
    expect(stderr).toContain(`Restored ${shortHash(talk)} of "Talk:Main Page" in `)
    expect(await wiki(['verify'], { cwd })).toMatchObject({ status: 0 })
    expect((await wiki(['restore'], { cwd })).stderr).toBe('Nothing was lost on main\n')
  })

  test('asks at a terminal if no edit is named', async () => {
    const { cwd, talk } = poorerWiki()
    const refused = await wiki(['restore'], { cwd, ...terminal, stdin: 'n\n' })
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain('Restore 2 lost edits? [y/N] ')
    expect((await wiki(['restore', talk.slice(0, 8)], { cwd, ...terminal })).status).toBe(0)
    expect((await wiki(['restore'], { cwd, ...terminal, stdin: 'y\n' })).status).toBe(0)
    expect((await wiki(['verify'], { cwd })).status).toBe(0)
  })

  test('shows the changes in a dry run', async () => {
    const { cwd } = poorerWiki()
    const { status, stdout } = await wiki(['restore', '--dry-run'], { cwd })
    expect(status).toBe(0)
    expect(stdout).toContain('-The fire station is red.\n+The old fire station is blue.\n')
    expect((await wiki(['verify'], { cwd })).status).toBe(1)
  })

  test('exits with 3 and shows both differences if the same words were changed since', async () => {
    const { cwd, painted } = poorerWiki()
    const text = '== House ==\nThe fire station is green.\n\n== Crew ==\nNobody.\n'
    await wiki(['page', 'edit', 'Fire station', '-f', '-'], { cwd, stdin: text })
    const { status, stdout, stderr } = await wiki(['restore', painted], { cwd })
    expect(status).toBe(3)
    expect(stdout).toMatch(/What the lost edit changed:[\s\S]*blue[\s\S]*What others have changed since:[\s\S]*green/)
    expect(stderr).toContain(`wiki verify --accept ${painted.slice(0, 10)}`)
    expect(stderr).not.toContain('since revision')
    const json = JSON.parse((await wiki(['restore', painted, '--json'], { cwd })).stdout)
    expect(json.failures).toEqual([expect.objectContaining({ commit: painted, errorKey: 'edit-conflict' })])
  })
})

describe('the lines of a log', () => {
  const lost: LostEdit = {
    kind: 'undone',
    commit: 'a'.repeat(40),
    title: 'A\u001b[2J',
    path: 'A.wiki',
    user: null,
    comment: null,
    time: null,
    branch: 'main',
    isGone: false,
    by: null,
    restore: 'wiki restore aaaaaaaaaa',
  }

  test('name a few edits, without control characters, and the number of the others', () => {
    const lines = lossLines(
      Array.from({ length: 8 }, () => lost),
      false,
    )
    expect(lines).toHaveLength(6)
    expect(lines[0]).toContain('by a hidden user')
    expect(lines.join('')).not.toContain('\u001b')
    expect(lines[5]).toContain('3 more lost edits')
  })

  test('are objects with --json', () => {
    const [line = ''] = lossLines([lost], true)
    expect(JSON.parse(line)).toMatchObject({ event: 'lost-edit', edit: { commit: lost.commit } })
  })
})
