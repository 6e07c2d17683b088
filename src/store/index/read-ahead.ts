/** A file that the system has at hand: who reads its blocks one by one does not wait for the disk at each. */

import { openFile } from '../../files/private-files-async.ts'

/** Bytes read at a time, beside the main thread. */
const readAtOnce = 1024 * 1024

/** Reads a file once, and keeps nothing of it, while `goesOn`. Where it cannot be read nothing is lost. */
export async function readAhead(path: string, goesOn: () => boolean): Promise<void> {
  const file = await openFile(path).catch(() => null)
  if (file === null) return
  const bytes = Buffer.allocUnsafe(readAtOnce)
  const readMore = () => file.read(bytes, 0, bytes.length).then(({ bytesRead }) => bytesRead > 0)
  while (goesOn() && (await readMore().catch(() => false)));
  await file.close()
}
