/**
 * Rendered pages as other editors send them back, without the original: attributes in another order, without ids and private data,
 * in more boxes. The wikitext must render as the page did.
 *
 * Slow because each round renders two pages.
 */
import { describe, expect, test } from 'vitest'
import { rounds } from '../_rounds.ts'
import { page, plain } from '../wikitext/_pages.ts'
import { back, randomNumbers, there } from './_convert.ts'

const startTag = /<([a-z][a-z0-9]*)((?: [\w:-]+=(?:"[^"]*"|'[^']*'))+)(\s*\/?)>/g
const attribute = / [\w:-]+=(?:"[^"]*"|'[^']*')/g

/** Changes the attributes of every tag. */
function eachTag(html: string, change: (attributes: string[]) => string[]): string {
  const at = html.indexOf('<body')
  const body = html.slice(at)
  return (
    html.slice(0, at) +
    body.replace(startTag, (_, name, all, end) => `<${name}${change(all.match(attribute)).join('')}${end}>`)
  )
}

const without = (pattern: RegExp) => (html: string) => eachTag(html, all => all.filter(one => !pattern.test(one)))

const edits: readonly (readonly [name: string, edit: (html: string) => string])[] = [
  ['as it is', html => html],
  ['with attributes in another order', html => eachTag(html, all => all.reverse())],
  ['without ids', without(/^ id=/)],
  ['without private data', without(/^ data-parsoid=/)],
  ['without ids and private data', without(/^ (?:id|data-parsoid)=/)],
  ['without sections', html => html.replace(/<\/?section[^>]*>/g, '')],
  ['with quotes of the other kind', html => html.replace(/ (class|title|rel|href)="([^"']*)"/g, " $1='$2'")],
  [
    'with tags in upper case',
    html =>
      html.replace(
        /(<\/?)(p|div|ul|ol|li|table|tr|td|th|b|i|pre)(?=[ >])/g,
        (_, open, name) => open + name.toUpperCase(),
      ),
  ],
]

describe('a page of random constructs survives a round trip', () => {
  test.each(edits)('%s', { tags: 'rounds' }, async (_, edit) => {
    for (let seed = 0; seed < rounds(12, 130, 400); seed++) {
      const text = page(randomNumbers(seed + 1))
      const html = await there(text)
      const written = back(edit(html))
      expect(shown(await there(written)), `seed ${seed}: ${text}\n=> ${written}`).toBe(shown(html))
    }
  })
})

/** The content of a page's body. */
function shown(html: string): string {
  return plain(html.slice(html.indexOf('<body')).replace(/ id="mw[^"]*"/g, ''))
}
