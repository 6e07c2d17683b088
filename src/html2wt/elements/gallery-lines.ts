/** The lines of a gallery in the source. Lines that nobody changed stay byte for byte. */

import { namespaceIds } from '../../core/namespaces.ts'
import { possibleTitle } from '../../core/title.ts'
import { readGalleryLines } from '../../wikitext/media/gallery.ts'
import { type MediaOption, type MediaPart, readMediaOptions } from '../../wikitext/media/options.ts'
import { decodeEntities } from '../../wikitext/sanitize/entities.ts'
import type { Site } from '../../wikitext/site.ts'

/** A line that names a file, together with the preceding lines that name none. */
export interface SourceLine {
  /** File name, in URL form. */
  readonly name: string
  readonly text: string
  /** Preceding blank lines and comments. */
  readonly lead: readonly string[]
}

export interface SourceLines {
  readonly items: readonly SourceLine[]
  /** Lines after the last file. */
  readonly rest: readonly string[]
}

/** Caption and options of a gallery box. */
export interface BoxWords {
  readonly caption: string
  /** Options as text: `alt=...`, `link=...`. */
  readonly options: readonly string[]
}

/** Options of a line that a user can change in its box. */
const editable: ReadonlySet<string> = new Set(['alt', 'link'])

/** Splits the body of a gallery. */
export function sourceLines(body: string, site: Site): SourceLines {
  const items: SourceLine[] = []
  let lead: string[] = []
  for (const text of body.split('\n')) {
    const name = nameOf(text, site)
    if (name === null) lead.push(text)
    else {
      items.push({ name, text, lead })
      lead = []
    }
  }
  return { items, rest: lead }
}

/** Returns the name of the file that a line shows; null if it shows none. */
function nameOf(line: string, site: Site): string | null {
  const [found] = readGalleryLines(line)
  if (found === undefined) return null
  const title = possibleTitle(decodeEntities(percentDecoded(found.target)), site.rules, namespaceIds.file)
  return title?.namespace === namespaceIds.file ? title.name : null
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns a line with the current caption and options of its box. Unchanged parts keep their source. `before` is the
 * caption and options when the page was rendered; null if unknown.
 */
export function changedLine(
  line: string,
  now: BoxWords,
  { before, site }: { before: BoxWords | null; site: Site },
): string {
  const pipe = line.indexOf('|')
  const head = pipe === -1 ? line : line.slice(0, pipe)
  const parts = pipe === -1 ? [] : splitParts(line.slice(pipe + 1))
  const read = readMediaOptions(parts.map(asPart), { words: site.mediaWords, formatless: true })
  const caption = read.list.findLast(({ key }) => key === 'caption') ?? null
  const sources = read.list.flatMap(option => {
    if (option === caption) return captionPart(option, now, before)
    return editable.has(option.key) ? optionPart(option, now, { before, site }) : [option.part.source]
  })
  const present = new Set<string>(read.list.map(({ key }) => key))
  const added = before === null ? [] : addedOptions(now, before).filter(text => !present.has(keyOf(text, site)))
  const last = caption === null && now.caption !== '' && now.caption !== before?.caption ? [now.caption] : []
  return [head, ...sources, ...added, ...last].join('|')
}

function asPart(source: string): MediaPart {
  return { source, text: withoutComments(source), start: 0, end: 0 }
}

/** A caption keeps its surrounding white space. */
function captionPart({ part }: MediaOption, now: BoxWords, before: BoxWords | null): string[] {
  const { source } = part
  const text = source.trim()
  if (now.caption === (before?.caption ?? text) || now.caption === text) return [source]
  if (now.caption === '') return []
  const start = source.length - source.trimStart().length
  return [source.slice(0, start) + now.caption + source.slice(start + text.length)]
}

function optionPart(
  { key, part, value }: MediaOption,
  now: BoxWords,
  { before, site }: { before: BoxWords | null; site: Site },
): string[] {
  const wanted = now.options.find(text => keyOf(text, site) === key)
  const optionBefore = before?.options.find(text => keyOf(text, site) === key)
  if (wanted === optionBefore || (before === null && (wanted === undefined || !/^[^{}[\]<>'&]*$/.test(value))))
    return [part.source]
  if (wanted === undefined) return []
  const wantedValue = wanted.slice(wanted.indexOf('=') + 1)
  if (wantedValue === value) return [part.source]
  const at = part.source.indexOf('=')
  return [part.source.slice(0, at + 1) + wantedValue]
}

function addedOptions(now: BoxWords, before: BoxWords): string[] {
  return now.options.filter(text => !before.options.includes(text))
}

function keyOf(text: string, site: Site): string {
  return readMediaOptions([asPart(text)], { words: site.mediaWords, formatless: true }).list[0]?.key ?? ''
}

function withoutComments(text: string): string {
  const [first = '', ...pieces] = text.split('<!--')
  // A comment without an end is not a comment.
  return (
    first +
    pieces.map(piece => (piece.includes('-->') ? piece.slice(piece.indexOf('-->') + 3) : `<!--${piece}`)).join('')
  )
}

/**
 * Constructs whose pipes do not separate options: links, templates, variants, comments, and tags with verbatim content.
 */
const signs = /\[\[|\]\]|\{\{|\}\}|-\{|\}-|\||<(?:nowiki|pre|ref|math)\b|<!--/gi
const openers: ReadonlySet<string> = new Set(['[[', '{{', '-{'])
const closers: ReadonlySet<string> = new Set([']]', '}}', '}-'])

/** Splits a line at the pipes that separate options. */
function splitParts(text: string): string[] {
  const parts: string[] = []
  let [start, depth, skipTo] = [0, 0, 0]
  for (const { 0: sign, index } of text.matchAll(signs)) {
    if (index < skipTo) continue
    if (sign.startsWith('<')) skipTo = endOfHeld(text, sign.toLowerCase(), index)
    else if (openers.has(sign)) depth++
    else if (closers.has(sign)) depth = Math.max(0, depth - 1)
    else if (depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** Maximum distance to search for the end of a tag or comment, in UTF-16 units. */
const longestHeld = 5000

function endOfHeld(text: string, sign: string, from: number): number {
  const close = sign === '<!--' ? '-->' : `</${sign.slice(1)}>`
  const end = text
    .slice(from, from + longestHeld)
    .toLowerCase()
    .indexOf(close)
  return end === -1 ? from + 1 : from + end + close.length
}
