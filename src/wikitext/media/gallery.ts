/** Galleries: lists of files in boxes. Source: MediaWiki DOM specification 2.8.0, Parsoid's Gallery extension. */

import { escapeTitle } from '../sanitize/urls.ts'
import { appendChild, type ChildNode, type ElementNode, element, textNode } from '../tree/node.ts'
import type { MediaWords } from './magic-words.ts'

export type GalleryMode = 'traditional' | 'nolines' | 'packed' | 'packed-hover' | 'packed-overlay' | 'slideshow'

/**
 * For each mode, the pixels of a picture's box and border, and the factor by which fetched pictures are larger than requested.
 */
interface ModeRules {
  readonly thumb: number
  readonly box: number
  readonly border: number
  readonly scale: number
}

const traditional: ModeRules = { thumb: 30, box: 5, border: 8, scale: 1 }
const packed: ModeRules = { thumb: 0, box: 2, border: 8, scale: 1.5 }
const modes: Readonly<Record<GalleryMode, ModeRules>> = {
  traditional,
  nolines: { thumb: 0, box: 5, border: 4, scale: 1 },
  packed,
  'packed-hover': packed,
  'packed-overlay': packed,
  slideshow: traditional,
}

/** Default size of a picture in a gallery, pixels. */
const usualPixels = 120

/** Settings of a gallery, from its attributes. */
export interface GalleryOptions {
  readonly mode: GalleryMode
  /** Maximum size of a picture, pixels. */
  readonly width: number
  readonly height: number
  /** Maximum boxes of a row; null to use the available width. */
  readonly perRow: number | null
  readonly showsFileNames: boolean
  readonly showsThumbnails: boolean
}

/** One line of a gallery: a file, and the text after its pipe. */
export interface GalleryLine {
  /** As written, without white space around it. */
  readonly target: string
  /** Options and caption with the pipes between; "" if there are none. */
  readonly parts: string
  /** Offsets of the target and the parts in the body, UTF-16 units. */
  readonly targetStart: number
  readonly partsStart: number
}

/** One box of a gallery. */
export interface GalleryItem {
  /** The file's `figure`; its caption goes under the picture. */
  readonly figure: ElementNode
  /** Title of the file, with the wiki's name of the namespace, URL form. */
  readonly title: string
}

/** Reads the attributes of a gallery, by lower-case name. */
export function readGalleryOptions(attributes: ReadonlyMap<string, string>, words: MediaWords): GalleryOptions {
  const mode = attributes.get('mode')?.toLowerCase() ?? ''
  const perRow = readInteger(attributes.get('perrow') ?? '')
  return {
    mode: Object.hasOwn(modes, mode) ? (mode as GalleryMode) : 'traditional',
    width: readPixels(attributes.get('widths'), words) ?? usualPixels,
    height: readPixels(attributes.get('heights'), words) ?? usualPixels,
    perRow: perRow === 0 ? null : perRow,
    showsFileNames: attributes.has('showfilename'),
    showsThumbnails: attributes.has('showthumbnails'),
  }
}

/** Splits the body of a gallery into the lines with a file. */
export function readGalleryLines(body: string): GalleryLine[] {
  const lines: GalleryLine[] = []
  let start = 0
  for (const line of body.split('\n')) {
    const pipe = line.indexOf('|')
    const name = pipe === -1 ? line : line.slice(0, pipe)
    const target = name.trim()
    if (target !== '') {
      const parts = pipe === -1 ? '' : line.slice(pipe + 1)
      lines.push({
        target,
        parts,
        targetStart: start + name.indexOf(target),
        partsStart: start + (pipe === -1 ? line.length : pipe + 1),
      })
    }
    start += line.length + 1
  }
  return lines
}

/** The requested size of a gallery's pictures, as an option of a file link. */
export function gallerySize({ mode, width, height }: GalleryOptions): string {
  const { scale } = modes[mode]
  // Packed boxes are as wide as their picture, so the width only needs some limit.
  if (scale !== 1) return `${Math.ceil((height * 10 + 100) * scale)}x${Math.ceil(height * scale)}px`
  return `${width}x${height}px`
}

/** Makes the list of a gallery. `attributes` are the tag's HTML attributes, sanitised for a `ul`. */
export function galleryElement(
  options: GalleryOptions,
  {
    attributes,
    caption,
    items,
  }: {
    attributes: ReadonlyMap<string, string>
    caption: readonly ChildNode[] | null
    items: readonly GalleryItem[]
  },
): ElementNode {
  const list = element('ul', [['class', `gallery mw-gallery-${options.mode}`]])
  for (const [name, value] of attributes) addToAttribute(list, name, value)
  if (options.perRow !== null && modes[options.mode].scale === 1) {
    addToAttribute(list, 'style', `max-width: ${rowWidth(options)}px;`)
  }
  if (options.mode === 'slideshow' && options.showsThumbnails) list.attributes.set('data-showthumbnails', '1')
  appendChild(list, textNode('\n'))
  const heading = caption === null ? [] : [element('li', [['class', 'gallerycaption']], caption)]
  for (const box of [...heading, ...items.map(item => boxElement(item, options))]) {
    appendChild(list, box)
    appendChild(list, textNode('\n'))
  }
  return list
}

function rowWidth({ mode, width, perRow }: GalleryOptions): number {
  const { thumb, box, border } = modes[mode]
  return (width + thumb + box + border) * (perRow ?? 1)
}

function addToAttribute({ attributes }: ElementNode, name: string, value: string): void {
  const before = attributes.get(name)
  attributes.set(name, before === undefined || before === '' ? value : `${before} ${value}`)
}

function boxElement({ figure, title }: GalleryItem, options: GalleryOptions): ElementNode {
  const rules = modes[options.mode]
  const caption = figure.children.find(child => child.kind === 'element' && child.name === 'figcaption')
  const texts = caption?.kind === 'element' ? [...caption.children] : []
  const inner = figure.children.filter(child => child !== caption)
  const media = element('span', figure.attributes, inner)
  media.data = figure.data
  const width = scaleMedia(inner[0], options)
  const thumb = element('div', [['class', 'thumb'], ...thumbStyle(media, width, options)], [media])
  if (options.showsFileNames) texts.unshift(fileName(title))
  return element(
    'li',
    [
      ['class', 'gallerybox'],
      ['style', `width: ${pixels(width + rules.thumb + rules.box)}px;`],
    ],
    [thumb, captionElement(texts, width, options)],
  )
}

/** Gives a packed picture its size on screen; returns the width of its box. */
function scaleMedia(wrapper: ChildNode | undefined, { mode, width, height }: GalleryOptions): number {
  const { scale } = modes[mode]
  if (scale === 1) return width
  const content = wrapper?.kind === 'element' ? wrapper.children[0] : undefined
  if (content?.kind !== 'element') return width
  const fetched = Number(content.attributes.get('width') ?? Number.NaN)
  const shown = (Number.isFinite(fetched) && content.name !== 'audio' ? fetched : width * scale) / scale
  if (content.name === 'img' || content.name === 'video' || content.name === 'audio') {
    content.attributes.set('width', String(Math.ceil(shown)))
    content.attributes.set('height', String(height))
  }
  if (content.name === 'audio') content.attributes.set('style', `width: ${Math.ceil(shown)}px;`)
  return shown
}

function thumbStyle(media: ElementNode, width: number, { mode, height }: GalleryOptions): [string, string][] {
  const { thumb } = modes[mode]
  const isBroken = /\bmw:Error\b/.test(media.attributes.get('typeof') ?? '')
  const wide = isBroken ? [] : [`width: ${pixels(width + thumb)}px;`]
  const high = mode === 'traditional' ? [`height: ${pixels(height + thumb)}px;`] : []
  const style = [...wide, ...high].join(' ')
  return style === '' ? [] : [['style', style]]
}

function fileName(title: string): ElementNode {
  const text = title.replaceAll('_', ' ')
  return element(
    'a',
    [
      ['href', `./${escapeTitle(title)}`],
      ['class', 'galleryfilename galleryfilename-truncate'],
      ['title', text],
    ],
    [textNode(text)],
  )
}

function captionElement(texts: readonly ChildNode[], width: number, { mode }: GalleryOptions): ElementNode {
  const text = element('div', [['class', 'gallerytext']], texts)
  if (mode !== 'packed-hover' && mode !== 'packed-overlay') return text
  return element(
    'div',
    [
      ['class', 'gallerytextwrapper'],
      ['style', `width: ${Math.ceil(width - 20)}px;`],
    ],
    [text],
  )
}

/** Writes a number with at most fourteen digits, as PHP does. */
function pixels(value: number): string {
  return String(Number(value.toPrecision(14)))
}

function readPixels(text: string | undefined, { suffixes }: MediaWords): number | null {
  if (text === undefined) return null
  const suffix = suffixes.find(({ key, text: unit }) => key === 'width' && text.trim().endsWith(unit))?.text ?? ''
  const value = readInteger(text.trim().slice(0, text.trim().length - suffix.length))
  return value === 0 ? null : value
}

/** Maximum size, and maximum number of boxes. */
const maxNumber = 100_000

function readInteger(text: string): number | null {
  const value = /^\s*[0-9]{1,6}\s*$/.test(text) ? Number(text) : Number.NaN
  return value <= maxNumber ? value : null
}
