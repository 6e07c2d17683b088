/**
 * Lines with classes of Wiki.js after a quote, a list or a table: `{.is-info}`. A quote becomes a box; the others look like any.
 * Source: https://docs.requarks.io/editors/markdown (Blockquotes, Content Tabs, Lists)
 */

import type { MarkdownIt, StateCore, Token } from 'markdown-it'

const line = /(?:^|\n)\{(\.[a-z][\w-]{0,30}(?: \.[a-z][\w-]{0,30}){0,5})\}$/

/** Classes of quotes, as kinds of boxes. */
const kinds: Readonly<Record<string, string>> = {
  '.is-info': 'note',
  '.is-success': 'tip',
  '.is-warning': 'warning',
  '.is-danger': 'caution',
}

/** Adds the rule to markdown-it. */
export function addClassLines(parser: MarkdownIt): void {
  parser.core.ruler.after('block', 'class_lines', readClassLines)
}

function readClassLines(state: StateCore): void {
  if (!state.src.includes('{.')) return
  const open: Token[] = []
  const dropped = new Set<Token>()
  for (const [at, token] of state.tokens.entries()) {
    if (token.nesting === 1) open.push(token)
    const start = token.nesting === -1 ? open.pop() : undefined
    // Its end gets the name of its start.
    if (start !== undefined) token.tag = start.tag
    const [found, classes = ''] = token.type === 'inline' ? (line.exec(token.content) ?? []) : []
    if (found === undefined) continue
    const quote = open.findLast(({ type }) => type === 'blockquote_open')
    if (quote !== undefined) markQuote(quote, classes)
    token.content = token.content.slice(0, -found.length)
    if (token.content === '') for (const one of emptied(state.tokens, at)) dropped.add(one)
  }
  if (dropped.size > 0) state.tokens = state.tokens.filter(token => !dropped.has(token))
}

function markQuote(quote: Token, classes: string): void {
  const kind = classes.split(' ').flatMap(name => kinds[name] ?? [])[0]
  if (kind === undefined) return
  quote.tag = 'div'
  quote.attrSet('class', `markdown-alert markdown-alert-${kind}`)
}

/** Lists the tokens of the paragraph, or of the row of a table, that a line was alone in. */
function emptied(tokens: readonly Token[], at: number): readonly Token[] {
  const isCell = tokens[at - 1]?.type === 'td_open' && tokens[at - 2]?.type === 'tr_open'
  if (!isCell) return tokens[at - 1]?.type === 'paragraph_open' ? tokens.slice(at - 1, at + 2) : []
  let end = at
  while (end < tokens.length && tokens[end]!.type !== 'tr_close') end++
  const row = tokens.slice(at - 2, end + 1)
  return row.every(({ type, content }) => type !== 'inline' || content === '') ? row : []
}
