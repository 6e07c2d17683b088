/**
 * Writes elements that show nothing or a single character: categories, behaviour switches, entities, nowiki, includes.
 */

import { redirectWords } from '../../core/redirect.ts'
import type { ElementNode } from '../../wikitext/tree/node.ts'
import { textOf } from '../../wikitext/tree/walk.ts'
import type { Context } from '../context.ts'
import { annotationOf, hasType, isNew } from '../node-queries.ts'
import { finish, innerWriter, type Writer, write } from '../writer.ts'
import { sourceOf as attributeSource } from './attributes.ts'
import { tagAttributes } from './extensions.ts'
import { tag } from './tags.ts'
import { bareHref, decoded } from './targets.ts'

function sourceOf(node: ElementNode): string | null {
  const source = node.data.parsoid?.src
  return typeof source === 'string' ? source : null
}

/** Writes `<nowiki>` around text. */
export function nowiki(writer: Writer, node: ElementNode): void {
  if (node.children.length === 0) {
    write(writer, '<nowiki/>')
    return
  }
  const inner = innerWriter(writer)
  for (const child of node.children) {
    if (child.kind === 'text') write(inner, plainSource(child.text))
    else if (child.kind === 'element') write(inner, contentSource(child))
  }
  write(writer, `<nowiki>${finish(inner)}</nowiki>`)
}

/** Text in `<nowiki>`: only character references and the end of the tag have a meaning. */
function plainSource(text: string): string {
  return text.replace(/&(?=[#\w]+;)/g, '&amp;').replace(/<(?=\/?nowiki)/gi, '&lt;')
}

/** Of other elements than a character reference only the text stays. */
function contentSource(node: ElementNode): string {
  if (hasType(node, /^mw:DisplaySpace$/)) return ' '
  return hasType(node, /^mw:Entity$/) ? entitySource(node) : plainSource(textOf(node.children))
}

function entitySource(node: ElementNode): string {
  const shown = textOf(node.children)
  const { src, srcContent } = node.data.parsoid ?? {}
  return typeof src === 'string' && srcContent === shown
    ? src
    : shown.replace(/[\s\S]/gu, one => `&#${one.codePointAt(0)};`)
}

/** Writes a character reference. */
export function entity(writer: Writer, node: ElementNode): void {
  const shown = textOf(node.children)
  const { src, srcContent } = node.data.parsoid ?? {}
  if (typeof src === 'string' && srcContent === shown) {
    write(writer, src)
    return
  }
  write(writer, [...shown].map(named).join(''))
}

const names: Readonly<Record<string, string>> = { '\u00a0': '&nbsp;', '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function named(sign: string): string {
  return names[sign] ?? (/[\p{L}\p{N}]/u.test(sign) ? sign : `&#${sign.codePointAt(0)};`)
}

/** Writes a non-breaking space that the renderer displays in place of a plain one. */
export function displaySpace(writer: Writer): void {
  write(writer, ' ')
}

/** Writes the source that a placeholder stands for. */
export function placeholder(writer: Writer, node: ElementNode, context: Context): void {
  const source = sourceOf(node)
  if (source !== null) write(writer, source)
  else writer.children(writer, node, context)
}

/** Writes a tag that controls transclusion, such as `<noinclude>`. */
export function includes(writer: Writer, node: ElementNode): void {
  const source = node.data.mw?.src ?? node.data.parsoid?.src
  const [, name, end] = /mw:Includes\/(\w+?)(\/End)?(?:\s|$)/.exec(node.attributes.get('typeof') ?? '') ?? []
  if (typeof source === 'string') write(writer, source)
  else if (name !== undefined && name !== 'IncludeOnly') write(writer, `<${end ? '/' : ''}${name.toLowerCase()}>`)
}

/** Writes a category, an interlanguage link or a redirect. */
export function category(writer: Writer, node: ElementNode, context: Context): void {
  const rel = node.attributes.get('rel') ?? ''
  const href = node.attributes.get('href') ?? ''
  if (rel === 'mw:PageProp/Category') {
    write(writer, categoryText(writer, node, href))
    return
  }
  if (rel === 'mw:PageProp/redirect') {
    const source = sourceOf(node) ?? `${redirectWords(writer.site.language)[0]} `
    write(writer, `${source}[[${redirectTarget(writer, node, href)}]]`)
    return
  }
  if (rel === 'mw:PageProp/Language') {
    write(writer, `[[${languageText(writer, node, href)}]]`)
    return
  }
  if (node.data.parsoid?.stx === 'html') tag(writer, node, context)
}

function unchangedTarget(node: ElementNode, href: string): string | null {
  const { a, sa } = (node.data.parsoid ?? {}) as { a?: Record<string, string>; sa?: Record<string, string> }
  return sa?.href !== undefined && a?.href === href ? sa.href : null
}

/** Returns the target and sort key if templates contributed to them. */
function templatedParts(writer: Writer, { data }: ElementNode, href: string): string[] | null {
  const rows = data.mw?.attribs
  if (!Array.isArray(rows)) return null
  const htmlOf = (name: string): string | undefined =>
    (rows as [{ txt?: string }, { html?: string }][]).find(([key]) => key?.txt === name)?.[1]?.html
  const [target, sort] = [htmlOf('href'), htmlOf('mw:sortKey')]
  if (target === undefined && sort === undefined) return null
  return [
    target ?? decoded(bareHref(href).replace(/#.*$/s, '')).replaceAll('_', ' '),
    ...(sort === undefined ? [] : [sort]),
  ].map(html => attributeSource(writer, html))
}

function categoryText(writer: Writer, node: ElementNode, href: string): string {
  const unchanged = unchangedTarget(node, href)
  if (unchanged !== null) return `[[${unchanged}]]`
  const parts = templatedParts(writer, node, href)
  if (parts !== null) return `[[${parts.join('|')}]]`
  const bare = bareHref(href)
  const hash = bare.indexOf('#')
  const title = decoded(hash === -1 ? bare : bare.slice(0, hash)).replaceAll('_', ' ')
  const sort = hash === -1 ? '' : decoded(bare.slice(hash + 1))
  return sort === '' ? `[[${title}]]` : `[[${title}|${sort}]]`
}

function redirectTarget({ site }: Writer, node: ElementNode, href: string): string {
  const unchanged = unchangedTarget(node, href)
  if (unchanged !== null) return unchanged
  for (const { prefix, url, isLanguage } of site.foreign.values()) {
    const before = url.split('$1')[0]!
    if (href.startsWith(before))
      return `${isLanguage ? ':' : ''}${prefix}:${decoded(href.slice(before.length)).replaceAll('_', ' ')}`
  }
  const title = decoded(bareHref(href)).replaceAll('_', ' ')
  return /^(?:Category|File):/i.test(title) ? `:${title}` : title
}

function languageText({ site }: Writer, node: ElementNode, href: string): string {
  const unchanged = unchangedTarget(node, href)
  if (unchanged !== null) return unchanged
  for (const { prefix, url } of site.foreign.values()) {
    const before = url.split('$1')[0]!
    const found = [before, before.replace(/^https?:/, '')].find(one => href.startsWith(one))
    if (found !== undefined) return `${prefix}:${decoded(href.slice(found.length))}`
  }
  return href
}

/** Writes a behaviour switch. */
export function property(writer: Writer, node: ElementNode, context: Context): void {
  if (node.data.mw?.autoGenerated === true) return
  const annotation = annotationOf(node)
  if (annotation !== null) {
    const { name, edge } = annotation
    write(writer, edge === 'end' ? `</${name}>` : `<${name}${annotationAttributes(node.data.mw?.attrs)}>`)
    return
  }
  const name = /^mw:PageProp\/(\w+)$/.exec(node.attributes.get('property') ?? '')?.[1]
  if (name !== undefined) {
    if (name !== 'categorydefaultsort' && name !== 'displaytitle') write(writer, switchText(writer, node, name))
    return
  }
  if (node.data.parsoid?.stx === 'html') tag(writer, node, context)
}

/** Writes the attributes of an annotation; one without a value has only its name. */
function annotationAttributes(attributes: unknown): string {
  if (typeof attributes !== 'object' || attributes === null) return ''
  return Object.entries(attributes)
    .map(([name, value]) => (value === '' ? ` ${name}` : tagAttributes({ [name]: value as unknown })))
    .join('')
}

/** Returns the source of a switch, unless the element has another property by now; then the wiki's preferred switch for it. */
function switchText({ site: { switches } }: Writer, node: ElementNode, name: string): string {
  const { src, magicSrc } = node.data.parsoid ?? {}
  const source = magicSrc ?? src
  const preferred = switches.preferred.get(name)
  if (typeof source !== 'string') return preferred ?? ''
  const own = switches.propertyOf(source)
  const isUnchanged = own === undefined ? !isNew(node) || source.toLowerCase().includes(name) : own === name
  return isUnchanged ? source : (preferred ?? `__${name.toUpperCase()}__`)
}
