/** Plain text of a page: the words that readers see, and metadata from its markup. */

import type { Decode } from './entities.ts'

/** A link as written. Its fragment is left out. */
export interface PageLink {
  readonly target: string
  /** `title`: `[[target]]` of wikitext. `name`: `[[target]]` of Markdown. `path`: `[text](target)` of Markdown. */
  readonly syntax: 'title' | 'name' | 'path'
  /** Second part of `[[target|second]]` in Markdown: some wikis have the target there. */
  readonly second?: string
}

/** The parts of a page's text. Lines of the parts end in line feeds where the page's do. */
export interface PageText {
  /** Title that the page gives itself, besides its name; null if none. */
  readonly title: string | null
  /** The text before the first heading, without boxes. */
  readonly lead: string
  readonly headings: readonly string[]
  /** All other words. */
  readonly body: string
  /** A short description of the page's topic; null if it has none. */
  readonly description: string | null
  /** Path of the picture that the page's front matter names; null if it names none. */
  readonly image: string | null
  /** Links to pages, files and, without a colon before them, categories. */
  readonly links: readonly PageLink[]
  /** Names of templates as the text calls them. */
  readonly templates: readonly string[]
}

/** The front matter of a page of Markdown, and the text after it. */
export interface PageMatter {
  readonly text: string
  /** Null if there is no front matter. */
  readonly rows: readonly (readonly [name: string, value: string])[] | null
  readonly title: string | null
  readonly description: string | null
  readonly image: string | null
}

/** Maximum recorded links, templates or headings of one page. */
const maxNames = 10_000

/** Maximum length of the lead, in UTF-16 units: the rest is body. */
const longestLead = 2_000

/** Part of the text that a reader is writing to. */
export type PartName = 'lead' | 'heading' | 'body' | 'auxiliary'

/** Collects the text of a page, and its links, categories and templates. */
export interface PageTextWriter {
  /** Adds text to a part. */
  readonly add: (part: PartName, text: string) => void
  /** Ends the heading that is being written. */
  readonly endHeading: () => void
  readonly describe: (text: string) => void
  readonly picture: (name: string) => void
  readonly link: (link: PageLink) => void
  readonly template: (name: string) => void
  /** Decodes the character references of the text. */
  readonly decode: Decode
  readonly result: () => PageText
}

/** Creates a writer for an empty page. Boxes and notes are collected separately and follow the body. */
export function pageTextWriter(decode: Decode): PageTextWriter {
  const parts: Record<PartName, string[]> = { lead: [], heading: [], body: [], auxiliary: [] }
  const headings: string[] = []
  const links = new Map<string, PageLink>()
  const templates = new Set<string>()
  let description: string | null = null
  let image: string | null = null
  return {
    add: (part, text) => void parts[part].push(text),
    endHeading: () => {
      const heading = parts.heading.splice(0).join('').trim()
      if (heading !== '' && headings.length < maxNames) headings.push(heading)
    },
    describe: text => {
      description ??= text.replace(/\s+/g, ' ').trim().slice(0, 500) || null
    },
    picture: name => {
      image ??= name.trim() || null
    },
    link: link => {
      const { target, syntax, second = '' } = link
      if (links.size < maxNames) links.set(`${syntax} ${target}|${second}`, link)
    },
    decode,
    template: name => void (templates.size < maxNames && templates.add(name)),
    result: () => {
      const { lead, rest } = splitLead(parts.lead.join('').trim())
      const body = [rest, parts.body.join(''), parts.auxiliary.join('')].filter(text => text.trim() !== '').join('\n')
      return {
        title: null,
        lead,
        headings,
        body,
        description,
        image,
        links: [...links.values()],
        templates: [...templates],
      }
    },
  }
}

function splitLead(text: string): { lead: string; rest: string } {
  if (text.length <= longestLead) return { lead: text, rest: '' }
  const end = text.lastIndexOf(' ', longestLead)
  const cut = end > 0 ? end : longestLead
  return { lead: text.slice(0, cut), rest: text.slice(cut) }
}

/** Reads a text that has no markup: code, data, notes. */
export function readPlainText(text: string): PageText {
  const writer = pageTextWriter(same => same)
  writer.add('lead', text)
  return writer.result()
}

const schemes = 'https?|ftps?|sftp|ircs?|git|ssh|svn|mailto|news|magnet|geo|tel|urn|xmpp'
const address = new RegExp(`(?:${schemes}):(?://)?[^\\s<>[\\]{}|"]+`, 'iy')
const addressStart = new RegExp(`(?<![\\p{L}\\p{N}])(?:${schemes}):(?=[^\\s<>[\\]{}|"])`, 'giu')

/** The end of a web address that begins at an offset; null if none does. */
export function addressEnd(text: string, at: number): number | null {
  address.lastIndex = at
  return address.test(text) ? address.lastIndex : null
}

/** Finds the first web address that begins between two offsets; null if none does. */
export function findAddress(text: string, from: number, to: number): { start: number; end: number } | null {
  addressStart.lastIndex = 0
  const found = addressStart.exec(text.slice(from, Math.min(to + 1, text.length)))
  if (found === null) return null
  const start = from + found.index
  return { start, end: addressEnd(text, start) ?? start + found[0].length }
}

/** Lists the web addresses that begin between two offsets: a line with many is read in linear time. */
export function* listAddresses(text: string, from: number, to: number): Generator<{ start: number; end: number }> {
  for (let at = from; at < to; ) {
    const found = findAddress(text, at, to)
    if (found === null) return
    yield found
    at = found.end
  }
}
