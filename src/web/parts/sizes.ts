/** Human-readable sizes. */

import type { Words } from '../words/words.ts'

const steps = [
  ['sizeMegabytes', 1024 * 1024],
  ['sizeKilobytes', 1024],
] as const

/** Formats a size in bytes, kilobytes or megabytes. */
export function sizeText(bytes: number, words: Words): string {
  for (const [word, unit] of steps) if (bytes >= unit) return words.text(word, Math.round((10 * bytes) / unit) / 10)
  return words.text('sizeBytes', bytes)
}
