/** Characters that HTML and XML cannot contain: of commit messages, authors, texts and searches. */

import { expect, test } from 'vitest'
import { documentText } from '../../src/core/document-text.ts'
import { create, edit, newWiki } from '../operations/_wiki.ts'
import { siteOf } from './_site.ts'

/** Source: HTML Standard 13.2.3.5 (control characters and noncharacters in the input stream). */
const excluded = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]|[\u{1fffe}\u{1ffff}\u{10fffe}\u{10ffff}]/u
const odd = 'odd \u0001\u001b[31m\u0085\u009b\ufdd0\ufffe\u{1ffff}'

test('stand in no page and no feed', async () => {
  const { wiki } = await newWiki({ Tides: 'water' })
  const author = { name: `Ada ${odd}`, address: 'ada@example.org' }
  await edit(wiki, 'Tides', `water ${odd}`, { comment: `why ${odd}`, author })
  await create(wiki, 'Notes', `# head ${odd}`, { contentModel: 'markdown', author, comment: odd })
  const { ask } = siteOf(wiki)
  const pages = ['', '?action=history', '?action=info', '?action=authors', '?diff=2', '?action=lead', '?oldid=2']
  const paths = [
    ...pages.map(query => `/wiki/Tides${query}`),
    ...['/wiki/Notes', '/wiki/Special:RecentChanges', '/wiki/Special:AllPages', '/wiki/Special:Search?search=odd'],
    `/wiki/Special:Search?search=${encodeURIComponent(odd)}`,
    `/wiki/Special:Contributions?user=${encodeURIComponent(odd)}`,
    ...['atom', 'rss', 'json'].map(format => `/v1/feed?format=${format}`),
    ...['/wiki/Tides?action=history&feed=atom', '/wiki/Special:RecentChanges?feed=rss', '/wiki/Nowhere'],
  ]
  for (const path of paths) {
    const text = await (await ask(path)).text()
    const found = path.includes('format=json') ? [] : (excluded.exec(text) ?? [])
    expect([path, text.length > 0, [...found].map(sign => sign.codePointAt(0))]).toEqual([path, true, []])
  }
})

test('stay in the text of a form, which is saved as it was', async () => {
  const { wiki } = await newWiki({ Tides: `water ${odd}` })
  const { source } = (await (await siteOf(wiki).ask('/v1/page/Tides')).json()) as { source: string }
  const form = await (await siteOf(wiki).ask('/wiki/Tides?action=edit')).text()
  expect(form).toContain(`\n${source}</textarea>`)
})

test('are replaced one by one, and all others stay', () => {
  expect(documentText('a\tb\nc\r\u00a0\u2028é\u{1f600}\ufffd')).toBe('a\tb\nc\r\u00a0\u2028é\u{1f600}\ufffd')
  expect(documentText('\0\x01\x7f\x80\x9f\ufdd0\uffff')).toBe('\ufffd'.repeat(7))
  expect(documentText('\u{1fffe}x\ud800y\udc00')).toBe('\ufffdx\ufffdy\ufffd')
})
