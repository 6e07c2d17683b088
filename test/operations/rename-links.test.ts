/** Renames in random wikis of all dialects: every link keeps its target, and nothing else changes. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { movePage } from '../../src/operations/move-page.ts'
import { renderPage } from '../../src/operations/render-page.ts'
import { undoCommit } from '../../src/operations/undo-commit.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { rounds } from '../_rounds.ts'
import { git } from '../_setup.ts'
import { ada, commitFiles, gitPaths, gitText, newWiki } from './_wiki.ts'

type Random = (below: number) => number

/** A small generator: the same seed gives the same wiki everywhere. */
function randomOf(seed: number): Random {
  let state = seed * 2_654_435_761 + 1
  return below => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const oneOf = <Kind>(random: Random, from: readonly Kind[]): Kind => from[random(from.length)]!

interface Kind {
  readonly config: Readonly<Record<string, unknown>>
  readonly files: readonly string[]
  /** Ways to write a link from a file to another one. */
  readonly ways: readonly ((from: string, to: string, random: Random) => string)[]
  readonly newTitles: readonly string[]
}

const stem = (path: string) => path.replace(/\.[^.]*$/, '')
const base = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const titleOf = (path: string) =>
  stem(path)
    .replace(/^Template\//, 'Template:')
    .replace(/^Category\//, 'Category:')
    .replaceAll('_', ' ')

function relative(from: string, to: string): string {
  const [left, right] = [from.split('/').slice(0, -1), to.split('/')]
  while (left.length > 0 && right.length > 1 && left[0] === right[0]) {
    left.shift()
    right.shift()
  }
  return [...left.map(() => '..'), ...right].join('/')
}

const colon = (title: string) => (title.startsWith('Category:') ? `:${title}` : title)

const wikitext: Kind = {
  config: {},
  files: [
    'Main_Page.wiki',
    'Low_tide.wiki',
    'Low_tide/Spring.wiki',
    'Low_tide/Neap.wiki',
    'Template/Box.wiki',
    'Category/Sea.wiki',
  ],
  ways: [
    (_, to) => `[[${colon(titleOf(to))}]]`,
    (_, to) => `[[${colon(titleOf(to))}]]s`,
    (_, to) =>
      `[[ ${colon(titleOf(to).toLowerCase().replace('template:', 'Template:').replace('category:', 'Category:'))} ]]`,
    (_, to) => `[[${colon(stem(to).replace('Template/', 'Template:').replace('Category/', 'Category:'))}#Part|text]]`,
    (_, to) => `[[${colon(titleOf(to))}#Part]]`,
    (_, to) => `''[[${colon(titleOf(to))}|a '''b''' c]]''`,
    () => '[[File:No.png|thumb|[[Low tide]] and {{Box}}]] [[Low tide|a [[Main Page]] b]]',
    (_, to) => `{{#ifexist: ${titleOf(to)} | yes | no }}`,
    (_, to) => `<ref>note [[${colon(titleOf(to))}|r]]</ref>`,
    () => '{{Box|[[Low tide|in a box]]}}',
    () => '{{box|1=[[low_tide]]}}',
    () => '[[Category:Sea|key]]',
    () => '<nowiki>[[Low tide]]</nowiki> <!-- [[Low tide]] {{Box}} -->',
    () => '<pre>[[Low tide]] {{Box}}</pre>',
    from => (from.includes('/') ? '[[../]] x [[../Neap]]' : '[[/Spring]] [[/Spring/]]'),
    () => '[[Missing page]] [[{{{1|Missing page}}}]]',
    () => '[https://example.org Low tide] https://example.org/Low_tide',
  ],
  newTitles: ['High tide', 'Talk:Tide', 'Low tide/Moved', 'Neap (tide)', 'Category:Tides', 'Template:Frame', 'Ä & b'],
}

const paths: Kind = {
  ...wikitext,
  files: ['README.mediawiki', 'bip-0001.mediawiki', 'bip-0002.mediawiki', 'docs/guide.mediawiki', 'docs/faq.mediawiki'],
  ways: [
    (from, to) => `[[${relative(from, to)}|text]]`,
    (from, to) => `[[${relative(from, to)}]]`,
    (_, to) => `[[${stem(to)}]]`,
    (_, to) => `[[${to}#part|text]]`,
  ],
  newTitles: ['Bip-0003', 'Docs/Deep/guide 2', 'Moved'],
}

const table = (row: string) => `\n\n| a | b |\n|---|---|\n| ${row} | c |\n\n`

const notes: Kind = {
  config: { links: 'notes' },
  files: ['index.md', 'Low tide.md', 'sea/High tide.md', 'sea/Neap_tide.md', 'sea/deep/spring-tide.md', 'sea/map.png'],
  ways: [
    (_, to) => `[[${stem(base(to))}]]`,
    (_, to) => `[[${stem(to)}]]`,
    (_, to) => `[[${stem(base(to))}|shown]]`,
    (_, to) => `[[${stem(base(to))}#Part]]`,
    (_, to) => table(`[[${stem(base(to))}]]`),
    (_, to) => table(`[[${stem(base(to))}\\|shown]]`),
    (from, to) => `[text](<${relative(from, to)}>)`,
    (from, to) => `[text](${encodeURI(relative(from, to))}#part "title")`,
    (from, to) => `[text][id${to.length}]\n\n[id${to.length}]: <${relative(from, to)}>\n\n`,
    (from, to) => `<a href="${relative(from, to)}">x</a>`,
    from => `![alt](${relative(from, 'sea/map.png')})`,
    from => `<img src="${relative(from, 'sea/map.png')}" width=20>`,
    () => '![[map.png|200]]',
    () => '`[[Low tide]]`\n\n    [[Low tide]]\n\n```\n[[Low tide]] [a](Low tide.md)\n```\n\n',
    () => '\\[[Low tide]] https://example.org/Low',
  ],
  newTitles: ['Ebb', 'Sea/Ebb', 'Sea/deep/Deeper/Ebb (new)', 'Other/High tide 2'],
}

const gollum: Kind = {
  config: {},
  files: ['Home.md', '_Sidebar.md', 'Low-Tide.md', 'High-Tide.md', 'Sea-(deep).md'],
  ways: [
    (_, to) => `[[${stem(to).replaceAll('-', ' ')}]]`,
    (_, to) => `[[shown|${stem(to)}]]`,
    (_, to) => `[[shown|${stem(to).replaceAll('-', ' ')}#part]]`,
    (_, to) => `[text](${encodeURI(stem(to)).replace('(', '%28').replace(')', '%29')})`,
    (_, to) => `[text](/owner/repository/wiki/${encodeURI(stem(to)).replace('(', '%28').replace(')', '%29')})`,
  ],
  newTitles: ['Ebb', 'Low-Ebb', 'New-(tide)'],
}

const site: Kind = {
  config: {},
  files: ['index.md', 'docs/setup.md', 'docs/deep/Long name.md', 'docs/deep/index.md', 'about.md'],
  ways: [
    (_, to) => `[text]({% link ${to} %})`,
    (_, to) => `[text]({{ site.baseurl }}{% link ${to} %}#part)`,
    (_, to) => `[**text**]({{ site.baseurl }}/${encodeURI(stem(to))}.html#part)`,
    (_, to) => `[text]({{site.baseurl}}/${encodeURI(stem(to))})`,
    (_, to) => `<a href="{{ site.baseurl }}/${encodeURI(to)}">x</a>`,
    (_, to) => `[text]({{ '/${encodeURI(stem(to))}' | relative_url }})`,
    (_, to) => `[text]({{< relref "/${to}#part" >}})`,
    (from, to) => `[text]({{% ref "${relative(from, to)}" %}})`,
    () => '`[text]({% link about.md %})` [text]({{ page.next.url }}) [text]({% include about.md %})',
  ],
  newTitles: ['Docs/Ebb', 'New name', 'Docs/deep/deeper/x'],
}

/** A category stays a category, and so does a template: its links have no other meaning. */
function newTitleFor(old: string, wanted: string): string {
  if (old.startsWith('Category:')) return 'Category:Tides'
  return old.startsWith('Template:') ? 'Template:Frame' : wanted
}

const kinds = { wikitext, paths, notes, gollum, site }

function randomFiles(random: Random, { files, ways }: Kind): Record<string, string> {
  const pages = files.filter(path => !path.endsWith('.png'))
  let mark = 0
  const text = (from: string) => {
    const parts = [`t${mark++}. `]
    for (let count = random(8); count > 0; count--)
      parts.push(oneOf(random, ways)(from, oneOf(random, pages), random), ` t${mark++}. `)
    return `${parts.join('')}${random(3) === 0 ? '' : '\n'}`
  }
  return Object.fromEntries(files.map(path => [path, path.endsWith('.png') ? 'no picture' : text(path)]))
}

interface Shown {
  readonly text: string
  readonly links: readonly string[]
}

async function shown(wiki: Wiki, title: string): Promise<Shown> {
  const { html } = await renderPage(wiki, { title, bodyOnly: true })
  const links = [...html.matchAll(/(?:href|resource)="(\.\/[^"]*)"/g)].map(([, address = '']) =>
    decodeURIComponent(address.replaceAll('&amp;', '&')),
  )
  const text = html.replace(/ (?:id|href|title|resource|about|typeof|rel|class)="[^"]*"| data-mw='[^']*'/g, '')
  const plain = text.replace(/<\/?(?:a|span|b|strong)(?: [^>]*)?>/g, '')
  // A recursive template shows its name.
  return { text: plain.replace(/(Template loop detected: )Template:\w+/g, '$1'), links }
}

function patchFile(directory: string, patch: string): string {
  const path = join(directory, '.git', 'planned.patch')
  writeFileSync(path, patch)
  return path
}

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  test.each([...Array(rounds(2, 12, 50)).keys()])(
    'every link keeps its target, seed %i',
    { tags: ['rounds', 'long'] },
    async seed => {
      const random = randomOf(seed)
      const { wiki, directory } = await newWiki({}, { ...kind.config })
      const files = randomFiles(random, kind)
      await commitFiles(wiki, files)
      await wiki.store.refresh({ force: true })
      const pages = [...wiki.store.pages()].map(({ key, title, path }) => ({ key, title, path }))
      const page = oneOf(random, pages)
      const to = newTitleFor(page.title, oneOf(random, kind.newTitles))
      const before = new Map<string, Shown>()
      for (const { key, title } of pages) before.set(key, await shown(wiki, title))
      const tree = git(directory, 'rev-parse', 'HEAD^{tree}')

      const redirect = random(2) === 0
      const request = { from: page.title, to, comment: null, author: ada, redirect, updateLinks: true }
      const planned = await movePage(wiki, { ...request, dryRun: true })
      const moved = await movePage(wiki, request)
      const commit = git(directory, 'rev-parse', 'HEAD')

      expect(moved.links?.unchanged.filter(({ link }) => !link.includes('{{{'))).toEqual([])
      expect(wiki.store.findPage(moved.to.key)).toMatchObject({ id: moved.id })
      const renamed = (address: string) => {
        const [key = '', ...hash] = address.slice(2).split('#')
        return ['./', key === page.key ? moved.to.key : key, ...(hash.length > 0 ? ['#', ...hash] : [])].join('')
      }
      for (const { key } of pages) {
        const now = await shown(wiki, key === page.key ? moved.to.title : key.replaceAll('_', ' '))
        const old = before.get(key)!
        expect({ key, links: now.links }).toEqual({ key, links: old.links.map(renamed) })
        expect({ key, text: now.text }).toEqual({ key, text: old.text })
      }
      // The dry run's difference is the commit.
      git(directory, 'checkout', '-q', '--detach', `${commit}~1`)
      git(directory, 'reset', '-q', '--hard')
      if (planned.patch !== '')
        git(directory, 'apply', '--index', '--whitespace=nowarn', patchFile(directory, planned.patch!))
      expect(git(directory, 'write-tree')).toBe(git(directory, 'rev-parse', `${commit}^{tree}`))
      git(directory, 'reset', '-q', '--hard')
      git(directory, 'checkout', '-q', 'main')

      await undoCommit(wiki, { commit, comment: null, author: ada })
      expect(git(directory, 'rev-parse', 'HEAD^{tree}')).toBe(tree)
      expect(wiki.store.findPage(page.key)).toMatchObject({ id: moved.id })
      expect(gitPaths(directory)).toContain(page.path)
      expect(gitText(directory, page.path)).toBe(files[page.path])
    },
  )
})

describe('a link by name', () => {
  const rename = async (files: Readonly<Record<string, string>>, from: string, to: string) => {
    const { wiki, directory } = await newWiki({}, { links: 'notes' })
    await commitFiles(wiki, files)
    await wiki.store.refresh({ force: true })
    await movePage(wiki, { from, to, comment: null, author: ada, redirect: false, updateLinks: true })
    return gitText(directory, 'index.md')
  }

  test('may have a heading with a slash', async () => {
    const files = { 'index.md': '[x](Tide#in/out)\n', 'sea/Tide.md': 'x\n' }
    expect(await rename(files, 'Sea/Tide', 'Sea/Ebb')).toBe('[x](Ebb#in/out)\n')
  })

  test('becomes a path if another page has the name', async () => {
    const files = { 'index.md': '[[Tide]]\n', 'sea/Tide.md': 'x\n', 'z/Ebb.md': 'y\n' }
    expect(await rename(files, 'Sea/Tide', 'Sea/Ebb')).toMatch(/^\[\[[Ss]ea\/Ebb\|Tide\]\]\n$/)
  })
})
