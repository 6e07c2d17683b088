/** Judges the text of a merge by the texts that both writers would sign. */

import type { Case } from './page.ts'

/** Kinds of wrong merges. */
export const flaws = [
  'a broken pair',
  'a value nobody wrote',
  'glued',
  'doubled',
  'lost',
  'on another item',
  'should have asked',
] as const

export type Verdict = 'right' | 'refused' | (typeof flaws)[number]

/** Any number of blank lines, at least one, is right; between the texts of notes there may be none. */
export function normal(text: string): string {
  const trimmed = text
    .replace(/^\n+|\s+$/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^(\[\^.*)\n\n(?=\[\^)/gm, '$1\n')
  return trimmed === '' ? '' : `${trimmed}\n`
}

/** Judges a merged text, null if the merge was refused. */
export function judge(one: Case, merged: string | null): Verdict {
  if (merged === null) return 'refused'
  const right = [...one.right].map(normal)
  if (right.includes(normal(merged))) return 'right'
  return flawOf(one, merged, right)
}

function flawOf(one: Case, merged: string, right: readonly string[]): Verdict {
  const sides = [one.mine, one.theirs]
  if (sides.every(isPaired) && !isPaired(merged)) return 'a broken pair'
  const strange = strangers(merged, [...sides, ...right])
  if (strange.length > 0) return strange.some(word => isGlued(word, sides)) ? 'glued' : 'a value nobody wrote'
  const [best = undefined] = right
  const wanted = best === undefined ? undefined : countWords(best)
  const got = countWords(merged)
  const atMost = (word: string) =>
    wanted?.get(word) ?? sides.reduce((sum, side) => sum + (countWords(side).get(word) ?? 0), 0)
  if (hasTwice(merged, one) || [...got].some(([word, count]) => count > atMost(word))) return 'doubled'
  if (wanted !== undefined && [...wanted].some(([word, count]) => (got.get(word) ?? 0) < count)) return 'lost'
  return right.length === 0 ? 'should have asked' : 'on another item'
}

/** Returns true if a longer line or sentence that both sides have once, and the base has not, is there twice. */
function hasTwice(merged: string, { base, mine, theirs }: Case): boolean {
  const units = (text: string) => text.split(/\n|(?<=[.!?]) /).filter(unit => unit.length > 8)
  const [inBase, inMine, inTheirs] = [base, mine, theirs].map(units) as [string[], string[], string[]]
  const count = (list: readonly string[], unit: string) => list.filter(other => other === unit).length
  const inMerged = units(merged)
  return inMine.some(unit => {
    const most = Math.max(count(inBase, unit), count(inMine, unit), count(inTheirs, unit))
    return inTheirs.includes(unit) && count(inMerged, unit) > most
  })
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(word => word !== '')
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Lists the words of a text, with their punctuation, that no other text has. */
function strangers(merged: string, texts: readonly string[]): string[] {
  const known = new Set(texts.flatMap(wordsOf))
  return wordsOf(merged).filter(word => !known.has(word))
}

function isGlued(word: string, sides: readonly string[]): boolean {
  const parts = sides.flatMap(wordsOf).filter(part => part.length > 1 && part.length < word.length)
  return parts.some(part => word.startsWith(part) && parts.some(other => part + other === word))
}

/** Pairs of signs that open and close, wherever they stand. */
const pairs: readonly (readonly [open: RegExp, close: RegExp])[] = [
  [/\{\{/g, /\}\}/g],
  [/\[\[/g, /\]\]/g],
  [/^\{\|/gm, /^\|\}/gm],
  [/<!--/g, /-->/g],
  [/<ref[ >]/g, /<\/ref>|<ref[^<>]*\/>/g],
  [/<div[ >]/g, /<\/div>/g],
  [/<syntaxhighlight[ >]/g, /<\/syntaxhighlight>/g],
]

/** Signs that stand an even number of times in a text, or in a line. */
const evenInText = [/^```/gm, /^---$/gm]
const evenInLine = [/\*\*/g, /(?<!')'''(?!')/g, /(?<!')''(?!')/g, /'''''/g, /`/g, /~~/g]

function isPaired(text: string): boolean {
  const count = (pattern: RegExp, within = text) => within.match(pattern)?.length ?? 0
  return (
    pairs.every(([open, close]) => count(open) === count(close)) &&
    evenInText.every(sign => count(sign) % 2 === 0) &&
    text.split('\n').every(line => line.startsWith('```') || evenInLine.every(sign => count(sign, line) % 2 === 0))
  )
}
