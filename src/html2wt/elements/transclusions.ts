/** Templates, arguments and parser functions, from `data-mw`. */

import { isAllowedTag } from '../../wikitext/sanitize/allowed.ts'
import type { ElementNode } from '../../wikitext/tree/node.ts'
import { gapText, type Writer, write } from '../writer.ts'

interface Named {
  readonly wt?: string
  readonly html?: string
}

interface Parameter extends Named {
  readonly key?: { readonly wt?: string }
  readonly eq?: boolean
  readonly order?: number
}

interface Call {
  readonly target?: { readonly wt?: string; readonly key?: string; readonly function?: string }
  readonly params?: Readonly<Record<string, Parameter>>
}

/** What `pi` of `data-parsoid` says of one parameter. */
interface Known {
  readonly k?: string
  readonly named?: boolean
  /** Spaces before and after the name, before and after the value. */
  readonly spc?: readonly string[]
  /** All of it as it was written. */
  readonly src?: string
}

/** Writes the parts of a transclusion. */
export function transclusion(writer: Writer, node: ElementNode): void {
  const parts = node.data.mw?.parts
  if (!Array.isArray(parts)) {
    const source = node.data.parsoid?.src
    write(writer, typeof source === 'string' ? source : '')
    return
  }
  const known = Array.isArray(node.data.parsoid?.pi) ? (node.data.parsoid.pi as Known[][]) : []
  let index = 0
  const text = (parts as unknown[]).map(part => {
    if (typeof part === 'string') return part
    if (typeof part !== 'object' || part === null) return ''
    const { template, templatearg, parserfunction } = part as Record<string, Call | undefined>
    const info = known[index++] ?? []
    if (templatearg) return `{{{${callText(templatearg, info)}}}}`
    return parserfunction ? `{{${functionText(parserfunction, info)}}}` : `{{${callText(template ?? {}, info)}}}`
  })
  const isBracketed = node.name === 'a' && gapText(writer) === '' && writer.tail.endsWith('[')
  write(writer, text.join(''))
  writer.isAddressOpen ||= isBracketed
}

function callText({ target = {}, params = {} }: Call, known: readonly Known[]): string {
  const isFunction = target.function !== undefined
  return (
    (target.wt ?? '') +
    ordered(params, known)
      .map(([key, value, info]) => `|${parameterText(key, value, info, isFunction)}`)
      .join('')
  )
}

function functionText({ target = {}, params = {} }: Call, known: readonly Known[]): string {
  const [first, ...rest] = ordered(params, known).map(([key, value, info]) =>
    parameterText(key, value, info, !/\D/.test(key)),
  )
  const name = target.wt ?? target.key ?? ''
  return first === undefined ? name : `${name}:${[first, ...rest].join('|')}`
}

type Entry = readonly [key: string, value: Parameter, known: Known | undefined]

/** Parameters in the order of the page, then new ones. */
function ordered(params: Readonly<Record<string, Parameter>>, known: readonly Known[]): Entry[] {
  const rest = new Map(Object.entries(params))
  const found: Entry[] = []
  known.forEach((info, index) => {
    const key = info.k ?? ''
    const value = rest.get(key)
    // Of two with one name the last one counts; the earlier one stays where it is.
    if (known.some((other, place) => place > index && other.k === key) && info.src !== undefined) {
      if (value !== undefined) found.push([key, {}, info])
      return
    }
    if (value === undefined) return
    rest.delete(key)
    found.push([key, value, info])
  })
  return [...found, ...[...rest].map(([key, value]) => [key, value, undefined] as const)]
}

function parameterText(key: string, value: Parameter, info: Known | undefined, isFunction: boolean): string {
  const wikitext = value.wt ?? ''
  const isNumbered = /^[1-9]\d*$/.test(key) && info?.named !== true && value.eq !== true && value.key === undefined
  if (isFunction || (isNumbered && !needsName(wikitext, info !== undefined))) return escaped(wikitext)
  if (isNumbered && info !== undefined && !/[<[{]/.test(wikitext)) return `<nowiki>${wikitext}</nowiki>`
  if (info?.src !== undefined && (value.wt === undefined || writtenValue(info.src) === wikitext)) return info.src
  const name = value.key?.wt ?? key.replace(/^=\d+=/, '')
  const [a = '', b = '', c = '', d = ''] = spacesOf(info)
  return `${a}${name}${b}=${c}${escaped(info === undefined ? wikitext : wikitext)}${d}`
}

function writtenValue(source: string): string {
  return source.slice(source.indexOf('=') + 1).trim()
}

function spacesOf(info: Known | undefined): readonly string[] {
  const written = /^(\s*)[^=]*?(\s*)=(\s*)(?:\S|$)/.exec(info?.src ?? '')
  if (written !== null) return [...written.slice(1), /\s*$/.exec(info!.src!)![0]]
  return Array.isArray(info?.spc) ? info.spc.map(one => (/^\s*$/.test(one) ? one : '')) : []
}

/** A value with an equals sign has to be named, unless the sign lies where it is no part of the call: attributes of HTML count. */
function needsName(wikitext: string, isKnown: boolean): boolean {
  if (isKnown || wikitext.length > longestValue) return outside(wikitext).includes('=')
  const open = wikitext.replace(shielded, (match, tag?: string) =>
    tag !== undefined && isAllowedTag(tag) ? match.replace(braced, '') : '',
  )
  return open.includes('=')
}

/** A pipe in a value would begin another one. */
function escaped(wikitext: string): string {
  if (wikitext.length > longestValue) return wikitext
  if (isUnbalanced(wikitext)) return `<nowiki>${wikitext}</nowiki>`
  return outside(wikitext).includes('|') ? protect(wikitext) : wikitext
}

/** Brackets that others would be taken with. */
function isUnbalanced(wikitext: string): boolean {
  if (!/\[\[|\]\]|\{\{|\}\}/.test(wikitext) || /<nowiki/i.test(wikitext)) return false
  const count = (sign: string): number => wikitext.split(sign).length
  return count('[[') !== count(']]') || count('{{') !== count('}}')
}

/** Longest value, UTF-16 units, that is looked into: a longer one is named where it has an equals sign, and written as it is. */
const longestValue = 50_000

/** What hides an equals sign in a tag of HTML, too. */
const braced = /\{\{\{?(?:[^{}]|\{\{[^{}]*\}\})*\}\}\}?|<nowiki>[\s\S]*?<\/nowiki>|<!--[\s\S]*?-->/gi

const shielded =
  /\{\{\{?(?:[^{}]|\{\{[^{}]*\}\})*\}\}\}?|\[\[(?:[^[\]]|\[\[[^[\]]*\]\])*\]\]|<([a-z]+)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi

/** A text without what pipes and equals signs are safe in. */
function outside(wikitext: string): string {
  if (!/[|=]/.test(wikitext)) return ''
  return wikitext.length > longestValue ? wikitext : wikitext.replace(shielded, '')
}

function protect(wikitext: string): string {
  let out = ''
  let at = 0
  for (const match of wikitext.matchAll(shielded)) {
    out += wikitext.slice(at, match.index).replaceAll('|', '{{!}}') + match[0]
    at = match.index + match[0].length
  }
  return out + wikitext.slice(at).replaceAll('|', '{{!}}')
}
