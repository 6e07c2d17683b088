/** Makes the content of a file link: a picture, a player, or the file's name if nothing can be shown. */

import { escapeTitle } from '../sanitize/urls.ts'
import { type ElementNode, element, textNode } from '../tree/node.ts'
import type { FileMetadata } from '../wiki-source.ts'
import type { MediaOptions } from './options.ts'
import { languageOf, pageOf, type Shown } from './resolved-file.ts'
import { displaySize, hasUsualWidth, type Size, sourcesOf, usualWidth } from './sizes.ts'

/** Width of the audio player, pixels. */
const audioHeight = 32

/** Makes the element that shows a file, or its replacement. */
export function content(shown: Shown): ElementNode {
  switch (shown.kind) {
    case 'broken':
      return brokenContent(shown)
    case 'audio':
      return audio(shown)
    case 'video':
      return video(shown)
    case 'image':
      return image(shown)
  }
}

function resource({ file }: Shown): [string, string] {
  return ['resource', `./${escapeTitle(file.title)}`]
}

function brokenContent(shown: Shown): ElementNode {
  const { options, file, alt, hiddenCaption, context } = shown
  const usual = hasUsualWidth(options) ? usualWidth(context.thumbnailWidth, options.upright) : null
  const width = options.width ?? usual
  return element(
    'span',
    [
      ['class', 'mw-file-element mw-broken-media'],
      resource(shown),
      ...pixels('data-width', width),
      ...pixels('data-height', options.height),
    ],
    [textNode((alt ?? hiddenCaption) || file.title.replaceAll('_', ' '))],
  )
}

function pixels(name: string, value: number | null): [string, string][] {
  return value === null ? [] : [[name, String(value)]]
}

function image(shown: Shown): ElementNode {
  const { options, alt, hiddenCaption, context } = shown
  const metadata = shown.metadata!
  const size = displaySize(metadata, options, context.thumbnailWidth)
  if (size === null) return nameOf(shown)
  const text = alt ?? (hiddenCaption === '' ? null : hiddenCaption)
  const node = element('img', [...(text === null ? [] : [['alt', text] as const]), resource(shown)])
  setPicture(node, { metadata, size, options })
  const isUpright = options.upright !== null && hasUsualWidth(options)
  node.attributes.set('class', `mw-file-element${isUpright ? ' mw-file-upright' : ''}`)
  if (isUpright) node.attributes.set('style', `--mw-file-upright: ${options.upright}`)
  return node
}

function setPicture(
  { attributes }: ElementNode,
  { metadata, size, options }: { metadata: FileMetadata; size: Size; options: MediaOptions },
): void {
  const page = pageOf(options)
  const language = languageOf(options, metadata)
  const { src, double } = sourcesOf(metadata, {
    size,
    options,
    ...(page === undefined ? {} : { page }),
    ...(language === undefined ? {} : { language }),
  })
  attributes.set('src', src)
  attributes.set('decoding', 'async')
  if (language !== undefined) attributes.set('lang', language)
  attributes.set('data-file-width', String(metadata.width))
  attributes.set('data-file-height', String(metadata.height))
  attributes.set('data-file-type', metadata.mediatype.toLowerCase())
  attributes.set('height', String(size.height))
  attributes.set('width', String(size.width))
  if (double !== null) attributes.set('srcset', `${double} 2x`)
}

/** A file without a picture is shown as its name. */
function nameOf(shown: Shown): ElementNode {
  const { file, alt, hiddenCaption } = shown
  const text = alt || hiddenCaption || file.title.replaceAll('_', ' ')
  return element('span', [['class', 'mw-file-element'], resource(shown)], [textNode(text)])
}

function video(shown: Shown): ElementNode {
  const { options, context } = shown
  const metadata = shown.metadata!
  const size = displaySize(metadata, options, context.thumbnailWidth)
  const seconds = secondOf(options, 'thumbtime', metadata) ?? secondOf(options, 'starttime', metadata)
  const poster = metadata.thumbnail(size?.width ?? context.thumbnailWidth, seconds === null ? {} : { seconds })
  const source = element('source', [
    ['src', metadata.url + timesOf(options, metadata)],
    ['type', metadata.mime],
    ...pixels('data-file-width', metadata.width),
    ...pixels('data-file-height', metadata.height),
  ])
  return player('video', shown, {
    before: poster === metadata.url ? [] : [['poster', poster]],
    after: size === null ? [] : [...pixels('height', size.height), ...pixels('width', size.width)],
    source,
  })
}

function audio(shown: Shown): ElementNode {
  const { options, context } = shown
  const width = options.width ?? usualWidth(context.thumbnailWidth, options.upright)
  const source = element('source', [
    ['src', shown.metadata!.url + timesOf(options, shown.metadata!)],
    ['type', shown.metadata!.mime],
  ])
  return player('audio', shown, {
    before: [],
    after: [
      ...pixels('height', options.height ?? audioHeight),
      ...pixels('width', width),
      ['style', `width: ${width}px;`],
    ],
    source,
  })
}

type Attributes = readonly (readonly [string, string])[]

function player(
  name: 'audio' | 'video',
  shown: Shown,
  { before, after, source }: { before: Attributes; after: Attributes; source: ElementNode },
): ElementNode {
  const { values } = shown.options
  const duration = shown.metadata!.duration
  return element(
    name,
    [
      ...before,
      ['controls', ''],
      ['preload', 'none'],
      ...(['loop', 'muted'] as const).filter(key => values.has(key)).map(key => [key, ''] as const),
      ['data-mw-tmh', ''],
      ...after,
      resource(shown),
      ...pixels('data-durationhint', duration === null ? null : Math.ceil(duration)),
      ['class', 'mw-file-element'],
    ],
    [source],
  )
}

/** The played part of a recording, as a media fragment. Source: W3C Media Fragments 4.2.1. */
function timesOf(options: MediaOptions, metadata: FileMetadata): string {
  const start = secondOf(options, 'starttime', metadata)
  const end = secondOf(options, 'endtime', metadata)
  if (start === null && end === null) return ''
  return `#t=${start ?? 0}${end === null ? '' : `,${end}`}`
}

/** A time in a recording: one beyond the end becomes one second before it. */
function secondOf(
  { values }: MediaOptions,
  key: 'starttime' | 'endtime' | 'thumbtime',
  { duration }: FileMetadata,
): number | null {
  const seconds = secondsOf(values.get(key)?.value)
  if (seconds === null || duration === null || seconds <= duration) return seconds
  return Number(Math.max(0, duration - 1).toPrecision(14))
}

function secondsOf(text = ''): number | null {
  const parts = /^(?:(?:(\d{1,4}):)?(\d{1,4}):)?(\d{1,6}(?:\.\d{1,6})?)$/.exec(text)
  if (parts === null) return null
  return Number(parts[1] ?? 0) * 3600 + Number(parts[2] ?? 0) * 60 + Number(parts[3])
}
