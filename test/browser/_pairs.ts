/** Selects few of many combinations: most faults that depend on a combination depend on two values of it. */

/** Picks combinations until every pair of values is in a picked one; deterministic. */
export function pairCover<Combination extends object>(all: readonly Combination[]): Combination[] {
  const left = new Set(all.flatMap(pairsOf))
  const gain = (one: Combination): number => pairsOf(one).filter(pair => left.has(pair)).length
  const picked: Combination[] = []
  while (left.size > 0) {
    const best = all.reduce((best, one) => (gain(one) > gain(best) ? one : best))
    picked.push(best)
    for (const pair of pairsOf(best)) left.delete(pair)
  }
  return picked
}

function pairsOf(combination: object): string[] {
  const values = Object.entries(combination).map(([name, value]) => `${name}=${value}`)
  return values.flatMap((value, at) => values.slice(at + 1).map(other => `${value}, ${other}`))
}
