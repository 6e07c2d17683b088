/** Page files in the work tree. */

import { WikiError } from '../../core/errors.ts'
import { type Obstacle, readWorkFile as readRegularFile, workTreeAt } from '../../files/work-file.ts'
import type { Checkout } from '../../store/checkout.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { maxFileBytes } from '../editing/limits.ts'

/** The text of a page's file in the work tree, committed or not. */
export interface WorkText {
  readonly page: PageEntry
  readonly text: string
}

/** Reads a page's file in the work tree. Errors: wiki-no-work-tree, wiki-bad-work-file. */
export async function readWorkText(store: Store, page: PageEntry): Promise<WorkText> {
  return { page, text: (await readWorkFile(store, page.path)).toString('utf8') }
}

/**
 * Reads a work-tree file in the form of its blob: regular files of at most 100 MiB. A write gives `store.checkout.written()`, which runs content
 * filters. Errors: wiki-no-work-tree, wiki-bad-work-file, wiki-conversion-failed.
 */
export async function readWorkFile(store: Store, path: string, checkout: Checkout = store.checkout): Promise<Buffer> {
  const { workTree } = store.repository
  if (workTree === null) throw new WikiError('wiki-no-work-tree')
  const found = tryToRead(workTree, path)
  const other = found === null ? null : await store.checkout.takenBy(path)
  if (other !== null) refuse(path, `the disk has ${other} in its place`)
  if (found === null) refuse(path, 'it cannot be opened')
  if (typeof found === 'string') refuse(path, reasons[found])
  return checkout.toBlob(path, found.content)
}

function tryToRead(workTree: string, path: string): ReturnType<typeof readRegularFile> {
  try {
    return readRegularFile(workTreeAt(workTree), path, maxFileBytes)
  } catch (cause) {
    return refuse(path, 'it cannot be opened', cause)
  }
}

const reasons: Readonly<Record<Obstacle, string>> = {
  'behind a link': 'it lies behind a link',
  'no regular file': 'it is not a regular file',
  'too large': `it is larger than ${maxFileBytes} bytes`,
}

function refuse(path: string, reason: string, cause?: unknown): never {
  throw new WikiError('wiki-bad-work-file', { params: [path, reason], cause })
}
