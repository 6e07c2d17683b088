/** Changes that many kinds of pages share. */

import { all, type Change, live, type Part, type Place } from './page.ts'
import type { Source } from './words.ts'

/** A way to change a page, and how often it is taken. */
export type Way = readonly [weight: number, change: (source: Source, page: Part) => Change | null]

/** Takes one of the ways, by their weights. */
export function oneOf(ways: readonly Way[]): (source: Source, page: Part) => Change | null {
  const total = ways.reduce((sum, [weight]) => sum + weight, 0)
  return (source, page) => {
    let left = source.number() * total
    for (const [weight, change] of ways) {
      left -= weight
      if (left < 0) return change(source, page)
    }
    return null
  }
}

/** A part of a kind, or undefined if there is none. */
export function some(source: Source, page: Part, kind: string): Part | undefined {
  const parts = all(page).filter(one => one.kind === kind)
  return parts.length === 0 ? undefined : source.pick(parts)
}

/** The neighbours of the place before the child of number `at`. */
export function placeAt(within: Part, at: number): Place {
  const parts = live(within)
  return { into: within.id, after: parts[at - 1]?.id ?? null, before: parts[at]?.id ?? null }
}

/** A place among the children of a part; the end is likelier than others. */
export function anyPlace(source: Source, within: Part): Place {
  const { length } = live(within)
  return placeAt(within, source.is(0.35) ? length : source.below(length + 1))
}

/** Removes a part of a kind, unless it is the last one. */
export function removal(kind: string): (source: Source, page: Part) => Change | null {
  return (source, page) => {
    const one = some(source, page, kind)
    return one === undefined || all(page).filter(other => other.kind === kind).length < 2
      ? null
      : { do: 'remove', id: one.id }
  }
}

/** Moves a part of a kind among its neighbours. */
export function moving(kind: string): (source: Source, page: Part) => Change | null {
  return (source, page) => {
    const within = source.pick([page, ...all(page)].filter(one => live(one).some(child => child.kind === kind)))
    const own = live(within)
    const from = own.indexOf(source.pick(own.filter(child => child.kind === kind)))
    const rest = { ...within, parts: own.toSpliced(from, 1) }
    const to = source.below(own.length)
    return to === from ? null : { do: 'move', id: own[from]!.id, ...placeAt(rest, to) }
  }
}

/** Gives a value of a part of a kind another text. */
export function setting(
  kind: string,
  name: string,
  another: (source: Source, now: string, one: Part) => string,
): (source: Source, page: Part) => Change | null {
  return (source, page) => {
    const one = some(source, page, kind)
    const now = one?.values[name]
    return one === undefined || now === undefined
      ? null
      : { do: 'set', id: one.id, name, value: another(source, now, one) }
  }
}

/** Adds a part to one of a kind, or to the page, at any place. */
export function adding(
  make: (source: Source, within: Part, page: Part) => Part,
  into?: string,
  place = anyPlace,
): (source: Source, page: Part) => Change | null {
  return (source, page) => {
    const within = into === undefined ? page : some(source, page, into)
    return within === undefined ? null : { do: 'insert', part: make(source, within, page), ...place(source, within) }
  }
}

export function atEnd(_: Source, within: Part): Place {
  return placeAt(within, live(within).length)
}

/** Returns true if a value stands once among the parts of a kind. */
export function isUnique(page: Part, kind: string, name: string): boolean {
  const values = all(page)
    .filter(one => one.kind === kind)
    .map(one => one.values[name])
  return new Set(values).size === values.length
}

/** A part that looks as another one does, with an identity of its own. */
export function twinOf(source: Source, one: Part): Part {
  return { ...one, id: source.id(), values: { ...one.values }, parts: one.parts.map(child => twinOf(source, child)) }
}
