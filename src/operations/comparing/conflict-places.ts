/** The places at which two edits of one text collide, as a form for choosing shows them. */

import type { DiffElement } from '../../core/comparison.ts'
import { isWikiError } from '../../core/errors.ts'
import { type Collision, type MergeUnit, mergeInPieces } from '../../diff/merge.ts'
import { createWorkLimit } from '../../diff/work-limit.ts'
import { differenceOf } from './merge-edits.ts'

/** Three texts, the unit of their merge, and the requested data of its conflicts. */
export interface ConflictTexts {
  readonly base: string
  readonly mine: string
  readonly theirs: string
  readonly by: MergeUnit
  /** Maximum number of places; neighbours are joined until there are no more. */
  readonly most: number
  /** True if the changes of both sides are wanted as well. */
  readonly withChanges: boolean
}

/** One collision, or neighbours that were joined. */
export interface ConflictPlace extends Collision {
  /** Both texts. The merged text between joined collisions occurs once. */
  readonly both: string
  /** Changes of each side from the base; null if they are not wanted, or too large to be shown. */
  readonly changes: Readonly<Record<'mine' | 'theirs', readonly DiffElement[] | null>>
}

/** Approximate maximum bytes of the changes of all places: those of larger ones are not found. */
const maxChangesBytes = 1024 * 1024

/**
 * Merges as far as possible: merged text, and the places that need a choice. The result is deterministic, so a choice can be identified by
 * the index of its place. Texts that take too many steps are one place.
 */
export function findConflictPlaces({
  base,
  mine,
  theirs,
  by,
  most,
  withChanges,
}: ConflictTexts): (string | ConflictPlace)[] {
  const work = createWorkLimit()
  const pieces = joinedPlaces(
    piecesOf(() => mergeInPieces(base, mine, theirs, { by, work }), { base, mine, theirs }),
    most,
  )
  if (!withChanges) return pieces
  let left = maxChangesBytes
  const changesOf = (from: string, to: string): DiffElement[] | null => {
    const changes = differenceOf(from, to, { maxBytes: left, work })
    left -= changes === null ? 0 : JSON.stringify(changes).length
    return changes
  }
  return pieces.map(piece => {
    if (typeof piece === 'string') return piece
    const changes = { mine: changesOf(piece.base, piece.mine), theirs: changesOf(piece.base, piece.theirs) }
    return { ...piece, changes }
  })
}

function piecesOf(merge: () => (string | Collision)[], all: Collision): (string | Collision)[] {
  try {
    return merge()
  } catch (error) {
    if (!isWikiError(error, 'wiki-texts-too-complex')) throw error
    return [all]
  }
}

const noChanges = { mine: null, theirs: null } as const

/** Joins neighbouring texts, and neighbouring collisions with the merged text between them. */
function joinedPlaces(pieces: readonly (string | Collision)[], most: number): (string | ConflictPlace)[] {
  const each = Math.ceil(pieces.filter(piece => typeof piece !== 'string').length / most)
  const joined: (string | ConflictPlace)[] = []
  let inLast = each
  for (const piece of pieces) {
    const last = joined.at(-1)
    const isText = typeof piece === 'string'
    if (typeof last === 'object' && inLast < each) joined[joined.length - 1] = joinedPlace(last, placeOf(piece))
    else if (typeof last === 'string' && isText) joined[joined.length - 1] = last + piece
    else joined.push(isText ? piece : placeOf(piece))
    if (!isText) inLast = inLast < each ? inLast + 1 : 1
  }
  return joined
}

function joinedPlace({ base, mine, theirs, both }: ConflictPlace, next: ConflictPlace): ConflictPlace {
  return {
    base: base + next.base,
    mine: mine + next.mine,
    theirs: theirs + next.theirs,
    both: both + next.both,
    changes: noChanges,
  }
}

function placeOf(piece: string | Collision): ConflictPlace {
  if (typeof piece === 'string') return { base: piece, mine: piece, theirs: piece, both: piece, changes: noChanges }
  return { ...piece, both: bothOf(piece), changes: noChanges }
}

/**
 * Both texts, theirs first as in a merge of two additions. Lines with which both begin, or end, are there once; a blank line that parts
 * them from what follows, or from each other, is there twice.
 */
function bothOf({ mine, theirs }: Collision): string {
  const [own, others] = [mine, theirs].map(text => text.split(/(?<=\n)/)) as [string[], string[]]
  const least = Math.min(own.length, others.length)
  let start = 0
  while (start < least && own[start] === others[start]) start++
  let end = 0
  while (end < least - start && own.at(-1 - end) === others.at(-1 - end)) end++
  while (end > 0 && own.at(-end)!.trim() === '') end--
  const first = others.slice(0, others.length - end).join('')
  const isParted = /(?:^|\n)[ \t]*\n$/.test(first)
  while (!isParted && start > 0 && start < own.length && own[start - 1]!.trim() === '') start--
  const gap = first === '' || first.endsWith('\n') ? '' : '\n'
  return first + gap + own.slice(start).join('')
}
