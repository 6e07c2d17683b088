/** A page that shows an attack, in a small wiki with files. */

import type { ContentModel } from '../../src/core/content-models.ts'
import type { MediaType } from '../../src/core/file.ts'
import { contentToHtml, memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'
import type { FileMetadata } from '../../src/wikitext/wiki-source.ts'

const wiki = memoryWiki({
  pages: { Tide: 'Low.', 'Template:Say': '{{{1}}}' },
  files: [fileMetadata('Tide.jpg', 'BITMAP', 'image/jpeg'), fileMetadata('Tide.webm', 'VIDEO', 'video/webm')],
})

/** Renders a text as a whole document. */
export async function attackedPage(text: string, flavor: 'view' | 'edit' = 'view'): Promise<string> {
  return (await wikitextToHtml(text, { title: 'Attack', wiki, flavor, server: 'http://wiki.example' })).html
}

/** Renders a text that is not wikitext as a whole document. */
export async function attackedContent(text: string, model: ContentModel): Promise<string> {
  return (await contentToHtml(text, model, { title: 'Attack', wiki, server: 'http://wiki.example' })).html
}

/** The text itself, as an argument of a template, and in a list, a table and a caption of a page. */
export function positions(text: string): string[] {
  return [
    text,
    `{{Say|1=${text}}}`,
    `* ${text}`,
    `{|\n| ${text}\n|}`,
    `[[File:Tide.jpg|thumb|${text}]]`,
    `<b title="${text}">x</b>`,
  ]
}

function fileMetadata(name: string, mediatype: MediaType, mime: string): FileMetadata {
  return {
    name,
    mediatype,
    mime,
    size: 1000,
    width: 400,
    height: 300,
    duration: mediatype === 'VIDEO' ? 5 : null,
    url: `/media/${name}`,
    thumbnail: width => `/thumb/${width}/${name}`,
  }
}
