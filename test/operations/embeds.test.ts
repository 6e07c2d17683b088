/** Notes within notes: what `![[note]]` shows. */

import { beforeEach, describe, expect, test } from 'vitest'
import { renderPage } from '../../src/operations/render-page.ts'
import { needsGit } from '../_setup.ts'
import { commitFiles, newWiki } from './_wiki.ts'

beforeEach(context => needsGit(context))

async function notes(files: Readonly<Record<string, string>>) {
  const { wiki } = await newWiki()
  await commitFiles(wiki, files)
  await wiki.store.refresh({ force: true })
  const html = async (title: string) => (await renderPage(wiki, { title, bodyOnly: true })).html
  return { wiki, html }
}

const tide =
  '---\ntags: [sea]\n---\nRises twice.\n\n## Neap\n\nThe *small* one.\n\n### Why\n\nMoon.\n\n## Spring\n\nThe large one.\n'

describe('an embedded note', () => {
  test('shows its text below a link to it, without its front matter', async () => {
    const { html } = await notes({ 'Index.md': 'A\n\n![[Tide]]\n\nB\n', 'sea/Tide.md': tide })
    const shown = await html('Index')
    expect(shown).toMatch(/class="markdown-embed-title"[^>]*><a [^>]*href="\.\/Sea\/Tide"/)
    expect(shown).toMatch(/Rises twice.*<em[^>]*>small<\/em> one.*The large one.*<\/div>.*B/s)
    expect(shown).not.toMatch(/front-matter|Category:Sea|<h[1-6]/)
  })

  test('shows the part below a heading', async () => {
    const { html } = await notes({ 'Index.md': '- ![[Tide#Neap]]\n\n![[Tide#None]]\n', 'Tide.md': tide })
    const shown = await html('Index')
    expect(shown).toMatch(/small.*Moon/s)
    expect(shown).not.toMatch(/Rises|large/)
    expect(shown).toContain('href="./Tide#none"')
  })

  test('resolves links and pictures from its own folder', async () => {
    const { html } = await notes({
      'Index.md': '![[Tide]]\n',
      'sea/Tide.md': '[deep](Deep.md) [[#Part]]\n',
      'sea/Deep.md': 'x\n',
      'Deep.md': 'x\n',
    })
    expect(await html('Index')).toMatch(/href="\.\/Sea\/Deep".*href="\.\/Sea\/Tide#part"/s)
  })

  test('stops at cycles and at the maximum number of notes', { tags: 'long' }, async () => {
    const { html } = await notes({
      'A.md': 'text of A\n\n![[B]]\n',
      'B.md': 'text of B\n\n![[A]]\n\n![[B]]\n',
      'Many.md': Array(20).fill('![[Many2]]\n').join('\n'),
      'Many2.md': Array(20).fill('![[Many3]]\n').join('\n'),
      'Many3.md': 'deepest\n',
    })
    const shown = await html('A')
    expect(shown.split('text of B')).toHaveLength(2)
    expect(shown.split('text of A')).toHaveLength(2)
    expect((await html('Many')).split('class="markdown-embed"').length).toBeLessThanOrEqual(101)
  })

  test('is a link within a line of text, and if the target is not a note', async () => {
    const { html } = await notes({ 'Index.md': 'See ![[Tide]] here.\n\n![[Old]]\n', 'Tide.md': tide, 'Old.wiki': 'x' })
    const shown = await html('Index')
    expect(shown).not.toContain('markdown-embed')
    expect(shown).toMatch(/href="\.\/Tide".*href="\.\/Old"/s)
  })

  test('changes with the note', async () => {
    const { wiki, html } = await notes({ 'Index.md': '![[Tide]]\n', 'Tide.md': 'old text\n' })
    expect(await html('Index')).toContain('old text')
    await commitFiles(wiki, { 'Tide.md': 'new text\n' })
    await wiki.store.refresh({ force: true })
    expect(await html('Index')).toContain('new text')
  })
})
