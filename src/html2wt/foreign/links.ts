/** Links and images of other sites, to the extent that they have a meaning here. */

import { type ChildNode, type ElementNode, textNode } from '../../wikitext/tree/node.ts'
import { textOf, walk } from '../../wikitext/tree/walk.ts'
import { isPicture } from '../elements/media.ts'
import { hasType, isBlock, isElement, isGap } from '../node-queries.ts'
import { replaceChildren } from '../tidy.ts'
import { hasClass, type Rule, wrapped } from './rewrite.ts'

/** Replaces links that run scripts or open local files with their text. */
export const linkRule: Rule = node => {
  if (node.name !== 'a') return null
  const href = (node.attributes.get('href') ?? '').replace(/[\0-\x20]+/g, '')
  if (/^(?:javascript|vbscript|data|file|blob|about|chrome|view-source|ms-\w+):/i.test(href)) return node.children
  // A root-relative path of another site leads to no page of this one.
  const isPath = /^\/(?!\/|wiki\/|w\/|index\.php)/.test(href) && !node.attributes.has('rel')
  if (isPath) return node.children
  const address = addressIn(href) ?? titleIn(href)
  if (address !== null) node.attributes.set('href', address)
  return null
}

/** Moves a link around blocks into each of them: in wikitext a link is within one paragraph. */
export const linkAroundRule: Rule = ({ name, children, attributes }) =>
  name === 'a' && attributes.has('href') && children.some(isBlock) ? linkedParts(children, [...attributes]) : null

function linkedParts(children: readonly ChildNode[], attributes: readonly [string, string][]): ChildNode[] {
  const parts: ChildNode[] = []
  let run: ChildNode[] = []
  const endRun = (): void => {
    for (const part of run.every(isGap) ? run : [wrapped('a', run, attributes)]) parts.push(part)
    run = []
  }
  for (const child of children) {
    if (!isBlock(child) || child.kind !== 'element') {
      run.push(child)
      continue
    }
    endRun()
    replaceChildren(child, linkedParts([...child.children], attributes))
    parts.push(child)
  }
  endRun()
  return parts
}

/** Returns the target of a link through a redirecting click counter; null for other links. */
function addressIn(href: string): string | null {
  if (!/^https?:\/\/(?:www\.)?google\.[a-z.]+\/url\?/i.test(href)) return null
  const query = new URLSearchParams(href.slice(href.indexOf('?')))
  const address = query.get('q') ?? query.get('url')
  return address !== null && /^https?:\/\//i.test(address) ? address : null
}

/** Removes event handlers and other attributes that belong to a browser. */
export const handlerRule: Rule = ({ attributes }) => {
  for (const name of [...attributes.keys()])
    if (/^on|^(?:contenteditable|target|nonce|autofocus|ping)$/i.test(name)) attributes.delete(name)
  if (/javascript|vbscript|expression\s*\(|url\s*\(|behaviou?r\s*:|-moz-binding/i.test(attributes.get('style') ?? ''))
    attributes.delete('style')
  return null
}

/** Returns the title in an edit link to a page that does not exist yet, such as `index.php?title=…`. */
function titleIn(href: string): string | null {
  const match = /^\/(?:w\/)?index\.php\?(.*)$/.exec(href)
  const query = new URLSearchParams(match?.[1] ?? '')
  const title = query.get('redlink') === '1' ? query.get('title') : null
  return title === null ? null : `./${encodeURIComponent(title)}`
}

/** Finds the file of an image in HTML for readers by the link around it. */
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
  const isReached = /^(?:https?:)?\/\//i.test(source)
  if (node.attributes.has('resource') || isPicture(node)) return null
  if (node.name === 'video' || node.name === 'audio') {
    return isReached ? [wrapped('a', [textNode(source.replace(/^.*\/(?=.)/, ''))], [['href', source]])] : node.children
  }
  if (node.name !== 'img' || isReached || isFileLink(node)) return null
  const alt = (node.attributes.get('alt') ?? '').trim()
  return alt === '' ? [] : [textNode(alt)]
}

function sourceIn({ children }: ElementNode): string {
  const held = children.find(child => isElement(child, 'source'))
  return held?.kind === 'element' ? (held.attributes.get('src') ?? '') : ''
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
  const sides = /\bt(left|right|none)\b/.exec(node.attributes.get('class') ?? '')?.[1]
  const side = sides === 'left' || sides === 'none' ? [['class', `mw-halign-${sides}`] as const] : []
  const held = caption === undefined ? [] : [wrapped('figcaption', words)]
  return [wrapped('figure', [...picture.children, ...held], [['typeof', 'mw:File/Thumb'], ...side])]
}

function isFile({ attributes }: ElementNode): boolean {
  return /^(?:\.\/|\/wiki\/)File:/.test(attributes.get('href') ?? '')
}

function fileIn(href: string): string | null {
  return /^(?![\s\S]*[?#])(?:\.\/|[\s\S]*?\/wiki\/)((?:File|Image):[\s\S]+)$/.exec(href)?.[1] ?? null
}

/** Converts a formula that records its TeX source. */
export const formulaRule: Rule = node => {
  if (node.name !== 'math') return null
  const source = (texIn(node) ?? node.attributes.get('alttext') ?? '').trim()
  const tex = /^\{\\(?:displaystyle|textstyle)\s+(?!\s)([\s\S]*)\}$/.exec(source)?.[1]?.trim() ?? source
  if (tex === '' || /<\/math/i.test(tex)) return [textNode(textOf(node.children))]
  const made: ElementNode = {
    ...node,
    name: 'span',
    attributes: new Map([['typeof', 'mw:Extension/math']]),
    children: [],
  }
  made.data = { mw: { name: 'math', attrs: {}, body: { extsrc: tex } } }
  return [made]
}

function texIn(node: ElementNode): string | null {
  for (const child of node.children) {
    if (child.kind !== 'element') continue
    if (child.name === 'annotation' && child.attributes.get('encoding') === 'application/x-tex')
      return textOf(child.children)
    const found = child.name === 'semantics' ? texIn(child) : null
    if (found !== null) return found
  }
  return null
}

/** The box of a formula contains it twice: as MathML and as an image. */
export const formulaBox: Rule = node => {
  if (!hasClass(node, /^(?:mwe-math-element(?:-\w+)?|katex|katex-display|katex-mathml|mwe-math-mathml-\w+)$/))
    return null
  const formula = node.children.find(
    child => child.kind === 'element' && child.attributes.get('typeof') === 'mw:Extension/math',
  )
  return formula === undefined ? null : [formula]
}
