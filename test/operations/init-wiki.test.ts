import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { initWiki } from '../../src/operations/init-wiki.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { openWiki } from '../../src/operations/wiki.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { ada, base, commitCount, gitText, newWiki, writeWork } from './_wiki.ts'

describe('initWiki', () => {
  test('creates a repository with wiki.json and a main page', async () => {
    const directory = join(await temporaryDirectory(), 'My wiki')
    const made = await initWiki({ directory, author: ada, settings: { 'license.title': 'CC0' } })
    expect(made).toMatchObject({ directory, written: ['wiki.json', 'Main_Page.wiki'], pages: 1, leftAlone: [] })
    expect(made.config).toMatchObject({ name: 'My wiki', license: { title: 'CC0' } })
    expect(git(directory, 'status', '--porcelain')).toBe('')
    // A person's commits survive a power failure as well.
    expect(git(directory, 'config', 'core.fsync')).toBe('all')
    expect(existsSync(join(directory, 'Main_Page.wiki'))).toBe(true)
    const wiki = await openWiki({ directory })
    expect((await readPage(wiki, { title: 'Main Page', base })).source).toContain('My wiki')
    await wiki.close()
  })

  test.skipIf(!hasGit)('adopts a repository without settings, as git does', async () => {
    const directory = await temporaryDirectory()
    git(directory, 'init', '--quiet')
    rmSync(join(directory, '.git/config'))
    expect(await initWiki({ directory, author: ada })).toMatchObject({ pages: 1 })
  })

  test('can be repeated', async () => {
    const directory = await temporaryDirectory()
    await initWiki({ directory, author: ada })
    expect(await initWiki({ directory, author: ada })).toMatchObject({ written: [], commit: null, pages: 1 })
    expect(commitCount(directory)).toBe(1)
  })

  test('changes only the named settings', async () => {
    const directory = await temporaryDirectory()
    await initWiki({ directory, author: ada, settings: { name: 'One', language: 'de' } })
    const again = await initWiki({ directory, author: ada, settings: { name: 'Two' } })
    expect(again).toMatchObject({ written: ['wiki.json'], config: { name: 'Two', language: 'de' } })
  })

  test('adopts a repository with its pages and settings', async () => {
    const { directory } = await newWiki({ 'Start here': 'x' }, { mainPage: 'Start here', name: 'Old' })
    expect(await initWiki({ directory, author: ada })).toMatchObject({ written: [], pages: 1, config: { name: 'Old' } })
  })

  test('leaves edited files alone', async () => {
    const { directory } = await newWiki({ A: 'x' })
    await writeWork(directory, 'A.wiki', 'being written')
    await initWiki({ directory, author: ada })
    expect(git(directory, 'status', '--porcelain')).toBe(' M A.wiki')
  })

  test('puts the main page where the settings require', async () => {
    const directory = await temporaryDirectory()
    const { written } = await initWiki({ directory, author: ada, settings: { root: 'docs/wiki', mainPage: 'Home' } })
    expect(written).toEqual(['wiki.json', 'docs/wiki/Home.wiki'])
  })

  test('creates a bare repository', async () => {
    const directory = await temporaryDirectory()
    await initWiki({ directory, author: ada, bare: true, settings: { name: 'Bare' } })
    expect(JSON.parse(gitText(directory, 'wiki.json'))).toMatchObject({ name: 'Bare' })
    expect(existsSync(join(directory, 'Main_Page.wiki'))).toBe(false)
  })

  test('writes nothing if a setting is invalid', async () => {
    const directory = await temporaryDirectory()
    await expect(initWiki({ directory, author: ada, settings: { layout: 'x' } })).rejects.toMatchObject({
      code: 'wiki-bad-config',
    })
    expect(git(directory, 'for-each-ref')).toBe('')
  })
})

describe('a repository is never made inside another one without a word', () => {
  const refused = (sentence: RegExp, hint: RegExp) => ({
    code: 'wiki-usage',
    message: expect.stringMatching(sentence),
    hint: expect.stringMatching(hint),
  })

  test.each(['', 'notes', 'notes/new'])('in the work tree, at "%s"', async folder => {
    const { directory } = await newWiki({ A: 'x' }, { name: 'Outer' })
    await writeWork(directory, 'notes/B.wiki', 'y')
    const inner = join(directory, folder)
    const made = initWiki({ directory: inner, author: ada })
    if (folder === '') return expect(await made).toMatchObject({ commit: null })
    await expect(made).rejects.toMatchObject(
      refused(
        /is inside the repository/,
        new RegExp(`wiki init "${directory}"\\..* config set root ${folder}\\. .*--nested`),
      ),
    )
    expect([existsSync(join(inner, '.git')), existsSync(inner)]).toEqual([false, folder === 'notes'])
    expect(await initWiki({ directory: inner, author: ada, nested: true })).toMatchObject({
      written: ['wiki.json', 'Main_Page.wiki'],
    })
  })

  test.each(['.git', '.git/notes', '.git/refs/heads'])('in the git directory, at "%s"', async folder => {
    const { directory } = await newWiki({ A: 'x' })
    for (const options of [{}, { nested: true }, { bare: true }])
      await expect(initWiki({ directory: join(directory, folder), author: ada, ...options })).rejects.toMatchObject(
        refused(/is inside the git directory/, /outside/),
      )
    expect(existsSync(join(directory, folder, '.git'))).toBe(false)
  })

  test('in a bare one, which is adopted as it is', async () => {
    const directory = join(await temporaryDirectory(), 'team.git')
    await initWiki({ directory, author: ada, bare: true })
    expect(await initWiki({ directory, author: ada })).toMatchObject({ commit: null, pages: 1 })
    expect(existsSync(join(directory, '.git'))).toBe(false)
    const made = initWiki({ directory: join(directory, 'new'), author: ada })
    await expect(made).rejects.toMatchObject(refused(/is inside the git directory/, /outside/))
  })

  test('as a bare one around one with a work tree', async () => {
    const { directory } = await newWiki({ A: 'x' })
    const made = initWiki({ directory, author: ada, bare: true })
    await expect(made).rejects.toMatchObject(refused(/is a repository with a work tree/, /wiki init/))
    expect(existsSync(join(directory, 'HEAD'))).toBe(false)
  })

  test.skipIf(!hasGit)('in a linked work tree, which is adopted', async () => {
    const { directory } = await newWiki({ A: 'x' })
    const linked = join(await temporaryDirectory(), 'linked')
    git(directory, 'worktree', 'add', '-q', linked)
    expect(await initWiki({ directory: linked, author: ada })).toMatchObject({ commit: null, pages: 1 })
  })
})
