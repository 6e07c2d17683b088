/**
 * Pages of random constructs, in pairs: the second is the first with a change whose effect on the HTML is known. Slow because
 * it renders thousands of pages. It found no-break spaces trimmed in arguments. It is meant for rules that hold only at one
 * position, in one case or at one line end.
 */
import { describe, expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'
import { rounds } from '../_rounds.ts'
import { randomNumbers } from '../html2wt/_convert.ts'
import { page, phrase, plain, type Random } from './_pages.ts'

async function html(text: string, template = ''): Promise<string> {
  const wiki = memoryWiki({ pages: { 'Template:Say': '{{{1}}}', 'Template:Page': template, Tide: 'x', Marée: 'x' } })
  const settings = { sections: false, elementIds: false }
  const rendered = await wikitextToHtml(text, { title: 'Sea', wiki, bodyOnly: true, settings })
  return plain(rendered.html)
}

interface Relation {
  readonly name: string
  readonly make: (random: Random) => string
  readonly change: (text: string) => string
  /** HTML of the changed page, from that of the first. */
  readonly expected?: (html: string) => string
  /** True if the changed page transcludes the first. */
  readonly isTemplate?: true
}

const upper = (text: string): string =>
  text.replace(
    /<(\/?)([a-z]+)(?=[ >])/gi,
    (_, slash, name) => `<${slash}${name === 'nowiki' ? name : name.toUpperCase()}`,
  )

const relations: readonly Relation[] = [
  { name: 'with CR LF at the ends of its lines', make: page, change: text => text.replaceAll('\n', '\r\n') },
  { name: 'with tags in upper case', make: page, change: upper },
  {
    name: 'with comments at the ends of its lines',
    make: page,
    change: text => text.replace(/(?<=[^\n])$/gm, '<!-- x -->'),
  },
  { name: 'with lines of comments', make: page, change: text => text.replace(/\n(?!\n)/g, '\n<!-- x -->\n') },
  { name: 'from a template', make: page, change: () => '{{Page}}', isTemplate: true },
  {
    name: 'before a paragraph',
    make: page,
    change: text => `${text}\n\nz`,
    expected: shown => `${shown}<p>z</p>`,
  },
  { name: 'after a paragraph', make: page, change: text => `z\n\n${text}`, expected: shown => `<p>z</p>${shown}` },
  { name: 'twice', make: page, change: text => `${text}\n\n${text}`, expected: shown => shown + shown },
  {
    name: 'in a box',
    make: page,
    change: text => `<div>\n${text}\n</div>`,
    expected: shown => `<div>${shown}</div>`,
  },
  {
    name: 'in a cell',
    make: page,
    change: text => `{|\n|\n${text}\n|}`,
    expected: shown => `<table><tbody><tr><td>${shown}</td></tr></tbody></table>`,
  },
  {
    name: 'in a list item',
    make: phrase,
    change: text => `* ${text}`,
    expected: shown => `<ul><li>${shown.replace(/^<p>|<\/p>$/g, '')}</li></ul>`,
  },
  {
    name: 'in a named argument',
    make: random => phrase(random).replace(/[|=?&#]/g, 'e'),
    change: text => `{{Say|1= ${text}\n}}`,
  },
]

describe('a page of random constructs', () => {
  test.each(relations)('$name', { tags: 'rounds' }, async ({ make, change, expected, isTemplate }) => {
    for (let seed = 0; seed < rounds(12, 100, 300); seed++) {
      const text = make(randomNumbers(seed + 1))
      const shown = await html(text)
      const changed = change(text)
      expect(await html(changed, isTemplate ? text : ''), `seed ${seed}: ${changed}`).toBe(expected?.(shown) ?? shown)
    }
  })
})
