import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { describe, expect, test } from 'vitest'
import { attributes, html } from '../../src/web/markup.ts'
import { create } from '../operations/_wiki.ts'
import { newSite } from './_site.ts'

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '&', ';', '`', '=', '/', ' ', 'a', '<script>', '<!--', ']]>', '&lt'),
  }),
)

/** A text as a parser reads it from a document: without NUL and carriage returns. */
const readable = (text: string): string => text.replaceAll('\0', '').replace(/\r\n?/g, '\n')

describe('the template', () => {
  test('keeps every text a text, in elements and in attributes', () => {
    fc.assert(
      fc.property(nasty, nasty, (text, value) => {
        const written = html`<p title="${value}"${attributes({ lang: value })}>${text}</p>`.toString()
        const { childNodes } = parseFragment(written)
        const [node] = childNodes
        expect(childNodes.length).toBe(1)
        if (node === undefined || !('attrs' in node)) throw new Error('no element')
        expect(node.attrs.map(({ name }) => name)).toEqual(['title', 'lang'])
        const plain = !/[\0\r]/.test(value)
        if (plain) expect(node.attrs.map(attribute => attribute.value)).toEqual([value, value])
        const inside = node.childNodes.map(child => ('value' in child ? child.value : '<element>')).join('')
        expect(inside).toBe(readable(text))
      }),
    )
  })
})

const hostile = [
  '"><script>alert(1)</script>',
  "'onmouseover='alert(1)",
  '<img src=x onerror=alert(1)>',
  '</title><svg/onload=alert(1)>',
  '{{PLURAL:$1|one=<b>}}$1',
]

describe('names from outside', () => {
  test('stay text on the pages that show them', async () => {
    const { page, wiki } = await newSite({}, { name: hostile[0], license: { title: hostile[3], url: '' } })
    for (const [index, text] of hostile.entries()) {
      const author = { name: text.replace(/[<>\n]/g, '') || 'x', address: 'a@example.org' }
      await create(wiki, `"onclick='${index}'&lt;b`, `${text} [[A"b'c]]`, { comment: text, author })
    }
    for (const index of hostile.keys()) {
      const path = `/wiki/${encodeURIComponent(`"onclick='${index}'&lt;b`)}`
      expect((await page(path)).status).toBe(200)
    }
    for (const text of hostile) {
      await page(`/wiki/${encodeURIComponent(text)}`)
      await page(`/wiki/Special:Search?search=${encodeURIComponent(text)}`)
      await page(`/wiki/Special:${encodeURIComponent(text)}`)
      await page(`/wiki/Tides?action=${encodeURIComponent(text)}&oldid=${encodeURIComponent(text)}`)
    }
  })
})
