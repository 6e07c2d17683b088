/** Conditional functions: `#if`, `#ifeq`, `#switch` ... Source: MediaWiki Extension:ParserFunctions, its help page. */

import { parseRedirect } from '../../core/redirect.ts'
import type { Title } from '../../core/title.ts'
import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import { readTitle } from '../expansion/titles.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { evaluate, isExpressionError } from './expression.ts'

function ifeq(call: FunctionCall): string {
  return isEqual(decoded(call, 0), decoded(call, 1)) ? call.text(2) : call.text(3)
}

/** Compares as PHP does: two numeric strings are compared as numbers. */
function isEqual(left: string, right: string): boolean {
  if (left === right) return true
  return isNumeric(left) && isNumeric(right) && Number(left) === Number(right)
}

function isNumeric(text: string): boolean {
  return /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) && text.length < 400
}

function decoded(call: FunctionCall, index: number): string {
  return decodeEntities(call.text(index))
}

const errorTag = /^<(?:strong|span|p|div)\s/
const classValue = /\sclass="([^">]*)"/

function iferror(call: FunctionCall): string {
  const text = call.text(0)
  if (hasError(text)) return call.text(1)
  return call.count > 2 ? call.text(2) : text
}

function hasError(text: string): boolean {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const tag = text.slice(at, at + 500)
    const names = errorTag.test(tag) ? classValue.exec(tag.slice(0, tag.indexOf('>') + 1))?.[1] : undefined
    if (names?.split(/\s+/).includes('error')) return true
  }
  return false
}

function expr(call: FunctionCall): string {
  return evaluate(call.text(0))
}

function ifexpr(call: FunctionCall): string {
  const outcome = evaluate(call.text(0))
  if (isExpressionError(outcome)) return outcome
  return outcome !== '' && Number(outcome) !== 0 ? call.text(1) : call.text(2)
}

function ifexist(call: FunctionCall): string {
  return exists(call, decoded(call, 0)) ? call.text(1) : call.text(2)
}

/** Returns true if a file exists, directly or through a redirect of its page; undefined if that is not known yet. */
function fileExists({ context }: FunctionCall, title: Title): boolean | undefined {
  const { sourceCache, rules } = context
  const [file, page] = [sourceCache.file(title.name), sourceCache.page(title)]
  if (file === undefined || page === undefined) return undefined
  if (file !== null || page === null) return file !== null
  const name = parseRedirect(page.text, rules.language)
  const target = name === null ? undefined : readTitle(name, rules)
  const other = target === undefined ? null : sourceCache.file(target.name)
  return other === undefined ? undefined : other !== null
}

const filePrefix = /^\s*(?::\s*)?media\s*:/i

function exists(call: FunctionCall, name: string): boolean {
  const { sourceCache, rules } = call.context
  const title = readTitle(name, rules)
  if (title === undefined || title.namespace < 0) return title !== undefined
  const answer = filePrefix.test(name) ? fileExists(call, title) : sourceCache.exists(title)
  return answer === true
}

/** The first equal case counts; a case without a value takes the value of the next case that has one. */
function switchFunction(call: FunctionCall): string {
  const wanted = decoded(call, 0)
  let isFound = false
  let isDefaultNext = false
  let fallback: (() => string) | undefined
  for (let index = 1; index < call.count; index++) {
    const { name, value } = call.named(index)
    const test = name === null ? value() : name
    const isLast = index === call.count - 1
    const matches: boolean = isFound || isEqual(decodeEntities(test), wanted)
    if (name === null) {
      if (isLast) return test
      isFound = matches
      isDefaultNext ||= test === '#default'
    } else if (matches) {
      return value()
    } else if (isDefaultNext || test === '#default') {
      fallback = value
      isDefaultNext = false
    }
  }
  return fallback?.() ?? ''
}

/** Resolves a path against the page's, or another base. */
function rel2abs(call: FunctionCall): string {
  const to = call.text(0).replace(/(?<![ /])[ /]+$/, '')
  const from = call.text(1) || call.context.title.text
  if (to === '' || to === '.') return from
  const isRelative = to.startsWith('/') || to === '..' || to.startsWith('./') || to.startsWith('../')
  const steps = `${isRelative ? `${from}/` : ''}${to}/`.split('/')
  const path: string[] = []
  for (const step of steps) {
    if (step === '' || step === '.') continue
    if (step !== '..') path.push(step)
    else if (path.pop() === undefined)
      return `<strong class="error">Error: Invalid depth in path: "${to}" (tried to access a node above the root node).</strong>`
  }
  return path.join('/')
}

function titleparts(call: FunctionCall): string {
  const title = readTitle(call.text(0), call.context.rules)
  if (title === undefined) return call.text(0)
  const parts = title.text.split('/')
  const count = Number.parseInt(call.text(1), 10) || 0
  const from = Number.parseInt(call.text(2), 10) || 0
  const start = from > 0 ? from - 1 : from
  const selected = parts.slice(start < 0 ? Math.max(0, parts.length + start) : start)
  return selected.slice(0, count === 0 ? undefined : count).join('/')
}

/** Functions whose names begin with `#`. */
export const conditionalTable: FunctionTable = {
  if: call => (call.text(0) === '' ? call.text(2) : call.text(1)),
  ifeq,
  iferror,
  expr,
  ifexpr,
  ifexist,
  switch: switchFunction,
  rel2abs,
  titleparts,
}
