/**
 * The problems that a change adds are the difference between two checks of the whole wiki, each made when the branch was at
 * that commit.
 */

import { expect, test } from 'vitest'
import type { Problem } from '../../src/checks/problem.ts'
import { checkChange } from '../../src/operations/check-change.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { oneIn } from '../_rounds.ts'
import { commitFiles, newWiki } from './_wiki.ts'

const before = {
  'Main_Page.wiki': 'See [[Ebb]], [[Flood#High]], {{Box|a}} and [[Old name]]. [[File:Map.png|thumb]]\n',
  'Ebb.wiki': '== Low ==\n{{Box|b}} [[Flood]]\n',
  'Flood.wiki': '== High ==\n[[Ebb#Low]] [[Ebb#FromBox]] [[Flood#FromBox]]\n{{Anchor|spring}}\n',
  'Old_name.wiki': '#REDIRECT [[Ebb]]\n',
  'Uses.wiki': '[[Flood#spring]] {{Nest|x}} {{:Ebb}} {{#ifexist:Ebb|<b>x</b>|<b>y}}\n',
  'Template/Box.wiki': '<div id="FromBox">{{{1}}}</div>\n',
  'Template/Nest.wiki': '{{Box|{{{1}}}}}\n',
  'Template/Anchor.wiki': '<span id="{{{1}}}"></span>\n',
  'Template/Rbox.wiki': '#REDIRECT [[Template:Box]]\n',
  'Rbox_user.wiki': '{{Rbox|t}}\n',
  'Notes.md': '---\naliases: [Niner]\n---\n# Notes\n[ebb](Ebb.wiki), [m](docs/deep.md#part), [[Niner]] [[Deep]]\n',
  'docs/deep.md': '# Deep\n## Part\n[up](../Notes.md#notes) ![p](pic.png)\n',
  'docs/pic.png': 'x',
  'Map.png': 'x',
} as const

type Files = Readonly<Record<string, string | null>>

const changes: Readonly<Record<string, readonly [files: Files, moves?: Readonly<Record<string, string>>]>> = {
  'a renamed page': [{ 'Ebb.wiki': null, 'Low.wiki': before['Ebb.wiki'] }, { 'Ebb.wiki': 'Low.wiki' }],
  'a page moved in case only': [{ 'Ebb.wiki': null, 'EBB.wiki': before['Ebb.wiki'] }, { 'Ebb.wiki': 'EBB.wiki' }],
  'a deleted template': [{ 'Template/Box.wiki': null }],
  'a template without the section that it made': [{ 'Template/Box.wiki': '<div>{{{1}}}</div>\n' }],
  'a template without the section that it computed': [{ 'Template/Anchor.wiki': '<span id="x{{{1}}}"></span>\n' }],
  'a template with an open tag': [{ 'Template/Box.wiki': '<div id="FromBox"><b>{{{1}}}\n' }],
  'a redirect of templates that leads elsewhere': [
    { 'Template/Rbox.wiki': '#REDIRECT [[Template:Bad]]\n', 'Template/Bad.wiki': '<div><b>{{{1}}}\n' },
  ],
  'an included page with an open tag': [{ 'Ebb.wiki': `${before['Ebb.wiki']}<b>open\n` }],
  'redirects in a circle': [{ 'Ebb.wiki': '#REDIRECT [[Old name]]\n' }],
  'deleted pictures': [{ 'Map.png': null, 'docs/pic.png': null }],
  'a renamed section and alias': [
    {
      'Flood.wiki': before['Flood.wiki'].replace('High', 'Higher'),
      'docs/deep.md': before['docs/deep.md'].replace('Part', 'Piece'),
      'Notes.md': before['Notes.md'].replace('Niner', 'Tenner'),
    },
  ],
  'other line ends': [
    Object.fromEntries(
      Object.entries(before).flatMap(([path, text]) => (text === 'x' ? [] : [[path, text.replaceAll('\n', '\r\n')]])),
    ),
  ],
}

async function wholeOf(wiki: Wiki): Promise<readonly Problem[]> {
  return (await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })).problems
}

function countsOf(problems: readonly Problem[], moves: Readonly<Record<string, string>> = {}): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { path, kind, text } of problems) {
    // Only a change can remove the last link to a page.
    if (kind === 'orphaned-page') continue
    const key = `${moves[path] ?? path} ${kind} ${text.replace(/\s+/g, ' ').trim()}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

test.each(oneIn(3, Object.keys(changes)))('%s', { tags: 'rounds' }, async name => {
  const [files, moves] = changes[name]!
  const { wiki } = await newWiki()
  await commitFiles(wiki, before)
  const from = wiki.store.tip
  const old = countsOf(await wholeOf(wiki), moves)
  await commitFiles(wiki, files)
  const added = [...countsOf(await wholeOf(wiki))].flatMap(([key, count]) => {
    const more = count - (old.get(key) ?? 0)
    return more > 0 ? [[key, more] as const] : []
  })
  const { problems } = await checkChange(wiki, { from, to: 'HEAD', sinceParting: false })
  expect(new Map([...countsOf(problems)].sort())).toEqual(new Map(added.sort()))
})
