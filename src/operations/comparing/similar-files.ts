/** Files that were moved: those that are gone, with those that have come and are the same or much the same. */

export interface MovedFiles {
  /** Paths of one state alone, to the hash of their content; null if that is not known. */
  readonly gone: ReadonlyMap<string, string | null>
  readonly come: ReadonlyMap<string, string | null>
  /** Read a text; "" for what is no text, which is paired only if it is the same. */
  readonly goneText: (path: string) => Promise<string>
  readonly comeText: (path: string) => Promise<string>
}

/** Share of the characters that a moved text keeps at least, as git has it. */
const leastSimilarity = 0.5
/** Most pairs of texts that are compared: beyond that only equal files are paired. */
const mostPairs = 10_000
/** Characters of texts that are held at once. Further texts are paired only if they are equal. */
const mostCharacters = 32 * 1024 * 1024
/** Lines that are looked up in other texts, over all pairs. Files that are left after them are paired only if they are equal. */
const mostLines = 10_000_000

/**
 * Pairs files: equal ones first, then each with the one most like it, from the most alike pair on. Returns the old path to the new
 * one. Source: git-diff(1), `--find-renames`.
 */
export async function similarFiles({ gone, come, goneText, comeText }: MovedFiles): Promise<Map<string, string>> {
  const moves = equalFiles(gone, come)
  const taken = new Set(moves.values())
  const [older, newer] = [
    [...gone.keys()].filter(path => !moves.has(path)),
    [...come.keys()].filter(path => !taken.has(path)),
  ]
  if (older.length * newer.length > mostPairs) return moves
  const texts = await countedTexts(newer, comeText)
  const pairs: { readonly from: string; readonly to: string; readonly share: number }[] = []
  let work = 0
  for (const from of older) {
    if (work > mostLines) break
    const lines = linesOf(await goneText(from))
    for (const [to, others] of texts) {
      if (extensionOf(from) !== extensionOf(to) || !mayBeSimilar(lines, others)) continue
      work += Math.min(lines.counts.size, others.counts.size)
      const share = similarity(lines, others)
      if (share >= leastSimilarity) pairs.push({ from, to, share })
    }
  }
  for (const { from, to } of pairs.sort((a, b) => b.share - a.share)) {
    if (moves.has(from) || taken.has(to)) continue
    moves.set(from, to)
    taken.add(to)
  }
  return moves
}

/** One after the other: all of them at once may be as large as the wiki. */
async function countedTexts(
  paths: readonly string[],
  read: MovedFiles['comeText'],
): Promise<(readonly [path: string, lines: CountedLines])[]> {
  const texts: (readonly [path: string, lines: CountedLines])[] = []
  let left = mostCharacters
  for (const path of paths) {
    const text = await read(path)
    left -= text.length
    if (left < 0) break
    texts.push([path, linesOf(text)])
  }
  return texts
}

function equalFiles(gone: MovedFiles['gone'], come: MovedFiles['come']): Map<string, string> {
  const byHash = new Map<string, string[]>()
  for (const [path, hash] of gone) if (hash !== null) byHash.set(hash, [...(byHash.get(hash) ?? []), path])
  const moves = new Map<string, string>()
  for (const [path, hash] of come) {
    const from = hash === null ? undefined : byHash.get(hash)?.shift()
    if (from !== undefined) moves.set(from, path)
  }
  return moves
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

interface CountedLines {
  readonly counts: ReadonlyMap<string, number>
  /** Characters, without blanks at the ends of lines. */
  readonly length: number
}

/** Sentences count by themselves: a paragraph is one line of wikitext. */
function linesOf(text: string): CountedLines {
  const counts = new Map<string, number>()
  let length = 0
  for (const line of text.split(/\n|(?<=[.!?]) /)) {
    const plain = line.trim()
    if (plain === '') continue
    counts.set(plain, (counts.get(plain) ?? 0) + 1)
    length += plain.length
  }
  return { counts, length }
}

/** Returns false for texts whose lengths alone tell that too little of the longer one is in the other. */
function mayBeSimilar(one: CountedLines, other: CountedLines): boolean {
  return Math.min(one.length, other.length) >= leastSimilarity * Math.max(one.length, other.length, 1)
}

/** Share of the longer text that both have, line by line. Takes time by the lines of the text that has fewer. */
function similarity(one: CountedLines, other: CountedLines): number {
  const [few, many] = one.counts.size <= other.counts.size ? [one, other] : [other, one]
  let common = 0
  for (const [line, count] of few.counts) common += line.length * Math.min(count, many.counts.get(line) ?? 0)
  return common / Math.max(one.length, other.length)
}
