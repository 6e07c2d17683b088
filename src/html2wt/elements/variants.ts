/** Writes language variants. */

import type { ElementNode } from '../../wikitext/tree/node.ts'
import type { Context } from '../context.ts'
import { isNew } from '../node-queries.ts'
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
    writer.children(inner, writer.parse(html), { ...context, term: false })
    return html.includes('<') ? finish(inner) : shielded(finish(inner), data.disabled ? /\}-/ : /;|=>|\}-/)
  }
  const given = node.data.parsoid?.fl
  const shape = {
    isRaw: Array.isArray(given) && given.includes('R'),
    isShown: node.name !== 'meta',
    spaces: spacesOf(node.data.parsoid?.tSp),
    isSpaced: isNew(node),
  }
  write(writer, `-{${ruleText(data, source, shape)}}-`)
}

/** Escapes text that would be read as part of the rule. */
function shielded(text: string, signs: RegExp): string {
  return signs.test(text) && !text.startsWith('<nowiki>') ? `<nowiki>${text}</nowiki>` : text
}

function language(code: string): string {
  return shielded(code, /[;:|]/)
}

function readVariant(json: string): Variant {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

interface Shape {
  /** False for a rule that only takes effect elsewhere. */
  readonly isShown: boolean
  readonly isSpaced: boolean
  /** White space at the positions of the source where a rule may have some. */
  readonly spaces: readonly string[]
  /** True if the source contains the flag itself. */
  readonly isRaw: boolean
}

/** Unpacks the white space of `tSp`, where a number stands for that many empty texts. */
function spacesOf(packed: unknown): string[] {
  const items: unknown[] = Array.isArray(packed) ? packed.slice(0, 1000) : []
  return items.flatMap(item =>
    typeof item === 'number' ? Array<string>(Math.max(0, Math.min(item, 1000))).fill('') : blank(item),
  )
}

function blank(value: unknown): string {
  return typeof value === 'string' && /^\s*$/.test(value) ? value : ''
}

/** Three spaces of each rule: before the language, before and after the colon. A further one follows a last semicolon. */
function twowayText(
  rules: readonly Rule[],
  source: (html: string) => string,
  { isSpaced, spaces }: Pick<Shape, 'isSpaced' | 'spaces'>,
): string {
  const texts = rules.map(({ l, t }, index) => {
    if (l === '*') return source(t)
    const [before, middle, after] =
      3 * index + 2 < spaces.length ? spaces.slice(3 * index) : [isSpaced && index > 0 ? ' ' : '', '', '']
    return `${before}${language(l)}${middle}:${after}${source(t)}`
  })
  const isClosed = rules.length > 0 && rules.at(-1)!.l !== '*' && spaces.length > 3 * rules.length
  return texts.join(';') + (isClosed ? `;${spaces[3 * rules.length]}` : '')
}

function ruleText(data: Variant, source: (html: string) => string, shape: Shape): string {
  const { isShown, isRaw } = shape
  if (data.filter) return `${[...data.filter.l].join(';')}|${source(data.filter.t)}`
  if (data.name) return `N|${data.name.t}`
  const flags = flagsOf(data, isShown)
  const oneway = (data.oneway ?? []).map(
    ({ f, l, t }) => `${shielded(f ?? '', /[;:|]|=>/)}=>${language(l)}:${source(t)}`,
  )
  const rules = [oneway.join(';'), twowayText(data.twoway ?? [], source, shape)].filter(text => text !== '')
  const text = rules.length > 0 ? rules.join(';') : data.disabled ? source(data.disabled.t) : ''
  if (flags !== '') return `${flags}|${text}`
  return data.disabled && (isRaw || /[|:;]/.test(text)) ? `R|${text}` : text
}

/** Lists the flags in the usual order: add and show, add and hide, describe only. */
function flagsOf({ add, remove, title, describe }: Variant, isShown: boolean): string {
  if (remove) return '-'
  const isVisible = isShown !== (describe === true)
  const isHidden = add ? !isVisible : !isShown && !title && !describe
  const flags = [title ? 'T' : '', add && isVisible ? 'A' : '', describe ? 'D' : '', isHidden ? 'H' : '']
  return flags.filter(flag => flag !== '').join(';')
}
