/** Source of a page's tags for the conversion back, stored if the HTML does not determine it. */

import type { ChildNode, ElementNode, SourceRange } from './node.ts'

/** Attributes that do not come from the page. */
const internal: ReadonlySet<string> = new Set([
  'about',
  'data-mw',
  'data-mw-i18n',
  'data-mw-variant',
  'data-parsoid',
  'data-ve-changed',
])

/**
 * Returns a short checksum of an element's name and the attributes that a page writes. Ids for editors and the engine's types
 * are left out.
 */
export function tagKey(node: ElementNode): string {
  const sum = checksum()
  addTag(node, sum.add)
  return sum.key()
}

/** Returns a checksum of an element with its content, like `tagKey` for its tag; `more` is data that attributes do not have. */
export function wholeKey(node: ElementNode, more = ''): string {
  const sum = checksum()
  sum.add(more)
  const pending: (ChildNode | null)[] = [node]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === null) sum.add('/')
    else if (next.kind === 'text') sum.continue(next.text)
    else if (next.kind === 'comment') sum.add(`!${next.text}`)
    else {
      addTag(next, sum.add)
      pending.push(null)
      for (let index = next.children.length - 1; index >= 0; index--) pending.push(next.children[index]!)
    }
  }
  return sum.key()
}

interface Checksum {
  readonly add: (text: string) => void
  readonly continue: (text: string) => void
  readonly key: () => string
}

/** FNV-1a over UTF-16 units. */
function checksum(): Checksum {
  let hash = 0x811c9dc5
  const goOn = (text: string): void => {
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  const add = (text: string): void => {
    goOn(text)
    hash = Math.imul(hash ^ 0xffff, 0x01000193)
  }
  return { add, continue: goOn, key: () => (hash >>> 0).toString(36) }
}

function addTag({ name, attributes }: ElementNode, add: (text: string) => void): void {
  add(name)
  for (const [key, value] of [...attributes].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (internal.has(key) || (key === 'id' && isEditorId(value)) || (key === 'typeof' && value.startsWith('mw:')))
      continue
    add(key)
    add(value)
  }
}

/** Returns true for an id that the engine gave for editors. */
export function isEditorId(id: string): boolean {
  return /^mw[\w-]{2,}$/.test(id)
}

/** Signs that begin the parts of a table. */
const tableSigns: Readonly<Record<string, string>> = { table: '{|', caption: '|+', tr: '|-', td: '|', th: '!' }

/** Source of an element's tags, if it differs from the usual form. */
export interface TagSource {
  /** Key of the element, as `tagKey` returns it, and the source of its opening tag. */
  readonly open?: readonly [key: string, source: string]
  readonly close?: string
}

/** Finds the source of an element's tags if they would be written differently. */
export function tagSource(
  node: ElementNode,
  { start, end, openWidth, closeWidth }: SourceRange,
  text: string,
): TagSource {
  if (node.data.mw?.attrs !== undefined) return extensionSource(node, text.slice(start, end))
  const isTag = node.data.parsoid?.stx === 'html'
  if (!isTag && !Object.hasOwn(tableSigns, node.name)) return {}
  const whole = text.slice(start, start + (openWidth ?? 0))
  const open = isTag ? whole : withoutCommentNodes(node, whole)
  const close = text.slice(end - (closeWidth ?? 0), end)
  const isUsual = isTag ? isUsualTag(open, node) : open === usualSign(node)
  const usualClose = isTag ? `</${node.name}>` : '|}'
  return {
    ...(open !== '' && !isUsual && { open: [tagKey(node), open] as const }),
    ...(close !== '' && close !== usualClose && { close }),
  }
}

/** A cell on the line of the one before it has its sign twice. */
function usualSign({ name, data }: ElementNode): string {
  return tableSigns[name]!.repeat(data.parsoid?.stx === 'row' ? 2 : 1)
}

/** Comments on the lines of tables and rows are nodes of their own after the tag. */
function withoutCommentNodes({ name }: ElementNode, open: string): string {
  return name === 'table' || name === 'tr' ? open.replace(/<!--[\s\S]*?-->/g, '') : open
}

/** Returns a checksum of the attributes of an extension tag, as in `data-mw`. */
export function attributesKey(attributes: unknown): string {
  const sum = checksum()
  sum.add(JSON.stringify(attributes) ?? '')
  return sum.key()
}

/** The tag of an extension; without a source if quotes hide its end. */
function extensionSource({ data }: ElementNode, source: string): TagSource {
  const open = /^<[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*>/.exec(source)?.[0]
  const { name, attrs: given } = data.mw as { name?: string; attrs: Record<string, unknown> | Map<string, unknown> }
  const attrs = given instanceof Map ? Object.fromEntries(given) : given
  if (open === undefined || typeof name !== 'string' || !open.toLowerCase().startsWith(`<${name}`)) return {}
  const usual = Object.entries(attrs).map(([key, value]) => ` ${key}="${String(value)}"`)
  const close = /<\/[^<>]*>$/.exec(source)?.[0]
  const isUsual = open === `<${name}${usual.join('')}${open.endsWith('/>') ? ' /' : ''}>`
  return {
    ...(!isUsual && { open: [attributesKey(attrs), open] as const }),
    ...(close !== undefined && close !== `</${name}>` && { close }),
  }
}

function isUsualTag(open: string, { name, attributes }: ElementNode): boolean {
  if (open === `<${name}>`) return attributes.size === 0
  if (!/^<[a-z0-9]+(?: [a-z-]+="[^"&\n]*")*>$/.test(open) || !open.startsWith(`<${name} `)) return false
  return open === `<${name}${[...attributes].map(([key, value]) => ` ${key}="${value}"`).join('')}>`
}
