/** Headers of media files, wherever they are sent from. */

import type { OpenedFile } from '../operations/open-file.ts'
import { encodeSegment } from '../operations/resources/routes.ts'

/**
 * Security headers of media files. An SVG or HTML document opened in a browser runs no scripts, has no origin and loads
 * nothing.
 */
export const harmless = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'",
  'x-content-type-options': 'nosniff',
}

/** Types that browsers display safely; the others are downloaded. */
const shownTypes = /^(?:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)|audio\/.*|video\/.*|application\/ogg|text\/plain)$/

/** Returns the `Content-Type` of a file's bytes. */
export function typeOf({ metadata }: Pick<OpenedFile, 'metadata'>): string {
  return metadata.mime === 'text/plain' ? 'text/plain; charset=utf-8' : metadata.mime
}

/** The file name in two forms: ASCII for old clients, UTF-8 for all others. Source: RFC 6266. */
export function disposition({ file, metadata }: Pick<OpenedFile, 'file' | 'metadata'>): Record<string, string> {
  if (shownTypes.test(metadata.mime)) return {}
  const name = file.title.slice(file.title.indexOf(':') + 1)
  const plain = name.replace(/[^\w .()-]/g, '_')
  return { 'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeSegment(name)}` }
}
