/** Finds the sentences of a text that may come from an edit: not those that its writer added without having seen it. */

/** Maximum pairs of sentences that are compared. */
const pairLimit = 2500

/** Share of common words from which one of two sentences counts as a new wording of the other. */
const sameWording = 0.75

export interface SharedSentences {
  /** Those of the text that are in one of the two other texts, or are a new wording of a sentence that the edit added. */
  readonly text: string
  /** Those of the text before the edit that the text still has. */
  readonly before: string
}

/**
 * Returns the sentences that a text shares with the texts before and after an edit; null if there are too many to compare. List items
 * of two writers are often alike ("Monday: Bob", "Friday: Ada"), as are lines of a log: neither is a new wording of the other.
 */
export function sharedSentences(text: string, before: string, after: string): SharedSentences | null {
  const [own, old, young] = [sentencesOf(text), sentencesOf(before), sentencesOf(after)]
  const [has, had, hasNow] = [new Set(own), new Set(old), new Set(young)]
  const added = [...hasNow].filter(sentence => !had.has(sentence)).map(wordsOf)
  const unknown = [...has].filter(sentence => !had.has(sentence) && !hasNow.has(sentence))
  if (added.length * unknown.length > pairLimit) return null
  const independent = new Set(unknown.filter(sentence => !isWordingOfOne(wordsOf(sentence), added)))
  return {
    text: own.filter(sentence => !independent.has(sentence)).join('\n'),
    before: old.filter(sentence => has.has(sentence)).join('\n'),
  }
}

function sentencesOf(text: string): string[] {
  return text.split(/\n|(?<=[.!?])\s|(?<=[。！？])/u).map(sentence => sentence.trim())
}

/** Words of a sentence without punctuation, and how often it has each. */
interface Words {
  readonly count: number
  readonly each: ReadonlyMap<string, number>
}

function wordsOf(sentence: string): Words {
  const each = new Map<string, number>()
  let count = 0
  for (const [word] of sentence.matchAll(/[\p{L}\p{N}]+/gu)) {
    each.set(word, (each.get(word) ?? 0) + 1)
    count++
  }
  return { count, each }
}

function isWordingOfOne(words: Words, sentences: readonly Words[]): boolean {
  return sentences.some(sentence => isWordingOf(words, sentence))
}

/** Returns true if a sentence is a shorter or longer one, or has nearly the same words. Another number makes another entry of a list. */
function isWordingOf(words: Words, sentence: Words): boolean {
  let common = 0
  let hasOtherNumber = false
  for (const [word, count] of words.each) {
    const there = sentence.each.get(word) ?? 0
    common += Math.min(count, there)
    hasOtherNumber ||= there < count && /\p{N}/u.test(word)
  }
  if (common === words.count || common === sentence.count) return true
  return !hasOtherNumber && 2 * common >= sameWording * (words.count + sentence.count)
}
