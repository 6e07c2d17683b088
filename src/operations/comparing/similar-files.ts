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
  const texts = await Promise.all(newer.map(async path => [path, linesOf(await comeText(path))] as const))
  const pairs: { readonly from: string; readonly to: string; readonly share: number }[] = []
  for (const from of older) {
    const lines = linesOf(await goneText(from))
    for (const [to, others] of texts) {
      const share = extensionOf(from) === extensionOf(to) ? similarity(lines, others) : 0
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

/** Share of the longer text that both have, line by line. */
function similarity(one: CountedLines, other: CountedLines): number {
  const longer = Math.max(one.length, other.length)
  if (longer === 0) return 0
  let common = 0
  for (const [line, count] of one.counts) common += line.length * Math.min(count, other.counts.get(line) ?? 0)
  return common / longer
}
