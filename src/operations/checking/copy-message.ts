import type { ConflictCopy } from '../../checks/conflict-copies.ts'

/** Returns the message about a page or file that has the name of a conflict copy. */
export function copyMessage({ program, original }: ConflictCopy): string {
  return `It has the name of a copy of ${original} that ${program} makes of conflicting edits`
}
