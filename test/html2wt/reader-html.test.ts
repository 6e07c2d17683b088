import { describe, expect, test } from 'vitest'
import { back, there } from './_convert.ts'

describe('HTML for readers, with the original', () => {
  test.each([
    '[https://x.example a ]\n* b',
    "'''a''''''b''' <b>c</b>  <i></i>d",
    '==a==\n===  b  ===\n\n\nc',
    "[https://x.example ref \"a\" at the ''[[Harbour]]'' b.]",
    '{|class=x\n|a||b\n|-\n! c\n|}\n----------',
    ':: a\n;b:c\n<ul><li>d</ul>',
    '{{Tide\n|1= a\n}} {{Tide|<section>b</section>}}',
  ])('%j is unchanged without edits', async text => {
    const original = { source: text, html: await there(text) }
    expect(back(`${await there(text, 'view')}\n`, original).trimEnd()).toBe(text)
  })

  test('changes only the edited part', async () => {
    const source = "==a==\n'''b''' [https://x.example c ] d\n*  e"
    const view = (await there(source, 'view')).replace('</a> d', '</a> D')
    expect(back(view, { source, html: await there(source) })).toBe(source.replace(' d', ' D'))
  })

  test('a renamed element is a different element', async () => {
    const source = '==a==\nb'
    const view = (await there(source, 'view')).replaceAll('h2', 'h3')
    expect(back(view, { source, html: await there(source) })).toMatch(/^=== ?a ?===\nb$/)
  })
})
