/** Blocks of a page: paragraphs, headings, lists, code, tables. */

import type { ChildNode, ElementNode, ParentNode } from '../wikitext/tree/node.ts'
import { textOf } from '../wikitext/tree/walk.ts'
import type { Flow, List, ListItem, Phrasing } from './node.ts'
import { line } from './phrasing.ts'
import { hasClass, isFlow, isInvisible, type Reading } from './reading.ts'
import { table } from './tables.ts'

/** Maximum depth of nested lists and quotations; deeper ones are placed in the deepest level. */
const maxDepth = 30

type Handler = (node: ElementNode, reading: Reading) => Flow[]

/** Converters of block elements, by tag. Other elements are replaced by their content. */
const handlers: Readonly<Record<string, Handler>> = {
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  ul: list,
  ol: list,
  dl: terms,
  blockquote: (node, reading) => quotation(flow(node.children, deeper(reading))),
  hr: () => [{ type: 'thematicBreak' }],
  pre: node => [code(node, node)],
  table: (node, reading) => table(node, { reading, flow }),
  figure,
}

/** Converts blocks; inline content between them becomes paragraphs. */
export function flow(nodes: readonly ChildNode[], reading: Reading): Flow[] {
  const blocks: Flow[] = []
  let inline: ChildNode[] = []
  const flush = (): void => {
    const children = line(inline, reading)
    if (children.length > 0) blocks.push({ type: 'paragraph', children })
    inline = []
  }
  for (const node of nodes) {
    if (node.kind === 'element' && isInvisible(node)) continue
    if (node.kind !== 'element' || !isFlow(node, reading)) inline.push(node)
    else {
      flush()
      for (const block of blocksOf(node, reading)) blocks.push(block)
    }
  }
  flush()
  return blocks
}

function blocksOf(node: ElementNode, reading: Reading): Flow[] {
  if (['mw-references-wrap', 'references', 'footnotes-list'].some(name => hasClass(node, name))) return []
  if (hasClass(node, 'mw-highlight')) return [code(node, node)]
  if (reading.depth >= maxDepth && node.name !== 'pre') return flow(node.children, reading)
  const handler = Object.hasOwn(handlers, node.name) ? handlers[node.name]! : undefined
  return handler === undefined ? flow(node.children, reading) : handler(node, reading)
}

function deeper(reading: Reading): Reading {
  return { ...reading, depth: reading.depth + 1 }
}

function heading(node: ElementNode, reading: Reading): Flow[] {
  const children = line(node.children, reading).map(child => (child.type === 'break' ? blank : child))
  const depth = Number(node.name[1]) as 1 | 2 | 3 | 4 | 5 | 6
  return children.length === 0 ? [] : [{ type: 'heading', depth, children }]
}

const blank: Phrasing = { type: 'text', value: ' ' }

function quotation(children: Flow[]): Flow[] {
  return children.length === 0 ? [] : [{ type: 'blockquote', children }]
}

/** A list that is directly in a list, beside its items, belongs to the item before it. */
function list(node: ElementNode, reading: Reading): Flow[] {
  const items: ListItem[] = []
  for (const child of node.children) {
    if (child.kind !== 'element' || isInvisible(child)) continue
    const blocks = flow(child.name === 'li' ? child.children : [child], deeper(reading))
    const last = items.at(-1)
    if (child.name === 'li' || last === undefined) items.push(item(blocks, checkOf(child) ?? takeBox(blocks)))
    else for (const block of blocks) last.children.push(block)
  }
  const start = Number.parseInt(node.attributes.get('start') ?? '1', 10)
  return listOf(items, node.name === 'ol' ? Math.min(Math.max(start || 0, 0), 999_999_999) : null)
}

function listOf(items: ListItem[], start: number | null): Flow[] {
  if (items.length === 0) return []
  const spread = items.some(({ spread }) => spread)
  const made: List = { type: 'list', ordered: start !== null, start, spread, children: items }
  return [made]
}

function item(children: Flow[], checked: boolean | null = null): ListItem {
  return { type: 'listItem', spread: children.filter(({ type }) => type !== 'list').length > 1, checked, children }
}

/** A checkbox at the beginning of an item. */
function checkOf(node: ElementNode): boolean | null {
  let first: ChildNode | undefined = node
  while (first?.kind === 'element' && first.name !== 'input') {
    const children: readonly ChildNode[] = first.children
    first = children.find(child => child.kind === 'element' || child.text.trim() !== '')
  }
  if (first?.kind !== 'element' || first.attributes.get('type') !== 'checkbox') return null
  return first.attributes.has('checked')
}

/** `[ ]` and `[x]` at the beginning of an item, as in Markdown, are a checkbox. */
function takeBox(blocks: readonly Flow[]): boolean | null {
  const first = blocks[0]?.type === 'paragraph' ? blocks[0].children[0] : undefined
  const box = first?.type === 'text' ? /^\[([ xX])\] (?=.)/.exec(first.value) : null
  if (first?.type !== 'text' || box === null) return null
  first.value = first.value.slice(box[0].length)
  return box[1] !== ' '
}

/** Terms become bold items, with their definitions as items below; a definition without a term is indented. */
function terms(node: ElementNode, reading: Reading): Flow[] {
  const inner = deeper(reading)
  const blocks: Flow[] = []
  let open: ListItem[] | null = null
  for (const child of elementsOf(node)) {
    if (child.name === 'dt') {
      const isNext: boolean = open !== null
      open ??= []
      open.push(item([{ type: 'paragraph', children: [{ type: 'strong', children: line(child.children, inner) }] }]))
      if (!isNext) blocks.push(...listOf(open, null))
    } else if (open === null) blocks.push(...quotation(flow(child.children, inner)))
    else addDescription(open.at(-1)!, flow(child.children, deeper(inner)))
  }
  return blocks
}

function addDescription(term: ListItem, children: Flow[]): void {
  const last = term.children.at(-1)
  if (last?.type === 'list') last.children.push(item(children))
  else term.children.push(...listOf([item(children)], null))
}

/** The items of a list, including those in grouping elements that HTML allows. */
function elementsOf(node: ParentNode): ElementNode[] {
  return node.children
    .filter((child): child is ElementNode => child.kind === 'element' && !isInvisible(child))
    .flatMap(child => (child.name === 'div' ? elementsOf(child) : [child]))
}

function code(node: ElementNode, named: ElementNode): Flow {
  const inner = node.children.find((child): child is ElementNode => child.kind === 'element')
  const classes = [named, inner].map(one => one?.attributes.get('class') ?? '').join(' ')
  const lang = /(?:^|\s)(?:mw-highlight-lang|language|lang|highlight-source)-([\w+#.-]+)/.exec(classes)?.[1] ?? null
  return { type: 'code', lang, value: textOf(node.children).replace(/^\n|(?<!\n)\n+$/g, '') }
}

/** A picture with its caption below it. */
function figure(node: ElementNode, reading: Reading): Flow[] {
  const isCaption = (child: ChildNode): boolean => child.kind === 'element' && child.name === 'figcaption'
  const caption = node.children.filter(isCaption)
  const shown = flow(
    node.children.filter(child => !isCaption(child)),
    reading,
  )
  const words = textOf(caption).replace(/\s+/g, ' ').trim()
  for (const block of shown) if (block.type === 'paragraph') nameImages(block.children, words)
  return [...shown, ...flow(caption, reading)]
}

/** A picture without alternative text is described by its caption. */
function nameImages(children: Phrasing[], words: string): void {
  children.forEach((child, index) => {
    if (child.type === 'image' && words !== '' && /^\.\/File:/.test(child.url))
      children[index] = { ...child, alt: words }
  })
}
