/** Code blocks, as Markdown renderers, GitHub and syntax highlighters write them. */

import { type ChildNode, type ElementNode, textNode } from '../../wikitext/tree/node.ts'
import { textOf } from '../../wikitext/tree/walk.ts'
import { hasType, isElement, isItem } from '../node-queries.ts'
import { extensionTag, hasClass, isBlank, isForeign, type Rule } from './rewrite.ts'

/** Boxes that highlighters put around a block. */
const boxClass =
  /^(?:mw-highlight|highlight|highlighter-rouge|sourceCode|codehilite|code-block|syntaxhighlight)(?:-|$)/i
const languageClass = /^(?:mw-highlight-lang|language|lang|highlight-source|brush:)-?([\w+#.-]{1,40})$/i
/** Class names next to `sourceCode` and `highlight` that name no language. */
const plainNames =
  /^(?:sourceCode|highlight|notranslate|numberSource|numberLines|literate|hljs|code|prettyprint|mw-.*)$/i
const noLanguages: ReadonlySet<string> = new Set([
  'text',
  'txt',
  'plain',
  'plaintext',
  'none',
  'nohighlight',
  'default',
])

/** Converts a code block, or the box around one. */
export const codeBlock: Rule = node => {
  const isBox = isCodeBox(node)
  const pre = node.name === 'pre' ? node : isBox ? boxed(node) : null
  if (pre === null) return isBox && holdsOnlyCode(node) ? node.children : null
  if ((pre !== node && !isForeign(pre)) || (pre === node && isLeftToBox(node))) return null
  const inner = onlyChild(pre, 'code')
  const language = [node, pre, inner].map(one => (one === null ? null : languageOf(one))).find(found => found !== null)
  const isPlain = language === undefined && inner === null && pre === node
  if (isPlain && !(node.parent !== null && isItem(node.parent))) return null
  return apart(node, codeTag(textOf(pre.children), language ?? ''))
}

/** Inside an item or cell the block stays on its line; elsewhere it gets its own lines. */
function apart({ parent }: ElementNode, tag: ElementNode): ChildNode[] {
  const isInline = parent?.kind === 'element' && /^(?:li|dd|dt|p|a|span|td|th)$/.test(parent.name)
  return isInline ? [tag] : [textNode('\n'), tag, textNode('\n')]
}

function isCodeBox(node: ElementNode): boolean {
  return (node.name === 'div' || node.name === 'figure') && hasClass(node, boxClass)
}

function holdsOnlyCode(node: ElementNode): boolean {
  const [only, ...others] = node.children.filter(child => !isBlank(child))
  return others.length === 0 && only?.kind === 'element' && hasType(only, /^mw:Extension\/(?:pre|syntaxhighlight)$/)
}

/** The enclosing box may name the language. */
function isLeftToBox({ parent }: ElementNode): boolean {
  return parent?.kind === 'element' && isForeign(parent) && isCodeBox(parent) && boxed(parent) !== null
}

function codeTag(text: string, language: string): ElementNode {
  const code = text.replace(/^\n|(?<!\n)\n+$/g, '')
  if (language !== '' && !noLanguages.has(language) && !/<\/syntaxhighlight/i.test(code)) {
    return extensionTag('syntaxhighlight', { attrs: { lang: language }, source: `\n${code}\n` })
  }
  const source = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return extensionTag('pre', { source: source.startsWith('\n') ? `\n${source}` : source })
}

/** Returns the block of a box that contains nothing else. */
function boxed(node: ElementNode): ElementNode | null {
  return onlyChild(node, 'pre') ?? innerBox(node)
}

function innerBox(node: ElementNode): ElementNode | null {
  const inner = onlyChild(node, 'div')
  return inner === null ? null : onlyChild(inner, 'pre')
}

function onlyChild(node: ElementNode, name: string): ElementNode | null {
  const [only, ...others] = node.children.filter(child => !isBlank(child))
  return only !== undefined && others.length === 0 && isElement(only, name) ? only : null
}

function languageOf(node: ElementNode): string | null {
  const classes = (node.attributes.get('class') ?? '').split(/\s+/).filter(Boolean)
  const classLanguage = classes.map(name => languageClass.exec(name)?.[1]).find(found => found !== undefined)
  const beside =
    classes.some(name => /^(?:sourceCode|hljs)$/.test(name)) && classes.find(name => !plainNames.test(name))
  const language =
    classLanguage ?? node.attributes.get('data-lang') ?? node.attributes.get('lang') ?? (beside || undefined)
  return language !== undefined && /^[\w+#.-]{1,40}$/.test(language) ? language.toLowerCase() : null
}
