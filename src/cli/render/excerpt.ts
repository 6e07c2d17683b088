/** Prepares the excerpts of search results for people. */

import { visibleLine } from './text.ts'
import type { Piece } from './wrap.ts'

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#039': "'", '#39': "'" }

/** Returns a line of an excerpt, its matches in bold red. `plain` is applied to the text around them. */
export function excerptPieces(html: string, plain: (text: string) => string = text => text): Piece[] {
  return html.split(/(<span class="searchmatch">[^<]*<\/span>)/).map(part => {
    const text = plainHtml(part)
    return part.startsWith('<span ') ? { text, styles: ['red', 'bold'] } : { text: plain(text), styles: [] }
  })
}

const inlineTags = new Set(
  'b big blockquote br code del div em i ins kbd nowiki p pre ref s small span strong sub sup tt u var'.split(' '),
)

/** Removes presentational markup from a fragment of wikitext: emphasis, tags, link brackets and targets. */
export function withoutMarkup(text: string): string {
  return text
    .replace(/<\/?([a-z]+)\b[^<>]*>?/gi, (tag, name: string) => (inlineTags.has(name.toLowerCase()) ? '' : tag))
    .replace(/'{2,5}/g, '')
    .replace(/\[\[(?:[^[\]|]*\|)?|\]\]/g, '')
}

function plainHtml(html: string): string {
  const text = html
    .replace(/<[^<>]*>/g, '')
    .replace(/&([a-z]+|#\d+);/g, (whole, name: string) => entities[name] ?? whole)
  return visibleLine(text)
}
