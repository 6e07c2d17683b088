/** Arithmetic of `#expr`: two stacks, no recursion. Source: MediaWiki Extension:ParserFunctions, its help page on #expr. */

import { formatFloat, roundTo } from './php-number.ts'

/** Maximum size of each stack. */
const maxStack = 100
/** Maximum length of an expression. */
const maxLength = 20_000

interface Operator {
  readonly name: string
  readonly precedence: number
  readonly operands: 0 | 1 | 2
  readonly apply: (left: number, right: number) => number
}

class ExpressionError extends Error {}

function fail(message: string): never {
  throw new ExpressionError(message)
}

const truth = (value: boolean) => (value ? 1 : 0)

function binary(name: string, precedence: number, apply: Operator['apply']): Operator {
  return { name, precedence, operands: 2, apply }
}

function unary(name: string, precedence: number, apply: (value: number) => number): Operator {
  return { name, precedence, operands: 1, apply }
}

function divide(left: number, right: number): number {
  return right === 0 ? fail('Division by zero.') : left / right
}

function modulo(left: number, right: number): number {
  const divisor = Math.trunc(right)
  return divisor === 0 ? fail('Division by zero.') : Math.trunc(left) % divisor
}

/** A function with a limited domain. */
function within(
  name: string,
  isLegal: (value: number) => boolean,
  range: string,
  apply: (value: number) => number,
): Operator {
  return unary(name, 9, value => (isLegal(value) ? apply(value) : fail(`Invalid argument for ${name}: ${range}.`)))
}

const isSine = (value: number) => value >= -1 && value <= 1

const binaryOperators: ReadonlyMap<string, Operator> = named([
  binary('e', 10, (left, right) => left * 10 ** right),
  binary('^', 8, (left, right) => left ** right),
  binary('*', 7, (left, right) => left * right),
  binary('/', 7, divide),
  binary('div', 7, divide),
  binary('mod', 7, modulo),
  binary('fmod', 7, (left, right) => (right === 0 ? fail('Division by zero.') : left % right)),
  binary('+', 6, (left, right) => left + right),
  binary('-', 6, (left, right) => left - right),
  binary('round', 5, roundTo),
  binary('=', 4, (left, right) => truth(left === right)),
  binary('<', 4, (left, right) => truth(left < right)),
  binary('>', 4, (left, right) => truth(left > right)),
  binary('<=', 4, (left, right) => truth(left <= right)),
  binary('>=', 4, (left, right) => truth(left >= right)),
  binary('<>', 4, (left, right) => truth(left !== right)),
  binary('!=', 4, (left, right) => truth(left !== right)),
  binary('and', 3, (left, right) => truth(left !== 0 && right !== 0)),
  binary('or', 2, (left, right) => truth(left !== 0 || right !== 0)),
])

const prefixOperators: ReadonlyMap<string, Operator> = named([
  unary('-', 10, value => -value),
  unary('+', 10, value => value),
  unary('not', 9, value => truth(value === 0)),
  unary('sin', 9, Math.sin),
  unary('cos', 9, Math.cos),
  unary('tan', 9, Math.tan),
  unary('atan', 9, Math.atan),
  unary('exp', 9, Math.exp),
  unary('abs', 9, Math.abs),
  unary('floor', 9, Math.floor),
  unary('ceil', 9, Math.ceil),
  unary('trunc', 9, Math.trunc),
  within('asin', isSine, '< -1 or > 1', Math.asin),
  within('acos', isSine, '< -1 or > 1', Math.acos),
  within('ln', value => value > 0, '<= 0', Math.log),
  within('sqrt', value => value >= 0, 'not a number', Math.sqrt),
])

const constants: ReadonlyMap<string, number> = new Map([
  ['e', Math.E],
  ['pi', Math.PI],
])

function named(operators: readonly Operator[]): ReadonlyMap<string, Operator> {
  return new Map(operators.map(operator => [operator.name, operator]))
}

interface Reading {
  readonly operands: number[]
  /** Undefined for an opening bracket. */
  readonly operators: (Operator | undefined)[]
  /** True if a number or an opening bracket must follow. */
  wantsOperand: boolean
}

const token = /\s+|[0-9.]+|[a-z]+|<=|>=|<>|!=|[-+*/^()=<>]/iy
const replacements: readonly (readonly [RegExp, string])[] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&minus;|\u2212/g, '-'],
]

/** Evaluates an expression; "" for an empty one, an element of class `error` for an invalid one. */
export function evaluate(expression: string): string {
  try {
    return compute(expression)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const isPlain = /^(?:Division|Invalid)/.test(error.message)
    return `<strong class="error">${isPlain ? '' : 'Expression error: '}${error.message}</strong>`
  }
}

/** True for the result of `evaluate` for an invalid expression. */
export function isExpressionError(outcome: string): boolean {
  return outcome.startsWith('<')
}

function compute(expression: string): string {
  if (expression.length > maxLength) fail('Stack exhausted.')
  const text = replacements.reduce((before, [pattern, sign]) => before.replace(pattern, sign), expression)
  const reading: Reading = { operands: [], operators: [], wantsOperand: true }
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const { lastIndex } = token
    const found = token.exec(text)?.[0]
    if (found === undefined) fail(`Unrecognized punctuation character "${shown(text, lastIndex)}".`)
    read(reading, found.toLowerCase())
    if (reading.operands.length > maxStack || reading.operators.length > maxStack) fail('Stack exhausted.')
  }
  applyWhile(reading, operator => operator !== undefined || fail('Unclosed bracket.'))
  return reading.operands.map(formatFloat).join('<br />\n')
}

function shown(text: string, at: number): string {
  const sign = String.fromCodePoint(text.codePointAt(at)!)
  return /[<>&"'[\]{|}=]/.test(sign) ? `&#${sign.charCodeAt(0)};` : sign
}

function read(reading: Reading, word: string): void {
  if (/^\s/.test(word)) return
  if (/^[0-9.]/.test(word)) readNumber(reading, Number.parseFloat(word) || 0)
  else if (word === '(') openBracket(reading)
  else if (word === ')') closeBracket(reading)
  else if (reading.wantsOperand) readPrefix(reading, word)
  else readBinary(reading, word)
}

function readNumber(reading: Reading, value: number): void {
  if (!reading.wantsOperand) fail('Unexpected number.')
  reading.operands.push(value)
  reading.wantsOperand = false
}

function openBracket(reading: Reading): void {
  if (!reading.wantsOperand) fail('Unexpected ( operator.')
  reading.operators.push(undefined)
}

function closeBracket(reading: Reading): void {
  applyWhile(reading, operator => operator !== undefined)
  if (reading.operators.length === 0) fail('Unexpected closing bracket.')
  reading.operators.pop()
  reading.wantsOperand = false
}

function readPrefix(reading: Reading, word: string): void {
  const constant = constants.get(word)
  const operator = prefixOperators.get(word)
  if (constant !== undefined) readNumber(reading, constant)
  else if (operator !== undefined) reading.operators.push(operator)
  else if (binaryOperators.has(word)) fail(`Unexpected ${escaped(word)} operator.`)
  else fail(`Unrecognized word "${word}".`)
}

function readBinary(reading: Reading, word: string): void {
  const operator = binaryOperators.get(word)
  if (operator === undefined) {
    if (constants.has(word)) fail('Unexpected number.')
    if (prefixOperators.has(word)) fail(`Unexpected ${word} operator.`)
    fail(`Unrecognized word "${word}".`)
  }
  applyWhile(reading, before => before !== undefined && before.precedence >= operator.precedence)
  reading.operators.push(operator)
  reading.wantsOperand = true
}

function applyWhile(reading: Reading, condition: (operator: Operator | undefined) => boolean): void {
  const { operands, operators } = reading
  while (operators.length > 0 && condition(operators.at(-1))) {
    const operator = operators.pop()!
    if (operands.length < operator.operands) fail(`Missing operand for ${escaped(operator.name)}.`)
    const right = operands.pop()!
    operands.push(operator.operands === 1 ? operator.apply(right, 0) : operator.apply(operands.pop()!, right))
  }
}

function escaped(name: string): string {
  return name.replace('<', '&lt;').replace('>', '&gt;')
}
