import { expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'

const wiki = memoryWiki({ pages: { 'Template:Items': '* a', 'Template:Named': '[[Category:B]]' } })

/** The names of the elements: `P` and `/P` around a paragraph, `C` for a category or a switch, `#` for a comment. */
async function shape(text: string): Promise<string> {
  const settings = { sections: false, elementIds: false }
  const { html } = await wikitextToHtml(text, { title: 'A', wiki, bodyOnly: true, settings })
  return html
    .replace(/<!--[^>]*-->/g, '#')
    .replace(/<(?:link|meta)[^>]*>/g, 'C')
    .replace(/<\/?span[^>]*>/g, '')
    .replace(/<(\/?)p[^>]*>/g, '$1P ')
    .replace(/<(?!\/)(\w+)[^>]*>/g, '$1 ')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

test.each([
  ['a list', 'x[[Category:B]]\n* a', 'P x/P C ul li a'],
  ['a list of a template', 'x[[Category:B]]\n{{Items}}', 'P x/P C ul li a'],
])('a category at the end of a line before %s stands after the paragraph', async (_, text, expected) => {
  expect(await shape(text)).toBe(expected)
})

test.each([
  ['a category before a block', 'x[[Category:B]]<div>y</div>', 'P xC/P div y'],
  ['a category of a template before a block', 'x{{Named}}<div>y</div>', 'P xC/P div y'],
  ['a comment before the end of a quotation', '<blockquote>x<!-- c --></blockquote>', 'blockquote P x#/P'],
])('%s is still in the paragraph', async (_, text, expected) => {
  expect(await shape(text)).toBe(expected)
})

test('a comment on a line of its own after loose text stands after the paragraph', async () => {
  expect(await shape('* a</div>x\n\n<!-- c -->\n* b')).toBe('ul li aP x/P # ul li b')
})
