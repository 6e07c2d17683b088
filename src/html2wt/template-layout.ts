/** Preferred layout of a template's calls. Source: TemplateData's specification, "format" and "paramOrder". */

import { parseTitle, type TitleRules } from '../core/title.ts'

/** Layout of a template's calls, from its TemplateData. */
export interface TemplateLayout {
  /** `inline`, `block`, or a pattern of a call such as `{{_\n| _ = _\n}}`; null if unspecified. */
  readonly format: string | null
  /** Names of parameters in order; empty if unspecified. */
  readonly order: readonly string[]
  /** Aliases of parameters, to the names in `order`. */
  readonly aliases: ReadonlyMap<string, string>
}

/** A parsed format: the text around the underscores that stand for a name, a parameter and its value. */
export interface CallFormat {
  /** True if the call starts on its own line, or ends one. */
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

/** Parses a format; null if it is not valid. */
export function parseFormat(format: string | null): CallFormat | null {
  const picture = format === null ? '' : (pictures.get(format.toLowerCase()) ?? format)
  const match = /^(\n?)(\{\{ *_+)(\n? *\|\n? *_+ *= *)(_+)(\n? *\}\})(\n?)$/.exec(picture)
  if (match === null || picture.length > longestPicture) return null
  const [, before, start, name, value, end, after] = match
  return { startsLine: before !== '', endsLine: after !== '', start: start!, name: name!, value: value!, end: end! }
}

const longestPicture = 500

/** Replaces the underscores with a text, padded to their width. An empty text removes them. */
export function fill(picture: string, text: string): string {
  return picture.replace(/_+/, hole => (text === '' ? '' : text.padEnd(hole.length)))
}

/** Inserts new parameters between those in place, each after its predecessor in TemplateData. */
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

/** Returns the key of the template's page; null if the call names none. */
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

/** Id of the namespace of a call without a prefix. */
const templates = 10
const longestTitle = 1000

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Maximum number of templates looked up for one HTML document. */
const maxTemplates = 500

/**
 * Lists the keys of templates whose layout is needed: of all calls, or of those that differ from the original. The wiki
 * looks up their layouts.
 */
export function calledTemplates(
  html: string,
  { rules, original }: { readonly rules: TitleRules; readonly original?: string | undefined },
): string[] {
  const callsBefore = new Set(original === undefined ? [] : callsIn(original))
  const keys = new Set<string>()
  for (const call of callsIn(html)) {
    if (keys.size >= maxTemplates) break
    if (callsBefore.has(call)) continue
    callsBefore.add(call)
    for (const target of targetsIn(call)) keys.add(templateKey(target, rules) ?? '')
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

/** Maximum length of a call whose template is looked up. A longer one gets the usual layout. */
const longestCall = 256 * 1024

function* callsIn(html: string): Generator<string> {
  for (const [, double, single] of html.matchAll(/\sdata-mw\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const written = (double ?? single)!
    if (written.length > longestCall) continue
    const json = written.replace(/&(?:quot|apos|lt|gt|amp|#3[49]);/g, reference => references[reference]!)
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
