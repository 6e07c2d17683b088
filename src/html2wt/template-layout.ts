/** Preferred formatting of a template's calls. Source: TemplateData's specification, "format" and "paramOrder". */

import { parseTitle, type TitleRules } from '../core/title.ts'

/** Formatting of a template's calls, from its TemplateData. */
export interface TemplateLayout {
  /** `inline`, `block`, or a picture of a call such as `{{_\n| _ = _\n}}`; null if it says nothing. */
  readonly format: string | null
  /** Names of parameters in their order; empty where it says nothing. */
  readonly order: readonly string[]
  /** Other names of parameters, to the names that `order` has. */
  readonly aliases: ReadonlyMap<string, string>
}

/** A parsed format: the text around the underscores that stand for a name, a parameter and its value. */
export interface CallFormat {
  /** True if the call begins a line, or ends one. */
  readonly startsLine: boolean
  readonly endsLine: boolean
  readonly start: string
  readonly name: string
  readonly value: string
  readonly end: string
}

const pictures: ReadonlyMap<string, string> = new Map([
  ['inline', '{{_|_=_}}'],
  ['block', '{{_\n| _ = _\n}}'],
])

/** Reads a format; null for one that is none. */
export function parseFormat(format: string | null): CallFormat | null {
  const picture = format === null ? '' : (pictures.get(format.toLowerCase()) ?? format)
  const match = /^(\n?)(\{\{ *_+)(\n? *\|\n? *_+ *= *)(_+)(\n? *\}\})(\n?)$/.exec(picture)
  if (match === null || picture.length > longestPicture) return null
  const [, before, start, name, value, end, after] = match
  return { startsLine: before !== '', endsLine: after !== '', start: start!, name: name!, value: value!, end: end! }
}

const longestPicture = 500

/** Puts a text where the underscores stand, as wide as they are at least; nothing where there is no text. */
export function fill(picture: string, text: string): string {
  return picture.replace(/_+/, hole => (text === '' ? '' : text.padEnd(hole.length)))
}

/** Sorts new parameters in among those that stand where they are: each after the one that TemplateData has before it. */
export function placeNew(placed: readonly string[], added: readonly string[], layout: TemplateLayout): string[] {
  const rankOf = (key: string): number => layout.order.indexOf(layout.aliases.get(key) ?? key)
  const ranked = added.filter(key => rankOf(key) >= 0).sort((a, b) => rankOf(a) - rankOf(b))
  const out = [...placed]
  for (const key of ranked) {
    const before = out.findLastIndex(other => rankOf(other) >= 0 && rankOf(other) <= rankOf(key))
    const after = out.findIndex(other => rankOf(other) > rankOf(key))
    out.splice(before >= 0 ? before + 1 : after >= 0 ? after : out.length, 0, key)
  }
  return [...out, ...added.filter(key => rankOf(key) < 0)]
}

/** The target of a template call in `data-mw`. */
export interface CallTarget {
  readonly wt?: unknown
  readonly href?: unknown
}

/** The key of the template's page; null if the call names none. */
export function templateKey({ href, wt }: CallTarget, rules: TitleRules): string | null {
  const isAddress = typeof href === 'string' && href.startsWith('./')
  const title = isAddress ? decoded(href.slice(2)) : wt
  if (typeof title !== 'string' || title.length > longestTitle) return null
  try {
    return parseTitle(title, rules, isAddress ? 0 : templates).key
  } catch {
    return null
  }
}

/** Id of the namespace that a call means where it names none. */
const templates = 10
const longestTitle = 1000

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Templates of one HTML that are asked for. */
const maximumTemplates = 500

/**
 * Lists the keys of the templates that HTML calls: all of them, or those that it calls otherwise than the original does.
 * A wiki has to say how these are laid out.
 */
export function calledTemplates(
  html: string,
  { rules, original }: { readonly rules: TitleRules; readonly original?: string | undefined },
): string[] {
  const known = new Set(original === undefined ? [] : callsIn(original))
  const keys = new Set<string>()
  for (const call of callsIn(html)) {
    if (keys.size >= maximumTemplates) break
    if (!known.has(call)) for (const target of targetsIn(call)) keys.add(templateKey(target, rules) ?? '')
  }
  keys.delete('')
  return [...keys]
}

const references: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}

function* callsIn(html: string): Generator<string> {
  for (const [, double, single] of html.matchAll(/\sdata-mw\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const json = (double ?? single)!.replace(/&(?:quot|apos|lt|gt|amp|#3[49]);/g, reference => references[reference]!)
    if (json.includes('"template"')) yield json
  }
}

function targetsIn(json: string): CallTarget[] {
  try {
    const { parts } = JSON.parse(json) as { parts?: unknown }
    if (!Array.isArray(parts)) return []
    return parts.flatMap((part: { template?: { target?: CallTarget } } | null) => part?.template?.target ?? [])
  } catch {
    return []
  }
}
