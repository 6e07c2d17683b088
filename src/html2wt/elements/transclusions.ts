/** Templates, arguments and parser functions, from `data-mw`. */

import type { ElementNode } from '../../wikitext/tree/node.ts'
import { pageContext } from '../context.ts'
import {
  type CallFormat,
  type CallTarget,
  fill,
  parseFormat,
  placeNew,
  type TemplateLayout,
  templateKey,
} from '../template-layout.ts'
import { finish, gapText, innerWriter, type Writer, write } from '../writer.ts'
import { escaped, needsName, withoutOpenEnd } from './call-values.ts'

interface Parameter {
  readonly wt?: string
  readonly html?: string
  readonly key?: { readonly wt?: string }
  readonly eq?: boolean
  /** Position among all parameters, counted from 1. */
  readonly order?: number
}

interface Call {
  readonly target?: CallTarget & { readonly wt?: string; readonly key?: string; readonly function?: string }
  readonly params?: Readonly<Record<string, Parameter>>
}

/** Formatting of one parameter, from `pi` of `data-parsoid`. */
interface ParameterFormat {
  readonly k?: string
  readonly named?: boolean
  /** Spaces before and after the name, then before and after the value. */
  readonly spc?: readonly string[]
  /** Source of the whole parameter. */
  readonly src?: string
}

/** One part of a transclusion, with its recorded formatting. */
interface Part {
  readonly call: Call
  readonly formats: readonly ParameterFormat[]
  /** The template's preferred layout, used for changed calls. */
  readonly layout: TemplateLayout | undefined
}

/** Writes the parts of a transclusion. */
export function transclusion(writer: Writer, node: ElementNode): void {
  const parts = node.data.mw?.parts
  if (!Array.isArray(parts)) {
    const source = node.data.parsoid?.src
    write(writer, typeof source === 'string' ? source : '')
    return
  }
  const isBracketed = node.name === 'a' && gapText(writer) === '' && writer.tail.endsWith('[')
  write(writer, partsText(writer, node, parts))
  writer.isAddressOpen ||= isBracketed
}

function partsText(writer: Writer, node: ElementNode, parts: readonly unknown[]): string {
  const twin = writer.original?.twins.get(node)
  const before = twin?.kind === 'element' ? twin : undefined
  const pi = node.data.parsoid?.pi ?? before?.data.parsoid?.pi
  const formats = formatsOf(pi)
  let out = ''
  let index = 0
  for (const part of parts) {
    if (typeof part === 'string') out += part
    if (typeof part !== 'object' || part === null) continue
    const { template, templatearg, parserfunction } = part as Record<string, Call | undefined>
    const list = formats[index] ?? []
    const isAsItWas = before === undefined ? pi !== undefined : isSamePart(part, before, index)
    index++
    if (templatearg) out += `{{{${callText(writer, { call: templatearg, formats: list, layout: undefined })}}}}`
    else if (parserfunction)
      out += `{{${functionText(writer, { call: parserfunction, formats: list, layout: undefined }, colonOf(node))}}}`
    else {
      const call = template ?? {}
      const layout = isAsItWas ? undefined : layoutOf(writer, call)
      out += templateText(writer, { call, formats: list, layout }, { before: out, colon: colonOf(node) })
    }
  }
  return out
}

/** The colon after a function's name may be full-width. */
function colonOf({ data }: ElementNode): string {
  return data.parsoid?.colon === '：' ? '：' : ':'
}

function formatsOf(pi: unknown): ParameterFormat[][] {
  const lists: unknown[] = Array.isArray(pi) ? pi : []
  return lists.map(list => (Array.isArray(list) ? list.filter(isObject) : []))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Returns a string unchanged and "" for any other value. */
function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isSamePart(part: object, before: ElementNode, index: number): boolean {
  const parts = before.data.mw?.parts
  const calls = Array.isArray(parts) ? parts.filter(one => typeof one === 'object') : []
  return JSON.stringify(part) === JSON.stringify(calls[index])
}

function layoutOf({ site, layouts }: Writer, { target }: Call): TemplateLayout | undefined {
  const key = layouts.size === 0 || target === undefined ? null : templateKey(target, site.rules)
  return key === null ? undefined : layouts.get(key)
}

/** Writes a changed call in the layout that its template prefers, if it states one. */
function templateText(
  writer: Writer,
  part: Part,
  { before, colon }: { readonly before: string; readonly colon: string },
): string {
  const format = parseFormat(part.layout?.format ?? null)
  if (format === null) return `{{${callText(writer, part, colon)}}}`
  const isAtStart = before === '' ? writer.isLineStart || gapText(writer).endsWith('\n') : before.endsWith('\n')
  return `${format.startsLine && !isAtStart ? '\n' : ''}${formatted(writer, part, format)}${format.endsLine ? '\n' : ''}`
}

function formatted(writer: Writer, part: Part, format: CallFormat): string {
  let out = fill(format.start, textIn(part.call.target?.wt).trim())
  const parameters = parametersOf(writer, part)
  for (const { name, value, source } of parameters) {
    if (name === null) out += `|${value}`
    else if (source?.includes('<!--')) out += `${format.name.startsWith('\n') ? '\n' : ''}|${source.trimEnd()}`
    else
      out += `${withoutDouble(fill(name === '' ? '|_=' : format.name, name.trim()), out)}${fill(format.value, value.trim())}`
  }
  return out + (parameters.length === 0 ? format.end.trim() : withoutDouble(format.end, out))
}

function withoutDouble(text: string, before: string): string {
  return before.slice(before.trimEnd().length).includes('\n') ? text.replace(/^\n/, '') : text
}

function callText(writer: Writer, part: Part, colon = ':'): string {
  const given = textIn(part.call.target?.wt)
  const target = part.call.target?.function === undefined ? given : given.replace(':', colon)
  const parameters = parametersOf(writer, part).map(writtenParameter)
  return [
    target,
    ...parameters.map((text, index) => (index === parameters.length - 1 ? withoutOpenEnd(text) : text)),
  ].join('|')
}

function functionText(writer: Writer, part: Part, colon: string): string {
  const [first, ...rest] = parametersOf(writer, part, key => !/\D/.test(key)).map(writtenParameter)
  const { wt, key } = part.call.target ?? {}
  const name = textIn(wt ?? key)
  return first === undefined ? name : `${name}${colon}${[first, ...rest].join('|')}`
}

type Entry = readonly [key: string, value: Parameter, format: ParameterFormat | undefined]

/** A parameter to write. `name` is null if its position implies it; `source` is its original text. */
interface WrittenParameter {
  readonly name: string | null
  readonly value: string
  readonly source: string | null
  readonly format: ParameterFormat | undefined
}

/** Lists the parameters in order. Unnamed ones are counted; one that breaks the count needs its number. */
function parametersOf(
  writer: Writer,
  { call, formats, layout }: Part,
  isPlain?: (key: string) => boolean,
): WrittenParameter[] {
  const isFunction = call.target?.function !== undefined
  let next = 1
  return ordered(paramsOf(writer, call), formats, layout).map(([key, value, format]) => {
    const isNext = format !== undefined || Number(key) === next
    const isUnnamed = isPlain === undefined ? isFunction && !/\D/.test(key) : isPlain(key)
    const written = parameter(key, value, { format, isFunction: isUnnamed, isNext })
    if (written.name === null) next++
    return written
  })
}

/** Reads parameters from a client, which may be any JSON. Values in HTML are converted to wikitext. */
function paramsOf(writer: Writer, { params }: Call): [string, Parameter][] {
  return Object.entries(params ?? {}).flatMap(([key, value]) => {
    if (!isObject(value)) return []
    const { wt, html } = value
    if (typeof wt === 'string' || (wt === undefined && typeof html !== 'string')) return [[key.trim(), value]]
    return [[key.trim(), { ...value, wt: wt === undefined ? innerText(writer, html as string) : String(wt) }]]
  })
}

function innerText(writer: Writer, html: string): string {
  const inner = innerWriter(writer)
  writer.children(inner, writer.parse(html), pageContext)
  return finish(inner)
}

/**
 * Sorts the parameters: existing ones as in the page, then new ones at the end or where the template's layout puts
 * them.
 */
function ordered(
  params: readonly [string, Parameter][],
  formats: readonly ParameterFormat[],
  layout?: TemplateLayout,
): Entry[] {
  const rest = new Map(params)
  const found: Entry[] = []
  const last = new Map(formats.map((format, index) => [format.k ?? '', index]))
  formats.forEach((format, index) => {
    const key = format.k ?? ''
    const value = rest.get(key)
    // Of two parameters with the same name the last one wins; the earlier one keeps its position.
    if (last.get(key) !== index && format.src !== undefined) {
      if (value !== undefined) found.push([key, {}, format])
      return
    }
    if (value === undefined) return
    rest.delete(key)
    found.push([key, value, format])
  })
  const fresh = [...rest].map(([key, value]): Entry => [key, value, undefined])
  fresh.sort((one, other) => placeOf(one) - placeOf(other))
  if (layout === undefined) return [...found, ...fresh]
  const keys = placeNew(
    [...new Set(found.map(([key]) => key))],
    fresh.map(([key]) => key),
    layout,
  )
  return keys.flatMap(key => {
    const value = rest.get(key)
    return value === undefined ? found.filter(([name]) => name === key) : [[key, value, undefined] as const]
  })
}

/** Returns the sort key of a new parameter. Without a position numbers come first, as in any object. */
function placeOf([key, { order }]: Entry): number {
  if (typeof order === 'number') return order
  return /^[1-9]\d*$/.test(key) ? Number(key) : Number.MAX_SAFE_INTEGER
}

function parameter(
  key: string,
  value: Parameter,
  { format, isFunction, isNext }: { format: ParameterFormat | undefined; isFunction: boolean; isNext: boolean },
): WrittenParameter {
  const wikitext = value.wt ?? ''
  const isNumbered = /^[1-9]\d*$/.test(key) && format?.named !== true && value.eq !== true && value.key === undefined
  const plain = { name: null, source: null, format }
  if (isFunction || (isNumbered && isNext && !needsName(wikitext, format !== undefined)))
    return { ...plain, value: escaped(wikitext) }
  if (isNumbered && format !== undefined && !/[<[{]/.test(wikitext))
    return { ...plain, value: `<nowiki>${wikitext}</nowiki>` }
  const isAsItWas = format?.src !== undefined && (value.wt === undefined || writtenValue(format.src) === wikitext)
  const name = typeof value.key?.wt === 'string' ? value.key.wt : key.replace(/^=\d+=/, '')
  return { name, value: escaped(wikitext), source: isAsItWas ? format.src! : null, format }
}

function writtenParameter({ name, value, source, format }: WrittenParameter): string {
  if (name === null) return value
  if (source !== null) return source
  const [a = '', b = '', c = '', d = ''] = spacesOf(format)
  return `${a}${name}${b}=${c}${value}${d}`
}

function writtenValue(source: string): string {
  return source.slice(source.indexOf('=') + 1).trim()
}

function spacesOf(format: ParameterFormat | undefined): readonly string[] {
  const source = format?.src ?? ''
  const at = source.indexOf('=')
  if (at !== -1) return spacesAround(source.slice(0, at), source.slice(at + 1))
  return Array.isArray(format?.spc) ? format.spc.map(one => (/^\s*$/.test(one) ? one : '')) : []
}

/** Returns the white space before and after a name and a value. */
function spacesAround(name: string, value: string): string[] {
  const start = name.slice(0, name.length - name.trimStart().length)
  const valueStart = value.slice(0, value.length - value.trimStart().length)
  const end = value.slice(value.trimEnd().length)
  return [start, name.slice(Math.max(start.length, name.trimEnd().length)), valueStart, end]
}
