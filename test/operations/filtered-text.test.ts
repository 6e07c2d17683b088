/** Pages under a content filter, whose displayed text is not the saved text. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkChange } from '../../src/operations/check-change.ts'
import { fixProblems } from '../../src/operations/fix-problems.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { replaceText } from '../../src/operations/replace-text.ts'
import { restoreEdits } from '../../src/operations/restore-edits.ts'
import { undoCommit } from '../../src/operations/undo-commit.ts'
import { undoRevisions } from '../../src/operations/undo-revisions.ts'
import { updatePage } from '../../src/operations/update-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { git, gitBytes, needsGit } from '../_setup.ts'
import { ada, base, create, edit, newWiki } from './_wiki.ts'

beforeEach(context => needsGit(context))

const swap = 'tr a-zA-Z n-za-mN-ZA-M'
const both = { clean: swap, smudge: swap, required: 'true' }

async function wikiUnder(settings: Readonly<Record<string, string>>): Promise<{ wiki: Wiki; directory: string }> {
  const { wiki, directory } = await newWiki({ Open: 'open\n' })
  writeFileSync(join(directory, '.gitattributes'), 'Secret*.wiki filter=rot\n')
  git(directory, 'add', '-A')
  git(directory, 'commit', '-qm', 'attributes')
  for (const [key, value] of Object.entries(settings)) git(directory, 'config', `filter.rot.${key}`, value)
  return { wiki, directory }
}

const blob = (directory: string, name = 'Secret') =>
  gitBytes(directory, 'cat-file', 'blob', `HEAD:${name}.wiki`).toString()
const shown = async (wiki: Wiki) => (await readPage(wiki, { title: 'Secret', base })).source
const latest = (wiki: Wiki) => wiki.store.findPage('Secret')!.latest
const refused = { code: 'wiki-conversion-failed' }
const someone = { author: ada, comment: '' }

describe('a text made from what readers see', () => {
  test.each([
    ['is filtered both ways', both, 'one line\nand another one\n'],
    ['cannot be restored', { clean: swap, required: 'true' }, 'one line\nand another one\n'],
    ['has a single line', both, 'one line'],
  ])('is refused if the page %s', async (_, settings, text) => {
    const { wiki, directory } = await wikiUnder(settings)
    await create(wiki, 'Secret', text)
    const kept = blob(directory)
    const source = await shown(wiki)
    for (const derived of [`${source} more`, `more\n${source}`]) {
      await expect(edit(wiki, 'Secret', derived)).rejects.toMatchObject(refused)
      expect(blob(directory)).toBe(kept)
    }
    await edit(wiki, 'Secret', source)
    expect(blob(directory)).toBe(kept)
    await edit(wiki, 'Secret', 'one line, edited\nand another one\n')
    expect(blob(directory)).toBe('bar yvar, rqvgrq\naq nabgure bar\n'.replace('aq', 'naq'))
  })

  test('is refused if it comes from an earlier revision', { tags: 'long' }, async () => {
    const { wiki, directory } = await wikiUnder(both)
    await create(wiki, 'Secret', 'first\n')
    const old = await shown(wiki)
    await edit(wiki, 'Secret', 'quite other words\n')
    await expect(edit(wiki, 'Secret', old)).rejects.toMatchObject(refused)
    expect(blob(directory)).toBe('dhvgr bgure jbeqf\n')
  })

  test('is saved if the filter does not change its own output', async () => {
    const { wiki, directory } = await wikiUnder({ clean: "sed 's/  */ /g'", smudge: 'cat', required: 'true' })
    await create(wiki, 'Secret', 'two   blanks\n')
    await edit(wiki, 'Secret', `${await shown(wiki)}\nand   more\n`)
    expect(blob(directory)).toBe('two blanks\nand more\n')
  })
})

describe('an operation that makes a text from the blob', () => {
  test('undoes the last revision with the earlier blob', async () => {
    const { wiki, directory } = await wikiUnder(both)
    await create(wiki, 'Secret', 'first\n')
    await edit(wiki, 'Secret', 'second\n')
    await undoRevisions(wiki, { revision: latest(wiki), ...someone })
    expect(blob(directory)).toBe('svefg\n')
    expect(readFileSync(join(directory, 'Secret.wiki'), 'utf8')).toBe('first\n')
  })

  test('refuses to merge', { tags: 'long' }, async () => {
    const { wiki, directory } = await wikiUnder(both)
    const lines = (one: string, two: string) => `${one}\n\nmiddle\n\nof the\n\npage\n\n${two}\n`
    await create(wiki, 'Secret', lines('a', 'b'))
    await edit(wiki, 'Secret', lines('A', 'b'))
    const [undone, commit] = [latest(wiki), git(directory, 'rev-parse', 'HEAD').trim()]
    await edit(wiki, 'Secret', lines('A', 'B'))
    const kept = blob(directory)
    await expect(undoRevisions(wiki, { revision: undone, ...someone })).rejects.toMatchObject(refused)
    await expect(undoCommit(wiki, { commit, ...someone })).rejects.toMatchObject(refused)
    git(directory, 'reset', '-q', '--hard', `${commit}~1`)
    writeFileSync(join(directory, 'Secret.wiki'), lines('a', 'C'))
    git(directory, 'commit', '-qam', 'git')
    const { failures } = await restoreEdits(wiki, { commits: [commit], author: async () => ada })
    expect(failures).toMatchObject([{ error: refused }])
    expect([kept, blob(directory)]).toEqual(
      [lines('N', 'O'), lines('n', 'P')].map(text =>
        text.replace('middle', 'zvqqyr').replace('of the', 'bs gur').replace('page', 'cntr'),
      ),
    )
  })

  test('omits it from changes of many pages, and reports it', async () => {
    const { wiki, directory } = await wikiUnder(both)
    await create(wiki, 'Secret', 'bcra [[Bcra]]\n')
    await create(wiki, 'Plain', 'open [[Open]]\n')
    const replaced = await replaceText(wiki, { find: 'open', replacement: 'shut', ...someone })
    expect(replaced.unread).toEqual(['Secret'])
    await edit(wiki, 'Secret', 'bcra [[Bcra]] <gg>x</gg>\n')
    await edit(wiki, 'Plain', 'open [[Open]] <tt>x</tt>\n')
    const { problems } = await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })
    const fixes = problems.filter(({ fix }) => fix !== undefined)
    expect(fixes.map(({ path }) => path)).toEqual(['Plain.wiki', 'Secret.wiki'])
    const fixed = await fixProblems(wiki, { problems, ...someone })
    expect(fixed).toMatchObject({ unread: ['Secret.wiki'], left: 0, fixed: [fixes[0]] })
    await movePage(wiki, { from: 'Open', to: 'Shut', redirect: false, updateLinks: true, ...someone })
    expect(blob(directory)).toBe('open [[Open]] <tt>k</tt>\n')
    expect(blob(directory, 'Plain')).toBe('open [[Shut|Open]] <code>x</code>\n')
  })

  test('edits it in a work tree', async () => {
    const { wiki, directory } = await wikiUnder(both)
    await create(wiki, 'Secret', 'first\n')
    const request = { title: 'Secret', source: 'first, and more\n', base: latest(wiki), ...someone }
    expect(await updatePage(wiki, request)).toMatchObject({ changed: true })
    expect(blob(directory)).toBe('svefg, naq zber\n')
  })
})
