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

/** The comment. On a terminal only its first line is shown. */
export function commentColumn(): Column<Change> {
  const value = ({ comment }: Change) => comment ?? '(hidden)'
  return { title: 'Comment', value, people: change => value(change).split('\n', 1)[0] ?? '' }
}
