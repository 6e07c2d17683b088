/** Attributes of tags and of the parts of a table. */

import { type ElementNode, fragment } from '../../wikitext/tree/node.ts'
import { isEditorId, tagKey } from '../../wikitext/tree/tag-source.ts'
import { textOf } from '../../wikitext/tree/walk.ts'
import { type Context, pageContext } from '../context.ts'
import { groupEnd, hasType, isRendered } from '../node-queries.ts'
import { finish, innerWriter, type Writer, write } from '../writer.ts'
import { attributeValue, type ValueOwner } from './values.ts'

/** Prefix of attributes whose own names are reserved for the renderer. */
const reserved = /^data-x-(?=data-(?:mw|parsoid|ooui|object-id|x)|(?:about|property|typeof|rel|resource)$)/

/** Attributes that carry information only for editors. */
const internal: ReadonlySet<string> = new Set([
  'data-parsoid',
  'data-mw',
  'data-mw-i18n',
  'data-mw-section-id',
  'data-ve-changed',
  'data-parsoid-serialize',
])

/** Returns the source of an element's opening tag; null if the tag was changed. */
export function openSource(node: ElementNode): string | null {
  const given = node.data.parsoid?.openSrc
  if (!Array.isArray(given)) return null
  const [key, source] = given as unknown[]
  return typeof source === 'string' && key === tagKey(node) ? source : null
}

/** Returns the source of an element's closing tag; null if it has the usual form. */
export function closeSource({ data }: ElementNode): string | null {
  const source = data.parsoid?.closeSrc
  return typeof source === 'string' ? source : null
}

/** Writes the attributes of a tag, each after a space. */
export function attributeText(node: ElementNode, writer: Writer, context: Context, owner: ValueOwner = 'tag'): string {
  return pairs(node, writer, { owner, context })
    .map(([name, value]) => ` ${name}${value}`)
    .join('')
}

function pairs(
  node: ElementNode,
  writer: Writer,
  place: { owner: ValueOwner; context: Context },
): [name: string, value: string][] {
  const { a = {}, sa = {} } = (node.data.parsoid ?? {}) as Shadows
  const found: [string, string][] = []
  const expanded = expandedAttributes(node, writer)
  found.push(...expanded.unseen.map(text => [text, ''] as [string, string]))
  for (const [given, value] of node.attributes) {
    const name = given.replace(reserved, '')
    if (isInternal(given, value, node)) continue
    const made = expanded.values.get(name)
    if (made !== undefined) {
      found.push(made.isWhole ? [made.text, ''] : [name, `="${made.text}"`])
      continue
    }
    const shown = name === 'class' ? value.replace(/(?:^|\s)mw-empty-elt(?=\s|$)/, '').trim() : value
    if (name === 'class' && shown === '' && value !== '') continue
    const source = own(a, name) === value ? own(sa, name) : undefined
    found.push([
      name,
      source === undefined
        ? `=${attributeValue(shown, { ...place, name }, writer.isRead)}`
        : `="${source.replaceAll('"', '&quot;')}"`,
    ])
  }
  for (const [name, value] of Object.entries(a)) {
    if (value !== null || node.attributes.has(name) || expanded.hasWhole) continue
    const source = own(sa, name) ?? ''
    found.push([name, source === '' ? '' : `=${attributeValue(source, { ...place, name }, writer.isRead)}`])
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
  if (name === 'id' && /^h[1-6]$/.test(node.name) && isRendered(node)) return true
  if (name === 'id') return isEditorId(value) && (node.data.parsoid as Shadows | undefined)?.sa?.id === undefined
  if (name === 'about') return /^#mwt\d+$/.test(value)
  if (name === 'typeof') return /^mw:/.test(value)
  if (name === 'class' && node.name === 'span') return /^mw-empty-elt$/.test(value)
  return !/^[:_\p{L}\p{N}-][:_.\p{L}\p{N}-]*$/u.test(name)
}

interface Expanded {
  /** Sources of values by attribute; of the whole attribute, name included, if a template produced its name. */
  readonly values: ReadonlyMap<string, { readonly text: string; readonly isWhole: boolean }>
  /** Sources of whole attributes that the element does not have: empty and removed ones. */
  readonly unseen: readonly string[]
  /** True if templates produced whole attributes. */
  readonly hasWhole: boolean
}

/**
 * Reads the attributes that templates contributed to, from `data-mw`. Attributes that were changed since are ignored.
 */
export function expandedAttributes(node: ElementNode, writer: Writer): Expanded {
  const values = new Map<string, { text: string; isWhole: boolean }>()
  const unseen: string[] = []
  let hasWhole = false
  for (const [key, value] of hasType(node, /^mw:ExpandedAttrs$/) ? templatedRows(node) : []) {
    const name = key.txt ?? ''
    if (typeof key.html === 'string') {
      hasWhole = true
      const source = sourceOf(writer, key.html)
      const text = value.html ? `${source}="${sourceOf(writer, value.html)}"` : source
      if (node.attributes.has(name) && !values.has(name)) values.set(name, { text, isWhole: true })
      else unseen.push(text)
    } else if (typeof value.html === 'string' && shownText(writer, value.html) === node.attributes.get(name)) {
      values.set(name, { text: sourceOf(writer, value.html), isWhole: false })
    }
  }
  return { values, unseen, hasWhole }
}

/** Lists the attributes that templates contributed to, as name and value. */
export function templatedRows({ data }: ElementNode): [ExpandedPart, ExpandedPart][] {
  const rows: unknown[] = Array.isArray(data.mw?.attribs) ? data.mw.attribs : []
  return rows.filter(Array.isArray).map(([key, value]: (ExpandedPart | undefined)[]) => [key ?? {}, value ?? {}])
}

interface ExpandedPart {
  readonly txt?: string
  readonly html?: string
}

/** Returns the text that HTML shows. Elements without text are ignored. */
export function shownText(writer: Writer, html: string): string {
  return textOf(writer.parse(html).children)
}

/** Converts the HTML of an attribute's value to wikitext. Plain text in it needs no escapes there. */
export function sourceOf(writer: Writer, html: string): string {
  const inner = innerWriter(writer)
  const children = [...writer.parse(html).children]
  for (let index = 0; index < children.length; ) {
    const node = children[index]!
    const end = groupEnd(children, index)
    if (node.kind === 'text') write(inner, node.text.replaceAll('"', '&quot;'))
    else if (node.kind === 'element')
      writer.children(inner, fragment(children.slice(index, end)), { ...pageContext, isLine: true })
    index = end
  }
  return finish(inner)
}
