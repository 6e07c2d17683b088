/** `<gallery>`: files in boxes. `media/` decides the appearance. */

import {
  type GalleryItem,
  type GalleryLine,
  galleryElement,
  gallerySize,
  readGalleryLines,
  readGalleryOptions,
} from '../media/gallery.ts'
import { mediaWords } from '../media/magic-words.ts'
import { sanitizeAttributes } from '../sanitize/attributes.ts'
import { callData, type Extension, type ExtensionCall, type ExtensionContext } from './extension.ts'

/** The extension of `<gallery>`. Lines without a file are dropped. Source: Parsoid's Gallery extension. */
export const gallery: Extension = {
  tags: ['gallery'],
  render(call, context) {
    const words = mediaWords(context.language)
    const options = readGalleryOptions(call.attributes, words)
    const size = gallerySize(options)
    const caption = call.attributes.get('caption') ?? ''
    const lines = readGalleryLines(call.body ?? '')
    const node = galleryElement(options, {
      attributes: sanitizeAttributes('ul', call.attributes).allowed,
      caption: caption === '' ? null : context.parseInline(caption, { isMidLine: true }),
      items: lines.flatMap(line => itemOf(line, { call, context, size })),
    })
    node.data.mw = dataOf(call)
    node.data.keepsSource = true
    return [node]
  },
}

function itemOf(
  line: GalleryLine,
  { call, context, size }: { call: ExtensionCall; context: ExtensionContext; size: string },
): GalleryItem[] {
  const { bodyOffset } = call
  const offset = bodyOffset === null ? null : bodyOffset + line.partsStart
  const item = context.parseMedia(line.target, line.parts, { size, offset })
  return item === null ? [] : [item]
}

/** The boxes themselves describe lines and caption. */
function dataOf(call: ExtensionCall): Record<string, unknown> {
  const data = callData(call)
  const attrs = Object.fromEntries([...call.attributes].filter(([name]) => name !== 'caption'))
  return call.body === null ? { ...data, attrs } : { ...data, attrs, body: {} }
}
