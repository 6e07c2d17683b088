/** Markdown as a page: CommonMark with tables and struck-out text, `[[links]]` to pages, no HTML. */

import type { Token } from 'markdown-it'
import { parseTitle, type Title, type TitleRules } from '../../core/title.ts'
import type { InTime } from '../bounded-time.ts'
import { cleanUrl, escapeTitle, isSafeUrl } from '../sanitize/urls.ts'
import { type ChildNode, type ElementNode, element, fragment, textNode } from '../tree/node.ts'
import { colouredCode } from './code.ts'
import { wikiLinkRule } from './wiki-link-rule.ts'

export interface MarkdownOptions {
  readonly rules: TitleRules
  /** The page itself: `[x](#part)` stays on it. */
  readonly title: Title
  /** Runs what may take for ever, as `ExtensionContext.inTime`. */
  readonly inTime: InTime
}

/** Longest text that is read as Markdown; a longer one is shown as it is. UTF-16 units. */
const maximumMarkdownLength = 2 * 1024 * 1024

/** Elements that tokens may name; all others have no element. */
const elements: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 em strong s ul ol li blockquote hr br table thead tbody tr th td code'.split(' '),
)

/** Makes the nodes of a Markdown text; null if it is too long, or too much for the time that is left. */
export async function markdownNodes(text: string, options: MarkdownOptions): Promise<ChildNode[] | null> {
  if (text.length > maximumMarkdownLength) return null
  const { default: markdownIt } = await import('markdown-it')
  const parser = markdownIt({ html: false, linkify: true })
  parser.inline.ruler.before('link', 'wiki_link', wikiLinkRule)
  const tokens = options.inTime(() => parser.parse(text, {}))
  if (tokens === undefined) return null
  const body = fragment()
  const builder: Builder = { open: [body], options }
  for (const token of tokens) await addToken(builder, token)
  return [...body.children].map(child => Object.assign(child, { parent: null }))
}

interface Builder {
  /** Open elements, innermost last; null for a token that has no element. */
  readonly open: (ElementNode | ReturnType<typeof fragment> | null)[]
  readonly options: MarkdownOptions
}

async function addToken(builder: Builder, token: Token): Promise<void> {
  if (token.type === 'inline') for (const child of token.children ?? []) await addToken(builder, child)
  else if (token.nesting === 1) open(builder, token)
  else if (token.nesting === -1) builder.open.pop()
  else for (const node of await leaf(token, builder.options)) add(builder, node)
}

function add({ open: nodes }: Builder, node: ChildNode): void {
  const parent = nodes.findLast(candidate => candidate !== null)!
  node.parent = parent
  parent.children.push(node)
}

function open(builder: Builder, token: Token): void {
  const node = token.hidden ? null : elementOf(token, builder.options)
  if (node !== null) add(builder, node)
  builder.open.push(node)
}

function elementOf(token: Token, options: MarkdownOptions): ElementNode | null {
  if (token.type === 'link_open') return linkOf(token, options)
  if (!elements.has(token.tag)) return null
  const style = `${token.attrGet('style') ?? ''}`
  const start = `${token.attrGet('start') ?? ''}`
  const attributes: [string, string][] = []
  if (/^text-align:(?:left|right|center)$/.test(style)) attributes.push(['style', style])
  if (/^\d+$/.test(start)) attributes.push(['start', start])
  return element(token.tag, attributes)
}

async function leaf(token: Token, options: MarkdownOptions): Promise<ChildNode[]> {
  switch (token.type) {
    case 'text':
      return token.content === '' ? [] : [textNode(token.content)]
    case 'softbreak':
      return [textNode('\n')]
    case 'code_inline':
      return [element('code', [], [textNode(token.content)])]
    case 'fence':
    case 'code_block':
      return [await codeNode(token, options)]
    case 'image':
      return [imageNode(token, options)]
    default:
      return elements.has(token.tag) ? [element(token.tag)] : [textNode(token.content)]
  }
}

async function codeNode({ info, content }: Token, { inTime }: MarkdownOptions): Promise<ElementNode> {
  const language = /^[\w+#.-]*/.exec(info.trim())![0].toLowerCase()
  const classes = `mw-highlight${language === '' ? '' : ` mw-highlight-lang-${language}`} mw-content-ltr`
  const code = element('pre', [], await colouredCode(content, language, inTime))
  return element(
    'div',
    [
      ['class', classes],
      ['dir', 'ltr'],
    ],
    [code],
  )
}

/** A picture of the wiki's own files is named by its file; anything else is only a link, nothing is loaded from elsewhere. */
function imageNode(token: Token, { rules }: MarkdownOptions): ChildNode {
  const source = decodePath(`${token.attrGet('src') ?? ''}`)
  const alt = token.content
  const file = isForeign(source) ? null : titleOf(`File:${source.replace(/^.*\//, '').replace(/^File:/i, '')}`, rules)
  if (file === null) return externalLink(source, [textNode(alt === '' ? source : alt)])
  const link = element(
    'a',
    [
      ['rel', 'mw:WikiLink'],
      ['href', `./${escapeTitle(file.key)}`],
      ['title', file.text],
      ['class', 'mw-file-description'],
    ],
    [textNode(alt === '' ? file.text : alt)],
  )
  link.data.media = file
  return link
}

function linkOf(token: Token, { rules, title }: MarkdownOptions): ElementNode {
  const href = `${token.attrGet('href') ?? ''}`
  if (isForeign(href)) return externalLink(href)
  const [path = '', ...rest] = decodePath(href).split('#')
  const anchor = rest.length === 0 ? '' : `#${rest.join('#').replaceAll(' ', '_')}`
  const page = path === '' ? title : titleOf(pageName(path, token), rules)
  if (page === null) return element('span')
  const link = element('a', [
    ['rel', 'mw:WikiLink'],
    ['href', `./${escapeTitle(page.key)}${anchor}`],
    ['title', page.text],
  ])
  if (path !== '') link.data.link = page
  return link
}

/** A path to a file of a page names the page. `[[links]]` say the title itself. */
function pageName(path: string, token: Token): string {
  return token.markup === '[[' ? path : path.replace(/^\.\//, '').replace(/\.(?:md|wiki)$/, '')
}

function externalLink(href: string, children: readonly ChildNode[] = []): ElementNode {
  const clean = isSafeUrl(href) ? cleanUrl(href) : null
  if (clean === null) return element('span', [], children)
  return element(
    'a',
    [
      ['rel', 'mw:ExtLink nofollow'],
      ['href', clean],
      ['class', 'external text'],
    ],
    children,
  )
}

function isForeign(href: string): boolean {
  return (
    /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(href) ||
    /^(?:mailto|tel|xmpp|sip|sips|sms|geo|magnet|news|bitcoin|urn):/i.test(href)
  )
}

function decodePath(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

function titleOf(text: string, rules: TitleRules): Title | null {
  try {
    return parseTitle(text, rules)
  } catch {
    return null
  }
}
