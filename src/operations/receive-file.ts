/** Adds a media file that arrives in chunks. */

import { join } from 'node:path'
import { createJobQueue } from '../core/job-queue.ts'
import { Spool } from '../files/spool.ts'
import { type AddedFile, type AddFileRequest, addFile, fileTitleOf } from './add-file.ts'
import type { Wiki } from './wiki.ts'

/** Only one file at a time is in memory. */
const queue = createJobQueue({ most: 1 })

/** The bytes of a received file, and perhaps a comment beside them. */
export type ReceivedFile = Pick<AddFileRequest, 'content'> & Partial<Pick<AddFileRequest, 'comment'>>

/**
 * Adds a media file. `receive` delivers its bytes, which are spooled to disk, so that many slow senders take no memory.
 * Then files are read and committed one at a time, of each client in turn; `unpack` finds the file in what was received. `expect` is called
 * before that. An invalid file name is refused before anything is received.
 *
 * Errors: those of `receive`, `unpack`, `expect` and `addFile`.
 */
export async function receiveFile(
  wiki: Wiki,
  request: Omit<AddFileRequest, 'content' | 'expected'>,
  {
    receive,
    unpack,
    expect,
  }: {
    readonly receive: (take: (piece: Uint8Array) => void) => Promise<void>
    readonly unpack: (bytes: Buffer) => Promise<ReceivedFile>
    readonly expect: () => Promise<AddFileRequest['expected']>
  },
): Promise<AddedFile> {
  await wiki.store.refresh()
  fileTitleOf(wiki.store, request.name)
  const spool = new Spool(join(wiki.store.cacheDirectory, 'uploads'))
  try {
    await receive(piece => spool.add(piece))
    return await queue.add(wiki.client, async () => {
      const expected = await expect()
      return addFile(wiki, { ...request, expected, ...(await unpack(spool.content())) })
    })!
  } finally {
    spool.close()
  }
}
