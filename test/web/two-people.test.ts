/** Two people edit one page through the form: the result is saved, or each word of both can be chosen. */

import { describe, expect, test } from 'vitest'
import { mergeInPieces } from '../../src/diff/merge.ts'
import { firstOf } from '../_rounds.ts'
import { bob, create, edit } from '../operations/_wiki.ts'
import { attributeOf, newSite } from './_site.ts'

const lines = 'one\n\ntwo\n\nthree\n\nfour'

/** Base, one user's text, the other's, by the cases of the merge's own tests. */
const cases: readonly (readonly [what: string, base: string, mine: string, theirs: string])[] = [
  ['other lines', lines, lines.replace('one', 'ONE'), lines.replace('four', 'FOUR')],
  ['the same change', lines, lines.replace('two', 'TWO'), lines.replace('two', 'TWO')],
  ['other words of a line', 'a b c d', 'A b c d', 'a b c D'],
  ['the same word', 'a b c', 'a X c', 'a Y c'],
  ['lines that touch', 'one\ntwo', 'ONE\ntwo', 'one\nTWO'],
  ['both add at the end', 'one', 'one\n\nmine', 'one\n\ntheirs'],
  ['both add the same', 'one', 'one\n\nmore', 'one\n\nmore'],
  ['one removes what the other changes', lines, 'one\n\nthree\n\nfour', lines.replace('two', 'two and a half')],
  ['both remove', lines, 'one\n\nfour', 'one\n\nthree\n\nfour'],
  ['two places, one of them free', lines, 'ONE\n\ntwo\n\nthree\n\nFOUR', 'uno\n\ntwo\n\nTHREE\n\nfour'],
  ['two conflicts', lines, 'ONE\n\ntwo\n\nthree\n\nFOUR', 'uno\n\ntwo\n\nthree\n\nquattro'],
  ['nothing in common', 'a', 'mine', 'theirs'],
]

const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }

describe.each(cases)('two people: %s', (_, base, mine, theirs) => {
  test.each(firstOf(['mine', 'theirs', 'both'], 1))(
    'lose no word, and may choose %s',
    { tags: 'rounds' },
    async choice => {
      const { wiki, page, ask } = await newSite({}, undefined, { allowAnonymous: true })
      const first = await create(wiki, 'Tides', base)
      await edit(wiki, 'Tides', theirs, { base: first, author: bob })
      const current = wiki.store.findPage('Tides')!.latest
      const send = (fields: Readonly<Record<string, string>>) => {
        const body = new FormData()
        const sent = { token: '+\\', do: 'save', text: mine, base: String(first), ...fields }
        for (const [name, value] of Object.entries(sent)) body.set(name, value)
        return { method: 'POST', body, headers: own }
      }
      const pieces = mergeInPieces(`${base}\n`, `${mine}\n`, `${theirs}\n`, { by: 'words' })
      const places = pieces.filter(piece => typeof piece !== 'string')
      const saved = await ask('/wiki/Tides?action=submit', send({}))
      if (places.length > 0) {
        const shown = await page('/wiki/Tides?action=submit', send({}))
        expect(shown.elements.filter(one => attributeOf(one, 'checked') !== undefined)).toEqual([])
        for (const { mine, theirs } of places)
          for (const word of `${mine} ${theirs}`.match(/\p{L}+/gu) ?? []) expect(shown.text).toContain(word)
        const choices = Object.fromEntries(places.map((_, at) => [`choice-${at + 1}`, choice]))
        const settled = await ask(
          '/wiki/Tides?action=submit',
          send({ ...choices, do: 'resolve', current: String(current) }),
        )
        expect([saved.status, settled.status]).toEqual([409, 303])
      } else expect(saved.status).toBe(303)
      // A blank line that both texts have is there once.
      const brief = (text: string) => text.replace(/\n{3,}/g, '\n\n').replace(/\n+$/, '')
      const raw = await (await ask('/wiki/Tides?action=raw')).text()
      const wanted = pieces.map(piece =>
        typeof piece === 'string' ? piece : choice === 'both' ? piece.theirs + piece.mine : piece[choice as 'mine'],
      )
      expect(brief(raw)).toBe(brief(wanted.join('')))
    },
  )
})
