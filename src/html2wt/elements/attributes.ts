/** Attributes of tags and of a table's parts. */

import type { ElementNode } from '../../wikitext/tree/node.ts'
import { isEditorId, tagKey } from '../../wikitext/tree/tag-source.ts'

/** Attributes that only tell an editor something. */
const internal: ReadonlySet<string> = new Set([
  'data-parsoid',
  'data-mw',
  'data-mw-i18n',
  'data-mw-section-id',
  'data-ve-changed',
  'data-parsoid-serialize',
])

/** The opening tag as the page has it; null where the element is not as it was. */
export function openSource(node: ElementNode): string | null {
  const given = node.data.parsoid?.openSrc
  if (!Array.isArray(given)) return null
  const [key, source] = given as unknown[]
  return typeof source === 'string' && key === tagKey(node) ? source : null
}

/** The closing tag as the page has it; null where that is the usual one. */
export function closeSource({ data }: ElementNode): string | null {
  const source = data.parsoid?.closeSrc
  return typeof source === 'string' ? source : null
}

/** Writes the attributes of a tag, each after a space. */
export function attributeText(node: ElementNode): string {
  return pairs(node)
    .map(([name, value]) => ` ${name}${value}`)
    .join('')
}

function pairs(node: ElementNode): [name: string, value: string][] {
  const { a = {}, sa = {} } = (node.data.parsoid ?? {}) as Shadows
  const found: [string, string][] = []
  const expanded = expandedAttributes(node)
  for (const [name, value] of node.attributes) {
    if (isInternal(name, value, node)) continue
    if (expanded.has(name)) {
      found.push(expanded.get(name)!)
      continue
    }
    const shown = name === 'class' ? value.replace(/(?:^|\s)mw-empty-elt(?=\s|$)/, '').trim() : value
    if (name === 'class' && shown === '' && value !== '') continue
    found.push([name, quoted(own(a, name) === value ? (own(sa, name) ?? value) : shown)])
  }
  for (const [name, value] of Object.entries(a)) {
    if (value === null && !node.attributes.has(name)) found.push([name, quoted(own(sa, name) ?? '')])
  }
  return found
}

interface Shadows {
  readonly a?: Readonly<Record<string, string | null>>
  readonly sa?: Readonly<Record<string, string>>
}

function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function isInternal(name: string, value: string, node: ElementNode): boolean {
  if (internal.has(name)) return true
  if (name === 'id') return isEditorId(value) && (node.data.parsoid as Shadows | undefined)?.sa?.id === undefined
  if (name === 'about') return /^#mwt\d+$/.test(value)
  if (name === 'typeof') return /^mw:/.test(value)
  if (name === 'class' && node.name === 'span') return /^mw-empty-elt$/.test(value)
  return !/^[:_\p{L}\p{N}-][:_.\p{L}\p{N}-]*$/u.test(name)
}

function quoted(value: string): string {
  return `="${value.replace(/&(?=[#\w]+;)/g, '&amp;').replaceAll('"', '&quot;')}"`
}

/** Attributes that templates had a part in are told by `data-mw`. */
function expandedAttributes(_: ElementNode): Map<string, [string, string]> {
  return new Map()
}
