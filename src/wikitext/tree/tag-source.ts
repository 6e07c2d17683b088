/** Tags as a page has written them, for the way back: kept where HTML does not tell how. */

import type { ChildNode, ElementNode, SourceRange } from './node.ts'

/** Attributes that the page did not write. */
const internal: ReadonlySet<string> = new Set([
  'about',
  'data-mw',
  'data-mw-i18n',
  'data-mw-variant',
  'data-parsoid',
  'data-ve-changed',
])

/**
 * Sums up an element's name and the attributes that a page writes, in a short text: where it is as it was, so are they.
 * The ids of editors and the types that the engine gives do not count.
 */
export function tagKey(node: ElementNode): string {
  const sum = checksum()
  addTag(node, sum.add)
  return sum.key()
}

/** Sums up an element with all that it holds, as `tagKey` does its tag; `more` is what attributes do not tell. */
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

/** Returns true if an id is one that elements are given for editors. */
export function isEditorId(id: string): boolean {
  return /^mw[\w-]{2,}$/.test(id)
}

const tableParts: ReadonlySet<string> = new Set(['table', 'tr', 'td', 'th', 'caption'])

/** Source of an element's tags, if it differs from the usual form. */
export interface TagSource {
  /** Key of the element, as `tagKey` returns it, and the source of its opening tag. */
  readonly open?: readonly [key: string, source: string]
  readonly close?: string
}

/** Finds the source of an element's tags that would be written otherwise. */
export function tagSource(
  node: ElementNode,
  { start, end, openWidth, closeWidth }: SourceRange,
  text: string,
): TagSource {
  if (node.data.mw?.attrs !== undefined) return extensionSource(node, text.slice(start, end))
  const isTag = node.data.parsoid?.stx === 'html'
  if (!isTag && !tableParts.has(node.name)) return {}
  const open = text.slice(start, start + (openWidth ?? 0))
  const close = text.slice(end - (closeWidth ?? 0), end)
  const isUsual = isTag ? isUsualTag(open, node) : /^(?:\{\||\|-|\|\||\||!!|!|\|\+)$/.test(open)
  const usualClose = isTag ? `</${node.name}>` : '|}'
  return {
    ...(open !== '' && !isUsual && { open: [tagKey(node), open] as const }),
    ...(close !== '' && close !== usualClose && { close }),
  }
}

/** Sums up the attributes of an extension's tag, as `data-mw` has them. */
export function attributesKey(attributes: unknown): string {
  const sum = checksum()
  sum.add(JSON.stringify(attributes) ?? '')
  return sum.key()
}

/** The tag of an extension; none if quotes hide its end. */
function extensionSource({ data }: ElementNode, source: string): TagSource {
  const open = /^<[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*>/.exec(source)?.[0]
  const { name, attrs: told } = data.mw as { name?: string; attrs: Record<string, unknown> | Map<string, unknown> }
  const attrs = told instanceof Map ? Object.fromEntries(told) : told
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
