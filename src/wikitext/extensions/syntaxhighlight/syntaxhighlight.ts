/** `<syntaxhighlight>` and `<source>`: code with syntax colours. */

import type { InTime } from '../../bounded-time.ts'
import { sanitizeAttributes } from '../../sanitize/attributes.ts'
import { appendChild, type ElementNode, element, textNode } from '../../tree/node.ts'
import { callData, type Extension, type ExtensionCall, type ExtensionContext } from '../extension.ts'
import { type Colours, linesOf, loadHighlighter, type Token, tokensOf } from './tokens.ts'

/** Code waiting for the highlighter. */
interface Waiting {
  readonly code: string
  readonly language: string
  /** The element that receives the code: the `pre`, or the `code` itself. */
  readonly holder: ElementNode
  readonly outer: ElementNode
  readonly isInline: boolean
  readonly marked: ReadonlySet<number>
  /** Number of the first line; null without line numbers. */
  readonly firstLine: number | null
}

const stateName = 'syntaxhighlight'
/** Maximum lines that `highlight` may mark. */
const maxMarkedLines = 1000

/** The extension of `<syntaxhighlight>`. Source: MediaWiki's SyntaxHighlight extension. */
export const syntaxhighlight: Extension = {
  tags: ['syntaxhighlight', 'source'],
  render: (call, context) => [render(call, context)],
  finish: (_, context) => colour(waitingOf(context), context.inTime),
}

function waitingOf(context: ExtensionContext): Waiting[] {
  return context.state<Waiting[]>(stateName, () => [])
}

function render(call: ExtensionCall, context: ExtensionContext): ElementNode {
  const { attributes } = call
  const isInline = attributes.has('inline') || attributes.get('enclose') === 'none'
  const source = call.byFunction ? (call.body ?? '').replaceAll(/<\/?nowiki>/g, '') : (call.body ?? '')
  const code = isInline ? source.trim() : source.replace(/^\s*\n/, '').trimEnd()
  const outer = element(isInline ? 'code' : 'div', outerAttributes(attributes))
  const data = callData(call)
  outer.data.mw = call.body === null ? data : { ...data, body: { extsrc: source } }
  if (code === '') return outer
  const holder = isInline ? outer : element('pre')
  if (holder !== outer) appendChild(outer, holder)
  appendChild(holder, textNode(code))
  const language = (attributes.get('lang') ?? '').toLowerCase()
  const firstLine = attributes.has('line') && !isInline ? wholeNumber(attributes.get('start'), 1) : null
  const marked = linesIn(attributes.get('highlight') ?? '')
  waitingOf(context).push({ code, language, holder, outer, isInline, marked, firstLine })
  return outer
}

function outerAttributes(attributes: ReadonlyMap<string, string>): Map<string, string> {
  const direction = attributes.get('dir') === 'rtl' ? 'rtl' : 'ltr'
  const asked = [...attributes].filter(([name]) => ['id', 'class', 'style'].includes(name))
  const { allowed } = sanitizeAttributes('div', asked)
  const own = allowed.get('class') ?? ''
  allowed.delete('class')
  const classes = [own, 'mw-highlight', `mw-content-${direction}`].filter(name => name !== '').join(' ')
  return new Map([['class', classes], ...allowed, ['dir', direction]])
}

/** Colours all code of a page; the highlighter is loaded only if there is code. */
async function colour(waiting: Waiting[], inTime: InTime): Promise<void> {
  if (waiting.length === 0) return
  const colours = { highlighter: await loadHighlighter(), inTime }
  for (const one of waiting.splice(0)) colourOne(one, colours)
}

function colourOne(waiting: Waiting, colours: Colours): void {
  const { code, language, outer, holder, isInline } = waiting
  const isSupported = language !== '' && colours.highlighter.getLanguage(language) !== undefined
  if (isSupported) addClass(outer, `mw-highlight-lang-${language}`)
  const isText = !isSupported || language === 'text'
  const tokens = isText ? null : tokensOf(code, language, colours)
  if (!isSupported && waiting.marked.size === 0 && waiting.firstLine === null) return
  const shown = tokens ?? [{ text: code, className: '' }]
  holder.children.length = 0
  if (isInline) addTokens(holder, shown)
  else addLines(holder, linesOf([...shown, { text: '\n', className: '' }]), waiting)
  if (waiting.firstLine !== null) addClass(outer, 'mw-highlight-lines')
}

function addClass(node: ElementNode, name: string): void {
  const classes = (node.attributes.get('class') ?? '').split(' ')
  classes.splice(classes.indexOf('mw-highlight') + 1, 0, name)
  node.attributes.set('class', classes.join(' '))
}

function addLines(holder: ElementNode, lines: readonly Token[][], { marked, firstLine }: Waiting): void {
  appendChild(holder, element('span'))
  for (const [i, line] of lines.entries()) {
    if (firstLine !== null) appendChild(holder, lineNumber(firstLine + i))
    const into = marked.has(i + 1) ? element('span', [['class', 'hll']]) : holder
    addTokens(into, line)
    if (into !== holder) appendChild(holder, into)
  }
}

function lineNumber(number: number): ElementNode {
  return element('span', [
    ['class', 'linenos'],
    ['data-line', `${number}`],
  ])
}

function addTokens(holder: ElementNode, tokens: readonly Token[]): void {
  let plain = ''
  const close = () => {
    if (plain !== '') appendChild(holder, textNode(plain))
    plain = ''
  }
  for (const { text, className } of tokens) {
    if (className === '') plain += text
    else {
      close()
      appendChild(holder, element('span', [['class', className]], [textNode(text)]))
    }
  }
  close()
}

/** Parses `2,5-7` to line numbers. */
function linesIn(list: string): ReadonlySet<number> {
  const lines = new Set<number>()
  for (const [, from, to] of list.matchAll(/(\d{1,6})(?:\s*-\s*(\d{1,6}))?/g)) {
    const last = Number(to ?? from)
    for (let line = Number(from); line <= last && lines.size < maxMarkedLines; line++) lines.add(line)
  }
  return lines
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : otherwise
}
