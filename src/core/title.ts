/** Titles: maps any text that a user or a link contains to the unique key of a page. */

import { WikiError } from './errors.ts'
import { type Namespace, namespaceIds, namespaceNames, namespacesOf } from './namespaces.ts'
import { capitalizeTitle, foldTitle, trimUnderscores, underscoreTitle } from './title-text.ts'
import type { WikiConfig } from './wiki-config.ts'

export { foldTitle } from './title-text.ts'

/** A legal title of a page or file. */
export interface Title {
  readonly namespace: number
  /** In URL form, with underscores and the canonical namespace name. It identifies the page. */
  readonly key: string
  /** In reading form, with spaces and the canonical namespace name. */
  readonly text: string
  /** The key without its namespace. */
  readonly name: string
  /** Fragment after `#` with spaces; "" if there is none. The key and the text do not contain it. */
  readonly fragment: string
}

/** A wiki's rules for parsing titles, created by `titleRules`. */
export interface TitleRules {
  readonly namespaces: ReadonlyMap<number, Namespace>
  /** Namespace id by folded name or alias. */
  readonly idsByName: ReadonlyMap<string, number>
  /** Folded prefixes of other wikis. */
  readonly foreignPrefixes: ReadonlySet<string>
  readonly capitalization: WikiConfig['capitalization']
  /** Language of the content, whose words a redirect may begin with. */
  readonly language: string
}

/** Maximum UTF-8 bytes of a title after its namespace. */
const maxTitleBytes = 255

/** Patterns that no title may match, checked without the fragment. */
const illegalNames: readonly [pattern: RegExp, reason: string][] = [
  [/[<>[\]{}|]/, 'it has one of < > [ ] { } |'],
  [/\p{Cc}/u, 'it has a control character'],
  [/%[0-9A-Fa-f]{2}/, 'it has a percent sign before two hexadecimal digits'],
  [/~~~/, 'it has three tildes in a row'],
  [/(?:^|\/)\.{1,2}(?:\/|$)/, 'a part of it between slashes is . or ..'],
  [/^:/, 'it begins with a colon'],
]
/** Titles of these characters match none of the patterns. A namespace's name ends with a colon. */
const harmless = /^[\w,()'-]+$/
const brokenText = /[\p{Surrogate}\ufffd-\uffff]/u
/** Longer texts are refused without parsing. */
const maxLength = 20_000

/** Cached rules: settings are immutable, and many pages share them. */
const prepared = new WeakMap<WikiConfig, TitleRules>()

/** Creates the rules for the titles of a wiki. */
export function titleRules(config: WikiConfig): TitleRules {
  const rules = prepared.get(config) ?? prepareRules(config)
  prepared.set(config, rules)
  return rules
}

function prepareRules(config: WikiConfig): TitleRules {
  const namespaces = namespacesOf(config)
  const names = namespaceNames(namespaces.values()).map(([name, id]) => [foldTitle(name), id] as const)
  const prefixes = [...Object.keys(config.interwiki), ...Object.keys(config.languages)]
  return {
    namespaces,
    idsByName: new Map(names),
    foreignPrefixes: new Set(prefixes.map(foldTitle)),
    capitalization: config.capitalization,
    language: config.language,
  }
}

/**
 * Parses a title as written by users and in links. Without a namespace it belongs to the default one. Parsing a key or
 * a text again gives the same title. Throws `rest-invalid-title` if it cannot be the title of a page or file.
 *
 * Source: MediaWiki MediaWikiTitleCodec::splitTitleString, REST behaviour of 1.43.
 */
export function parseTitle(text: string, rules: TitleRules, defaultNamespace = 0): Title {
  const read = readTitle(text, rules, defaultNamespace)
  if (typeof read === 'object') return read
  const shown = text.length > 300 ? `${text.slice(0, 300)}…` : text
  throw new WikiError('rest-invalid-title', { params: [shown, read] })
}

/** Parses a title as `parseTitle` does; returns null for an invalid one. A thrown error would take most of the time. */
export function possibleTitle(text: string, rules: TitleRules, defaultNamespace = 0): Title | null {
  const read = readTitle(text, rules, defaultNamespace)
  return typeof read === 'object' ? read : null
}

/** Returns the title, or the reason why it is invalid. */
function readTitle(text: string, rules: TitleRules, defaultNamespace: number): Title | string {
  if (text.length > maxLength) return 'it is too long'
  if (brokenText.test(text)) return 'it is not valid Unicode'
  const split = splitNamespace(text, rules, defaultNamespace)
  if (typeof split === 'string') return split
  const { namespace, rest } = split
  const hash = rest.indexOf('#')
  const body = trimUnderscores(hash === -1 ? rest : rest.slice(0, hash))
  const name = rules.capitalization === 'first-letter' ? capitalizeTitle(body) : body
  const reason = illegalReason(name, namespace, rules)
  if (reason !== undefined) return reason
  const fragment = hash === -1 ? '' : rest.slice(hash + 1).replaceAll('_', ' ')
  const prefix = rules.namespaces.get(namespace)!.name
  const key = prefix === '' ? name : `${prefix}:${name}`
  return { namespace, key, text: key.replaceAll('_', ' '), name, fragment }
}

/** Finds the namespace with this name or alias, in any case; undefined if there is none. */
export function findNamespace(name: string, rules: TitleRules): number | undefined {
  return rules.idsByName.get(foldTitle(trimUnderscores(underscoreTitle(name))))
}

/** Returns the namespace of a canonical key. */
export function namespaceOfKey(key: string, rules: TitleRules): number {
  const colon = key.indexOf(':')
  return (colon < 1 ? undefined : findNamespace(key.slice(0, colon), rules)) ?? namespaceIds.main
}

/** The beginning of a title, as typed. */
export interface TitlePrefix {
  /** Null if the text names none. */
  readonly namespace: number | null
  /** Beginning of the key behind the namespace; a final underscore stays. */
  readonly name: string
}

/** Reads the beginning of a title: its namespace and the beginning of its name, without a fragment. Never throws. */
export function titlePrefix(text: string, rules: TitleRules): TitlePrefix {
  const typed = underscoreTitle(text.slice(0, maxLength))
    .replace(/^_?:?_?/, '')
    .replace(/#.*$/s, '')
  const colon = typed.indexOf(':')
  const id = colon === -1 ? undefined : findNamespace(typed.slice(0, colon), rules)
  const name = id === undefined ? typed : typed.slice(colon + 1).replace(/^_/, '')
  return {
    namespace: id === undefined ? null : id === namespaceIds.media ? namespaceIds.file : id,
    name: rules.capitalization === 'first-letter' ? capitalizeTitle(name) : name,
  }
}

/** Folds a typed prefix for a search among folded titles: the namespace becomes the canonical one. Never throws. */
export function foldTitlePrefix(text: string, rules: TitleRules): string {
  const { namespace, name } = titlePrefix(text, rules)
  return foldTitle(namespace === null ? name : `${rules.namespaces.get(namespace)!.name}:${name}`)
}

function splitNamespace(
  text: string,
  rules: TitleRules,
  defaultNamespace: number,
): { namespace: number; rest: string } | string {
  const typed = trimUnderscores(underscoreTitle(text))
  const isMain = typed.startsWith(':')
  const rest = isMain ? trimUnderscores(typed.slice(1)) : typed
  const prefix = prefixOf(rest)
  const id = prefix === undefined ? undefined : findNamespace(prefix, rules)
  if (id === undefined) {
    if (prefix !== undefined && isForeign(prefix, rules)) return 'it leads to another wiki'
    return { namespace: isMain ? namespaceIds.main : defaultNamespace, rest }
  }
  if (id === namespaceIds.special) return 'special pages are not pages of the wiki'
  const namespace = id === namespaceIds.media ? namespaceIds.file : id
  return { namespace, rest: trimUnderscores(rest.slice(rest.indexOf(':') + 1)) }
}

/** Returns the text before the first colon, unless the text starts with it. */
function prefixOf(text: string): string | undefined {
  const colon = text.indexOf(':')
  return colon > 0 ? text.slice(0, colon) : undefined
}

function isForeign(prefix: string, rules: TitleRules): boolean {
  return rules.foreignPrefixes.has(foldTitle(trimUnderscores(prefix)))
}

function illegalReason(name: string, namespace: number, rules: TitleRules): string | undefined {
  if (name.length <= maxTitleBytes && harmless.test(name)) return undefined
  if (name === '') return namespace === namespaceIds.main ? 'it is empty' : 'it names only a namespace'
  if (Buffer.byteLength(name) > maxTitleBytes) return `it is longer than ${maxTitleBytes} bytes`
  const prefix = namespace === namespaceIds.talk ? prefixOf(name) : undefined
  if (prefix !== undefined && (findNamespace(prefix, rules) !== undefined || isForeign(prefix, rules))) {
    return 'a talk page belongs to a page of the main namespace'
  }
  return illegalNames.find(([pattern]) => pattern.test(name))?.[1]
}

/** Returns the reading form of a title's key. */
export function textOfKey(key: string): string {
  return key.replaceAll('_', ' ')
}
