/** Detects moved files: deleted files paired with new ones of equal or similar content. */

export interface MovedFiles {
  /** Paths that exist in only one state, with the hash of their content; null if unknown. */
  readonly gone: ReadonlyMap<string, string | null>
  readonly come: ReadonlyMap<string, string | null>
  /** Return a text; "" for a file that is not text, which is paired only if equal. */
  readonly goneText: (path: string) => Promise<string>
  readonly comeText: (path: string) => Promise<string>
}

/** Minimum fraction of the characters that a moved text keeps, as in git. */
const minSimilarity = 0.5
/** Maximum number of compared pairs of texts. Beyond it, only equal files are paired. */
const maxPairs = 10_000
/** Maximum characters of texts in memory. Further texts are paired only if equal. */
const maxCharacters = 32 * 1024 * 1024
/** Maximum number of lines looked up, over all pairs. The remaining files are paired only if equal. */
const maxLines = 10_000_000

/**
 * Pairs files: equal ones first, then the most similar ones in descending order. Returns new paths by old paths.
 * Source: git-diff(1), `--find-renames`.
 */
export async function similarFiles({ gone, come, goneText, comeText }: MovedFiles): Promise<Map<string, string>> {
  const moves = equalFiles(gone, come)
  const taken = new Set(moves.values())
  const [older, newer] = [
    [...gone.keys()].filter(path => !moves.has(path)),
    [...come.keys()].filter(path => !taken.has(path)),
  ]
  if (older.length * newer.length > maxPairs) return moves
  const texts = await countedTexts(newer, comeText)
  const pairs: { readonly from: string; readonly to: string; readonly share: number }[] = []
  let work = 0
  for (const from of older) {
    if (work > maxLines) break
    const lines = linesOf(await goneText(from))
    for (const [to, others] of texts) {
      if (extensionOf(from) !== extensionOf(to) || !mayBeSimilar(lines, others)) continue
      work += Math.min(lines.counts.size, others.counts.size)
      const share = similarity(lines, others)
      if (share >= minSimilarity) pairs.push({ from, to, share })
    }
  }
  for (const { from, to } of pairs.sort((a, b) => b.share - a.share)) {
    if (moves.has(from) || taken.has(to)) continue
    moves.set(from, to)
    taken.add(to)
  }
  return moves
}

/** Sequentially, because all of them at once may be as large as the wiki. */
async function countedTexts(
  paths: readonly string[],
  read: MovedFiles['comeText'],
): Promise<(readonly [path: string, lines: CountedLines])[]> {
  const texts: (readonly [path: string, lines: CountedLines])[] = []
  let left = maxCharacters
  for (const path of paths) {
    const text = await read(path)
    left -= text.length
    if (left < 0) break
    texts.push([path, linesOf(text)])
  }
  return texts
}

/** Pairs files of equal content. Returns new paths by old paths. */
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
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase()
}

interface CountedLines {
  readonly counts: ReadonlyMap<string, number>
  /** Number of characters, without trailing spaces of lines. */
  readonly length: number
}

/** Sentences count individually, because a paragraph is one line of wikitext. */
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

/** Returns false for texts whose lengths alone rule out enough similarity. */
function mayBeSimilar(one: CountedLines, other: CountedLines): boolean {
  return Math.min(one.length, other.length) >= minSimilarity * Math.max(one.length, other.length, 1)
}

/** Fraction of the longer text that both share, line by line. Takes time proportional to the text with fewer lines. */
function similarity(one: CountedLines, other: CountedLines): number {
  const [few, many] = one.counts.size <= other.counts.size ? [one, other] : [other, one]
  let common = 0
  for (const [line, count] of few.counts) common += line.length * Math.min(count, many.counts.get(line) ?? 0)
  return common / Math.max(one.length, other.length)
}
