/** Notes that a page of Markdown embeds: `![[note]]` and `![[note#Heading]]` show the note's text. */

import { parseTitle, type Title, type TitleRules } from '../../core/title.ts'
import type { SourceCache } from '../expansion/source-cache.ts'
import { isHeading } from '../passes/headings.ts'
import { type ChildNode, type ElementNode, element, fragment, type ParentNode, replaceWith } from '../tree/node.ts'
import { stepsOf } from '../tree/walk.ts'

/** Maximum depth of notes in notes, and embedded notes of a page: further ones stay links. */
const maxDepth = 5
const maxEmbeds = 100
/** Maximum length of all embedded texts of a page, UTF-16 units. */
const maxLength = 1024 * 1024

interface Lookup {
  readonly sourceCache: SourceCache
  readonly rules: TitleRules
  /** Renders the text of a note. */
  readonly render: (text: string, title: Title) => Promise<readonly ChildNode[]>
}

/** An embed, with the keys of the pages that it lies in, from the page on. */
interface Place {
  readonly node: ElementNode
  readonly chain: readonly string[]
}

/** Puts the texts of embedded notes below the links to them. A note within itself stays a link, and so does one within a line of text. */
export async function embedNotes(body: ParentNode, page: Title, lookup: Lookup): Promise<void> {
  let places: readonly Place[] = placesIn(body, [page.key])
  const budget = { embeds: maxEmbeds, length: maxLength }
  for (let depth = 0; depth < maxDepth && places.length > 0; depth++) {
    const found: Place[] = []
    for (const { place, title, fragment: section, text } of await notesAt(places, lookup)) {
      budget.embeds--
      budget.length -= text.length
      if (budget.embeds < 0 || budget.length < 0) return
      const content = part(await lookup.render(text, title), section)
      if (content !== null) found.push(...embed(place, content, title))
    }
    places = found
  }
}

function placesIn(body: ParentNode, chain: readonly string[]): Place[] {
  return stepsOf(body).flatMap(({ element: node }) => (node.data.written?.isEmbed ? [{ node, chain }] : []))
}

/** Looks up the notes; those that are other kinds of pages, or hold the embed themselves, are left out. */
async function notesAt(places: readonly Place[], { sourceCache, rules }: Lookup) {
  for (const { node } of places) sourceCache.target(node.data.written!)
  if (sourceCache.isIncomplete()) await sourceCache.fetch()
  const targets = places.flatMap(place => {
    const found = sourceCache.target(place.node.data.written!)
    if (found?.kind !== 'page' || place.chain.includes(found.key) || outerOf(place.node) === null) return []
    return [{ place, title: parseTitle(found.key, rules), fragment: found.fragment }]
  })
  for (const { title } of targets) sourceCache.page(title)
  if (sourceCache.isIncomplete()) await sourceCache.fetch()
  return targets.flatMap(target => {
    const note = sourceCache.page(target.title)
    return note?.model === 'markdown' ? [{ ...target, text: note.text }] : []
  })
}

/** The node that the embed replaces: its paragraph if it is alone there; null where text stands beside it. */
function outerOf(node: ElementNode): ElementNode | null {
  const { parent } = node
  if (parent?.kind !== 'element') return node
  const isAlone = parent.children.every(child => child === node || (child.kind === 'text' && child.text.trim() === ''))
  if (parent.name === 'p') return isAlone ? parent : null
  return isAlone && /^(?:li|td|dd|blockquote|div)$/.test(parent.name) ? node : null
}

/** The part of a note below a heading, up to the next one of its level; null if there is no such heading. */
function part(nodes: readonly ChildNode[], section: string): readonly ChildNode[] | null {
  if (section === '') return nodes
  const start = nodes.findIndex(node => levelOf(node) > 0 && idOf(node) === section)
  if (start === -1) return null
  const level = levelOf(nodes[start]!)
  const length = nodes.slice(start + 1).findIndex(node => levelOf(node) > 0 && levelOf(node) <= level)
  return nodes.slice(start, length === -1 ? undefined : start + 1 + length)
}

function levelOf(node: ChildNode): number {
  return node.kind === 'element' && isHeading(node) ? Number(node.name[1]) : 0
}

function idOf(node: ChildNode): string | undefined {
  return node.kind === 'element' ? node.attributes.get('id') : undefined
}

/** Replaces the embed by a box with the link and the text. Returns the embeds in it. */
function embed({ node, chain }: Place, content: readonly ChildNode[], title: Title): Place[] {
  const outer = outerOf(node)
  if (outer === null) return []
  const inside = fragment(content)
  becomePart(inside)
  const inner = placesIn(inside, [...chain, title.key])
  const link = element('p', [['class', 'markdown-embed-title']])
  const box = element('div', [['class', 'markdown-embed']], [link, ...inside.children])
  replaceWith(outer, [box])
  link.children.push(node)
  node.parent = link
  return inner
}

/** Headings of a note are not sections of the page, and its ids may be those of the page. */
function becomePart(inside: ParentNode): void {
  for (const { element: node } of stepsOf(inside)) {
    node.attributes.delete('id')
    if (!isHeading(node)) continue
    node.attributes.set('role', 'heading')
    node.attributes.set('aria-level', node.name.slice(1))
    Object.assign(node, { name: 'div' })
  }
}
