/**
 * Cleans HTML pasted from word processors and browsers: styles that carry meaning become elements, the rest is removed.
 */

import type { ChildNode, ElementNode, FragmentNode } from '../../wikitext/tree/node.ts'
import { textOf } from '../../wikitext/tree/walk.ts'
import { isBlock, isElement } from '../node-queries.ts'
import { replaceChildren } from '../tidy.ts'
import { inParagraphs } from './blocks.ts'
import {
  foreignElements,
  type GroupRule,
  hasClass,
  isBlank,
  isForeign,
  type Rule,
  renamed,
  shortText,
  wrapped,
} from './rewrite.ts'

/** Returns true if the HTML comes from the clipboard of an office program, Google Docs or Sheets, a mail client or a browser. */
export function isPasted(tree: FragmentNode): boolean {
  if (foreignElements(tree).some(isFromClipboard)) return true
  return tree.children.some(child => child.kind === 'comment' && /^\s*StartFragment/.test(child.text))
}

function isFromClipboard(node: ElementNode): boolean {
  const { name, attributes } = node
  if (name === 'google-sheets-html-origin' || isOfSpreadsheet(node)) return true
  if (/^[ovwx]:/.test(name) || hasClass(node, /^(?:Mso[A-Z]|Apple-|WordSection|SCXW)/)) return true
  if (attributes.get('id')?.startsWith('docs-internal-guid-')) return true
  if (/^#(?:ftnt|cmnt)\d/.test(attributes.get('href') ?? '')) return true
  return /(?:^|[;\s])(?:mso-|-webkit-|orphans\s*:|widows\s*:|font-variant-ligatures)/i.test(
    attributes.get('style') ?? '',
  )
}

/** Excel names its formats `xl65` and on, and has types of cells as `x:num`. LibreOffice Calc and Google Sheets have attributes of their own. */
function isOfSpreadsheet({ name, attributes }: ElementNode): boolean {
  if (!/^(?:table|tr|td|col)$/.test(name)) return false
  if (/^xl\d+$/.test(attributes.get('class') ?? '') || attributes.has('sdval')) return true
  return [...attributes.keys()].some(one => one.startsWith('x:') || one.startsWith('data-sheets-'))
}

/** Styles that carry meaning, with the element for each, outermost first. */
const meanings: readonly (readonly [name: string, property: string, value: RegExp])[] = [
  ['b', 'font-weight', /^(?:bold|bolder|[6-9]00)$/],
  ['i', 'font-style', /^(?:italic|oblique)/],
  ['s', 'text-decoration', /line-through/],
  ['u', 'text-decoration', /underline/],
  ['sup', 'vertical-align', /^super$/],
  ['sub', 'vertical-align', /^sub$/],
  ['code', 'font-family', /^["']?(?:courier|consolas|menlo|monaco|monospace|roboto mono|source code|lucida console)/],
]

type Style = ReadonlyMap<string, string>

function styleOf({ attributes }: ElementNode): Style {
  const text = (attributes.get('style') ?? '').slice(0, longestStyle)
  const pairs = text.split(';').map(one => one.split(/:(.*)/s))
  const style = new Map(pairs.map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim().toLowerCase()]))
  const line = style.get('text-decoration-line')
  if (line !== undefined && !style.has('text-decoration')) style.set('text-decoration', line)
  return style
}

const longestStyle = 10_000

/** Elements that already carry the meaning: a heading is bold, a link underlined. */
const impliedBy: Readonly<Record<string, RegExp>> = {
  b: /^(?:h[1-6]|th|b|strong)$/,
  u: /^(?:a|u|ins)$/,
  i: /^(?:i|em)$/,
  code: /^(?:code|pre)$/,
}

function isImplied(node: ElementNode, name: string): boolean {
  const implying = Object.hasOwn(impliedBy, name) ? impliedBy[name]! : null
  let at = node.parent
  while (implying !== null && at?.kind === 'element' && !(implying.test(at.name) && !isPlain(at, styleOf(at))))
    at = at.parent
  return implying !== null && at?.kind === 'element'
}

/** Unwraps an inline box that only sets a style. */
const spanRule: Rule = node => {
  const style = styleOf(node)
  if (isPlain(node, style)) return node.children
  if (/^t[dh]$/.test(node.name)) return cellMeaning(node, style)
  if (node.name !== 'span' && node.name !== 'font') return null
  if (hasClass(node, /^Apple-converted-space$/) || style.get('mso-spacerun') === 'yes') {
    return [{ kind: 'text', text: textOf(node.children).replaceAll('\u00a0', ' '), parent: null }]
  }
  return withMeanings(node, style)
}

/** Returns the children of an element in the elements that its style means. */
function withMeanings(node: ElementNode, style: Style): readonly ChildNode[] {
  let children: readonly ChildNode[] = node.children
  if (children.some(isBlock) || children.every(isBlank)) return children
  for (const [name, property, value] of meanings.toReversed()) {
    const isMeant = value.test(style.get(property) ?? '') && !isImplied(node, name)
    if (isMeant) children = [wrapped(name, children)]
  }
  return children
}

/** Spreadsheets style the cell and not its words. A header cell is bold by itself; a cell's alignment means nothing. */
function cellMeaning(node: ElementNode, style: Style): null {
  const own = new Map([...style].filter(([name]) => name !== 'vertical-align' && name !== 'font-family'))
  if (node.name === 'th') own.delete('font-weight')
  replaceChildren(node, withMeanings(node, own))
  return null
}

/** Google Docs wraps its clipboard in `<b>` that is not bold. */
function isPlain({ name, attributes }: ElementNode, style: Style): boolean {
  if (attributes.get('id')?.startsWith('docs-internal-guid-')) return true
  if (/^(?:b|strong)$/.test(name)) return /^(?:normal|lighter|[1-4]00)$/.test(style.get('font-weight') ?? '')
  return /^(?:i|em)$/.test(name) && style.get('font-style') === 'normal'
}

/** Elements of word processors contain text, or only metadata. */
const officeRule: Rule = node => {
  if (!node.name.includes(':')) return null
  return shortText(node.children, 100).trim() === '' ? [] : node.children
}

/** Attributes that describe more than appearance. */
const shownNames: ReadonlySet<string> = new Set(
  'alt checked colspan datetime href id name rel resource rowspan scope src start title type typeof'.split(' '),
)

const looksRule: Rule = node => {
  const isRightToLeft = node.attributes.get('dir') === 'rtl'
  for (const name of [...node.attributes.keys()]) {
    if (!shownNames.has(name) && !name.startsWith('data-mw') && !(name === 'dir' && isRightToLeft))
      node.attributes.delete(name)
  }
  return null
}

/** Converts Word's titles and removes its tables of contents and bookmarks. */
const wordRule: Rule = node => {
  const { name, attributes } = node
  if (name === 'p' && hasClass(node, /^MsoTitle$/)) return [renamed(node, 'h1')]
  if (name === 'p' && hasClass(node, /^MsoToc(?:\d|Heading)$/)) return []
  const isBookmark =
    name === 'a' && !attributes.has('href') && /^_(?:Toc|Ref|Hlk|GoBack|Mail)/.test(attributes.get('name') ?? '')
  return isBookmark ? node.children : null
}

/** Empty paragraphs only add space, and boxes only position content on a printed page. */
const emptyRule: Rule = node => {
  if (node.name === 'div' && isEmpty(node)) return []
  if (node.name === 'div') return isNoteBox(node) ? null : inParagraphs(node)
  if (node.name === 'u' && isImplied(node, 'u')) return node.children
  return node.name === 'p' && isEmpty(node) ? [] : null
}

function isEmpty({ children }: ElementNode): boolean {
  const isShown = children.some(child => child.kind === 'element' && child.name !== 'br')
  return !isShown && children.every(child => isBlank(child) || child.kind === 'element')
}

function isNoteBox({ attributes }: ElementNode): boolean {
  return /^_?(?:ftn|edn)/.test(attributes.get('id') ?? '')
}

/** A heading is bold by itself. */
const headingRule: Rule = node => {
  if (!/^h[1-6]$/.test(node.name)) return null
  const content = node.children.filter(child => !isBlank(child))
  const [only] = content
  if (content.length !== 1 || (!isElement(only!, 'b') && !isElement(only!, 'strong'))) return null
  const made = renamed(only, node.name)
  for (const [name, value] of node.attributes) made.attributes.set(name, value)
  return [made]
}

const clipboardComment = /^\s*(?:StartFragment|EndFragment|\[(?:if|endif)|\/\*)/

/** Removes markers of the clipboard, and line breaks between blocks. */
const clipboardRule: GroupRule = children => {
  const dropped = new Set<ChildNode>(
    children.filter(child => child.kind === 'comment' && clipboardComment.test(child.text)),
  )
  if (children.some(isBlock)) for (const child of breaksBetweenBlocks(children)) dropped.add(child)
  return dropped.size === 0 ? null : children.filter(child => !dropped.has(child))
}

function breaksBetweenBlocks(children: readonly ChildNode[]): ChildNode[] {
  const found: ChildNode[] = []
  let breaks: ChildNode[] = []
  let isAfterBlock = true
  for (const child of children) {
    if (isBlank(child)) continue
    if (isElement(child, 'br') && isForeign(child)) breaks.push(child)
    else {
      if (isAfterBlock && isBlock(child)) for (const one of breaks) found.push(one)
      breaks = []
      isAfterBlock = isBlock(child)
    }
  }
  return isAfterBlock ? found.concat(breaks) : found
}

/** Rules for pasted HTML. The first that returns a result wins. */
export const pastedRules: readonly Rule[] = [officeRule, spanRule, wordRule, emptyRule, headingRule, looksRule]
export const pastedGroups: readonly GroupRule[] = [clipboardRule]
