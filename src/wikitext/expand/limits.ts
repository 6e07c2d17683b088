/** What bounds the expansion of one page, and the counters that watch it. */

/** Templates within templates. Source: MediaWiki $wgMaxTemplateDepth. */
export const maximumTemplateDepth = 40
/** Constructs within constructs, over all templates. Source: MediaWiki $wgMaxPPExpandDepth. */
export const maximumExpansionDepth = 100
/** Nodes expanded for one page. Source: MediaWiki $wgMaxPPNodeCount. */
export const maximumNodes = 1_000_000
/** Characters that all expansions, and all arguments, of one page may have together. Source: MediaWiki $wgMaxArticleSize. */
export const maximumIncludeSize = 2 * 1024 * 1024

/** Expansions that may be too large for the page before no further one is tried. */
export const maximumRefusals = 100

/** What one page has used up. */
export interface Budget {
  depth: number
  nodes: number
  included: number
  arguments: number
  /** Expansions that were too large. */
  refusals: number
  /** Grows with every loop and every limit that is met: what was made meanwhile depends on where, and is not kept. */
  disturbances: number
}

/** Begins to count. */
export function newBudget(): Budget {
  return { depth: 0, nodes: 0, included: 0, arguments: 0, refusals: 0, disturbances: 0 }
}

/** A sentence about a mistake in the wikitext, as the page shows it. */
export function errorText(sentence: string): string {
  return `<span class="error">${sentence}</span>`
}

/** Counts a node; the text to show where it is one too many, or too deep. */
export function spendNode(budget: Budget): string | undefined {
  if (++budget.nodes > maximumNodes) return overLimit(budget, errorText('Node-count limit exceeded'))
  if (budget.depth >= maximumExpansionDepth) return overLimit(budget, errorText('Expansion depth limit exceeded'))
  return undefined
}

/** Counts expanded text; false where it is too much. */
export function spendSize(budget: Budget, kind: 'included' | 'arguments', size: number): boolean {
  if (budget[kind] + size > maximumIncludeSize) {
    budget.refusals++
    budget.disturbances++
    return false
  }
  budget[kind] += size
  return true
}

/** Notes that a limit was met. */
export function overLimit(budget: Budget, text: string): string {
  budget.disturbances++
  return text
}
