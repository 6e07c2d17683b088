/** Decides which of two texts a third one is based on, by the words in which the two differ. */

import { sharedSentences } from './shared-sentences.ts'

/** Number of occurrences of each word in a text. */
type Bag = ReadonlyMap<string, number>

function bagOf(text: string): Bag {
  const bag = new Map<string, number>()
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) bag.set(word, (bag.get(word) ?? 0) + 1)
  return bag
}

/**
 * Returns true if a text is based on the newer of two texts, because it shares more of their distinguishing words with
 * the newer one. A tie counts as the older. Takes linear time.
 */
export function comesFromNewer(text: string, older: string, newer: string): boolean {
  const [bag, before, after] = [bagOf(text), bagOf(older), bagOf(newer)]
  let lead = 0
  for (const word of new Set([...before.keys(), ...after.keys()])) {
    const [here, old, young] = [bag.get(word) ?? 0, before.get(word) ?? 0, after.get(word) ?? 0]
    if (old !== young) lead += Math.abs(here - old) - Math.abs(here - young)
  }
  return lead > 0
}

/**
 * Returns true if a text has most of the words that an edit added or, if it added none, lacks most of those that it
 * removed. Takes linear time.
 */
export function keepsWords(text: string, before: string, after: string): boolean {
  const { added, removed } = wordsKept(text, before, after)
  const { all, kept } = added.all > 0 ? added : removed
  return all === 0 || kept * 2 > all
}

/**
 * Returns true if a text has at most a quarter of an edit's words, those that it added and those that it removed, and most of
 * the words of the text before the edit. Words of sentences that the writer of the text added are not words of the edit, though they
 * may be the same. False if the edit changed no words. Takes linear time, with a bounded number of compared sentences.
 */
export function lacksEdit(text: string, before: string, after: string): boolean {
  const { added, removed } = wordsKept(text, before, after)
  const all = added.all + removed.all
  if (all === 0 || !sharesMost(text, before)) return false
  const shared = sharedSentences(text, before, after)
  const kept =
    shared === null ? added.kept : Math.min(added.kept, wordsKept(shared.text, shared.before, after).added.kept)
  return (kept + removed.kept) * 4 <= all
}

/**
 * Returns true if a text may have been made from an earlier one: it is blank, or has a line of it, or most of its words. Otherwise it
 * is another text altogether.
 */
export function mayComeFrom(text: string, earlier: string): boolean {
  const lines = new Set(linesOf(text))
  return lines.size === 0 || linesOf(earlier).some(line => lines.has(line)) || sharesMost(text, earlier)
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(line => line.trim() !== '')
}

/** Returns true if a text has most of the words of an earlier one. Takes linear time. */
export function sharesMost(text: string, before: string): boolean {
  const { all, shared } = sharedWords(text, before)
  return shared * 2 > all
}

/** Returns true if a text has at least three quarters of the words of a passage, of which there are some. Takes linear time. */
export function hasWords(text: string, passage: string): boolean {
  const { all, shared } = sharedWords(text, passage)
  return all > 0 && shared * 4 >= all * 3
}

/** Returns the number of words and signs of a text. */
export function countWords(text: string): number {
  return sharedWords('', text).all
}

/** Numbers of the words of a passage, and of those that a text has, too. */
function sharedWords(text: string, passage: string): { readonly all: number; readonly shared: number } {
  const bag = bagOf(text)
  let [all, shared] = [0, 0]
  for (const [word, count] of bagOf(passage)) {
    all += count
    shared += Math.min(count, bag.get(word) ?? 0)
  }
  return { all, shared }
}

interface KeptWords {
  readonly all: number
  readonly kept: number
}

/** Numbers of the words that an edit added and removed, and of those for which the text is as after the edit. */
function wordsKept(text: string, before: string, after: string): { added: KeptWords; removed: KeptWords } {
  const [bag, old, young] = [bagOf(text), bagOf(before), bagOf(after)]
  const countOf = (word: string, of: Bag) => of.get(word) ?? 0
  const added = { all: 0, kept: 0 }
  const removed = { all: 0, kept: 0 }
  for (const word of new Set([...old.keys(), ...young.keys()])) {
    const change = countOf(word, young) - countOf(word, old)
    const here = countOf(word, bag) - countOf(word, old)
    const side = change > 0 ? added : removed
    side.all += Math.abs(change)
    side.kept += Math.min(Math.abs(change), Math.max(0, here * Math.sign(change)))
  }
  return { added, removed }
}

/** Returns the number of words that only one of two texts has. Takes linear time. */
export function wordDistance(one: string, other: string): number {
  const [left, right] = [bagOf(one), bagOf(other)]
  let distance = 0
  for (const word of new Set([...left.keys(), ...right.keys()]))
    distance += Math.abs((left.get(word) ?? 0) - (right.get(word) ?? 0))
  return distance
}
