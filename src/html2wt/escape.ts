/** Text that wikitext would read as markup is told apart from it: by a table of what is unsafe, and one function. */

import { allowedTags } from '../wikitext/sanitize/allowed.ts'
import { decodeEntity } from '../wikitext/sanitize/entities.ts'
import { urlProtocols } from '../wikitext/sanitize/urls.ts'
import type { Context } from './context.ts'

/** Where a text stands. */
export interface Place {
  readonly context: Context
  /** True where the text's first character is the first of a line. */
  readonly isLineStart: boolean
  /** First characters of the line that the text goes on. */
  readonly lineHead: string
  /** True where nothing follows the text on its line. */
  readonly isLineEnd: boolean
  /** True where the page begins with the text. */
  readonly isPageStart: boolean
  /** Text that follows in the same block. */
  readonly following: string
  readonly hasVariants: boolean
}

interface Unsafe {
  readonly pattern: RegExp
  /** True where the pattern counts only at the start of a line. */
  readonly atLineStart?: boolean
  readonly where?: (place: Place) => boolean
  /** True where all of the text is wrapped, not only what was found. */
  readonly isWhole?: boolean
}

const extensionTags =
  'ce|chem|gallery|graph|hiero|imagemap|includeonly|indicator|inputbox|languages|mapframe|maplink|math|noinclude|onlyinclude|nowiki|poem|pre|ref|references|score|section|source|syntaxhighlight|templatedata|templatestyles|timeline|translate|tvar'

const tagNames = `(?:${[...allowedTags].join('|')}|${extensionTags})`
const protocols = urlProtocols.filter(one => one !== '//').map(one => one.replace(/[/.]/g, '\\$&'))
const address = `(?:${protocols.join('|')})[^\\s<>"\\[\\]]`
const switches =
  'notoc|nogallery|forcetoc|toc|noeditsection|notitleconvert|notc|nocontentconvert|nocc|newsectionlink|nonewsectionlink|hiddencat|expectunusedcategory|expectunusedtemplate|index|noindex|staticredirect|archivedtalk|notalk'

const inWikiLink = ({ context }: Place): boolean => context.link === 'wiki' || context.link === 'media'
const inPlainText = ({ context }: Place): boolean => context.link === ''

/** What text may not hold, and where. */
const unsafe: readonly Unsafe[] = [
  { pattern: /'{2,}/g },
  { pattern: /\{\{\{?[^{}\n][^{}]*\}\}\}?|\{\{(?=[\s\S]*\}\})[\s\S]*\}\}/g },
  { pattern: /\{\{/g, where: ({ following }) => following.includes('}}') },
  { pattern: /\[\[[^[\]\n][^[\]]*\]\]/g, where: inPlainText },
  {
    pattern: /\[\[(?!.*\]\]).*$/g,
    where: ({ following, context }) => context.link === '' && /^[^[\]]*\]\]/.test(following),
  },
  { pattern: /\[\[|\]\]|\](?=$)/g, where: inWikiLink, isWhole: true },
  {
    pattern: new RegExp(`\\[(?://|${protocols.join('|')})[^\\s\\]<>"\\[][^\\]\\n]*\\]`, 'gi'),
    where: ({ context }) => context.link !== 'external',
  },
  { pattern: /\]/g, where: ({ context }) => context.link === 'external', isWhole: true },
  {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}_])${address}[^\\s<>"\\[\\]]*`, 'giu'),
    where: ({ context }) => context.link !== 'external',
  },
  { pattern: /(?<![\p{L}\p{N}_])(?:RFC|PMID)[ \t\u00a0]+\d+(?![\p{L}\p{N}_])/gu, where: inPlainText },
  {
    pattern:
      /(?<![\p{L}\p{N}_])ISBN[ \t\u00a0]+(?:97[89][ \t\u00a0-]?)?(?:\d[ \t\u00a0-]?){9}[\dXx](?![\p{L}\p{N}_])/gu,
    where: inPlainText,
  },
  { pattern: new RegExp(`__(?:${switches})__`, 'gi') },
  { pattern: new RegExp(`</?${tagNames}(?=[\\s/>])[^>]*>(?:[sS]*</?${tagNames}(?=[\\s/>])[^>]*>)?`, 'gi') },
  { pattern: /<!--/g },
  { pattern: /~{3,5}/g },
  { pattern: /-\{[\s\S]*\}-/g, where: ({ hasVariants }) => hasVariants },
  { pattern: /^[*#:;]+/gm, atLineStart: true, where: ({ context }) => context.list === '' },
  { pattern: /^[*#:;].*/gm, atLineStart: true, where: ({ context }) => context.list !== '' },
  { pattern: /^-{4,}/gm, atLineStart: true },
  { pattern: /^\{\|/gm, atLineStart: true },
  { pattern: /^:*\{\|/gm, atLineStart: true },
  { pattern: /^=.*=(?=[ \t]*$)/gm, atLineStart: true, where: ({ context }) => !context.heading && !context.isLine },
  { pattern: /^[|!].*/gm, atLineStart: true, where: ({ context }) => context.cell !== '' || context.inTable },
  { pattern: /[|]/g, where: ({ context }) => context.cell !== '', isWhole: true },
  { pattern: /!!/g, where: ({ context }) => context.cell === 'th', isWhole: true },
  { pattern: /:/g, where: ({ context }) => context.term, isWhole: true },
  { pattern: /\|/g, where: ({ context }) => context.link === 'media', isWhole: true },
  { pattern: /^#redirect/gi, atLineStart: true, where: ({ isPageStart }) => isPageStart },
]

function shieldReference(reference: string): string {
  return decodeEntity(reference) === null ? reference : `&amp;${reference.slice(1)}`
}

interface Stretch {
  start: number
  end: number
}

/** Writes text so that it is read as text. */
export function escapeText(text: string, place: Place): string {
  const plain = text.replace(/&(?:[A-Za-z0-9\u0080-\uffff]{1,32}|#[0-9]+|#[xX][0-9A-Fa-f]+);/g, shieldReference)
  const safe = plain.replace(/<(\/?nowiki\s*\/?)>/gi, '&lt;$1&gt;')
  const found = stretches(safe, place)
  if (found.length === 0) return safe
  let out = ''
  let at = 0
  for (const { start, end } of found) {
    out += `${safe.slice(at, start)}<nowiki>${safe.slice(start, end)}</nowiki>`
    at = end
  }
  return out + safe.slice(at)
}

function stretches(text: string, place: Place): Stretch[] {
  const found: Stretch[] = []
  for (const { pattern, atLineStart, where, isWhole } of unsafe) {
    if (where !== undefined && !where(place)) continue
    for (const match of text.matchAll(pattern)) {
      if (atLineStart && match.index === 0 && !place.isLineStart) continue
      if (isWhole) return [{ start: 0, end: text.length }]
      found.push({ start: match.index, end: match.index + match[0].length })
    }
  }
  const closing = closingSign(text, place)
  if (closing !== null) found.push(closing)
  return merged(found)
}

/** A line that other text has begun with `=` would be a heading if it ended with one. */
function closingSign(text: string, { lineHead, isLineStart, isLineEnd, context }: Place): Stretch | null {
  if (
    isLineStart ||
    context.isLine ||
    !isLineEnd ||
    !lineHead.startsWith('=') ||
    !text.endsWith('=') ||
    text.includes('\n')
  )
    return null
  return { start: text.length - 1, end: text.length }
}

function merged(found: Stretch[]): Stretch[] {
  const sorted = found.sort((one, other) => one.start - other.start || other.end - one.end)
  const kept: Stretch[] = []
  for (const one of sorted) {
    const last = kept.at(-1)
    if (last !== undefined && one.start <= last.end) last.end = Math.max(last.end, one.end)
    else kept.push({ ...one })
  }
  return kept
}
