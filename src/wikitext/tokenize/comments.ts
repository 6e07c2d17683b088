/** Comments. */

import type { Comment } from '../preprocess/nodes.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { isUnitMarker as isUnitMarkerText } from './annotation-tags.ts'
import { pageRange, type Scan } from './scan.ts'
import type { CommentToken } from './token.ts'

const commentSigns: Readonly<Record<string, string>> = { '-': '&#x2D;', '>': '&#x3E;', '&': '&#x26;' }

/** An end of a comment that is written as an entity, so that the comment does not end there. */
const writtenEnd = /--&(?:amp;)*gt;/g

/**
 * Encodes a comment's text so that nothing in it ends the comment. Source: MediaWiki DOM specification 2.8.0, Comments.
 */
function encodeComment(text: string): string {
  return text.replace(writtenEnd, decodeEntities).replace(/[->&]/g, sign => commentSigns[sign]!)
}

/** The token of a comment. */
export function commentToken(scan: Scan, { start, end, closed }: Comment): CommentToken {
  const text = scan.text.slice(start + 4, closed ? end - 3 : end)
  const isUnitMarker = scan.annotations.size > 0 && isUnitMarkerText(text)
  return {
    kind: 'comment',
    text: encodeComment(text),
    ...(isUnitMarker && { isUnitMarker }),
    ...pageRange(scan, start, end),
  }
}
