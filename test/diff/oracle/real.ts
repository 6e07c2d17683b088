/** Edits of real texts, by their lines and sentences. */

import { adding, moving, oneOf, removal } from './changes.ts'
import type { Kind } from './kinds.ts'
import { all, type Change, live, type Part, part } from './page.ts'
import { type Source, splitSentences } from './words.ts'

/** Lines of prose are split; others are edited as a whole. */
function lineOf(source: Source, text: string): Part {
  const sentences = /^[\p{L}*:#'"([]/u.test(text) ? splitSentences(text) : [text]
  const parts = sentences.map(sentence => part(source.id(), 'sentence', { text: sentence }))
  return part(source.id(), 'line', {}, parts)
}

/** A sentence of the page with another word in it, so that it is like the others of the page. */
function alike(source: Source, page: Part): string {
  const texts = all(page).flatMap(one =>
    one.kind === 'sentence' && one.values.text!.length > 20 ? [one.values.text!] : [],
  )
  return texts.length === 0 ? source.fresh(() => source.word('thing')) : changed(source, source.pick(texts))
}

function changed(source: Source, text: string): string {
  const words = text.split(' ')
  const plain = words.flatMap((word, at) => (/^\p{L}{3,}$/u.test(word) ? [at] : []))
  const at = plain.length === 0 ? words.length - 1 : source.pick(plain)
  return words
    .toSpliced(
      at,
      source.is(0.2) ? 0 : 1,
      source.fresh(() => source.word('thing')),
    )
    .join(' ')
}

const ways: Kind['edit'] = oneOf([
  [
    6,
    (source, page) => {
      const sentences = all(page).filter(one => one.kind === 'sentence' && /\p{L}{3}/u.test(one.values.text!))
      if (sentences.length === 0) return null
      const one = source.pick(sentences)
      return { do: 'set', id: one.id, name: 'text', value: changed(source, one.values.text!) }
    },
  ],
  [2, adding((source, _, page) => part(source.id(), 'sentence', { text: alike(source, page) }), 'line')],
  [1, adding((source, _, page) => lineOf(source, alike(source, page)))],
  [2, removal('sentence')],
  [1, removal('line')],
  [0.5, moving('line')],
])

/** Edits near the place of the last one, as edits of one day are. */
function near(within: readonly string[]): Kind['edit'] {
  return (source, page) => {
    const few = { ...page, parts: page.parts.filter(one => within.includes(one.id)) }
    const change: Change | null = ways(source, few)
    return change
  }
}

/** A kind of pages that are parts of a real text. */
export function kindOf(text: string): Kind {
  const lines = text.split('\n')
  const write = (page: Part) =>
    `${live(page)
      .map(line =>
        live(line)
          .map(one => one.values.text)
          .join(' '),
      )
      .join('\n')}\n`
  return {
    make: source => {
      const start = source.below(Math.max(1, lines.length - 12))
      const chosen = lines.slice(start, start + source.from(3, 40))
      return part(
        'page',
        'page',
        {},
        chosen.map(line => lineOf(source, line)),
      )
    },
    edit: (source, page) => {
      const own = live(page)
      const start = source.below(own.length)
      return source.is(0.5) ? ways(source, page) : near(own.slice(start, start + 4).map(one => one.id))(source, page)
    },
    rules: { wikitext: { write } },
  }
}
