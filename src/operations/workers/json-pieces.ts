/** Writes a value as JSON in pieces, each of which takes a few milliseconds at most. */

import { slicesOf } from './long-text.ts'

/** UTF-16 units of a piece, roughly. */
const pieceUnits = 64 * 1024
/** Units counted for each value, and for the name of each member. */
const valueUnits = 8

/** Returns true if a value is too large to be written at once. Takes no more time than for one piece. */
export function isLongJson(value: unknown): boolean {
  return roomAfter(value, pieceUnits) < 0
}

/**
 * Writes the text that `JSON.stringify` writes. The value consists of what JSON has: texts, numbers, booleans, null, lists and
 * objects; a member that is undefined is left out.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* textPieces(value)
  else if (Array.isArray(value)) yield* wrapped('[', itemsOf(value), ']')
  else if (typeof value === 'object' && value !== null) yield* wrapped('{', membersOf(value), '}')
  else yield JSON.stringify(value)
}

/** Cuts a list into slices, each of which takes as long as a piece, or has one item. */
export function* listSlices(list: readonly unknown[]): Generator<readonly unknown[]> {
  let start = 0
  let room = pieceUnits
  for (const [at, item] of list.entries()) {
    if (room < 0) {
      yield list.slice(start, at)
      start = at
      room = pieceUnits
    }
    room = roomAfter(item, room)
  }
  yield list.slice(start)
}

type Members = readonly (readonly [before: string, value: unknown])[]

function itemsOf(list: readonly unknown[]): Members {
  return list.map(item => ['', item ?? null])
}

function membersOf(value: object): Members {
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[`${JSON.stringify(name)}:`, member] as const],
  )
}

/** Small values are written together. */
function* wrapped(open: string, members: Members, close: string): Generator<string> {
  let piece = open
  for (const [index, [before, value]] of members.entries()) {
    piece += index === 0 ? before : `,${before}`
    if (isLongJson(value)) {
      yield piece
      yield* jsonPieces(value)
      piece = ''
    } else piece += JSON.stringify(value)
    if (piece.length < pieceUnits) continue
    yield piece
    piece = ''
  }
  yield piece + close
}

function* textPieces(text: string): Generator<string> {
  yield '"'
  for (const slice of slicesOf(text)) yield JSON.stringify(slice).slice(1, -1)
  yield '"'
}

/** Returns how many units are left after a value has been counted, less than 0 if it has more. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - valueUnits
  if (typeof value !== 'object' || value === null) return room - valueUnits
  let left = room - valueUnits
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = roomAfter(value[at], left)
    return left
  }
  for (const name in value) {
    if (left < 0) break
    left = roomAfter((value as Record<string, unknown>)[name], left - name.length)
  }
  return left
}
