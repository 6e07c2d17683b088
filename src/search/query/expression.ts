/**
 * The operators of a query: OR, AND, NOT, their signs, and parentheses. NOT binds closest, then AND, which also stands between words
 * without an operator, then OR. In capitals they are operators, elsewhere words.
 *
 * Source: https://www.mediawiki.org/wiki/Help:CirrusSearch/Logical_operators for the operators and signs. CirrusSearch removes parentheses, and
 * its OR only ranks where a query also has AND; here parentheses group, and OR is a choice, as both are meant.
 */

/** An item of a query with operators. */
export type Expression<Item> =
  | { readonly item: Item }
  | { readonly not: Expression<Item> }
  | { readonly any: readonly Expression<Item>[] }
  | { readonly all: readonly Expression<Item>[] }

const quoted = /["“”][^"“”]*["“”]|insource:\s?\/(?:[^/\\]|\\.)+\//gi
const operatorIn = /(?:^|[\s()])(?:AND|OR|NOT|&&)(?=[\s()]|$)|\||(?:^|[\s(])[-!]\(/

/** True if a query has operators outside of quotes and patterns. Parentheses alone are symbols: they would change nothing. */
export function hasOperators(text: string): boolean {
  return operatorIn.test(text.replace(quoted, ' " '))
}

/** A word by which a query is an expression. */
type Operator = 'or' | 'and' | 'not' | 'open' | 'close'

/** Token of a query: an operator as written, or an item. */
type Token<Item> = { readonly operator: Operator; readonly written: string } | { readonly item: Item }

const sign =
  /(?<or>OR(?![^\s()"“”])|\|\|?)|(?<and>AND(?![^\s()"“”])|&&)|(?<not>NOT(?![^\s()"“”])|[-!](?=\())|(?<open>\()|(?<close>\))/y

/** Reads the operator at an offset; null if there is none. */
function operatorAt(text: string, at: number): { readonly operator: Operator; readonly written: string } | null {
  sign.lastIndex = at
  const found = sign.exec(text)
  if (found === null) return null
  const [operator] = Object.entries(found.groups!).find(([, written]) => written !== undefined)!
  return { operator: operator as Operator, written: found[0] }
}

/** Reads an item at an offset, and says where it ends; null at the end of the text. */
export type ReadItem<Item> = (text: string, at: number) => { readonly item: Item; readonly end: number } | null

/**
 * Reads a query with operators; null if nothing is asked. Never throws: an operator that begins or ends the query is a word, any other
 * without its operand is ignored, and so is a parenthesis without its partner.
 */
export function readExpression<Item>(
  text: string,
  { readItem, wordItem }: { readonly readItem: ReadItem<Item>; readonly wordItem: (word: string) => Item },
): Expression<Item> | null {
  const tokens = [...listTokens(text, readItem)]
  const asWord = (at: number): void => {
    const token = tokens[at]
    if (token && 'operator' in token && /^(?:AND|OR|NOT)$/.test(token.written))
      tokens[at] = { item: wordItem(token.written) }
  }
  if (isOperator(tokens[0], 'or') || isOperator(tokens[0], 'and')) asWord(0)
  asWord(tokens.length - 1)
  return readChoice({ tokens, at: 0 }, 0)
}

function* listTokens<Item>(text: string, readItem: ReadItem<Item>): Generator<Token<Item>, void, undefined> {
  for (let at = 0; at < text.length; ) {
    at += /^\s*/.exec(text.slice(at))![0].length
    const operator = operatorAt(text, at)
    const read = operator === null ? readItem(text, at) : null
    if (operator !== null) yield operator
    else if (read === null) return
    else yield { item: read.item }
    at = read?.end ?? at + operator!.written.length
  }
}

interface Reader<Item> {
  readonly tokens: readonly Token<Item>[]
  at: number
}

function isOperator(token: Token<unknown> | undefined, operator: Operator): boolean {
  return token !== undefined && 'operator' in token && token.operator === operator
}

function readChoice<Item>(reader: Reader<Item>, depth: number): Expression<Item> | null {
  const any: Expression<Item>[] = []
  while (reader.at < reader.tokens.length) {
    const all = readConjunction(reader, depth)
    if (all !== null) any.push(all)
    const token = reader.tokens[reader.at]
    if (isOperator(token, 'close') && depth > 0) break
    // An OR, or a parenthesis that nobody opened.
    reader.at++
  }
  return any.length < 2 ? (any[0] ?? null) : { any }
}

function readConjunction<Item>(reader: Reader<Item>, depth: number): Expression<Item> | null {
  const all: Expression<Item>[] = []
  while (reader.at < reader.tokens.length) {
    const token = reader.tokens[reader.at]
    if (isOperator(token, 'or') || isOperator(token, 'close')) break
    if (isOperator(token, 'and')) reader.at++
    else {
      const one = readOne(reader, depth)
      if (one !== null) all.push(one)
    }
  }
  return all.length < 2 ? (all[0] ?? null) : { all }
}

function readOne<Item>(reader: Reader<Item>, depth: number): Expression<Item> | null {
  let isNegated = false
  for (; isOperator(reader.tokens[reader.at], 'not'); reader.at++) isNegated = !isNegated
  const token = reader.tokens[reader.at]
  if (token === undefined || (!('item' in token) && token.operator !== 'open')) return null
  reader.at++
  if ('item' in token) return isNegated ? { not: token } : token
  const group = readChoice(reader, depth + 1)
  // The end of the group.
  reader.at++
  return isNegated && group !== null ? { not: group } : group
}
