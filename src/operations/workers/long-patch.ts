/** Patches of texts, written in a worker if the texts are long, so that a server keeps responding. */

import { type PatchedFile, patchOfFile } from '../comparing/file-patch.ts'
import { longText } from './long-merge.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Writes the patch of one file, in a worker if the texts are long. Errors: wiki-texts-too-complex, wiki-work-limit. */
export async function writePatch(
  wiki: { readonly workerPool: () => WorkerPool | null; readonly client: string },
  file: PatchedFile,
): Promise<string> {
  const workerPool = file.from.length + file.to.length < longText ? null : wiki.workerPool()
  return workerPool === null ? patchOfFile(file) : workerPool.run({ task: 'patch', client: wiki.client, file })
}
