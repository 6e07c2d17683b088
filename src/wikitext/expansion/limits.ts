/** Limits on the expansion of one page, and the counters that enforce them; docs/reference/wikitext.md#limits lists them. */

import { WikiError } from '../../core/errors.ts'
import { withinTime } from '../bounded-time.ts'

/** Maximum depth of templates. Source: MediaWiki $wgMaxTemplateDepth. */
export const maxTemplateDepth = 40
/** Maximum depth of constructs, over all templates. Source: MediaWiki $wgMaxPPExpandDepth. */
export const maxExpansionDepth = 100
/** Maximum nodes expanded for one page. Source: MediaWiki $wgMaxPPNodeCount. */
const maxNodes = 1_000_000
/** Maximum characters of all expansions, and of all arguments, of one page. Source: MediaWiki $wgMaxArticleSize. */
const maxIncludeSize = 2 * 1024 * 1024

/** Number of oversized expansions after which no further one is tried. */
export const maxRefusals = 100

/**
 * Maximum milliseconds spent in third-party libraries for one page. Their regular expressions backtrack, and some
 * languages have inputs that take minutes (highlightjs/highlight.js#4529). The slowest code of real pages takes a
 * thirtieth of this.
 */
const maxTime = 5_000

/**
 * Maximum steps of one pass over a page. A token of a tree is one; a separate tree, as for a link's text or a line of a
 * gallery, is more. The largest article measured, of 330 KB, takes a tenth of it; a step takes about ten microseconds.
 */
export const maxSteps = 400_000

/** Limits on a pass that must be fast. It is abandoned when it exceeds them. */
export interface Effort {
  /** Nodes that are expanded. */
  readonly nodes: number
  /** Characters of all expansions. */
  readonly included: number
  /** Milliseconds of other libraries. */
  readonly time: number
  /** Steps of building trees. */
  readonly steps: number
}

/** Thrown if a pass exceeds its effort. */
export class EffortExceeded extends Error {
  override readonly name = 'EffortExceeded'
}

/** Counters of one page's expansion. */
export interface Budget {
  readonly effort: Effort | null
  depth: number
  nodes: number
  included: number
  arguments: number
  /** Milliseconds of other libraries. */
  time: number
  /** Steps of building trees. */
  steps: number
  /** Expansions that were too large. */
  refusals: number
  /**
   * Increases with every loop and every exceeded limit. Results computed since then depend on their position, and are
   * not cached.
   */
  disturbances: number
}

/** Starts the counters. */
export function newBudget(effort: Effort | null = null): Budget {
  return { effort, depth: 0, nodes: 0, included: 0, arguments: 0, time: 0, steps: 0, refusals: 0, disturbances: 0 }
}

/** A sentence about a mistake in the wikitext, for the page. */
export function errorText(sentence: string): string {
  return `<span class="error">${sentence}</span>`
}

/** Counts a node; returns the text to show if the node exceeds the number or the depth. Throws `EffortExceeded`. */
export function spendNode(budget: Budget): string | undefined {
  if (budget.effort !== null && budget.nodes >= budget.effort.nodes) throw new EffortExceeded()
  if (++budget.nodes > maxNodes) return overLimit(budget, errorText('Node-count limit exceeded'))
  if (budget.depth >= maxExpansionDepth) return overLimit(budget, errorText('Expansion depth limit exceeded'))
  return undefined
}

/** Counts expanded text; false if it is too much. Throws `EffortExceeded`. */
export function spendSize(budget: Budget, kind: 'included' | 'arguments', size: number): boolean {
  if (budget[kind] + size > maxIncludeSize) {
    budget.refusals++
    budget.disturbances++
    return false
  }
  budget[kind] += size
  if (budget.effort !== null && budget.included > budget.effort.included) throw new EffortExceeded()
  return true
}

/** Runs a function of another library; undefined if it exceeds the page's time. Throws `EffortExceeded`. */
export function spendTime<Result>(budget: Budget, work: () => Result): Result | undefined {
  const began = performance.now()
  const done = withinTime((budget.effort?.time ?? maxTime) - budget.time, work)
  budget.time += performance.now() - began
  if (done === undefined && budget.effort !== null) throw new EffortExceeded()
  return done
}

/**
 * Counts steps of building trees. Throws `EffortExceeded`, and `wiki-page-too-complex` beyond the page's maximum: a few bytes
 * of a gallery or a note become hundreds, so the size of the text limits neither time nor memory.
 */
export function spendSteps(budget: Budget, steps: number): void {
  budget.steps += steps
  if (budget.effort !== null && budget.steps > budget.effort.steps) throw new EffortExceeded()
  if (budget.steps > maxSteps)
    throw new WikiError('wiki-page-too-complex', {
      params: [maxSteps],
      hint: 'Split the page. Galleries, notes, nested lists and templates take the most steps',
    })
}

/** Records that a limit was met. */
export function overLimit(budget: Budget, text: string): string {
  budget.disturbances++
  return text
}
