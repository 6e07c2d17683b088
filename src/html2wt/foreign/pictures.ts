/** Pictures, videos and sounds of other sites and of older versions of MediaWiki. */

import { type ChildNode, type ElementNode, textNode } from '../../wikitext/tree/node.ts'
import { walk } from '../../wikitext/tree/walk.ts'
import { isPicture } from '../elements/media.ts'
import { hasType, isElement } from '../node-queries.ts'
import { hasClass, type Rule, wrapped } from './rewrite.ts'

/** Names the file of an image in HTML for readers: the target of the link around it. */
export const fileRule: Rule = node => {
  if (node.name === 'div' && hasClass(node, /^thumb$/)) return thumbnail(node)
  if (node.name !== 'a' || !(hasClass(node, /^(?:image|mw-file-description)$/) || isFile(node))) return null
  const file = fileIn(node.attributes.get('href') ?? '')
  const [image] = node.children.filter(child => child.kind === 'element')
  if (file === null || !isElement(image ?? null, 'img')) return null
  nameFile(image as ElementNode, file)
  node.attributes.set('href', `./${file}`)
  if (node.parent?.kind === 'element' && hasType(node.parent, /^mw:File/)) return null
  return [wrapped('span', [node], [['typeof', 'mw:File']])]
}

function nameFile({ attributes }: ElementNode, file: string): void {
  if (!attributes.has('resource')) attributes.set('resource', `./${file}`)
  attributes.delete('srcset')
}

/** Replaces an image that cannot be embedded with its fallback, and a video or sound with a link. */
export const sourceRule: Rule = node => {
  const source = node.attributes.get('src') ?? sourceIn(node)
  const isOnWeb = /^(?:https?:)?\/\//i.test(source)
  if (node.attributes.has('resource') || isPicture(node)) return null
  if (node.name === 'video' || node.name === 'audio') {
    return isOnWeb ? [wrapped('a', [textNode(source.replace(/^.*\/(?=.)/, ''))], [['href', source]])] : node.children
  }
  if (node.name !== 'img' || isOnWeb || isFileLink(node)) return null
  const alt = (node.attributes.get('alt') ?? '').trim()
  return alt === '' ? [] : [textNode(alt)]
}

function sourceIn({ children }: ElementNode): string {
  const child = children.find(one => isElement(one, 'source'))
  return child?.kind === 'element' ? (child.attributes.get('src') ?? '') : ''
}

function isFileLink({ parent }: ElementNode): boolean {
  return parent?.kind === 'element' && fileIn(parent.attributes.get('href') ?? '') !== null
}

/** Maximum number of elements searched in a frame. */
const maxInThumbnail = 100

/** Converts a framed image in the markup of older MediaWiki versions. */
function thumbnail(node: ElementNode): ChildNode[] | null {
  const elements: ElementNode[] = []
  for (const { element } of walk(node)) if (elements.push(element) >= maxInThumbnail) break
  const picture = elements.find(one => one.name === 'span' && hasType(one, /^mw:File$/))
  const caption = elements.find(one => hasClass(one, /^thumbcaption$/))
  if (picture === undefined) return null
  const words = (caption?.children ?? []).filter(child => !(child.kind === 'element' && hasClass(child, /^magnify$/)))
  const alignment = /\bt(left|right|none)\b/.exec(node.attributes.get('class') ?? '')?.[1]
  const classes = alignment === 'left' || alignment === 'none' ? [['class', `mw-halign-${alignment}`] as const] : []
  const captions = caption === undefined ? [] : [wrapped('figcaption', words)]
  return [wrapped('figure', [...picture.children, ...captions], [['typeof', 'mw:File/Thumb'], ...classes])]
}

function isFile({ attributes }: ElementNode): boolean {
  return /^(?:\.\/|\/wiki\/)File:/.test(attributes.get('href') ?? '')
}

function fileIn(href: string): string | null {
  return /^(?![\s\S]*[?#])(?:\.\/|[\s\S]*?\/wiki\/)((?:File|Image):[\s\S]+)$/.exec(href)?.[1] ?? null
}
