/** The words of a text, as searches read them. */

import type { ContentModel } from '../../src/core/content-models.ts'
import { readPageText } from '../../src/search/analysis.ts'
import type { PageText } from '../../src/search/text/page-text.ts'
import { decodeEntities, readFrontMatter } from '../../src/wikitext/index.ts'

export async function readSource(source: string, model: ContentModel): Promise<PageText> {
  const matter = model === 'markdown' ? await readFrontMatter(source) : null
  return readPageText(source, model, { matter, decode: decodeEntities })
}
