import { expect, test } from 'vitest'
import { checkChange } from '../../src/operations/check-change.ts'
import { movePage } from '../../src/operations/move-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { git } from '../_setup.ts'
import { ada, commitFiles, newWiki } from './_wiki.ts'

async function problemsSince(wiki: Wiki, from: string | null, only?: readonly string[]): Promise<string[]> {
  const { problems } = await checkChange(wiki, { from, to: 'HEAD', sinceParting: false })
  const found = problems.map(({ kind, path, text }) => `${kind} ${path} ${text}`).sort()
  return only === undefined ? found : found.filter(problem => only.some(kind => problem.startsWith(kind)))
}

const files = {
  'Tides.wiki': 'See [[Ebb]], {{Box}} and [[File:Map.png]]. [[Old red link]]\n',
  'Ebb.wiki': 'Low. [[Category:Sea]] <nowiki>[[No]]</nowiki>\n',
  'Template/Box.wiki': 'Box.\n',
  'Map.png': 'no picture',
  'notes/Index.md':
    '[ebb](../Ebb.wiki) [[Guide]] ![m](../Map.png) [licence](../LICENSE) [f](../tools) [old](gone.md)\n',
  'notes/Guide.md': 'Guide.\n',
}

async function linkedWiki() {
  const made = await newWiki({}, { links: 'notes' })
  await commitFiles(made.wiki, { ...files, LICENSE: 'free', 'tools/run.sh': 'true' })
  return made
}

test('a deletion breaks the pages that named what is gone, and only what was right before is reported', async () => {
  const { wiki, directory } = await linkedWiki()
  const before = git(directory, 'rev-parse', 'HEAD')
  expect(await problemsSince(wiki, null)).toEqual([
    'broken-link notes/Index.md gone.md',
    'red-link Tides.wiki Old red link',
  ])
  await commitFiles(wiki, { 'Ebb.wiki': null, 'Template/Box.wiki': null, 'Map.png': null, 'notes/Guide.md': null })
  expect(await problemsSince(wiki, before)).toEqual([
    'broken-link notes/Index.md ../Ebb.wiki',
    'broken-link notes/Index.md Guide',
    'missing-file Tides.wiki File:Map.png',
    'missing-file notes/Index.md ../Map.png',
    'missing-template Tides.wiki Box',
    'red-link Tides.wiki Ebb',
  ])
})

test('a rename with its links brings no problem, and one without them does', async () => {
  const { wiki, directory } = await linkedWiki()
  const before = git(directory, 'rev-parse', 'HEAD')
  const move = { from: 'Notes/Guide', comment: null, author: ada, redirect: false }
  await movePage(wiki, { ...move, to: 'Notes/Handbook', updateLinks: true })
  expect(await problemsSince(wiki, before)).toEqual([])
  await movePage(wiki, { ...move, from: 'Notes/Handbook', to: 'Notes/Manual' })
  expect(await problemsSince(wiki, before)).toEqual(['broken-link notes/Index.md Handbook'])
})

test('a page that is added mends links, and brings its own', async () => {
  const { wiki, directory } = await linkedWiki()
  const before = git(directory, 'rev-parse', 'HEAD')
  await commitFiles(wiki, { 'notes/gone.md': '[x](nowhere.md)\n' })
  expect(await problemsSince(wiki, before)).toEqual(['broken-link notes/gone.md nowhere.md'])
  expect(await problemsSince(wiki, null)).not.toContain('broken-link notes/Index.md gone.md')
})
