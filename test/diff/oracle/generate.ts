/** Makes a page of a kind and two edits of it, from a seed. */

import { placeAt } from './changes.ts'
import { type Kind, kinds, type Syntax } from './kinds.ts'
import {
  all,
  apply,
  type Case,
  type Change,
  caseOf,
  copyOf,
  type Edits,
  edited,
  find,
  live,
  type Part,
  partOf,
} from './page.ts'
import { Source } from './words.ts'

/** Share of the cases in which both sides begin with the same change. */
const shared = 0.12

/** Returns the case of a seed. */
export function generate(name: string, seed: number): Case {
  return generateOf(kinds[name]!, seed)
}

export function generateOf(kind: Kind, seed: number): Case {
  const source = new Source(seed)
  const syntax = source.pick(Object.keys(kind.rules) as Syntax[])
  return caseOf(editsOf(kind, source, syntax), kind.rules[syntax]!)
}

/** Returns the case of a seed in which an edit is undone: from the page with it, one side is the page before it, the other a later edit. */
export function generateUndo(name: string, seed: number): Case {
  const kind = kinds[name]!
  const source = new Source(seed)
  const syntax = source.pick(Object.keys(kind.rules) as Syntax[])
  const rules = kind.rules[syntax]!
  const before = kind.make(source)
  const undone = sideOf(kind, source, before, [], rules.write)
  const base = withoutGone(edited(before, undone))
  const mine = inverseOf(before, undone)
  return caseOf({ base, mine, theirs: sideOf(kind, source, base, [], rules.write) }, rules)
}

function inverseOf(before: Part, changes: readonly Change[]): Change[] {
  const inverse: Change[] = []
  let page = before
  for (const change of changes) {
    inverse.unshift(inverseChange(page, change))
    page = withoutGone(edited(page, [change]))
  }
  return inverse
}

function inverseChange(page: Part, change: Change): Change {
  if (change.do === 'insert') return { do: 'remove', id: change.part.id }
  if (change.do === 'set') return { ...change, value: partOf(page, change.id).values[change.name]! }
  if (change.do === 'mark') return { ...change, do: 'unmark' }
  const { found, within } = find(page, change.id)!
  const rest = { ...within, parts: within.parts.filter(one => one !== found) }
  const place = placeAt(rest, within.parts.indexOf(found))
  return change.do === 'move'
    ? { do: 'move', id: change.id, ...place }
    : { do: 'insert', part: copyOf(found), ...place }
}

function withoutGone(page: Part): Part {
  return { ...page, parts: live(page).map(withoutGone) }
}

function editsOf(kind: Kind, source: Source, syntax: Syntax): Edits {
  const base = kind.make(source)
  if (kind.before !== undefined && source.is(0.5)) for (const change of kind.before(source, base)) apply(base, change)
  const common = source.is(shared) ? kind.edit(source, base) : null
  const first = common === null ? [] : [common]
  const write = kind.rules[syntax]!.write
  const side = () => sideOf(kind, source, base, first, write)
  const mine = side()
  return { base, mine, theirs: asOne(mine, side()) }
}

function sideOf(
  kind: Kind,
  source: Source,
  base: Part,
  common: readonly Change[],
  write: (page: Part) => string,
): Change[] {
  const page = copyOf(base)
  const changes: Change[] = []
  const seen = new Set([write(page)])
  const make = (made: readonly Change[]) => {
    for (const change of made) apply(page, change)
    const text = write(page)
    // Twins that change places, or replace each other, leave the text as it was before. The page is made again without that.
    // So it is if a sentence takes the place of one of its form: nobody could tell it from the old one with other words.
    if (seen.has(text) || replacesAlike(base, page)) Object.assign(page, edited(base, changes))
    else changes.push(...made)
    seen.add(text)
  }
  make(common)
  if (kind.also !== undefined && source.is(0.5)) make(kind.also(source, page))
  for (let left = source.pick([1, 1, 1, 2, 2, 3]) - changes.length; left > 0; left--) {
    const change = kind.edit(source, page)
    // Nobody sees what becomes of a part before it is saved.
    const isOwn = change !== null && change.do !== 'insert' && isNew(base, change.id)
    if (change !== null && !isOwn) make([change])
  }
  return changes
}

/** Returns true if a page has lost a sentence of a form, and got another one of that form. */
function replacesAlike(base: Part, page: Part): boolean {
  const formsOf = (one: Part, other: Part): string[] => {
    const ids = new Set(all(other).map(({ id }) => id))
    return all(one).flatMap(({ id, kind, values }) => (kind === 'sentence' && !ids.has(id) ? [values.form!] : []))
  }
  const gone = formsOf(base, page)
  return formsOf(page, base).some(form => gone.includes(form))
}

function isNew(base: Part, id: string): boolean {
  return id !== base.id && find(base, id) === undefined
}

/**
 * Parts with the same words that both sides put into the same part are the same part, one of each side. Code lines are so at
 * the same place only: one brace is like another.
 */
function asOne(mine: readonly Change[], theirs: readonly Change[]): Change[] {
  let same = JSON.stringify(theirs)
  const taken = new Set<string>()
  for (const one of mine) {
    if (one.do !== 'insert') continue
    const other = theirs.find(change => isAlike(one, change) && !taken.has(change.part.id))
    if (other?.do !== 'insert') continue
    taken.add(other.part.id)
    same = same.replaceAll(`"${other.part.id}"`, `"${one.part.id}"`)
  }
  return JSON.parse(same) as Change[]
}

type Insertion = Change & { readonly do: 'insert' }

function isAlike(one: Insertion, other: Change): other is Insertion {
  if (other.do !== 'insert' || one.into !== other.into || wordsOf(one.part) !== wordsOf(other.part)) return false
  return one.part.kind !== 'line' || (one.after === other.after && one.before === other.before)
}

function wordsOf({ kind, values, parts }: Part): string {
  return JSON.stringify([kind, values, parts.map(wordsOf)])
}
