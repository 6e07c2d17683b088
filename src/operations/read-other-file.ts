/** Reads a file of the repository that is neither a page nor media, because pages may link to it. */

import { isUtf8 } from 'node:buffer'
import { WikiError } from '../core/errors.ts'
import { isOtherFile } from './resources/other-files.ts'
import type { Wiki } from './wiki.ts'

export interface OtherFile {
  readonly name: string
  readonly bytes: Buffer
  /** True for UTF-8 without NUL. */
  readonly isText: boolean
}

/**
 * Reads the file at a path from the root of the wiki, on the branch. Errors: rest-nonexistent-title, also for pages, media,
 * settings and dotfiles.
 */
export async function readOtherFile({ store }: Pick<Wiki, 'store'>, path: string): Promise<OtherFile> {
  await store.refresh()
  const { root } = store.config
  const whole = root === '' ? path : `${root}/${path}`
  const blob = isOtherFile(path, root) ? (await store.trees.blobsAtTip([whole])).get(whole) : undefined
  if (blob === undefined) throw new WikiError('rest-nonexistent-title', { params: [path] })
  const bytes = await store.bytes(blob)
  return { name: path.slice(path.lastIndexOf('/') + 1), bytes, isText: isUtf8(bytes) && !bytes.includes(0) }
}
