import { describe, expect, test } from 'vitest'
import type { WikiError } from '../../src/core/errors.ts'
import { migrateLayout } from '../../src/operations/migrate-layout.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { restoreEdits } from '../../src/operations/restore-edits.ts'
import { verifyWiki } from '../../src/operations/verify-wiki.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { git, hasGit } from '../_setup.ts'
import { ada, bob, commitFiles, create, edit, gitPaths, gitText, newWiki, writeWork } from './_wiki.ts'

const tides = 'Low water at six.\n\nHigh water at noon.\n\nSlack water at nine.\n'

async function newScene() {
  const { wiki, directory } = await newWiki()
  await commitFiles(wiki, { 'Tides.wiki': tides, 'Boats.wiki': 'Oars.\n' })
  const run = (...words: string[]) => git(directory, ...words)
  const back = (count: number) => run('reset', '-q', '--hard', `HEAD~${count}`)
  return { wiki, directory, git: run, back }
}

const restoreAll = (wiki: Wiki, request: { readonly commits?: readonly string[]; readonly dryRun?: boolean } = {}) =>
  restoreEdits(wiki, { ...request, author: async () => bob })

describe.skipIf(!hasGit)('a lost edit is restored', () => {
  test('merged by words into the latest text, under its own author, and is not lost any more', async () => {
    const { wiki, directory, git: run, back } = await newScene()
    await edit(wiki, 'Tides', tides.replace('at six', 'at dawn'), { comment: 'By the light', minor: true })
    const lost = run('rev-parse', 'main')
    back(1)
    await edit(wiki, 'Tides', tides.replace('Low water', 'Lowest water'), { author: bob })
    const { restored, failures } = await restoreAll(wiki)
    expect(failures).toEqual([])
    expect(restored).toEqual([{ restored: lost, commit: run('rev-parse', 'main'), titles: ['Tides'], leftAlone: [] }])
    expect(gitText(directory, 'Tides.wiki')).toBe(tides.replace('Low water at six', 'Lowest water at dawn'))
    expect(run('log', '-1', '--format=%an|%s')).toBe(`Ada Example|Restore lost edit ${lost.slice(0, 10)}: By the light`)
    expect(run('status', '--porcelain')).toBe('')
    expect((await verifyWiki(wiki)).lost).toEqual([])
    expect((await restoreAll(wiki)).restored).toEqual([])
  })

  test('with the edits made on top of it, oldest first', async () => {
    const { wiki, directory, back } = await newScene()
    await edit(wiki, 'Tides', tides.replace('at six', 'at seven'))
    await edit(wiki, 'Tides', tides.replace('at six', 'at eight'))
    await edit(wiki, 'Tides', `${tides.replace('at six', 'at eight')}\nNeap tide.\n`)
    back(3)
    const { restored } = await restoreAll(wiki)
    expect(restored).toHaveLength(3)
    expect(gitText(directory, 'Tides.wiki')).toBe(`${tides.replace('at six', 'at eight')}\nNeap tide.\n`)
    expect((await verifyWiki(wiki)).lost).toEqual([])
  })

  test('after a commit from an outdated file undid several', async () => {
    const { wiki, directory, git: run } = await newScene()
    await edit(wiki, 'Tides', tides.replace('at six', 'at seven'))
    await edit(wiki, 'Tides', tides.replace('at six', 'at eight'))
    await writeWork(directory, 'Tides.wiki', tides.replace('Slack', 'Slackest'))
    run('commit', '-qam', 'stale')
    await restoreAll(wiki)
    expect(gitText(directory, 'Tides.wiki')).toBe(tides.replace('at six', 'at eight').replace('Slack', 'Slackest'))
    expect((await verifyWiki(wiki)).lost).toEqual([])
  })

  test('at the new path of its page, which git mv had staged before several edits', async () => {
    const { wiki, directory, git: run } = await newScene()
    run('mv', 'Tides.wiki', 'Waters.wiki')
    const edits = [
      tides.replace('at six', 'at seven'),
      tides.replace('at six', 'at seven').replace('at nine', 'at ten'),
    ]
    for (const text of edits) await edit(wiki, 'Tides', text)
    run('commit', '-qm', 'move')
    const { restored, failures } = await restoreAll(wiki)
    expect(failures).toEqual([])
    expect(restored.map(({ titles }) => titles)).toEqual([['Waters'], ['Waters']])
    expect(gitPaths(directory)).toEqual(['Boats.wiki', 'Waters.wiki'])
    expect(gitText(directory, 'Waters.wiki')).toBe(edits[1])
    expect((await verifyWiki(wiki)).lost).toEqual([])
  })

  test('as a missing page, a deletion, a move with the newer text, and a media file', async () => {
    const { wiki, directory, back } = await newScene()
    await create(wiki, 'Ropes', 'Hemp.')
    await commitFiles(wiki, { 'Boats.wiki': null })
    await commitFiles(wiki, { 'Tides.wiki': null, 'Waters.wiki': tides })
    await commitFiles(wiki, { 'pic.png': 'picture' })
    back(4)
    await edit(wiki, 'Tides', `${tides}\nNeap tide.\n`)
    const { failures } = await restoreAll(wiki)
    expect(failures).toEqual([])
    expect(gitPaths(directory)).toEqual(['Ropes.wiki', 'Waters.wiki', 'pic.png'])
    expect(gitText(directory, 'Waters.wiki')).toBe(`${tides}\nNeap tide.\n`)
    expect(gitText(directory, 'pic.png')).toBe('picture')
    expect((await verifyWiki(wiki)).lost).toEqual([])
  })

  test('with its line ends', async () => {
    const { wiki, directory, back } = await newScene()
    const windows = tides.replaceAll('\n', '\r\n')
    await commitFiles(wiki, { 'Tides.wiki': windows })
    await commitFiles(wiki, { 'Tides.wiki': windows.replace('at six', 'at seven') })
    back(1)
    await commitFiles(wiki, { 'Tides.wiki': windows.replace('at nine', 'at ten') })
    await restoreAll(wiki)
    expect(gitText(directory, 'Tides.wiki')).toBe(windows.replace('at six', 'at seven').replace('at nine', 'at ten'))
  })

  test('if it is named, and no other', async () => {
    const { wiki, directory, git: run, back } = await newScene()
    await edit(wiki, 'Tides', tides.replace('at six', 'at seven'))
    const first = run('rev-parse', 'main')
    await edit(wiki, 'Boats', 'Sails.')
    back(2)
    await restoreAll(wiki, { commits: [first.slice(0, 7)] })
    expect(gitText(directory, 'Boats.wiki')).toBe('Oars.\n')
    expect((await verifyWiki(wiki)).lost.map(({ title }) => title)).toEqual(['Boats'])
    await expect(restoreAll(wiki, { commits: [first] })).rejects.toThrow('Nothing of')
  })
})

describe.skipIf(!hasGit)('restoring', () => {
  test('refuses if the same words were changed since, with both differences, and restores the others', async () => {
    const { wiki, directory, git: run, back } = await newScene()
    await edit(wiki, 'Tides', tides.replace('at six', 'at seven'))
    const lost = run('rev-parse', 'main')
    await edit(wiki, 'Boats', 'Sails.')
    back(2)
    await edit(wiki, 'Tides', tides.replace('at six', 'at five'))
    const { restored, failures } = await restoreAll(wiki)
    expect(restored.map(({ titles }) => titles)).toEqual([['Boats']])
    expect(failures.map(({ commit, error }) => [commit, error.code])).toEqual([[lost, 'edit-conflict']])
    const { local, remote } = (failures[0] as { error: WikiError }).error.data as Record<'local' | 'remote', unknown>
    expect(JSON.stringify(local)).toContain('seven')
    expect(JSON.stringify(remote)).toContain('five')
    expect(gitText(directory, 'Tides.wiki')).toContain('at five')
    expect((await verifyWiki(wiki)).lost.map(({ commit }) => commit)).toEqual([lost])
  })

  test('in a dry run shows the difference of each and writes nothing', async () => {
    const { wiki, git: run, back } = await newScene()
    await edit(wiki, 'Tides', tides.replace('at six', 'at seven'))
    await edit(wiki, 'Tides', tides.replace('at six', 'at eight'))
    back(2)
    const tip = run('rev-parse', 'main')
    const { restored, failures } = await restoreAll(wiki, { dryRun: true })
    expect(failures).toEqual([])
    expect(restored[0]?.patch).toContain('-Low water at six.\n+Low water at seven.\n')
    expect(restored[1]?.patch).toContain('-Low water at seven.\n+Low water at eight.\n')
    expect(run('rev-parse', 'main')).toBe(tip)
    expect((await verifyWiki(wiki)).lost).toHaveLength(2)
  })

  test('shows nothing of a hidden revision, neither its user nor its comment', async () => {
    const { wiki, git: run, back } = await newScene()
    await edit(wiki, 'Tides', tides.replace('at six', 'at secret'), { comment: 'secret', author: ada })
    const [commit, blob] = [run('rev-parse', 'main'), run('rev-parse', 'main:Tides.wiki')]
    await edit(wiki, 'Boats', 'Sails.', { comment: 'secret', author: ada })
    const [other, boats] = [run('rev-parse', 'main'), run('rev-parse', 'main:Boats.wiki')]
    back(2)
    const hidden = {
      [`${commit}/${blob}`]: { parts: ['text'] },
      [`${other}/${boats}`]: { parts: ['user', 'comment'] },
    }
    await commitFiles(wiki, { 'wiki.json': JSON.stringify({ hidden }) })
    const done = await restoreAll(wiki)
    expect(done.failures.map(({ error }) => error.code)).toEqual(['rest-permission-denied-revision'])
    expect(JSON.stringify(done)).not.toContain('secret')
    expect(run('log', '-1', '--format=%an|%B').trim()).toBe(`Bob Example|Restore lost edit ${other.slice(0, 10)}`)
  })

  test('refuses a page whose title another file has taken', async () => {
    const { wiki, back } = await newScene()
    await create(wiki, 'Ropes', 'Hemp.')
    back(1)
    await commitFiles(wiki, { 'Ropes.md': 'Sisal.\n' })
    const { failures } = await restoreAll(wiki)
    expect(failures.map(({ error }) => error.code)).toEqual(['wiki-title-collision'])
  })

  test.each<[string, string]>([
    ['another file', 'Quay.md'],
    ['a folder of subpages', 'Quay.wiki/North.wiki'],
  ])('reports the solution if %s has taken its title', async (_, path) => {
    const { wiki, git: run, back } = await newScene()
    await create(wiki, 'Quay', 'The quay.\n')
    const lost = run('rev-parse', '--short=10', 'main')
    back(1)
    await commitFiles(wiki, { [path]: 'Other.\n' })
    const { failures } = await restoreAll(wiki)
    expect(failures.map(({ error }) => [error.code, error.hint])).toEqual([
      [
        'wiki-title-collision',
        expect.stringMatching(`wiki restore ${lost}.*git show ${lost}.*wiki verify --accept ${lost}`),
      ],
    ])
  })

  test('restores settings too', async () => {
    const { wiki, directory, back } = await newScene()
    await commitFiles(wiki, { 'wiki.json': '{\n  "name": "A",\n  "language": "de"\n}\n' })
    await commitFiles(wiki, { 'wiki.json': '{\n  "name": "B",\n  "language": "de"\n}\n' })
    back(1)
    await restoreAll(wiki)
    expect(JSON.parse(gitText(directory, 'wiki.json'))).toEqual({ name: 'B', language: 'de' })
  })

  test.each(['folders', 'sharded'] as const)('moves all files into the layout %s again', async layout => {
    const { wiki, git: run, back } = await newScene()
    await migrateLayout(wiki, { layout: layout === 'folders' ? 'sharded' : 'folders', author: ada, comment: null })
    await migrateLayout(wiki, { layout, author: ada, comment: null })
    const lost = run('rev-parse', 'main')
    back(1)
    await movePage(wiki, { from: 'Tides', to: 'Waters', comment: null, author: ada })
    await edit(wiki, 'Boats', 'Oars and sails.\n')
    expect((await verifyWiki(wiki)).lost.map(({ path }) => path)).toEqual(['wiki.json'])
    const [preview] = (await restoreAll(wiki, { dryRun: true })).restored
    expect(preview?.patch).toBe(`3 files move into the layout ${layout}\n`)
    const before = answers(wiki)
    const { restored, failures } = await restoreAll(wiki)
    expect([failures, restored.map(({ restored: commit }) => commit)]).toEqual([[], [lost]])
    expect(answers(wiki)).toEqual(before)
    expect([wiki.store.config.layout, ...wiki.store.layoutMoves(layout)]).toEqual([layout])
    expect((await verifyWiki(wiki)).lost).toEqual([])
    expect(run('log', '-1', '--format=%an|%s')).toBe(`Ada Example|Restore lost edit ${lost.slice(0, 10)}`)
  })
})

/** The pages with their revisions, without their paths. */
function answers({ store }: Wiki): unknown {
  return [...store.pages()].map(({ path: _, ...page }) => [page, [...store.revisionsOf({ ...page, path: '' })]])
}
