/** Scripts, styles and links of the pages find their own parts by names that no text can have. */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commitFiles, newWiki } from '../operations/_wiki.ts'
import { attributeOf, type Element, siteOf } from './_site.ts'

const scripts = new URL('../../src/web/client/', import.meta.url)
const sources = readdirSync(scripts, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => [name, readFileSync(new URL(name, scripts), 'utf8')] as const)

/** Elements that a text cannot have, and the attribute of shortcuts. */
const unwritable = /^(?:main |\[data-ui-body\] > )?(?:form|dialog|h1)\b|^\[accesskey=/

test('scripts search the whole page only by elements and attributes that no text has', () => {
  const found = sources.flatMap(([name, text]) =>
    [...text.matchAll(/(?:document|page)(?:\?\.|\.)querySelector(?:All)?(?:<\w+>)?\(\s*(['`])(.*?)\1/g)].map(
      ([, , selector]) => ({ name, selector: selector! }),
    ),
  )
  expect(found.length).toBeGreaterThan(15)
  const own = /^\w*\[data-ui-[\w-]+(?:="[\w-]+")?\]/
  const parts = found.flatMap(({ name, selector }) => selector.split(', ').map(selector => ({ name, selector })))
  expect(parts.filter(({ selector }) => !own.test(selector) && !unwritable.test(selector))).toEqual([])
})

test('no text has them, in a page, beside it and in a preview', async () => {
  const forged =
    '<div class="contents menu body" data-ui-contents data-ui-body="x" id="ui--content" aria-owns="a ui--titles b" aria-labelledby="ui--ask">[[#%E0%A4%A|x]] <time datetime="2020-01-01T00:00Z" data-ui-time title="t" data-sort="1">noon</time></div>'
  const markdown = `# Mark\n\n${forged.replace('[[#%E0%A4%A|x]]', '<a data-ui-session href="#%">x</a>')}\n\n## ui--content\n`
  const { wiki } = await newWiki({ Wikitext: `${forged}\n== ui--content ==\n== b ==\n== c ==\n== d ==` })
  await commitFiles(wiki, {
    ...{
      'Mark.md': markdown,
      '_Sidebar.md': markdown.replace('# Mark', '# Side'),
      '_Header.wiki': forged,
      '_Footer.wiki': forged,
    },
  })
  await wiki.store.refresh()
  const { page } = siteOf(wiki)
  for (const path of ['/wiki/Wikitext', '/wiki/Mark', '/wiki/Wikitext?oldid=1', '/wiki/Mark?action=lead']) {
    const { elements, html } = await page(path)
    const isNamed = (element: Element): boolean => element.attrs.some(({ name }) => name === 'data-ui-contents')
    expect(elements.filter(isNamed).map(({ tagName }) => tagName)).toEqual(
      html.includes('<nav class="contents"') ? ['nav'] : [],
    )
    expect(elements.filter(element => attributeOf(element, 'id')?.startsWith('ui--')).length).toBeLessThan(2)
    expect(html).not.toMatch(/aria-(?:owns|labelledby)="[^"]*ui--|data-ui-body="x"/)
    // All else stays.
    if (path === '/wiki/Wikitext') expect(html).toMatch(/aria-owns="a b".*data-sort="1"/)
  }
})
