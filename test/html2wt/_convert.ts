import { htmlToWikitext } from '../../src/html2wt/index.ts'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'

export const wiki = memoryWiki({
  pages: { 'Template:Tide': '<span>{{{1}}}</span>', Harbour: 'Ships.' },
  config: { interwiki: { other: 'https://other.example/wiki/$1' }, languages: { de: 'https://de.example/wiki/$1' } },
})

export const title = 'Ropes'

export function back(html: string, original?: { source: string; html: string }): string {
  return htmlToWikitext(html, { title, wiki, original })
}

export async function there(text: string, flavor: 'view' | 'edit' = 'edit'): Promise<string> {
  return (await wikitextToHtml(text, { title, wiki, flavor, now: new Date(0) })).html
}

/** Pseudo-random numbers, the same each time. Source: mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
