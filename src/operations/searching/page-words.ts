/** The words of a page for searches, from its text and its front matter. */

import type { ContentModel } from '../../core/content-models.ts'
import { readPageText } from '../../search/analysis.ts'
import type { PageText } from '../../search/text/page-text.ts'
import type { Store } from '../../store/store.ts'
import { decodeEntities, readFrontMatter } from '../../wikitext/index.ts'
import { frontMatterNames } from '../naming/aliases.ts'
import { markupWordsOf } from '../resources/markup-words.ts'

/** The words of a page, and the names that its front matter gives it. */
export interface PageWords extends PageText {
  readonly aliases: readonly string[]
  /** Its tags, without their sign. */
  readonly tags: readonly string[]
}

/** Reads a text, or the beginning of one. */
export async function readPageWords(store: Store, text: string, model: ContentModel): Promise<PageWords> {
  const matter = model === 'markdown' ? await readFrontMatter(text) : null
  const aliases = matter === null ? [] : frontMatterNames(matter)
  return {
    ...readPageText(text, model, { words: markupWordsOf(store), matter, decode: decodeEntities }),
    aliases,
    tags: tagsOf(matter?.tags ?? []),
  }
}

/** Tags may be written as one text, and with their sign. */
function tagsOf(written: readonly string[]): readonly string[] {
  return written.flatMap(tags => tags.split(/[\s,]+/)).map(tag => tag.replace(/^#/, ''))
}
