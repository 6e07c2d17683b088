/** A media file as lists show it. */

import { type FileListItem, mediaFormats } from '../../core/file.ts'
import type { FileEntry } from '../../store/format/entries.ts'
import { shownUploader } from '../access/hidden.ts'

/** Gives the line of a file list for a file. */
export function fileItem(file: FileEntry): FileListItem {
  const format = mediaFormats[extensionOf(file.path)]
  return {
    // Without `File:`, or what the wiki calls it.
    title: file.title.slice(file.title.indexOf(':') + 1),
    path: file.path,
    mediatype: format?.mediatype ?? 'UNKNOWN',
    mime: format?.mime ?? 'application/octet-stream',
    size: file.size,
    latest: { timestamp: file.timestamp, user: shownUploader(file) },
  }
}

/** Gives what follows the last point of a name, lower case; "" if no point follows anything. */
export function extensionOf(name: string): string {
  const point = name.lastIndexOf('.')
  return point < 1 ? '' : name.slice(point + 1).toLowerCase()
}
