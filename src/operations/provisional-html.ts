/**
 * Stands in for what the engine (src/wikitext) does not offer yet: faults of wikitext, of which it finds none, and the HTML
 * of pages that are not wikitext, which it shows as they are.
 */

import type { ContentModel } from '../core/content-models.ts'
import { type Rendered, type RenderOptions, wikitextToHtml } from '../wikitext/index.ts'
import type { Lint } from '../wikitext/lint/lint.ts'

export type { Lint } from '../wikitext/lint/lint.ts'

/** Renders the text of any content model. */
export async function contentToHtml(text: string, model: ContentModel, options: RenderOptions): Promise<Rendered> {
  const rendered = await wikitextToHtml(model === 'wikitext' ? text : '', options)
  return model === 'wikitext' ? rendered : { ...rendered, html: `<pre>${escapeText(text)}</pre>` }
}

/** Finds nothing to complain about. */
export async function lintWikitext(_text: string, _options: RenderOptions): Promise<readonly Lint[]> {
  return []
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, sign => entities[sign] ?? sign)
}
