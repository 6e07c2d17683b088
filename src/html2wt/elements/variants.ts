/** What a page says for each variant of its language. */

import type { ElementNode } from '../../wikitext/tree/node.ts'
import type { Context } from '../context.ts'
import { finish, innerWriter, type Writer, write } from '../writer.ts'

interface Rule {
  readonly f?: string
  readonly l: string
  readonly t: string
}

interface Variant {
  readonly disabled?: { readonly t: string }
  readonly name?: { readonly t: string }
  readonly filter?: { readonly l: readonly string[]; readonly t: string }
  readonly twoway?: readonly Rule[]
  readonly oneway?: readonly Rule[]
  readonly add?: boolean
  readonly remove?: boolean
  readonly title?: boolean
  readonly describe?: boolean
}

/** Writes `-{ ... }-`. */
export function variant(writer: Writer, node: ElementNode, context: Context): void {
  const data = readVariant(node.attributes.get('data-mw-variant') ?? '')
  const source = (html: string): string => {
    const inner = innerWriter(writer)
    writer.children(inner, writer.parse(html), context)
    return finish(inner)
  }
  write(writer, `-{${ruleText(data, source)}}-`)
}

function readVariant(json: string): Variant {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function ruleText(data: Variant, source: (html: string) => string): string {
  if (data.filter) return `${[...data.filter.l].join(';')}|${source(data.filter.t)}`
  if (data.name) return `N|${data.name.t}`
  const flags = flagsOf(data)
  const rules = [
    ...(data.oneway ?? []).map(({ f, l, t }) => `${f ?? ''}=>${l}:${source(t)}`),
    ...(data.twoway ?? []).map(({ l, t }) => (l === '*' ? source(t) : `${l}:${source(t)}`)),
  ]
  const text =
    rules.length > 0
      ? rules.join(';') + (rules.length > 1 || data.oneway ? ';' : '')
      : data.disabled
        ? source(data.disabled.t)
        : ''
  if (flags !== '') return `${flags}|${text}`
  return data.disabled && /[|:;]/.test(text) ? `R|${text}` : text
}

function flagsOf({ add, remove, title, describe, twoway, oneway }: Variant): string {
  const hasRules = twoway !== undefined || oneway !== undefined
  if (remove) return '-'
  if (title && add) return 'T;A'
  if (title) return 'T'
  if (add && describe) return 'H;D'
  if (add && hasRules) return 'H'
  return describe ? 'D' : ''
}
