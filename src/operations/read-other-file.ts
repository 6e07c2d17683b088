/** Reads a file of the repository that is neither a page nor media, because pages may link to it. */

import { isUtf8 } from 'node:buffer'
import { configFile } from '../core/config.ts'
import { WikiError } from '../core/errors.ts'
import { isHiddenPath } from '../store/format/paths.ts'
import { kindOfPath } from '../store/index/ledger.ts'
import type { Wiki } from './wiki.ts'

export interface OtherFile {
  readonly name: string
  readonly bytes: Buffer
  /** True for UTF-8 without NUL. */
  readonly isText: boolean
}

/**
 * Reads the file at a path from the root of the wiki, on the branch. Pages and media are refused, because their own
 * operations respect hidden revisions; so are settings and dotfiles. Errors: rest-nonexistent-title.
 */
export async function readOtherFile({ store }: Pick<Wiki, 'store'>, path: string): Promise<OtherFile> {
  await store.refresh()
  const { root } = store.config
  const whole = root === '' ? path : `${root}/${path}`
  const isGiven = !isHiddenPath(path) && kindOfPath(whole, root) === null && whole.toLowerCase() !== configFile
  const blob = isGiven ? await store.blobAtTip(whole) : null
  if (blob === null) throw new WikiError('rest-nonexistent-title', { params: [path] })
  const bytes = await store.bytes(blob)
  return { name: path.slice(path.lastIndexOf('/') + 1), bytes, isText: isUtf8(bytes) && !bytes.includes(0) }
}
