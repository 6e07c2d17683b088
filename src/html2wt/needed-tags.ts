/** Marks what wikitext's own syntax cannot say, such as the first number of a list, so that it is written as HTML tags. */

import { attributesOf } from '../wikitext/sanitize/allowed.ts'
import { type ChildNode, type ElementNode, type FragmentNode, textNode } from '../wikitext/tree/node.ts'
import { isEditorId } from '../wikitext/tree/tag-source.ts'
import { elementsOf, isElement, isEncapsulated, isNew, isTag } from './node-queries.ts'
import { replaceChildren } from './tidy.ts'

const lists: ReadonlySet<string> = new Set(['ul', 'ol', 'dl'])
const items: ReadonlySet<string> = new Set(['li', 'dt', 'dd'])
const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const others: ReadonlySet<string> = new Set(['p', 'hr'])
/** A list in a cell does not depend on the list around the table. */
const cells: ReadonlySet<string> = new Set(['td', 'th', 'caption'])

/** Classes that renderers add to such elements. */
const rendered =
  /^(?:mw-[\w-]*|gallery\w*|references[\w-]*|toc[\w-]*|external|contains-task-list|task-list-item[\w-]*)$/

/** Marks the elements that need tags: with a list all lists in and around it, whose bullets would be beside tags. */
export function markNeededTags(tree: FragmentNode): void {
  const targets = new Set<string>()
  const found: ElementNode[] = []
  for (const node of elementsOf(tree)) {
    const href = node.name === 'a' ? node.attributes.get('href') : undefined
    if (href?.includes('#')) targets.add(href.slice(href.indexOf('#') + 1))
    if (isSyntax(node.name) && (node.attributes.size > 0 || lists.has(node.name))) found.push(node)
  }
  const marked = found.flatMap(node => (!isTag(node) && needsTag(node, targets) && !isMade(node) ? [mark(node)] : []))
  setApart(new Set(marked))
}

function isSyntax(name: string): boolean {
  return lists.has(name) || items.has(name) || headings.has(name) || others.has(name)
}

/** Attributes that carry a meaning; an id does if a link leads to it. Headings have ids of their text. */
function needsTag(node: ElementNode, targets: ReadonlySet<string>): boolean {
  const { name: element, attributes, children } = node
  if (attributes.has('typeof') || attributes.has('about')) return false
  // Items that are tags have moved into a new list.
  if (
    isNew(node) &&
    lists.has(element) &&
    children.some(child => isElement(child) && items.has(child.name) && isTag(child))
  )
    return true
  const allowed = attributesOf(element)
  return [...attributes].some(([name, value]) => {
    if (!allowed.has(name)) return false
    if (name === 'id') return !headings.has(element) && !isEditorId(value) && targets.has(value)
    return name === 'class' ? value.split(/\s+/).some(one => one !== '' && !rendered.test(one)) : true
  })
}

/** Returns true for what a template or an extension tag made. */
function isMade(node: ElementNode): boolean {
  for (let at: ElementNode['parent'] = node; at !== null && at.kind === 'element'; at = at.parent)
    if (isEncapsulated(at) || at.attributes.has('about')) return true
  return false
}

/** Marks an element, or the lists that it belongs to. Returns the outermost one. */
function mark(node: ElementNode): ElementNode {
  if (!lists.has(node.name) && !items.has(node.name)) {
    asTag(node)
    return node
  }
  const outermost = outermostList(node)
  for (const one of [outermost, ...elementsOf(outermost)]) {
    if ((!lists.has(one.name) && !items.has(one.name)) || isTag(one) || isMade(one)) continue
    asTag(one)
    if (lists.has(one.name)) setOnLines(one)
  }
  return outermost
}

function outermostList(node: ElementNode): ElementNode {
  let found = node
  for (let at = node.parent; at?.kind === 'element' && !cells.has(at.name); at = at.parent)
    if (lists.has(at.name)) found = at
  return found
}

function asTag(node: ElementNode): void {
  node.data = { ...node.data, parsoid: { stx: 'html' }, range: null }
}

/** Blocks at the top of the page begin and end a line. */
function setApart(nodes: ReadonlySet<ChildNode>): void {
  const parents = new Set([...nodes].map(({ parent }) => parent))
  for (const parent of parents) {
    if (parent === null || (parent.kind === 'element' && parent.name !== 'section')) continue
    const isApart = (one: ChildNode, at: number): boolean => {
      const before = parent.children[at - 1]
      return before?.kind === 'element' && one.kind === 'element' && (nodes.has(one) || nodes.has(before))
    }
    replaceChildren(
      parent,
      parent.children.flatMap((one, at) => (isApart(one, at) ? [textNode('\n'), one] : [one])),
    )
  }
}

/** Each item begins a line, for those who read the source. */
function setOnLines(list: ElementNode): void {
  if (list.children.some(child => child.kind === 'text')) return
  const children = list.children.flatMap((child): ChildNode[] => [textNode('\n'), child])
  replaceChildren(list, [...children, textNode('\n')])
}
