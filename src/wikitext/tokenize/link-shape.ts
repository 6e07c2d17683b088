/** The parts of `[[target|text]]`. */

import type { Title } from '../../core/title.ts'
import { type ForeignTarget, foreignUrl, type LinkTarget } from '../links/target.ts'
import { isBlock, isOrHoldsBlock } from '../passes/loose-text.ts'
import { escapeTitle } from '../sanitize/urls.ts'
import type { ChildNode } from '../tree/node.ts'
import type { Scan } from './scan.ts'

/** Offsets into the scan's text. */
export interface LinkShape {
  readonly start: number
  readonly targetEnd: number
  /** Offset of the text after the first pipe; -1 if there is no pipe. */
  readonly textStart: number
  readonly textEnd: number
  readonly end: number
}

/** Finds the parts of a link between its brackets; `close` is the offset after `]]`. */
export function linkShape(scan: Scan, at: number, close: number): LinkShape {
  const { text } = scan
  const pipe = findPipe(scan, at + 2, close - 2)
  const end =
    text[close] === ']' && pipe !== -1 && close < scan.end && hasOpenBracket(text, pipe, close) ? close + 1 : close
  return {
    start: at,
    targetEnd: pipe === -1 ? end - 2 : pipe,
    textStart: pipe === -1 ? -1 : pipe + 1,
    textEnd: end - 2,
    end,
  }
}

/** In `[[a|[b]]]` the first `]` belongs to the text. */
function hasOpenBracket(text: string, from: number, to: number): boolean {
  const bracket = text.indexOf('[', from)
  return bracket !== -1 && bracket < to
}

/** Offset of the first pipe outside of templates; -1 if there is none. */
function findPipe(scan: Scan, from: number, to: number): number {
  let at = from
  while (at < to) {
    const unit = scan.text.charCodeAt(at)
    if (unit === 124) return at
    const node = unit === 123 || unit === 60 ? scan.nodeAt.get(at) : undefined
    const bracket = unit === 91 ? scan.brackets.get(at) : undefined
    at = node?.end ?? bracket ?? at + 1
  }
  return -1
}

/** Returns a link's address and the title of its target; the title is null for an anchor on the same page. */
export function linkAddress(target: LinkTarget, page: Title): { readonly href: string; readonly title: string | null } {
  switch (target.kind) {
    case 'foreign':
      return { href: foreignUrl(target), title: foreignTitle(target) }
    case 'fragment':
      return { href: pageHref(page.key, target.fragment), title: null }
    case 'special':
      return { href: pageHref(target.key, target.fragment), title: target.key.replaceAll('_', ' ') }
    case 'page':
      return { href: pageHref(target.title.key, target.fragment), title: target.title.text }
  }
}

/** Title of a page of another wiki; null for a fragment without a page. */
function foreignTitle({ wiki, name, fragment }: ForeignTarget): string | null {
  return name === '' && fragment !== null ? null : `${wiki.prefix}:${name.replaceAll('_', ' ')}`
}

/** Address of a page relative to the wiki's base. */
export function pageHref(key: string, fragment: string | null): string {
  return `./${escapeTitle(key)}${fragment === null ? '' : `#${fragment}`}`
}

/** A link is a block if its text begins with one, and a link to a file if its text holds one. Source: Parsoid, DOM fragments. */
export function levelOf(text: readonly ChildNode[], isMedia: boolean): 'inline' | 'block' {
  const isBlockLink = isMedia ? text.some(isOrHoldsBlock) : text.slice(0, 1).some(isBlock)
  return isBlockLink ? 'block' : 'inline'
}
