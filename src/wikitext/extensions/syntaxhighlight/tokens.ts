/** Code as a flat list of tokens, each with a class. */

import type { InTime } from '../../bounded-time.ts'
import { classOf, nameClass } from './classes.ts'

export interface Token {
  readonly text: string
  /** Class of Pygments; '' for none. */
  readonly className: string
}

/** Maximum length of coloured code, UTF-16 units. */
const maxCodeLength = 100_000

const markup = /<span class="([^"]*)">|<\/span>|[^<]+/g
const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const piece = /\s+|[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+|[()[\]{};,.:]+|[^\s\p{L}\p{N}_$()[\]{};,.:]+/gu

/** The Highlight.js instance. */
export type Highlighter = Awaited<ReturnType<typeof loadHighlighter>>

/** The highlighter and its time limit. */
export interface Colours {
  readonly highlighter: Highlighter
  readonly inTime: InTime
}

/** Loads Highlight.js with all of its languages. */
export async function loadHighlighter() {
  return (await import('highlight.js')).HighlightJS
}

/**
 * Splits code into tokens; null if the language is unknown, or the code is too long or takes too much of the remaining time.
 */
export function tokensOf(code: string, language: string, { highlighter, inTime }: Colours): Token[] | null {
  const grammar = highlighter.getLanguage(language)
  if (code.length > maxCodeLength || grammar === undefined) return null
  const html = inTime(() => highlighter.highlight(code, { language, ignoreIllegals: true }).value)
  if (html === undefined) {
    discardCompiled(highlighter)
    return null
  }
  const name = grammar.name?.toLowerCase() ?? language
  const scopes: string[] = []
  const tokens: Token[] = []
  for (const found of html.matchAll(markup)) {
    if (found[1] !== undefined) scopes.push(scopeOf(found[1]))
    else if (found[0] === '</span>') scopes.pop()
    else addText(tokens, decoded(found[0]), { scope: scopes.at(-1) ?? '', language: name })
  }
  return tokens
}

/** Replaces the compiled languages: work that was stopped may have left one half compiled, which then colours wrongly. */
function discardCompiled(highlighter: Highlighter): void {
  for (const name of highlighter.listLanguages()) {
    const language = highlighter.getLanguage(name)
    if (language?.isCompiled) highlighter.registerLanguage(name, language.rawDefinition)
  }
}

/** `hljs-title function_` is the scope `title.function`. */
function scopeOf(classNames: string): string {
  return classNames
    .split(' ')
    .map(name => name.replace(/^hljs-/, '').replace(/_$/, ''))
    .join('.')
}

function decoded(text: string): string {
  return text.replace(/&(#?\w+);/g, (source, name: string) => characters[name] ?? source)
}

function addText(tokens: Token[], text: string, { scope, language }: { scope: string; language: string }): void {
  const className = classOf(scope, text, language)
  if (className !== '') tokens.push({ text, className })
  else for (const [part] of text.matchAll(piece)) addToken(tokens, { text: part, className: kindOf(part, language) })
}

/** Adjacent brackets and the like are one token. */
function addToken(tokens: Token[], token: Token): void {
  const last = tokens.at(-1)
  if (last?.className !== 'p' || token.className !== 'p') tokens.push(token)
  else tokens[tokens.length - 1] = { text: last.text + token.text, className: 'p' }
}

function kindOf(text: string, language: string): string {
  if (/^\s/.test(text)) return /^\n+$/.test(text) ? '' : 'w'
  if (/^[\p{L}_$]/u.test(text)) return nameClass(language)
  if (/^\p{N}/u.test(text)) return 'm'
  return /^[()[\]{};,.:]/.test(text) ? 'p' : 'o'
}

/** Splits tokens at line feeds: one list for each line, whose last token is the line feed. */
export function linesOf(tokens: readonly Token[]): Token[][] {
  const lines: Token[][] = [[]]
  for (const { text, className } of tokens) {
    for (const part of text.split(/(\n)/)) {
      if (part === '') continue
      lines.at(-1)!.push({ text: part, className: part === '\n' ? '' : className })
      if (part === '\n') lines.push([])
    }
  }
  if (lines.at(-1)!.length === 0) lines.pop()
  return lines
}
