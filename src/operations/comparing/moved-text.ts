/** Finds text that a change takes away, and that stands elsewhere by now. */

import { isWord, splitSentences, splitWords } from '../../diff/sentences.ts'

/** Maximum length of the text that is named, in characters. */
const longestNamed = 80

/** Minimum number of words of a line or sentence that is looked for. Shorter ones are not distinctive. */
const shortest = 2

/**
 * Returns a line or sentence that the change from one text to another takes away, and that a merge of it into a current text has left
 * there because it has moved; null if there is none. Copies that others have added stay.
 */
export function movedText({ base, submitted, current }: MergedTexts, merged: string): string | null {
  const [before, wanted] = [countUnits(base), countUnits(submitted)]
  const taken = [...before].filter(([unit, count]) => count > (wanted.get(unit) ?? 0))
  if (taken.length === 0) return null
  const [now, after] = [countUnits(current), countUnits(merged)]
  const left = taken.find(([unit, count]) => {
    const kept = wanted.get(unit) ?? 0
    return (after.get(unit) ?? 0) > Math.max(kept, (now.get(unit) ?? 0) - (count - kept))
  })
  return left === undefined ? null : shortened(left[0])
}

/** A change, and the text that it is merged into. */
export interface MergedTexts {
  readonly base: string
  readonly submitted: string
  readonly current: string
}

/** Counts the lines and the sentences of a text, without the signs at their start. */
function countUnits(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) {
    const sentences = splitSentences(line)
    for (const part of sentences.length > 1 ? [line, ...sentences] : [line]) {
      const unit = part.replace(/^[^\p{L}\p{N}]+/u, '').trimEnd()
      if (splitWords(unit).filter(isWord).length >= shortest) counts.set(unit, (counts.get(unit) ?? 0) + 1)
    }
  }
  return counts
}

function shortened(unit: string): string {
  const characters = [...unit]
  return characters.length > longestNamed ? `${characters.slice(0, longestNamed).join('')}…` : unit
}
