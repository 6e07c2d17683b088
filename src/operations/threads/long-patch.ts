/** Patches of texts, written in a worker if the texts are long, so that a server keeps responding. */

import { type PatchedFile, patchOfFile } from '../comparing/file-patch.ts'
import type { JobThreads } from './job-threads.ts'
import { longText } from './long-merge.ts'

/** Writes the patch of one file, in a worker if the texts are long. Errors: wiki-texts-too-complex, wiki-work-limit. */
export async function writePatch(
  wiki: { readonly threads: () => JobThreads | null; readonly client: string },
  file: PatchedFile,
): Promise<string> {
  const threads = file.from.length + file.to.length < longText ? null : wiki.threads()
  return threads === null ? patchOfFile(file) : threads.run({ task: 'patch', client: wiki.client, file })
}
