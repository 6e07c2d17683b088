/** Reads a file of the repository that is neither a page nor media, because pages may link to it. */

import { isUtf8 } from 'node:buffer'
import { WikiError } from '../core/errors.ts'
import { isHiddenPath } from '../store/format/paths.ts'
import { insideRoot } from './resources/link-dialect.ts'
import { isOtherFile } from './resources/other-files.ts'
import type { Wiki } from './wiki.ts'

export interface OtherFile {
  readonly name: string
  readonly bytes: Buffer
  /** True for UTF-8 without NUL. */
  readonly isText: boolean
}

/**
 * Reads the file at a path from the root of the wiki, on the branch. Of a symbolic link to a page it returns the page's key. Errors:
 * rest-nonexistent-title, also for pages, media, settings and dotfiles.
 */
export async function readOtherFile(
  { store }: Pick<Wiki, 'store'>,
  path: string,
): Promise<OtherFile | { readonly page: string }> {
  await store.refresh()
  const { root } = store.config
  const whole = root === '' ? path : `${root}/${path}`
  const linked = isHiddenPath(path) ? null : await store.trees.linkAtTip(whole)
  const page = linked === null ? undefined : store.pageAtPath(linked)
  if (page !== undefined) return { page: page.key }
  const file = linked ?? whole
  const isInside = root === '' || file.startsWith(`${root}/`)
  const blob =
    isInside && isOtherFile(insideRoot(file, root), root) ? (await store.trees.blobsAtTip([file])).get(file) : undefined
  if (blob === undefined) throw new WikiError('rest-nonexistent-title', { params: [path] })
  const bytes = await store.bytes(blob)
  return { name: path.slice(path.lastIndexOf('/') + 1), bytes, isText: isUtf8(bytes) && !bytes.includes(0) }
}
