/** Columns that lists of revisions and lists of changes share. */

import type { Column } from './table.ts'

interface Change {
  readonly delta: number | null
  readonly minor: boolean
  readonly comment: string | null
}

/** Growth in bytes. */
export function changeColumn(): Column<Change> {
  const value = ({ delta }: Change) => String(delta ?? '')
  return { title: 'Change', align: 'right', leaves: 1, value, people: ({ delta }) => signed(delta) }
}

const signed = (delta: number | null): string => (delta === null ? '' : delta > 0 ? `+${delta}` : String(delta))

/** `m` for a minor edit. */
export function minorColumn(): Column<Change> {
  return { title: '', leaves: 3, value: ({ minor }) => (minor ? 'm' : '') }
}

/** The first line of the comment, as `git log --oneline` has it; JSON has all of it. */
export function commentColumn(): Column<Change> {
  return { title: 'Comment', value: ({ comment }) => (comment ?? '(hidden)').split('\n', 1)[0] ?? '' }
}
