import { describe, expect, test, vi } from 'vitest'
import { distinctLinks, findWikitextLinks } from '../../src/wikitext/index.ts'

/** Characters that `indexOf` looks at while `act` runs. */
function searchedBy(act: () => void): number {
  const { indexOf } = String.prototype
  let searched = 0
  const spy = vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, sought, from = 0) {
    const found = indexOf.call(this, sought, from)
    searched += (found === -1 ? this.length : found) - from
    return found
  })
  try {
    act()
  } finally {
    spy.mockRestore()
  }
  return searched
}

describe('links of wikitext', () => {
  const count = 2000
  test.each([
    '[[a]] '.repeat(count),
    '[[a|b]] '.repeat(count),
    '[[a '.repeat(count),
    `${'[[a '.repeat(count)}${']]'.repeat(count)}`,
    `${'[[File:a|'.repeat(count)}${']]'.repeat(count)}`,
    '[[a {{b}}]] '.repeat(count),
    '{{a|[[b]]}} '.repeat(count),
  ])('are found without searching the rest of the text for each, case %#', text => {
    expect(searchedBy(() => findWikitextLinks(text))).toBeLessThan(20 * text.length)
  })

  test('around others end at the first bar, or are none', () => {
    const written = (text: string) => {
      const { links, computed } = findWikitextLinks(text)
      return {
        links: links.map(
          ({ start, end, isNesting }) => `${text.slice(start, end)}${isNesting ? ' around others' : ''}`,
        ),
        computed: computed.map(({ start, end }) => text.slice(start, end)),
      }
    }
    expect(written('[[File:a.jpg|see [[b|c]] {{d}}]]')).toEqual({
      links: ['File:a.jpg around others', 'b', 'd'],
      computed: [],
    })
    expect(written('[[a [[b]] {{c}}|d]]')).toEqual({ links: ['b', 'c'], computed: [] })
    expect(written('[[File:{{a}}|[[b]]]]')).toEqual({ links: ['a', 'b'], computed: ['[[File:{{a}}|[[b]]]]'] })
  })

  test('without their places are listed once', () => {
    const text = '[[a]] [[a]] {{b}}<noinclude>[[c]]</noinclude> [[a|d]]'
    const { links } = findWikitextLinks(text)
    const all = [
      { form: 'link', target: 'a', readings: 3, isEmbed: false },
      { form: 'template', target: 'b', readings: 3, isEmbed: false },
      { form: 'link', target: 'c', readings: 1, isEmbed: false },
    ]
    expect(distinctLinks(text, links, 10)).toEqual(all)
    expect(distinctLinks(text, links, 2)).toEqual(all.slice(0, 2))
  })
})
