/**
 * Shortens a commit hash for display: to 7 digits, and to its first letter if these are all decimal, because a number alone is the id of a
 * revision.
 */
export function shortHash(commit: string): string {
  return /^\d{7,}[a-f]/.exec(commit)?.[0] ?? commit.slice(0, 7)
}
