/** A media file in lists. */

import { type FileListItem, mediaFormats } from '../../core/file.ts'
import type { FileEntry } from '../../store/format/entries.ts'
import { visibleUploader } from '../access/hidden.ts'

/** Returns a file's entry in a file list. */
export function fileItem(file: FileEntry): FileListItem {
  const format = mediaFormats[extensionOf(file.path)]
  return {
    // Without `File:`, or the wiki's name for it.
    title: file.title.slice(file.title.indexOf(':') + 1),
    path: file.path,
    mediatype: format?.mediatype ?? 'UNKNOWN',
    mime: format?.mime ?? 'application/octet-stream',
    size: file.size,
    latest: { timestamp: file.timestamp, user: visibleUploader(file) },
  }
}

/** Returns the lower-case extension of a name; "" if there is none, or nothing before it. */
export function extensionOf(name: string): string {
  const point = name.lastIndexOf('.')
  return point < 1 ? '' : name.slice(point + 1).toLowerCase()
}
