/** Parts of other pages: `#lst`, `#lstx`, `#lsth`. Source: MediaWiki Extension:Labeled Section Transclusion, its help page. */

import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import { readTitle } from '../expansion/titles.ts'
import type { ExtensionTag, PreNode } from '../preprocess/nodes.ts'

/** Selects the part of a page's nodes to transclude. */
type Select = (nodes: readonly PreNode[], text: string) => PreNode[]

function part(call: FunctionCall, select: Select): string | undefined {
  const title = readTitle(call.text(0), call.context.rules)
  if (title === undefined || title.namespace < 0) return ''
  return call.page(title, select)
}

/** Sections of a name, from `<section begin="name"/>` to `<section end="name"/>`. */
function marked(call: FunctionCall): string | undefined {
  const begin = call.text(1)
  const end = call.text(2) || begin
  return part(call, (nodes, text) => split(nodes, text, { begin, end }).flatMap(run => (run.isInside ? run.nodes : [])))
}

/** Everything but such sections, which are replaced by another text. */
function unmarked(call: FunctionCall): string | undefined {
  const name = call.text(1)
  const outside: Select = (nodes, text) => {
    const runs = split(nodes, text, { begin: name, end: name })
    return runs.flatMap(run => (run.isInside ? [] : run.nodes))
  }
  if (call.text(2) === '') return part(call, outside)
  const first: Select = (nodes, text) => split(nodes, text, { begin: name, end: name })[0]?.nodes ?? []
  const rest: Select = (nodes, text) => {
    const runs = split(nodes, text, { begin: name, end: name })
    return runs.slice(1).flatMap(run => (run.isInside ? [] : run.nodes))
  }
  return (part(call, first) ?? '') + call.text(2) + (part(call, rest) ?? '')
}

interface Run {
  readonly isInside: boolean
  readonly nodes: PreNode[]
}

/** Divides nodes into those outside and inside of sections of a name, alternately. */
function split(nodes: readonly PreNode[], text: string, { begin, end }: { begin: string; end: string }): Run[] {
  const runs: Run[] = [{ isInside: false, nodes: [] }]
  for (const node of nodes) {
    const { isInside } = runs.at(-1)!
    const isSection = node.kind === 'extension' && node.name === 'section'
    if (isSection && !isInside && nameAt(node, text, 'begin') === begin) runs.push({ isInside: true, nodes: [] })
    else if (isSection && isInside && nameAt(node, text, 'end') === end) runs.push({ isInside: false, nodes: [] })
    else runs.at(-1)!.nodes.push(node)
  }
  return runs
}

const nameAttributes = {
  begin: /(?:^|\s)begin\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))/i,
  end: /(?:^|\s)end\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))/i,
}

function nameAt({ attributes }: ExtensionTag, text: string, edge: 'begin' | 'end'): string | undefined {
  const found = nameAttributes[edge].exec(text.slice(attributes.start, attributes.end))
  return (found?.[1] ?? found?.[2] ?? found?.[3])?.trim()
}

/** Selects the text under a heading, up to the next heading of its level or above, or up to another named heading. */
function headed(call: FunctionCall): string | undefined {
  const [from, to] = [call.text(1).toLowerCase(), call.text(2).toLowerCase()]
  return part(call, (nodes, text) => {
    const headings = headingsOf(nodes, text)
    const index = from === '' ? -1 : headings.findIndex(({ name }) => name === from)
    if (from !== '' && index === -1) return []
    const level = headings[index]?.level ?? 7
    const next = headings.slice(index + 1).find(one => (to === '' ? one.level <= level : one.name === to))
    return between(nodes, headings[index]?.end ?? 0, next?.start ?? text.length)
  })
}

interface Heading {
  readonly level: number
  /** Lower case. */
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Finds the headings: lines of the page's own text between equals signs, which may have comments and calls. */
function headingsOf(nodes: readonly PreNode[], text: string): Heading[] {
  const found: Heading[] = []
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== 'text') continue
    for (let at = node.start; at < node.end; at = lineEnd(text, at, node.end) + 1) {
      const isLineStart = at === 0 || text[at - 1] === '\n'
      const heading = isLineStart && text[at] === '=' ? headingAt(nodes, index, { text, start: at }) : null
      if (heading !== null) found.push(heading)
    }
  }
  return found
}

function lineEnd(text: string, from: number, end: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 || at > end ? end : at
}

/** Reads a heading over all nodes of its line. */
function headingAt(
  nodes: readonly PreNode[],
  from: number,
  { text, start }: { readonly text: string; readonly start: number },
): Heading | null {
  let line = ''
  let at = start
  for (const node of nodes.slice(from, from + longestLine)) {
    const end = node.kind === 'text' ? lineEnd(text, at, node.end) : node.end
    if (node.kind !== 'comment') line += text.slice(at, end)
    at = end
    if (node.kind === 'text' && at < node.end) break
  }
  const shown = line.trimEnd()
  const [before] = /^=*/.exec(shown)!
  const after = shown.length - shown.replace(/(?<!=)=*$/, '').length
  const level = Math.min(6, before.length, after, Math.floor((shown.length - 1) / 2))
  if (level < 1) return null
  return { level, name: shown.slice(level, -level).trim().toLowerCase(), start, end: at }
}

/** Maximum number of nodes on a heading's line. */
const longestLine = 100

/** The nodes in a range of the text; texts are cut at its ends. */
function between(nodes: readonly PreNode[], start: number, end: number): PreNode[] {
  return nodes.flatMap((node): PreNode[] => {
    if (node.end <= start || node.start >= end) return []
    if (node.kind !== 'text') return [node]
    return [{ ...node, start: Math.max(node.start, start), end: Math.min(node.end, end) }]
  })
}

/** Functions whose names begin with `#`. */
export const sectionTable: FunctionTable = {
  lst: marked,
  section: marked,
  lstx: unmarked,
  'section-x': unmarked,
  lsth: headed,
  'section-h': headed,
}
