/** Links that other programs read letter by letter, after a move. */

import { describe, expect, test } from 'vitest'
import { checkChange } from '../../src/operations/check-change.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { outgoingLinks } from '../../src/operations/page-links.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { ada, commitFiles, gitText, newWiki } from './_wiki.ts'

async function wikiOf(files: Readonly<Record<string, string>>): Promise<{ wiki: Wiki; directory: string }> {
  const made = await newWiki({}, {})
  await commitFiles(made.wiki, files)
  await made.wiki.store.refresh({ force: true })
  return made
}

const request = { comment: null, author: ada, redirect: false }
const vault = { '.obsidian/app.json': '{}', 'Home.md': 'x\n' }

describe('in a vault of Obsidian', () => {
  test('a rename writes the name of the file, with its dashes, and the order of the parts is that of notes', async () => {
    const { wiki, directory } = await wikiOf({
      ...vault,
      '2026-11-28 Meeting.md': 'y\n',
      'index.md': '[[2026-11-28 Meeting]] [[2026-11-28 Meeting#Part|then]] ![[2026-11-28 Meeting]]\n',
    })
    await movePage(wiki, { ...request, from: '2026-11-28 Meeting', to: '2026-11-29 Meeting', updateLinks: true })
    expect(gitText(directory, 'index.md')).toBe(
      '[[2026-11-29 Meeting|2026-11-28 Meeting]] [[2026-11-29 Meeting#Part|then]] ![[2026-11-29 Meeting]]\n',
    )
  })

  test('a space is no dash', async () => {
    const { wiki } = await wikiOf({ ...vault, 'low-tide.md': 'y\n', 'index.md': '[[low tide]] [[low-tide]]\n' })
    const { problems } = await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })
    expect(problems.filter(({ kind }) => kind === 'broken-link').map(({ text }) => text)).toEqual(['low tide'])
  })

  test('links in front matter are listed, checked and renamed; comments and other values stay', async () => {
    const matter = [
      '---\r',
      'up: "[[Old note]]"\r',
      "down:\r\n  - '[[It''s]]'\r\n  - \"[[Old note|x]]\"\r",
      'plain: [[Old note]]\r',
      'about: "see [[Old note#Part]] and [[Missing]]"\r',
      '# [[Old note]]\r',
      'title: Old note\r',
      '---\r',
      'text\r',
      '',
    ].join('\n')
    const { wiki, directory } = await wikiOf({ ...vault, 'Old note.md': 'y\n', "It's.md": 'z\n', 'page.md': matter })
    const { members } = await outgoingLinks(wiki, { title: 'Page' })
    expect(members.map(({ key }) => key)).toEqual(["It's", 'Missing', 'Old_note'])
    const { problems } = await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })
    expect(problems.map(({ kind, text, place }) => `${kind} ${text} ${place?.line}`)).toContain('broken-link Missing 7')
    await movePage(wiki, { ...request, from: 'Old note', to: 'The "new" one', updateLinks: true })
    await movePage(wiki, { ...request, from: "It's", to: "It's 'here'", updateLinks: true })
    expect(gitText(directory, 'page.md')).toBe(
      matter
        .replace('up: "[[Old note]]"', 'up: "[[The %22new%22 one]]"')
        .replace('"[[Old note|x]]"', '"[[The %22new%22 one|x]]"')
        .replace('see [[Old note#Part]]', 'see [[The %22new%22 one#Part]]')
        .replace("It''s", "It''s ''here''"),
    )
  })
})

test('links in TOML of several lines and in footnotes are renamed', async () => {
  const text = [
    '+++\nup = "[[Old note]]"\nabout = """\n[[Old note]]\n"""\nplain = \'[[Old note]]\'\n# "[[Old note]]"\n+++\n',
    'a[^1] b[^2]\n\n[^1]: [Old note](<Old note.md>)\n[^2]: [[Old note]]\n\n    [[Old note|x]]\n',
  ].join('')
  const { wiki, directory } = await wikiOf({ ...vault, 'Old note.md': 'y\n', 'page.md': text })
  await movePage(wiki, { ...request, from: 'Old note', to: 'New note', updateLinks: true })
  expect(gitText(directory, 'page.md')).toBe(
    text
      .replaceAll('Old note', 'New note')
      .replace('[New note](', '[Old note](')
      .replace('[^2]: [[New note]]', '[^2]: [[New note|Old note]]')
      .replace('# "[[New note]]"', '# "[[Old note]]"'),
  )
})

test('a page of Markdown in another folder keeps its own links, whether or not others are updated', async () => {
  const text = '[x](other.md) ![p](img/p.png) [y](/other.md) <img src="img/p.png"> [out](https://a.example/other.md)\n'
  for (const updateLinks of [false, true]) {
    const files = { 'README.md': 'r\n', 'other.md': 'o\n', 'img/p.png': 'p', 'mover.md': text, 'sub/x.md': 'x\n' }
    const { wiki, directory } = await wikiOf(files)
    const moved = await movePage(wiki, { ...request, from: 'Mover', to: 'Sub/mover', updateLinks })
    expect(gitText(directory, moved.to.path)).toBe(
      text.replaceAll('(other', '(../other').replaceAll('img/p', '../img/p'),
    )
  }
})

test('in a wiki of Gollum a link with spaces keeps them', async () => {
  const { wiki, directory } = await wikiOf({
    'Home.md': '[[Low tide]] [[t|Low-tide]]\n',
    'Low-tide.md': 'x\n',
  })
  await movePage(wiki, { ...request, from: 'Low-tide', to: 'High-tide', updateLinks: true })
  expect(gitText(directory, 'Home.md')).toBe('[[Low tide|High tide]] [[t|High-tide]]\n')
})

test('a page that a wiki of Gollum lacks is wanted once, however it is written', async () => {
  const { wiki } = await wikiOf({ 'Home.md': '[[Old Name]] [[t|Old-Name]] [u](Old-Name)\n', 'Low-tide.md': 'x\n' })
  const { members } = await outgoingLinks(wiki, { title: 'Home' })
  expect(members.map(({ key, exists }) => [key, exists])).toEqual([['Old-Name', false]])
})
