/** Transforms a text on save. Source: MediaWiki Parser::preSaveTransform. */

import { isIP } from 'node:net'
import type { ContentModel } from '../../core/content-models.ts'
import type { Title } from '../../core/title.ts'
import { wikiSource } from '../rendering/wiki-source.ts'
import type { WikiFiles } from '../resources/file-object.ts'
import { fileOfSource } from '../resources/source.ts'
import type { EditRequest } from './edit.ts'

/** Quick test for text that the transform may change: a signature, a substitution, a link with a derived label. */
const transformed = /~~~|subst|\|[ \t]*\]\]|\[\[[ \t]*\|/i

/**
 * Returns the file's text for a text to save. In wikitext `~~~~` becomes a signature, `{{subst:...}}` the current expansion of
 * the template, and `[[Page (of some kind)|]]` a link with a label. Other texts stay the same.
 */
export async function savedText(
  wiki: WikiFiles,
  { source, author, time }: Pick<EditRequest, 'source' | 'author' | 'time'>,
  { title, model }: { readonly title: Title; readonly model: ContentModel },
): Promise<string> {
  const isLeft =
    model !== 'wikitext' || !transformed.test(source) || Buffer.byteLength(source) > wiki.store.config.limits.source
  if (isLeft) return fileOfSource(source)
  const { saveWikitext } = await import('../../wikitext/index.ts')
  const user = { name: author.name, isAnonymous: isIP(author.name) !== 0 }
  return fileOfSource(await saveWikitext(source, { title, wiki: wikiSource(wiki), user, now: time ?? new Date() }))
}
