/**
 * Stands in for the engine (src/wikitext) until it is there, behind the same functions: headings, paragraphs, quotes, links,
 * lists, preformatted lines and nowiki. Everything else is shown as it was written.
 */

import type { ContentModel } from '../core/content-models.ts'
import { parseRedirect } from '../core/redirect.ts'
import { titleRules } from '../core/title.ts'
import type { WikiSource } from '../wikitext/wiki-source.ts'
import { pageReferences } from './page-references.ts'

export interface RenderOptions {
  readonly title: string
  readonly wiki: WikiSource
  readonly flavor?: 'view' | 'edit'
  readonly bodyOnly?: boolean
  readonly page?: { readonly id: number; readonly revision: number; readonly timestamp: string } | null
  readonly now?: Date
  readonly server?: string
}

export interface Rendered {
  readonly html: string
  readonly references: {
    readonly languages: readonly { readonly code: string; readonly title: string }[]
    /** Names in URL form, without `File:`. */
    readonly files: readonly string[]
  }
  readonly redirect: string | null
  readonly language: string
}

export interface Lint {
  readonly type: string
  readonly dsr: readonly [number, number, number | null, number | null]
  readonly templateInfo: { readonly name: string } | { readonly multiPartTemplateBlock: true } | null
  readonly params: object
}

/** Renders a text. */
export async function wikitextToHtml(text: string, options: RenderOptions): Promise<Rendered> {
  const body = paragraphs(text.split('\n'))
  return {
    html: options.bodyOnly ? body : document(body, options),
    references: {
      languages: languageLinks(text, options.wiki),
      files: pageReferences(text, titleRules(options.wiki.config)).files,
    },
    redirect: parseRedirect(text),
    language: options.wiki.config.language,
  }
}

/** Renders the text of any content model; all but wikitext is shown as it is. */
export async function contentToHtml(text: string, model: ContentModel, options: RenderOptions): Promise<Rendered> {
  if (model === 'wikitext') return wikitextToHtml(text, options)
  const html = `<pre>${escapeText(text)}</pre>`
  return { html, references: { languages: [], files: [] }, redirect: null, language: options.wiki.config.language }
}

/** Finds nothing to complain about. */
export async function lintWikitext(_text: string, _options: RenderOptions): Promise<readonly Lint[]> {
  return []
}

function document(body: string, { title, server = '', page }: RenderOptions): string {
  const about = page ? ` about="${escapeText(`${server}/wiki/Special:Redirect/revision/${page.revision}`)}"` : ''
  return (
    `<!DOCTYPE html>\n<html${about}><head><meta charset="utf-8"/><base href="${escapeText(`${server}/wiki/`)}"/>` +
    `<title>${escapeText(title)}</title></head><body>${body}</body></html>`
  )
}

const listTags: Readonly<Record<string, readonly [list: string, item: string]>> = {
  '*': ['ul', 'li'],
  '#': ['ol', 'li'],
  ':': ['dl', 'dd'],
  ';': ['dl', 'dt'],
}

function paragraphs(lines: readonly string[]): string {
  const out: string[] = []
  let open = ''
  for (const line of lines) {
    const [kind, text] = block(line)
    if (kind !== open) out.push(open && `</${open}>`, kind && `<${kind}>`)
    else if (kind === 'p' || kind === 'pre') out.push('\n')
    out.push(text)
    open = kind
  }
  return [...out, open && `</${open}>`].join('')
}

/** The element a line stands in, and the line in it. */
function block(line: string): [kind: string, html: string] {
  const heading = /^(={1,6})([^=].{0,500}?)\1[ \t]*$/.exec(line)
  if (heading !== null) {
    const tag = `h${heading[1]!.length}`
    return ['', `<${tag}>${inline(heading[2]!.trim())}</${tag}>`]
  }
  const tags = listTags[line.slice(0, 1)]
  if (tags !== undefined) return [tags[0], `<${tags[1]}>${inline(line.slice(1).trim())}</${tags[1]}>`]
  if (line.startsWith(' ') && line.trim() !== '') return ['pre', inline(line.slice(1))]
  return line.trim() === '' ? ['', ''] : ['p', inline(line)]
}

const tokens = /<nowiki>([^<]{0,1000})<\/nowiki>|'''''|'''|''|\[\[([^[\]|]{1,300})(?:\|([^[\]]{0,300}))?\]\]/g

function inline(text: string): string {
  const open: string[] = []
  const out: string[] = []
  let at = 0
  for (const match of text.matchAll(tokens)) {
    out.push(escapeText(text.slice(at, match.index)), token(match, open))
    at = match.index + match[0].length
  }
  out.push(escapeText(text.slice(at)))
  while (open.length > 0) out.push(`</${open.pop()}>`)
  return out.join('')
}

function token([whole, verbatim, target, label]: RegExpExecArray, open: string[]): string {
  if (verbatim !== undefined) return escapeText(verbatim)
  if (target !== undefined) {
    const href = `./${encodeURIComponent(target.trim().replaceAll(' ', '_'))}`
    return `<a rel="mw:WikiLink" href="${escapeText(href)}">${escapeText(label ?? target)}</a>`
  }
  return whole.length === 5 ? quote('b', open) + quote('i', open) : quote(whole.length === 3 ? 'b' : 'i', open)
}

function quote(tag: string, open: string[]): string {
  const at = open.lastIndexOf(tag)
  if (at < 0) {
    open.push(tag)
    return `<${tag}>`
  }
  const closed = open.splice(at).reverse()
  const again = closed.slice(0, -1).reverse()
  open.push(...again)
  return closed.map(name => `</${name}>`).join('') + again.map(name => `<${name}>`).join('')
}

function languageLinks(text: string, { config }: WikiSource): { code: string; title: string }[] {
  const links: { code: string; title: string }[] = []
  for (const [, code = '', title = ''] of text.matchAll(/\[\[[ _]*([a-z][a-z0-9-]{0,31})[ _]*:([^[\]|\n]{0,300})/gi)) {
    if (Object.hasOwn(config.languages, code.toLowerCase())) links.push({ code: code.toLowerCase(), title })
  }
  return links
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, sign => entities[sign] ?? sign)
}
