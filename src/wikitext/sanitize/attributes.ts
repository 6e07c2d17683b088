/** Sanitises the attributes that a page wrote for an element. */

import { attributesOf } from './allowed.ts'
import { safeCss } from './css.ts'
import { escapeId, escapeIdList } from './ids.ts'
import { isSafeUrl } from './urls.ts'

/** Attributes of an element after cleaning. */
export interface CleanAttributes {
  /** Attributes of the element, in source order. */
  readonly allowed: Map<string, string>
  /** Attributes that differ from the source, by their name there: the new value, null if it was removed. */
  readonly changed: Map<string, string | null>
}

/** Attributes that the engine uses itself. A page's own are kept under another name. Source: Parsoid's tokenizer. */
const engineAttribute = /^(?:about|data-mw.*|data-parsoid.*|data-x.*|data-object-id|property|rel|typeof)$/
const engineAttributePrefix = 'data-x-'

/** Data attributes that scripts of MediaWiki act on. */
const reservedData = /^data-(?:ooui|mw|parsoid)/
const dataAttribute = /^data-[-_.\p{L}\p{N}]*$/u
const namespaceAttribute = /^xmlns:[-:\w.]+$/

/** Values that may contain a script's address. */
const scriptAddress = /(?:^|\s|\*\/)(?:javascript|vbscript)(?:\W|$)/i

type Check = (value: string) => string | null

const unlessScript: Check = value => (scriptAddress.test(value) ? null : value)
const asIdList: Check = escapeIdList

/** Cleaning of single attributes: each returns the safe value, or null to drop the attribute. */
const checks: ReadonlyMap<string, Check> = new Map([
  ['style', safeCss],
  ['id', value => escapeId(value) || null],
  ['tabindex', value => (value === '0' ? value : null)],
  ['href', value => (isSafeUrl(value) ? value : null)],
  ['aria-describedby', asIdList],
  ['aria-flowto', asIdList],
  ['aria-labelledby', asIdList],
  ['aria-owns', asIdList],
  ...['datatype', 'resource', 'itemid', 'itemprop', 'itemref', 'itemscope', 'itemtype'].map(
    name => [name, unlessScript] as const,
  ),
])

/** Attributes that only have an effect beside `itemscope`. */
const scopedNames = ['itemtype', 'itemid', 'itemref']

/**
 * Sanitises the attributes of an element; values are decoded already. Of a repeated name the last one counts.
 *
 * Source: MediaWiki Sanitizer::validateAttributes, Parsoid Sanitizer::sanitizeTagAttrs.
 */
export function sanitizeAttributes(tag: string, attributes: Iterable<readonly [string, string]>): CleanAttributes {
  const clean: CleanAttributes = { allowed: new Map(), changed: new Map() }
  for (const [source, value] of attributes) {
    const name = targetName(source.toLowerCase())
    const cleaned = isAllowed(tag, name) ? cleanValue(name, value) : null
    if (cleaned !== value) clean.changed.set(source, cleaned)
    else clean.changed.delete(source)
    if (cleaned === null) clean.allowed.delete(name)
    else clean.allowed.set(name, cleaned)
  }
  if (!clean.allowed.has('itemscope')) dropScoped(clean)
  return clean
}

/** Returns true if an element is allowed with these attributes: `meta` and `link` only as microdata. */
export function isAllowedWith(tag: string, attributes: ReadonlyMap<string, string>): boolean {
  if (tag !== 'meta' && tag !== 'link') return true
  return attributes.has('itemprop') && attributes.has(tag === 'meta' ? 'content' : 'href')
}

function targetName(name: string): string {
  return engineAttribute.test(name) ? engineAttributePrefix + name : name
}

function isAllowed(tag: string, name: string): boolean {
  if (attributesOf(tag).has(name)) return true
  return namespaceAttribute.test(name) || (dataAttribute.test(name) && !reservedData.test(name))
}

function cleanValue(name: string, value: string): string | null {
  const check = name.startsWith('xmlns:') ? unlessScript : checks.get(name)
  return check === undefined ? value : check(value)
}

function dropScoped({ allowed, changed }: CleanAttributes): void {
  for (const name of scopedNames) {
    if (allowed.delete(name)) changed.set(name, null)
  }
}
