/** Reads the front matter of Markdown files. */

import { type ElementNode, element, textNode } from '../tree/node.ts'

/** A text without its front matter, and the data of the front matter. */
export interface FrontMatter {
  readonly text: string
  /** Names and values as text; null if the page has no front matter. */
  readonly rows: readonly (readonly [name: string, value: string])[] | null
  readonly title: string | null
  readonly aliases: readonly string[]
  readonly tags: readonly string[]
}

/** Maximum length of front matter, UTF-16 units. */
const maxLength = 20_000
/** Maximum aliases, tags and rows. */
const maxRows = 100

const none = { rows: null, title: null, aliases: [], tags: [] } as const

/** Splits a page, without its byte order mark. Front matter that is neither YAML nor TOML stays hidden, as on GitHub and in Obsidian, with no rows. */
export async function readFrontMatter(written: string): Promise<FrontMatter> {
  const page = written.startsWith('\ufeff') ? written.slice(1) : written
  const [whole, fence, inside = ''] = /^(---|\+\+\+)[ \t]*\n([\s\S]{0,20000}?)(?:^|\n)\1[ \t]*(?:\n|$)/.exec(page) ?? []
  if (whole === undefined) return { text: page, ...none, ...readProperties(page) }
  if (inside.length > maxLength) return { text: page, ...none }
  const values = fence === '---' ? await readYaml(inside) : readToml(inside)
  if (values === null && !/^\s*$/.test(inside)) return { text: page, ...none }
  return { text: page.slice(whole.length), ...describe(values ?? {}) }
}

/** Returns true if a page begins with fences of front matter with unreadable content. */
export async function hasUnreadableFrontMatter(page: string): Promise<boolean> {
  const inside = /^\ufeff?---[ \t]*\n([\s\S]{0,20000}?)(?:^|\n)---[ \t]*(?:\n|$)/.exec(page)?.[1]
  // A page may begin with a rule: only lines like a name and a value are front matter.
  return inside !== undefined && /^[\w-]+:(?: |$)/m.test(inside) && (await readYaml(inside)) === null
}

type Values = Readonly<Record<string, unknown>>

function describe(values: Values): Omit<FrontMatter, 'text'> {
  const rows = Object.entries(values).slice(0, maxRows)
  return {
    rows: rows.map(([name, value]) => [name, wordsOf(value).join(', ')] as const),
    title: typeof values.title === 'string' ? values.title : null,
    aliases: [...wordsOf(values.aliases), ...wordsOf(values.alias), ...addresses(values)],
    tags: [...wordsOf(values.tags), ...wordsOf(values.tag), ...wordsOf(values.categories)],
  }
}

/** Lines of `name:: value` at the beginning of a page of Logseq: they remain in its text. */
function readProperties(page: string): Pick<FrontMatter, 'title' | 'aliases'> {
  const values: Record<string, string> = {}
  for (const line of page.slice(0, maxLength).split('\n', maxRows)) {
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
  if (Array.isArray(value)) return value.slice(0, maxRows).flatMap(wordsOf)
  if (value instanceof Date) return [value.toISOString().slice(0, 10)]
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}

/** Returns null for values other than maps. */
async function readYaml(text: string): Promise<Values | null> {
  const { parseDocument } = await import('yaml')
  try {
    const document = parseDocument(text, { schema: 'core', logLevel: 'silent', prettyErrors: false })
    if (document.errors.length > 0) return null
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    return isMap(value) ? value : null
  } catch {
    return null
  }
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses `name = value` lines, which is all that pages use of TOML; tables are ignored. */
function readToml(text: string): Values | null {
  const values: Record<string, unknown> = {}
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s*([\w-]{1,100})\s*=\s*(.*)$/.exec(line) ?? []
    if (name !== undefined) values[name] = tomlValue(value.trim())
  }
  return Object.keys(values).length === 0 ? null : values
}

function tomlValue(value: string): unknown {
  const quoted = [...value.matchAll(/"([^"\\]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '')
  if (value.startsWith('[')) return quoted
  return quoted[0] ?? value
}

/** Returns a collapsed table of the rows. */
export function frontMatterTable(rows: NonNullable<FrontMatter['rows']>): ElementNode {
  const lines = rows.map(([name, value]) =>
    element('tr', [], [element('th', [['scope', 'row']], [textNode(name)]), element('td', [], [textNode(value)])]),
  )
  const table = element('table', [['class', 'front-matter']], [element('tbody', [], lines)])
  return element('details', [['class', 'front-matter']], [element('summary', [], [textNode('…')]), table])
}
