/** Reads the front matter of Markdown files: YAML, or the TOML that pages use. */

import { findFrontMatter, longestFrontMatter, withoutByteOrderMark } from '../../core/front-matter.ts'
import { withPlainEnds } from '../../core/line-ends.ts'
import { type ChildNode, type ElementNode, element, textNode } from '../tree/node.ts'
import { readToml } from './toml.ts'
import { linkAttributes } from './wiki-link-rule.ts'

/** A text without its front matter, and the data of the front matter. */
export interface FrontMatter {
  readonly text: string
  /** Names and values as text; null if the page has no front matter. */
  readonly rows: readonly (readonly [name: string, value: string])[] | null
  readonly title: string | null
  readonly description: string | null
  /** Path or address of the page's picture. */
  readonly image: string | null
  readonly aliases: readonly string[]
  readonly tags: readonly string[]
}

/** Maximum aliases, tags and rows. */
const maxRows = 100
/** Maximum length of a value, UTF-16 units, when aliases of YAML are written out. */
const longestValues = 200_000

const none = { rows: null, title: null, description: null, image: null, aliases: [], tags: [] } as const

/**
 * Splits a page, without its byte order mark. What is between the fences, but is neither YAML nor TOML with names, is text: a page may
 * begin with a rule.
 */
export async function readFrontMatter(page: string): Promise<FrontMatter> {
  const place = findFrontMatter(page)
  if (place === null) return { text: withoutByteOrderMark(page), ...none, ...readProperties(page) }
  const inside = page.slice(place.start, place.end)
  const values = await readValues(inside, place.format)
  if (values === null && inside.trim() !== '') return { text: withoutByteOrderMark(page), ...none }
  return { text: page.slice(place.textAt), ...describe(values ?? {}) }
}

/** Returns true if a page begins with fences of front matter with unreadable content. */
export async function hasUnreadableFrontMatter(page: string): Promise<boolean> {
  const place = findFrontMatter(page)
  if (place === null) return false
  const inside = withPlainEnds(page.slice(place.start, place.end))
  // A page may begin with a rule: only lines like a name and a value are front matter.
  const named = place.format === 'yaml' ? /^[\w-]+:(?: |$)/m : /^[\w-]+[ \t]*=/m
  if (!named.test(inside)) return false
  const read = place.format === 'yaml' ? await readYamlDocument(inside) : readToml(inside)
  return read === null || (await readValues(inside, place.format)) === null
}

type Values = Readonly<Record<string, unknown>>

async function readValues(inside: string, format: 'yaml' | 'toml'): Promise<Values | null> {
  const text = withPlainEnds(inside)
  return format === 'yaml' ? readYaml(text) : readToml(text)
}

function describe(values: Values): Omit<FrontMatter, 'text'> {
  const rows = Object.entries(values).slice(0, maxRows)
  const byName = new Map([...rows].reverse().map(([name, value]) => [name.toLowerCase(), value]))
  const first = (...names: readonly string[]) => names.flatMap(name => wordsOf(byName.get(name)))[0] ?? null
  // Source: https://www.getzola.org/documentation/content/taxonomies/
  const all = [byName, new Map(Object.entries((byName.get('taxonomies') ?? {}) as Values))]
  const lists = (...names: readonly string[]) => names.flatMap(name => all.flatMap(each => wordsOf(each.get(name))))
  return {
    rows: rows.map(([name, value]) => [name, wordsOf(value).join(', ')] as const),
    title: first('title'),
    description: first('description', 'summary'),
    image: first('image', 'cover'),
    aliases: [...lists('aliases', 'alias'), ...addresses(values)],
    tags: lists('tags', 'tag', 'categories'),
  }
}

/** Lines of `name:: value` at the beginning of a page of Logseq: they remain in its text. */
function readProperties(page: string): Pick<FrontMatter, 'title' | 'aliases'> {
  const values: Record<string, string> = {}
  for (const line of withoutByteOrderMark(page)
    .slice(0, longestFrontMatter)
    .split(/\r\n?|\n/, maxRows)) {
    const [, name, value = ''] = /^([\w-]{1,50}):: (.*)$/.exec(line) ?? []
    if (name === undefined) break
    values[name] = value.trim()
  }
  return { title: values.title ?? null, aliases: (values.alias ?? '').split(/, */).filter(alias => alias !== '') }
}

/** Addresses that site generators give to a page, from the root of the site: those without placeholders. */
function addresses({ permalink, url, redirect_from, slug, id }: Values): string[] {
  const whole = [permalink, url, redirect_from].flatMap(wordsOf).filter(address => /^\/[^:*{}]+$/.test(address))
  // Source: https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#markdown-front-matter
  const own = [slug, id].flatMap(wordsOf).filter(address => /^[^:*{}]+$/.test(address))
  return [...whole, ...own.map(address => (address.startsWith('/') ? address : `./${address}`))]
}

/** Returns a value as texts: a list's members, or the value itself. */
function wordsOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return bareLink(value) ?? value.slice(0, maxRows).flatMap(wordsOf)
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}

/** `up: [[Note]]` without quotes is a list in a list for YAML, and a link for the writer. */
function bareLink([inner, ...others]: readonly unknown[]): string[] | null {
  const isAlone = others.length === 0 && Array.isArray(inner) && inner.length === 1 && typeof inner[0] === 'string'
  return isAlone ? [`[[${inner[0]}]]`] : null
}

/** Returns the document of a text of YAML; null if it is invalid, or would take long. */
export async function readYamlDocument(text: string) {
  if (isIntricate(text)) return null
  const { parseDocument } = await import('yaml')
  try {
    const document = parseDocument(text, { schema: 'core', logLevel: 'silent', prettyErrors: false })
    return document.errors.length > 0 ? null : document
  } catch {
    // Its parser is recursive.
    return null
  }
}

/** Maximum levels of collections in one line, maximum levels of brackets, and maximum keys with a question mark. */
const [maxCompact, maxBrackets, maxQuestions] = [10, 20, 50]

/** True for a text whose collections are nested more deeply than those of any page: 400 levels take the parser half a minute. */
function isIntricate(text: string): boolean {
  if (new RegExp(`(?:[-?:][ \\t]+){${maxCompact}}`).test(text)) return true
  if ((text.match(/\?(?=\s)/g)?.length ?? 0) > maxQuestions) return true
  let depth = 0
  for (const sign of text.match(/[[\]{}]/g) ?? []) {
    depth = sign === '[' || sign === '{' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > maxBrackets) return true
  }
  return false
}

/** Maximum uses of anchors: each one writes a value again. */
const maxAliasCount = 20

/** Returns null for values other than maps. */
async function readYaml(text: string): Promise<Values | null> {
  const document = (await readYamlDocument(text)) ?? (await readYamlDocument(text.replace(bareColon, quote)))
  try {
    const value: unknown = document?.toJS({ maxAliasCount })
    // Fails for a value that contains itself.
    return isMap(value) && JSON.stringify(value).length <= longestValues ? value : null
  } catch {
    return null
  }
}

/** `title: Tides: a guide` is invalid YAML, and what people write. `wiki check` reports it. */
const bareColon = /^([\w-]{1,100}:[ \t]+)([^\s"'[\]{}|>&*!%@`#,][^\n]*?:(?:[ \t][^\n]*)?)$/gm

function quote(_: string, name: string, value: string): string {
  return `${name}${JSON.stringify(value)}`
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a collapsed table of the rows. Its links are those of `wiki-link-rule.ts`. */
export function frontMatterTable(rows: NonNullable<FrontMatter['rows']>): ElementNode {
  const lines = rows.map(([name, value]) =>
    element('tr', [], [element('th', [['scope', 'row']], [textNode(name)]), element('td', [], linked(value))]),
  )
  const table = element('table', [['class', 'front-matter']], [element('tbody', [], lines)])
  return element('details', [['class', 'front-matter']], [element('summary', [], [textNode('…')]), table])
}

const link = /(\[\[[^[\]\n|]{1,1000}(?:\|[^[\]\n]{0,1000})?\]\])/

/** Source: https://help.obsidian.md/properties */
function linked(value: string): ChildNode[] {
  return value
    .split(link)
    .filter(part => part !== '')
    .map(part => {
      if (!link.test(part)) return textNode(part)
      const parts = part
        .slice(2, -2)
        .split('|')
        .map(each => each.trim())
      return element('a', [[linkAttributes.parts, JSON.stringify(parts)]])
    })
}
