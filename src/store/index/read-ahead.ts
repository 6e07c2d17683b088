/** Loads a file into the system's cache, so that reading its blocks one by one does not wait for the disk. */

import { openFile } from '../../files/private-files-async.ts'

/** Bytes read at a time, asynchronously. */
const readAtOnce = 1024 * 1024

/** Reads a file once and discards the data, while `goesOn` returns true. Errors are ignored. */
export async function readAhead(path: string, goesOn: () => boolean): Promise<void> {
  const file = await openFile(path).catch(() => null)
  if (file === null) return
  const bytes = Buffer.allocUnsafe(readAtOnce)
  const readMore = () => file.read(bytes, 0, bytes.length).then(({ bytesRead }) => bytesRead > 0)
  while (goesOn() && (await readMore().catch(() => false)));
  await file.close()
}
