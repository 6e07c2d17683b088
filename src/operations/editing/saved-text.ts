/** Transforms a text on save. Source: MediaWiki Parser::preSaveTransform. */

import { isIP } from 'node:net'
import type { ContentModel } from '../../core/content-models.ts'
import type { Title } from '../../core/title.ts'
import { rawSource, wikiSource } from '../rendering/wiki-source.ts'
import type { WikiFiles } from '../resources/file-object.ts'
import { fileOfSource } from '../resources/source.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import type { EditRequest } from './edit.ts'

/** Quick test for text that the transform may change: a signature, a substitution, a link with a derived label. */
const transformed = /~~~|subst|\|[ \t]*\]\]|\[\[[ \t]*\|/i

/** UTF-16 units above which a text is transformed in a worker, if there is one. */
const longText = 10_000

/** The wiki, and the worker pool for long texts. */
interface SavingWiki extends WikiFiles {
  readonly workerPool: () => WorkerPool | null
  readonly client: string
}

/**
 * Returns the file's text for a text to save. In wikitext `~~~~` becomes a signature, `{{subst:...}}` the current expansion of
 * the template, and `[[Page (of some kind)|]]` a link with a label. Other texts stay the same. Errors: wiki-work-limit.
 */
export async function savedText(
  wiki: SavingWiki,
  { source, author, time }: Pick<EditRequest, 'source' | 'author' | 'time'>,
  { title, model }: { readonly title: Title; readonly model: ContentModel },
): Promise<string> {
  const isLeft =
    model !== 'wikitext' || !transformed.test(source) || Buffer.byteLength(source) > wiki.store.config.limits.source
  if (isLeft) return fileOfSource(source)
  const options = {
    user: { name: author.name, isAnonymous: isIP(author.name) !== 0 },
    now: time ?? new Date(),
  }
  const workerPool = source.length > longText ? wiki.workerPool() : null
  if (workerPool !== null) {
    const about = { source: rawSource(wiki), configText: wiki.store.configText }
    const job = { task: 'saving', client: wiki.client, text: source, page: title, ...options } as const
    return fileOfSource(await workerPool.run(job, about))
  }
  const { saveWikitext } = await import('../../wikitext/index.ts')
  return fileOfSource(await saveWikitext(source, { title, wiki: wikiSource(wiki), ...options }))
}
