/** Files that a page displays. */

import type { MediaOptionKey } from '../../wikitext/media/magic-words.ts'
import { type ChildNode, type ElementNode, element, type ParentNode } from '../../wikitext/tree/node.ts'
import { copyNodes } from '../../wikitext/tree/walk.ts'
import { type Context, pageContext } from '../context.ts'
import { elementsOf, typesOf } from '../node-queries.ts'
import { finish, innerWriter, type Writer, write } from '../writer.ts'
import { bareHref, decoded } from './targets.ts'
import { optionValue } from './values.ts'

interface Option {
  readonly ck: string
  readonly ak: string
}

/** Writes `[[File:name|options|caption]]`. */
export function media(writer: Writer, node: ElementNode, context: Context): void {
  const parts = fileParts(writer, node, context)
  if (parts === null) writer.children(writer, node, context)
  else write(writer, `[[${parts.join('|')}]]`)
}

/** Returns the title, options and caption of a file; null if the element names no file. */
export function fileParts(writer: Writer, node: ElementNode, context: Context): string[] | null {
  const shown = mediaOf(node)
  const resource = shown?.attributes.get('resource') ?? shown?.attributes.get('src')
  if (shown === null || resource === undefined) return null
  const caption = captionText(writer, node, context)
  const wanted = wantedOptions(writer, node, shown)
  dropAlt(wanted, node, shown, caption)
  const list = Array.isArray(node.data.parsoid?.optList) ? (node.data.parsoid.optList as Option[]) : null
  const parts = list === null ? freshParts(wanted, caption) : partsInPlace(list, wanted, caption, node)
  return [fileTitle(node, shown, resource), ...parts]
}

function fileTitle(node: ElementNode, shown: ElementNode, resource: string): string {
  for (const one of [node, shown]) {
    const { a, sa } = (one.data.parsoid ?? {}) as { a?: Record<string, string>; sa?: Record<string, string> }
    if (sa?.resource !== undefined && (a?.resource === undefined || a.resource === resource)) return sa.resource
  }
  return decoded(bareHref(resource))
}

/** Returns true if an element is an image of this wiki without a frame around it. */
export function isPicture(node: ChildNode): boolean {
  return (
    node.kind === 'element' &&
    node.name === 'img' &&
    !node.attributes.has('resource') &&
    /^(?:\.\/|[^:/]+:[^/])/.test(node.attributes.get('src') ?? '') &&
    !/^(?:data|https?|ftp|file|cid):/i.test(node.attributes.get('src') ?? '')
  )
}

/** Wraps such an image, or a link around it, in the element that the renderer makes for files. */
export function pictureOf(nodes: readonly ChildNode[]): ElementNode {
  return element('span', [['typeof', 'mw:File']], [...nodes])
}

/** Writes an image without a frame. */
export function picture(writer: Writer, node: ElementNode, context: Context): void {
  media(writer, pictureOf(copyNodes([node]).children), context)
}

function mediaOf(node: ElementNode): ElementNode | null {
  const pending: ElementNode[] = [node]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next !== node && (next.attributes.has('resource') || isPicture(next))) return next
    if (next.name === 'figcaption') continue
    for (const child of next.children) if (child.kind === 'element') pending.push(child)
  }
  return null
}

function captionText(writer: Writer, node: ElementNode, context: Context): string | null {
  // A browser repeats open formatting inside a figure, around its caption.
  const held = elementsOf(node).find(({ name }) => name === 'figcaption')
  const hidden = node.data.mw?.caption
  const from: ParentNode | null = held ?? (typeof hidden === 'string' ? writer.parse(hidden) : null)
  if (from === null) return null
  const inner = innerWriter(writer)
  writer.children(inner, from, { ...context, link: 'media', list: '', isLine: false, term: false })
  const text = finish(inner)
  return text === '' ? null : text
}

/** Reads the options from the element, by option name. */
function wantedOptions(writer: Writer, node: ElementNode, shown: ElementNode): Map<string, string> {
  const wanted = new Map<string, string>()
  const { write: written } = writer.site.mediaWords
  const put = (key: MediaOptionKey, value?: string) => wanted.set(key, written(key, value))
  const type = typesOf(node).find(one => /^mw:(?:File|Image|Video|Audio)/.test(one)) ?? ''
  const format = /\/(Thumb|Frame|Frameless)$/.exec(type)?.[1]
  if (format !== undefined) put(formats[format]!)
  const classes = (node.attributes.get('class') ?? '').split(/\s+/).filter(Boolean)
  const own: string[] = []
  for (const one of classes) {
    const halign = /^mw-halign-(\w+)$/.exec(one)?.[1]
    const valign = /^mw-valign-([\w-]+)$/.exec(one)?.[1]?.replace('-', '_')
    if (halign !== undefined && isKey(halign)) put(halign)
    else if (valign !== undefined && isKey(valign)) put(valign)
    else if (one === 'mw-image-border') put('border')
    else if (!/^mw-default-(?:size|audio-height)$/.test(one)) own.push(one)
  }
  const size = sizeOf(node, shown, classes)
  if (size !== null) put('width', size)
  const upright = /--mw-file-upright:\s*([\d.]+)/.exec(shown.attributes.get('style') ?? '')?.[1]
  if (upright !== undefined) put('upright', upright === '0.75' ? undefined : upright)
  const link = linkOf(node, shown)
  if (link !== null) put('link', link)
  const alt = shown.attributes.get('alt')
  if (alt !== undefined) put('alt', optionValue(alt))
  if (own.length > 0) put('class', own.join(' '))
  addAttribs(writer, wanted, node)
  const lang = shown.attributes.get('lang')
  if (lang !== undefined) put('lang', lang)
  return wanted
}

const formats: Readonly<Record<string, MediaOptionKey>> = {
  Thumb: 'thumbnail',
  Frame: 'framed',
  Frameless: 'frameless',
}

/** Returns true for the name of a format or alignment. */
function isKey(name: string): name is MediaOptionKey {
  return Object.hasOwn(slots, name)
}

function sizeOf(node: ElementNode, shown: ElementNode, classes: readonly string[]): string | null {
  if (classes.includes('mw-default-size') || typesOf(node).some(type => type.endsWith('/Frame'))) return null
  const width = shown.attributes.get('data-width') ?? shown.attributes.get('width')
  const height = shown.attributes.get('data-height') ?? shown.attributes.get('height')
  const sizes = [width, classes.includes('mw-default-audio-height') ? undefined : height].map(pixels).filter(isNumber)
  const most = Math.max(...sizes)
  return sizes.length === 0 || isInGallery(node) ? null : `${most}x${most}`
}

/** Drops alternative text that only repeats the caption. */
function dropAlt(wanted: Map<string, string>, node: ElementNode, shown: ElementNode, caption: string | null): void {
  const isBare = typesOf(node).some(type => /^mw:(?:File|Image|Video|Audio)(?:\/Frameless)?$/.test(type))
  const title = shown.parent?.kind === 'element' ? shown.parent.attributes.get('title') : undefined
  const alt = shown.attributes.get('alt')
  if (alt !== undefined && isBare && (alt === title || alt === caption) && (caption !== null || isInGallery(node)))
    wanted.delete('alt')
}

function isInGallery(node: ElementNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.kind === 'element' && /\bgallerybox\b/.test(at.attributes.get('class') ?? '')) return true
  }
  return false
}

/** Returns the target of a file's link, "" for none; null if it is the file's page. */
function linkOf(node: ElementNode, shown: ElementNode): string | null {
  const wrapper = node.children.find(
    (child): child is ElementNode => child.kind === 'element' && child.name !== 'figcaption',
  )
  if (wrapper === undefined) return null
  const href = wrapper.name === 'a' ? wrapper.attributes.get('href') : undefined
  if (href === undefined) return (wrapper.name === 'span' || wrapper === shown) && shown.name === 'img' ? '' : null
  const resource = bareHref(shown.attributes.get('resource') ?? shown.attributes.get('src') ?? '')
  const target = bareHref(href)
  if (target.replace(/\?.*$/s, '') === resource || decoded(target.replace(/\?.*$/s, '')) === decoded(resource))
    return null
  if (/^Special:Upload\b|Special:FilePath/.test(target) || wrapper.attributes.get('class') === 'new') return null
  const isPage = !/^(?:[a-z]+:)?\/\//i.test(href) && !/^mailto:/.test(href)
  const text = isPage ? readingForm(decoded(target), wrapper.attributes.get('title')) : href
  return text.replace(/('{2,}.*'{2,}|'{2,})/g, '<nowiki>$1</nowiki>')
}

/** Returns the page's title if the link carries one, else its URL. */
function readingForm(target: string, title: string | undefined): string {
  const [path = '', ...anchor] = target.split('#')
  const isSame = title === path.replaceAll('_', ' ') && !/[&%']/.test(title)
  return isSame ? [title, ...anchor].join('#') : target
}

function pixels(text: string | undefined): number | null {
  const digits = /^(\d{1,6})(?:px)?$/.exec(text ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}

function isNumber(value: number | null): value is number {
  return value !== null
}

function addAttribs(writer: Writer, wanted: Map<string, string>, node: ElementNode): void {
  const thumb = node.data.mw?.thumb
  const { write: written } = writer.site.mediaWords
  if (typeof thumb === 'string') wanted.set('manualthumb', written('manualthumb', thumb))
  const rows = node.data.mw?.attribs
  if (!Array.isArray(rows)) return
  for (const entry of rows as unknown[]) {
    const [name, value] = Array.isArray(entry)
      ? (entry as [unknown, { txt?: unknown; html?: unknown } | undefined])
      : []
    if (!isPrefixed(name)) continue
    if (typeof value?.html === 'string') wanted.set(name, htmlOption(writer, value.html, name))
    else if (typeof value?.txt === 'string') wanted.set(name, written(name, value.txt))
  }
}

/** Returns an option that templates or markup contributed to, as wikitext. */
function htmlOption(writer: Writer, html: string, name: MediaOptionKey): string {
  const inner = innerWriter(writer)
  writer.children(inner, writer.parse(html), { ...pageContext, link: 'media', isLine: true })
  const text = finish(inner)
  const { prefixes, write: written } = writer.site.mediaWords
  const isWhole = text.startsWith('{{') || prefixes.some(({ key, text: word }) => key === name && text.startsWith(word))
  return isWhole ? text : written(name, text)
}

const prefixed = ['manualthumb', 'page', 'lang', 'thumbtime', 'starttime', 'endtime', 'alt', 'link'] as const

/** Returns true for the name of an option that the element's data may hold. */
function isPrefixed(name: unknown): name is (typeof prefixed)[number] {
  return prefixed.some(one => one === name)
}

/** Returns the options of a file that has no source. */
function freshParts(wanted: ReadonlyMap<string, string>, caption: string | null): string[] {
  const order =
    'link alt manualthumb lang page starttime endtime thumbtime thumbnail framed frameless border left right center none'.split(
      ' ',
    )
  const rest = [...wanted.keys()].filter(key => !order.includes(key))
  const manual = wanted.has('manualthumb')
  const isWritten = (key: string): boolean => !(manual && (key === 'thumbnail' || key === 'width'))
  const keys = [...order.filter(key => wanted.has(key)), ...rest].filter(isWritten)
  return [...keys.map(key => wanted.get(key)!), ...(caption === null ? [] : [caption])]
}

const slots: Readonly<Record<string, string>> = {
  thumbnail: 'format',
  framed: 'format',
  frameless: 'format',
  left: 'halign',
  right: 'halign',
  center: 'halign',
  none: 'halign',
  baseline: 'valign',
  sub: 'valign',
  super: 'valign',
  top: 'valign',
  text_top: 'valign',
  middle: 'valign',
  bottom: 'valign',
  text_bottom: 'valign',
}

/**
 * Returns the options in the order of the source: unchanged ones, changed ones in their old position, then new ones.
 */
function partsInPlace(
  list: readonly Option[],
  wanted: ReadonlyMap<string, string>,
  caption: string | null,
  node: ElementNode,
): string[] {
  const parts: string[] = []
  const seen = new Set<string>()
  const bySlot = new Map([...wanted].map(([key, text]) => [slots[key] ?? key, { key, text }] as const))
  const lastWidth = list.findLastIndex(({ ck }) => ck === 'width')
  for (const [index, { ck, ak }] of list.entries()) {
    const slot = slots[ck] ?? ck
    seen.add(slot)
    if (ck === 'width' && isInGallery(node)) continue
    if (ck === 'caption') parts.push(...(caption === null && ak !== '' ? [] : [caption ?? '']))
    else if (ck === 'width' && index < lastWidth) parts.push(ak)
    else parts.push(...optionInPlace({ ck, ak }, bySlot.get(slot), node))
  }
  for (const slot of ['format', 'halign', 'width']) {
    const text = bySlot.get(slot)?.text
    const isImplied =
      slot === 'width' && (seen.has('upright') || seen.has('manualthumb') || list.some(one => one.ck === 'bogus'))
    if (!seen.has(slot) && !seen.has('manualthumb') && text !== undefined && !isImplied) parts.push(text)
  }
  if (!seen.has('caption') && caption !== null) parts.push(caption)
  return parts
}

/** Returns the source of an option, unless the element contradicts it. */
function optionInPlace(
  { ck, ak }: Option,
  now: { key: string; text: string } | undefined,
  node: ElementNode,
): string[] {
  if (ck === 'width') return [now === undefined || isSize(ak, node) ? ak : now.text]
  if (ck === 'page' && node.data.mw !== undefined && now === undefined) return []
  const slot = slots[ck]
  const isSilent = slot === undefined || (slot === 'valign' && node.name === 'figure')
  if (isSilent || now?.key === ck) return [ak]
  return now === undefined ? [] : [now.text]
}

/**
 * Returns true if an image has the size that an option requests: in at least one dimension, or smaller if the file is
 * smaller.
 */
function isSize(option: string, node: ElementNode): boolean {
  const asked = (option.match(/\d+/g) ?? []).map(Number)
  const shown = mediaOf(node)
  const sizes = ['data-width', 'data-height', 'width', 'height'].map(name => pixels(shown?.attributes.get(name)))
  const natural = pixels(shown?.attributes.get('data-file-width'))
  return (
    asked.length === 0 ||
    asked.some(one => sizes.includes(one)) ||
    (natural !== null && sizes.includes(natural) && asked.some(one => one > natural)) ||
    /^\{|=/.test(option)
  )
}
