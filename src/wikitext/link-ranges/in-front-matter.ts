/** Finds `[[links]]` in the values of front matter, as Obsidian and Foam read them. */

import { type LinkRange, trimmedRange } from './link-range.ts'

/** The same links as in a text. */
const brackets = /\[\[([^[\]\n|]{1,1000})(?:\|([^[\]\n]{0,1000}))?\]\]/g
/** Strings of TOML on one line. */
const tomlString = /"(?:[^"\\\n]|\\.){0,2000}"|'[^'\n]{0,2000}'/g

/** A value as written in the text. */
interface Value {
  readonly start: number
  readonly source: string
}

/** Finds the links of front matter with its fences, which begins a page. Values that cannot be read have none. */
export async function findFrontMatterLinks(matter: string): Promise<LinkRange[]> {
  if (!matter.includes('[[')) return []
  const isToml = /^\ufeff?\+\+\+/.test(matter)
  const values = isToml ? tomlValues(matter) : await yamlValues(matter)
  return values.flatMap(value => [...value.source.matchAll(brackets)].flatMap(match => linkAt(match, value)))
}

function tomlValues(matter: string): Value[] {
  return [...matter.matchAll(tomlString)].map(({ 0: source, index }) => ({ start: index, source }))
}

async function yamlValues(matter: string): Promise<Value[]> {
  const { isScalar, isSeq, parseDocument, visit } = await import('yaml')
  const start = matter.indexOf('\n') + 1
  const end = matter.trimEnd().lastIndexOf('\n')
  const inside = matter.slice(start, Math.max(start, end))
  const document = parseDocument(inside, { schema: 'core', logLevel: 'silent', prettyErrors: false })
  if (document.errors.length > 0) return []
  const values: Value[] = []
  const add = (range: readonly [number, number, number] | null | undefined) => {
    if (range) values.push({ start: start + range[0], source: inside.slice(range[0], range[1]) })
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
function linkAt({ 1: target = '', 2: rest, index }: RegExpMatchArray, { start, source }: Value): LinkRange[] {
  if (target.trim() === '') return []
  const inner = start + (index ?? 0) + 2
  const enclosed = source.startsWith('"') ? 'double' : source.startsWith("'") ? 'single' : 'value'
  const second = rest === undefined ? null : trimmedRange(rest, inner + target.length + 1)
  return [{ form: 'name', ...trimmedRange(target, inner), textAt: null, second, isEmbed: false, enclosed }]
}
