/** A part of the build. */
export type Part = 'cli' | 'web' | 'lib' | 'manual'

export function isStale(parts?: readonly Part[]): boolean
