/** Elements of media in a page. Source: MediaWiki DOM specification 2.8.0, "Media". */

import { urlencode } from '../sanitize/ids.ts'
import { escapeTitle } from '../sanitize/urls.ts'
import { type ChildNode, type ElementNode, element, fragment } from '../tree/node.ts'
import type { FileMetadata } from '../wiki-source.ts'
import { content } from './content.ts'
import type { MediaOptionKey } from './magic-words.ts'
import type { MediaOption, MediaOptions } from './options.ts'
import {
  errors,
  isBlock,
  isLanguage,
  isPlain,
  languageOf,
  type MediaContext,
  type MediaFile,
  pageOf,
  type Shown,
  show,
  showsCaption,
  textOfOption,
} from './resolved-file.ts'

const typeSuffixes = { thumbnail: '/Thumb', manualthumb: '/Thumb', framed: '/Frame', frameless: '/Frameless' } as const

/** Input for a media element, apart from its options. */
export interface MediaElementOptions {
  readonly file: MediaFile
  /** Parsed caption, which becomes the element's own children; null if there is none. */
  readonly caption: readonly ChildNode[] | null
  readonly context: MediaContext
  /** True to force a `figure`, so that the caption is in a `figcaption`. */
  readonly asFigure?: boolean
}

/** Makes the element of a file link: a `figure` if it is aligned or framed, otherwise a `span`. */
export function mediaElement(
  options: MediaOptions,
  { file, caption, context, asFigure = false }: MediaElementOptions,
): ElementNode {
  const shown = show(options, { file, caption, context, isFigure: asFigure || isBlock(options) })
  const children = [wrapper(shown, content(shown))]
  if (shown.isFigure) children.push(element('figcaption', [], caption ?? []))
  const node = element(shown.isFigure ? 'figure' : 'span', [], children)
  const classes = classesOf(shown)
  if (classes.length > 0) node.attributes.set('class', classes.join(' '))
  const mw = dataMw(shown, caption)
  node.attributes.set('typeof', typeOf(shown, mw.isExpanded))
  if (Object.keys(mw.data).length > 0) node.data.mw = mw.data
  return node
}

function classesOf({ options, isFigure, kind }: Shown): string[] {
  const { format, width, height, halign, valign } = options
  const classes: string[] = []
  const isSized = width !== null || height !== null
  if (!isSized && format !== 'manualthumb' && format !== 'framed') classes.push('mw-default-size')
  if (options.border && !showsCaption(options)) classes.push('mw-image-border')
  if (halign !== null) classes.push(`mw-halign-${halign}`)
  if (valign !== null && !isFigure) classes.push(`mw-valign-${valign}`)
  if (kind === 'audio') classes.push('mw-default-audio-height')
  const own = options.values.get('class')
  if (own !== undefined && own.value !== '') classes.push(...own.value.split(/\s+/))
  return classes
}

function typeOf({ options, error }: Shown, isExpanded: boolean): string {
  const suffix = options.format === null ? '' : typeSuffixes[options.format]
  return `${error === null ? '' : 'mw:Error '}mw:File${suffix}${isExpanded ? ' mw:ExpandedAttrs' : ''}`
}

/** Options that the HTML of such an element expresses, so that `data-mw` need not repeat them. */
const impliedByHtml: Readonly<Record<Shown['kind'], readonly MediaOptionKey[]>> = {
  image: ['alt', 'link', 'lang', 'width', 'upright', 'class'],
  video: ['width', 'upright', 'class'],
  audio: ['width', 'upright', 'class'],
  broken: ['width', 'upright', 'class'],
}

function dataMw(
  shown: Shown,
  caption: readonly ChildNode[] | null,
): { data: Record<string, unknown>; isExpanded: boolean } {
  const { options, error, isFigure } = shown
  const rows = [...options.values.values()].flatMap(option => attribute(shown, option))
  const data: Record<string, unknown> = {}
  if (rows.length > 0) data.attribs = rows.map(({ name, value }) => [name, value])
  if (!isFigure && caption !== null && caption.length > 0) data.caption = fragment(caption)
  if (error !== null) data.errors = [error]
  return { data, isExpanded: rows.some(({ value }) => 'html' in value) }
}

interface AttributeRow {
  readonly name: string
  readonly value: Record<string, unknown>
}

/** One row of `attribs`; none if the element itself expresses the option. */
function attribute(shown: Shown, option: MediaOption): AttributeRow[] {
  const key = option.key as MediaOptionKey
  const isCaption = option.key === 'caption'
  if (isCaption) return []
  if (isExpanded(option, shown.context)) {
    const html = fragment(shown.context.parse(option.part))
    return [{ name: key, value: key === 'width' ? { html } : { html, txt: textOfOption(option, shown.context) } }]
  }
  if (key === 'lang' && !isLanguage(option.value)) return [{ name: 'bogus', value: { txt: option.value } }]
  const isImplied = impliedByHtml[shown.kind].includes(key) && !(key === 'link' && shown.link === 'invalid')
  return isImplied || !valuedKeys.has(key) ? [] : [{ name: key, value: { txt: textOfOption(option, shown.context) } }]
}

const valuedKeys: ReadonlySet<string> = new Set([
  'manualthumb',
  'alt',
  'link',
  'lang',
  'page',
  'starttime',
  'endtime',
  'thumbtime',
])

/** Returns true if templates or markup produced the text. `href` alone describes the target of a link. */
function isExpanded({ key, part }: MediaOption, context: MediaContext): boolean {
  if (key === 'link') return false
  if (part.source !== part.text) return true
  return key === 'alt' && !isPlain(part.text) && context.parse(part).some(node => node.kind !== 'text')
}

/** The link or span around the picture. */
function wrapper(shown: Shown, child: ElementNode): ElementNode {
  const { kind, link, hiddenCaption, file } = shown
  const title: [string, string][] = hiddenCaption === '' ? [] : [['title', hiddenCaption]]
  if (kind === 'video' || kind === 'audio') return element('span', title, [child])
  if (kind === 'broken' && file.metadata === null) return element('a', uploadLink(file), [child])
  if (kind === 'image' && link === 'none') return element('span', title, [child])
  if (kind === 'image' && link !== null && typeof link === 'object') {
    const own: [string, string][] = link.title === null || title.length > 0 ? title : [['title', link.title]]
    return element('a', [['href', link.href], ...(link.attributes ?? []), ...own], [child])
  }
  const isThumbnailOfOther = kind === 'image' && file.thumbnail !== null
  const description: [string, string][] = isThumbnailOfOther ? [] : [['class', 'mw-file-description']]
  return element('a', [['href', `./${escapeTitle(file.title)}${query(shown)}`], ...description, ...title], [child])
}

function uploadLink({ title, name }: MediaFile): [string, string][] {
  return [
    ['href', uploadAddress(name)],
    ['class', 'new'],
    ['title', title.replaceAll('_', ' ')],
  ]
}

/** Characters that MediaWiki does not encode in its addresses. */
const plainInAddresses = /%(?:3B|40|24|21|2A|28|29|2C|2F|7E|3A)/g

/** Address of the upload form of a missing file; the name in URL form. */
function uploadAddress(name: string): string {
  return `./Special:Upload?wpDestFile=${urlencode(name).replace(plainInAddresses, decodeURIComponent)}`
}

/** Returns the query of the file page's address: the options that select a page or a language. */
function query({ options, metadata }: Shown): string {
  const page = pageOf(options)
  if (page !== undefined) return `?page=${page}`
  const language = languageOf(options, metadata)
  return language === undefined ? '' : `?lang=${language}`
}

/** Makes the element of `[[Media:...]]`: a link to the bytes. `title` has the wiki's name of the namespace, in URL form. */
export function mediaLinkElement(
  { title, name, metadata }: { title: string; name: string; metadata: FileMetadata | null },
  children: readonly ChildNode[],
): ElementNode {
  const node = element(
    'a',
    [
      ['rel', 'mw:MediaLink'],
      ['href', metadata?.url ?? uploadAddress(name)],
      ['resource', `./${escapeTitle(title)}`],
      ['title', name.replaceAll('_', ' ')],
    ],
    children,
  )
  if (metadata === null) {
    node.attributes.set('typeof', 'mw:Error')
    node.data.mw = { errors: [errors.missing] }
  }
  return node
}
