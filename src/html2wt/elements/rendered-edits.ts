/** Applies edits of an extension's rendered text to its source, if `data-mw` holds the body as source. */

/** Longest body that is searched for changes, in UTF-16 units. */
const longestBody = 1_000_000

/**
 * Returns the source with the change that leads from the old displayed text to the new one; null if its position is
 * uncertain. If both texts have the same number of lines, each line is compared separately.
 */
export function patchSource(source: string, old: string, now: string): string | null {
  if (old === now) return source
  if (source.length + old.length + now.length > longestBody) return null
  const [sources, olds, nows] = [source, old, now].map(text => text.split('\n')) as [string[], string[], string[]]
  const shift = sources.length - olds.length
  if (olds.length !== nows.length || shift < 0) return patchText(source, old, now)
  // The displayed text omits blank lines at the edges of the body.
  const lead = Math.min(
    shift,
    sources.findIndex(line => line.trim() !== ''),
  )
  const patched = [...sources]
  for (const [index, line] of olds.entries()) {
    if (line === nows[index]) continue
    const text = patchText(sources[index + lead] ?? '', line, nows[index] as string)
    if (text === null) return patchText(source, old, now)
    patched[index + lead] = text
  }
  return patched.join('\n')
}

/** Replaces the words between the common prefix and the common suffix. */
function patchText(source: string, old: string, now: string): string | null {
  const { before, after } = commonEdges(old, now)
  const gone = old.slice(before, old.length - after)
  const place = placeIn(source, gone, { text: old, at: before })
  if (place === -1) return null
  return source.slice(0, place) + now.slice(before, now.length - after) + source.slice(place + gone.length)
}

/**
 * Returns the lengths of the common prefix and suffix, cut back to whole words. At least one word of the old text
 * remains between them.
 */
function commonEdges(old: string, now: string): { before: number; after: number } {
  const most = Math.min(old.length, now.length)
  let before = 0
  while (before < most && old[before] === now[before]) before++
  while (before > 0 && isWord(old[before - 1])) before--
  let after = 0
  while (after < most - before && old[old.length - 1 - after] === now[now.length - 1 - after]) after++
  while (after > 0 && isWord(old[old.length - after])) after--
  if (old.slice(before, old.length - after).trim() !== '') return { before, after }
  // An insertion contains no old word to locate it by, so it includes the word before or after it.
  while (before > 0 && !isWord(old[before - 1])) before--
  if (before > 0) {
    while (before > 0 && isWord(old[before - 1])) before--
  } else {
    while (after > 0 && !isWord(old[old.length - after])) after--
    while (after > 0 && isWord(old[old.length - after])) after--
  }
  return { before, after }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character)
}

/** Returns the offset of the same occurrence in the source; -1 if the number of occurrences differs. */
function placeIn(source: string, words: string, { text, at }: { text: string; at: number }): number {
  if (words.trim() === '') return source === '' && text === '' ? 0 : -1
  const places = occurrences(source, words)
  const shown = occurrences(text, words)
  return places.length === shown.length ? (places[shown.indexOf(at)] ?? -1) : -1
}

/** Maximum number of occurrences that are compared. */
const maxOccurrences = 1000

function occurrences(text: string, words: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(words); at !== -1 && places.length < maxOccurrences; at = text.indexOf(words, at + 1)) {
    const isWhole =
      !(isWord(words[0]) && isWord(text[at - 1])) && !(isWord(words.at(-1)) && isWord(text[at + words.length]))
    if (isWhole) places.push(at)
  }
  return places
}
