/** Page files as they lie in the work tree. */

import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { WikiError } from '../core/errors.ts'
import type { PageEntry } from '../store/entries.ts'
import { isBehindLink } from '../store/links.ts'
import type { Store } from '../store/store.ts'
import { maximumFileBytes } from './limits.ts'

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
 * Reads a file of the work tree: regular files of at most 100 MiB.
 *
 * Errors: wiki-no-work-tree, wiki-bad-work-file.
 */
export async function readWorkFile(store: Store, path: string): Promise<Buffer> {
  const { workTree } = store.repository
  if (workTree === null) throw new WikiError('wiki-no-work-tree')
  if (isBehindLink(workTree, path)) refuse(path, 'it lies behind a link')
  // A link would lead anywhere; opening a pipe would wait for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(join(workTree, path), flags).catch(cause => refuse(path, 'it cannot be opened', cause))
  try {
    const stat = await file.stat()
    if (!stat.isFile()) refuse(path, 'it is no regular file')
    if (stat.size > maximumFileBytes) refuse(path, `it is larger than ${maximumFileBytes} bytes`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

function refuse(path: string, reason: string, cause?: unknown): never {
  throw new WikiError('wiki-bad-work-file', { params: [path, reason], cause })
}
