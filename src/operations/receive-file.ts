/** Adding a media file that arrives piece by piece. */

import { join } from 'node:path'
import { Spool } from '../files/spool.ts'
import { type AddedFile, type AddFileRequest, addFile, fileTitleOf } from './add-file.ts'
import type { Wiki } from './wiki.ts'

/** Last of the files that are being added: they are in memory one at a time. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Adds a media file. `receive` hands over its bytes, which wait on disk: many slow senders take no memory. Then one file after the
 * other is read and committed. `expect` is asked before that. A name that no file can have is refused before anything is sent.
 *
 * Errors: those of `receive`, `expect` and `addFile`.
 */
export async function receiveFile(
  wiki: Wiki,
  request: Omit<AddFileRequest, 'content' | 'expected'>,
  {
    receive,
    expect,
  }: {
    readonly receive: (take: (piece: Uint8Array) => void) => Promise<void>
    readonly expect: () => Promise<AddFileRequest['expected']>
  },
): Promise<AddedFile> {
  await wiki.store.refresh()
  fileTitleOf(wiki.store, request.name)
  const spool = new Spool(join(wiki.store.cacheDirectory, 'uploads'))
  try {
    await receive(piece => spool.add(piece))
    return await inOrder(async () => addFile(wiki, { ...request, expected: await expect(), content: spool.content() }))
  } finally {
    spool.close()
  }
}

function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = last.then(work, work)
  last = done.catch(() => {})
  return done
}
