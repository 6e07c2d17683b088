/** Makes a page of a kind and two edits of it, from a seed. */

import { type Kind, kinds, type Syntax } from './kinds.ts'
import { apply, type Case, type Change, caseOf, copyOf, type Edits, edited, type Part } from './page.ts'
import { Source } from './words.ts'

/** Share of the cases in which both sides begin with the same change. */
const shared = 0.12

/** Returns the case of a seed. */
export function generate(name: string, seed: number): Case & { readonly syntax: Syntax } {
  return generateOf(kinds[name]!, seed)
}

export function generateOf(kind: Kind, seed: number): Case & { readonly syntax: Syntax } {
  const source = new Source(seed)
  const syntax = source.pick(Object.keys(kind.rules) as Syntax[])
  return { ...caseOf(editsOf(kind, source, syntax), kind.rules[syntax]!), syntax }
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
  const make = (made: readonly Change[]) => {
    const before = write(page)
    for (const change of made) apply(page, change)
    // Twins that change places leave the text as it is. The page has them in the new order, so it is made again.
    if (write(page) !== before) changes.push(...made)
    else Object.assign(page, edited(base, changes))
  }
  make(common)
  if (kind.also !== undefined && source.is(0.5)) make(kind.also(source, page))
  for (let left = source.pick([1, 1, 1, 2, 2, 3]) - changes.length; left > 0; left--) {
    const change = kind.edit(source, page)
    if (change !== null) make([change])
  }
  return changes
}

/**
 * Parts with the same words that both sides put into the same part are the same part. Code lines are so at the same place only:
 * one brace is like another.
 */
function asOne(mine: readonly Change[], theirs: readonly Change[]): Change[] {
  let same = JSON.stringify(theirs)
  for (const one of mine)
    for (const other of theirs) {
      if (one.do !== 'insert' || other.do !== 'insert' || one.into !== other.into) continue
      if (one.part.kind === 'line' && (one.after !== other.after || one.before !== other.before)) continue
      if (wordsOf(one.part) === wordsOf(other.part)) same = same.replaceAll(`"${other.part.id}"`, `"${one.part.id}"`)
    }
  return JSON.parse(same) as Change[]
}

function wordsOf({ kind, values, parts }: Part): string {
  return JSON.stringify([kind, values, parts.map(wordsOf)])
}
