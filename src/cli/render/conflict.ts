/** Formats both differences of an edit conflict. */

import type { DiffElement } from '../../core/comparison.ts'
import { plain } from '../terminal/colour.ts'
import { formatComparison } from './comparison.ts'

/** Maximum lines shown of each side. `wiki compare` and `--json` show all. */
const lineLimit = 100

/**
 * Headings of both differences, by the key of the error. `$1` is the revision that both are based on, `$2` the latest
 * one.
 */
const headings: Readonly<Record<string, readonly [local: string, remote: string]>> = {
  'edit-conflict': ['Yours, since revision $1:', 'Theirs, until revision $2:'],
  'undo-failure': ['What the undo of revision $1 changes:', 'What later edits changed, until revision $2:'],
}

/**
 * Returns the changes of both sides; "" for errors without them, and for those of no revision, whose commands print the
 * sides themselves.
 */
export function formatConflict(key: string, data: Readonly<Record<string, unknown>>): string {
  const side = (name: string, value: unknown) => {
    const { diff } = (value ?? {}) as { diff?: readonly DiffElement[] }
    return diff === undefined ? '' : `${name}\n${cut(linesOf(diff))}`
  }
  const { base, current, local, remote } = data
  if (base === undefined) return ''
  const [mine, theirs] = (headings[key] ?? ['', '']).map(text =>
    text.replace('$1', String(base)).replace('$2', String(current)),
  ) as [string, string]
  return side(mine, local) + side(theirs, remote)
}

function linesOf(diff: readonly DiffElement[]): string[] {
  const revision = { id: 0, slot_role: 'main', sections: [] } as const
  const text = formatComparison({ from: revision, to: revision, diff }, plain, false)
  return text.split('\n').slice(0, -1)
}

function cut(lines: readonly string[]): string {
  const more = lines.length - lineLimit
  return `${lines.slice(0, lineLimit).join('\n')}\n${more > 0 ? `... and ${more} lines more\n` : ''}`
}
