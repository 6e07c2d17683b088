// @module-tag long
/** The sentences of MediaWiki's REST API reference hold for every page of a wiki of wikitext and of one of Markdown. */

import { expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { checks, checkWiki } from '../conformance/specification-checks.mjs'
import { png } from '../media/_files.ts'
import { commitFiles, create, edit, newWiki, visitor } from '../operations/_wiki.ts'

const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wikitext: {
    Beech: "== Bark ==\n'''Smooth''' bark, see [[Old tree]].\n\n[[File:Leaf.png|thumb|A leaf]]\n[[de:Buche]]\n<b>open",
    'Oak/Roots': '{|\n| cell<ref>note</ref>\n|}\n\n* one\n* two',
  },
  markdown: {
    Beech: '# Bark\n\nSmooth **bark**, see [the oak](Oak/Roots.md).\n\n![A leaf](Leaf.png)',
    'Oak/Roots': '| a | b |\n|---|---|\n| c | d |\n\n- one\n- two',
  },
}

async function madeWiki(model: string) {
  const { wiki } = await newWiki({}, { languages: { de: 'https://d.example/$1' } })
  await commitFiles(wiki, { 'Leaf.png': png(30, 20) })
  const pages = Object.entries(texts[model]!)
  for (const [title, text] of pages) await create(wiki, title, text, { contentModel: model })
  for (const [title, text] of pages) {
    await edit(wiki, title, `${text}\n\nA line.\n\nAnother line.\n\nThe last line, which is long enough to be moved.`)
    await edit(wiki, title, `The last line, which is long enough to be moved.\n\n${text}\n\nA long line.`, {
      author: visitor,
    })
  }
  for (let at = 0; at < 21; at++)
    await edit(wiki, 'Beech', `${texts[model]!.Beech}\n\nEdit ${at}.`, { minor: at % 2 === 0 })
  return wiki
}

const seen = new Map<string, number>()

test.each(Object.keys(texts))('each sentence holds in a wiki of %s', async model => {
  const wiki = await madeWiki(model)
  const app = createApp(wiki)
  const request = (path: string, init?: RequestInit) =>
    app.request(path.startsWith('http') ? path : `http://localhost/v1${path}`, init)
  const titles = [...wiki.store.pages()].map(({ key }) => key)
  const found = await checkWiki(async (path, init) => request(path, init), titles)
  expect(found.faults).toEqual([])
  for (const [[section, sentence], count] of found.seen)
    seen.set(`${section} ${sentence}`, (seen.get(`${section} ${sentence}`) ?? 0) + count)
})

test('each sentence was checked, and each group of the reference has one', () => {
  const all = Object.values(checks).flatMap(rows => rows.map(([section, sentence]) => `${section} ${sentence}`))
  expect(all.filter(name => !seen.get(name))).toEqual([])
  const sections = new Set(all.map(name => name.split(' ')[0]))
  for (const section of ['2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.9', '7', '8'])
    expect([...sections]).toContain(section)
})
