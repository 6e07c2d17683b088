/** Sections and other targets on a page for links with `#`. */

import { headingSlug, splitDirective } from '../../core/anchors.ts'
import { composed } from '../../core/composed-text.ts'
import { decodeEntities, escapeId, escapeLegacyId } from '../../wikitext/index.ts'

/**
 * Anchors that every page accepts, or that refer to no element of the HTML: Obsidian blocks, lines on
 * GitHub, and notes, whose numbering depends on the program.
 */
const everywhere = /^(?:|top|toc|\^.*|L\d+(?:[-C].*)?|cite_(?:note|ref)-.*|fn(?:ref)?[:-]?\d.*)$/i

/** Returns the ids that a link's fragment may mean; null if it refers to no element of a page. */
export function idsMeant(fragment: string): string[] | null {
  const [anchor] = splitDirective(fragment)
  const written = decoded(anchor)
    .trim()
    .replace(/^user-content-/, '')
  if (everywhere.test(written)) return null
  const last = written.slice(written.lastIndexOf('#') + 1)
  return [...new Set([written, escapeId(written), anchor, headingSlug(written), headingSlug(last), escapeId(last)])]
}

/**
 * Lists the ids that a text has without rendering: headings of both kinds of pages, and ids in HTML. Templates and
 * repeated headings may add others.
 */
export function idsWritten(text: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const [, signs, wikitext = '', markdown = ''] of text.matchAll(
    /^(?:(={1,6})(.{1,1000}?)\1[ \t\r]*|#{1,6}[ \t]+(.{1,1000}))$/gm,
  )) {
    if (signs === undefined) ids.add(headingSlug(plain(markdown.trimEnd().replace(/#{1,6}$/, ''))))
    else for (const id of headingIds(plain(wikitext))) ids.add(id)
  }
  for (const [, id = ''] of text.matchAll(/\s(?:id|name)\s{0,9}=\s{0,9}["']?([^\s"'<>]{1,1000})/gi)) ids.add(id)
  return ids
}

/** Lists the ids in rendered HTML, together with the ids that other programs would give to the headings. */
export function idsOfHtml(html: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const [, written = ''] of html.matchAll(/\s(?:id|name)="([^"]{1,4000})"/g)) {
    const id = decodeEntities(written)
    ids.add(id)
    ids.add(headingSlug(id.replaceAll('_', ' ')))
  }
  return ids
}

function headingIds(text: string): string[] {
  return [escapeId(text), escapeLegacyId(text), headingSlug(text)]
}

/** Returns a heading without its markup. */
function plain(text: string): string {
  return text
    .replace(/<[^<>]{0,1000}>|'{2,5}|\*\*|`/g, '')
    .replace(/\[\[(?:[^[\]|]{0,1000}\|)?([^[\]|]{0,1000})\]\]|\[([^[\]]{0,1000})\]\([^()]{0,1000}\)/g, '$1$2')
    .trim()
}

/** Folds a text so that names in it are found in any spelling used by links. */
export function foldedText(text: string): string {
  const readable = text.includes('%') ? text.replace(/(?:%[0-9A-Fa-f]{2})+/g, decoded) : text
  return composed(decodeEntities(readable))
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
