/** Blobs that git lacks or that are damaged, found by reading them: a header may be whole while its content is not. */

import type { GitBackend } from './backend.ts'

/** Maximum bytes of a blob that is read whole. Larger ones are read in pieces, one at a time. */
const wholeBytes = 4 * 1024 * 1024

/** Returns those of the blobs that cannot be read. */
export async function unreadableBlobs(
  blobs: Iterable<string>,
  backend: Pick<GitBackend, 'sizes' | 'readBlobs' | 'stream'>,
): Promise<ReadonlySet<string>> {
  const all = [...new Set(blobs)]
  const unreadable = new Set<string>()
  const [whole, large]: [string[], string[]] = [[], []]
  const left = all.values()
  for await (const sizes of backend.sizes(all)) {
    for (const size of sizes) {
      const blob = left.next().value as string
      if (size === null) unreadable.add(blob)
      else (size > wholeBytes ? large : whole).push(blob)
    }
  }
  const read = whole.values()
  for await (const content of backend.readBlobs(whole)) {
    const blob = read.next().value as string
    if (content === null) unreadable.add(blob)
  }
  for (const blob of large) if (!(await isReadable(backend.stream(blob)))) unreadable.add(blob)
  return unreadable
}

async function isReadable(pieces: AsyncIterable<Buffer>): Promise<boolean> {
  try {
    for await (const _ of pieces);
    return true
  } catch {
    return false
  }
}
