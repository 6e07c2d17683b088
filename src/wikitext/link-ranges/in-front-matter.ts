/** Finds `[[links]]` in the values of front matter, as Obsidian and Foam read them. */

import { findFrontMatter } from '../../core/front-matter.ts'
import { readYamlDocument } from '../models/front-matter.ts'
import { type LinkRange, trimmedRange } from './link-range.ts'

/** The same links as in a text. */
const brackets = /\[\[([^[\]\n|]{1,1000})(?:\|([^[\]\n]{0,1000}))?\]\]/g
/** Strings of TOML, and comments. */
const tomlString = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.){0,2000}"|'[^'\n]{0,2000}'|#[^\n]*/g

/** A value as written in the text. */
interface Value {
  readonly start: number
  readonly source: string
  /** True for a string of TOML in which nothing is escaped. */
  readonly isLiteral?: boolean
}

/** Finds the links of the front matter that begins a page with line feeds as line ends. */
export async function findFrontMatterLinks(page: string): Promise<LinkRange[]> {
  const place = findFrontMatter(page)
  if (place === null) return []
  const inside = page.slice(place.start, place.end)
  if (!inside.includes('[[')) return []
  const values = place.format === 'toml' ? tomlValues(inside) : ((await yamlValues(inside)) ?? linesOf(inside))
  return values.flatMap(({ start, source, isLiteral = false }) =>
    [...source.matchAll(brackets)].flatMap(match => linkAt(match, { start: place.start + start, source, isLiteral })),
  )
}

function tomlValues(inside: string): Value[] {
  const values = [...inside.matchAll(tomlString)].map(({ 0: source, index }) => ({
    start: index,
    source,
    isLiteral: source.startsWith("'"),
  }))
  return values.filter(({ source }) => !source.startsWith('#'))
}

/** Lines of what is not quite YAML, as people write it. */
function linesOf(inside: string): Value[] {
  return [...inside.matchAll(/^(?![ \t]*#).+$/gm)].map(({ 0: source, index }) => ({ start: index, source }))
}

/** Null for what cannot be read. */
async function yamlValues(inside: string): Promise<Value[] | null> {
  const document = await readYamlDocument(inside)
  if (document === null) return null
  const { isScalar, isSeq, visit } = await import('yaml')
  const values: Value[] = []
  const add = (range: readonly [number, number, number] | null | undefined) => {
    if (range) values.push({ start: range[0], source: inside.slice(range[0], range[1]) })
  }
  visit(document, {
    Scalar: (key, { range }) => (key === 'key' ? undefined : add(range)),
    // Without quotes a link is a list in a list.
    Seq: (_, { flow, items, range }) => {
      const [only] = items
      if (flow !== true || items.length !== 1 || !isSeq(only) || only.items.length !== 1 || !isScalar(only.items[0]))
        return
      add(range)
      return visit.SKIP
    },
  })
  return values
}

/** A value names a page: unlike a link in a text it gets no text to show. */
function linkAt(
  { 1: target = '', 2: rest, index }: RegExpMatchArray,
  { start, source, isLiteral }: Value,
): LinkRange[] {
  if (target.trim() === '') return []
  const inner = start + (index ?? 0) + 2
  const enclosed = source.startsWith('"') ? 'double' : source.startsWith("'") && !isLiteral ? 'single' : 'value'
  const second = rest === undefined ? null : trimmedRange(rest, inner + target.length + 1)
  return [{ form: 'name', ...trimmedRange(target, inner), textAt: null, second, isEmbed: false, enclosed }]
}
