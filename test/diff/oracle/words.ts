/** Words, sentences and values of generated pages: few words, so that parts are alike, as on real pages. */

import { Chance } from '../../proof/_random-words.ts'

const words = {
  verb: ['Call', 'Ask', 'Pay', 'Write to', 'Visit'],
  person: ['Eve', 'Bob', 'Ann', 'Jon Berg', 'Mia', 'Ole'],
  thing: ['boat', 'rope', 'sail', 'anchor', 'harbour', 'crane', 'lamp', 'chart'],
  day: ['Monday', 'Tuesday', 'Friday', 'Sunday', 'May', 'June'],
  place: ['north pier', 'old quay', 'dry dock', 'light house', 'fish market'],
  role: ['captain', 'mate', 'cook', 'engineer', 'member', 'treasurer'],
  quality: ['old', 'blue', 'new', 'heavy', 'broken', 'small'],
  action: ['leaves', 'stands', 'opens', 'rests', 'turns'],
  agree: ['Agree.', 'No.', 'Done.', 'Thanks.'],
} as const

export type WordKind = keyof typeof words

/** A source of choices that gives no label twice, so that a part with the label of another is one of the twins made on purpose. */
export class Source extends Chance {
  readonly #used = new Set<string>()
  #ids = 0

  word(kind: WordKind): string {
    return this.pick<string>(words[kind])
  }

  /** Another word than the one that stands there. */
  otherWord(kind: WordKind, than: string): string {
    return this.pick<string>(words[kind].filter(word => word !== than))
  }

  id(): string {
    return `p${++this.#ids}`
  }

  /** A label that `make` has not given before, or one with a number if there is none. */
  fresh(make: () => string): string {
    for (let tries = 0; tries < 20; tries++) {
      const label = make()
      if (this.#used.has(label)) continue
      this.#used.add(label)
      return label
    }
    const label = `${make()} ${this.below(1000)}`
    this.#used.add(label)
    return label
  }

  digits(count: number): string {
    return Array.from({ length: count }, (_, at) => 1 + this.below(at === 0 ? 9 : 8)).join('')
  }

  /** A number from `least` to `most`. */
  from(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }
}

export function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?]) (?=\p{Lu})/u)
}
