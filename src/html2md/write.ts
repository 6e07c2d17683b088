/** Writes Markdown text: CommonMark by mdast-util-to-markdown, and tables, strikethrough, tasks and notes as on GitHub. */

import type { Handle, Options, State } from 'mdast-util-to-markdown'
import type { Alignment, Flow, List, Mark, NoteText, Phrasing, Table } from './node.ts'

/** Writes blocks as a text that ends with a line feed; "" for none. */
export async function writeMarkdown(children: Flow[]): Promise<string> {
  const { defaultHandlers, toMarkdown } = await import('mdast-util-to-markdown')
  const options: Options = {
    bullet: '-',
    emphasis: '*',
    listItemIndent: 'one',
    rule: '-',
    unsafe: [{ character: '~', inConstruct: 'phrasing' }],
    handlers: { ...handlers, listItem: taskItem(defaultHandlers.listItem as Handle) },
  }
  return toMarkdown({ type: 'root', children } as never, options)
}

type NoteMark = Extract<Phrasing, { readonly type: 'footnoteReference' }>

const handlers: Readonly<Record<string, Handle>> = {
  delete: (node: Mark, _, state, info) => {
    const track = state.createTracker(info)
    const inner = state.containerPhrasing(node as never, { ...track.current(), before: '~', after: '~' })
    return track.move(`~~${inner}~~`)
  },
  footnoteReference: (node: NoteMark) => `[^${node.identifier}]`,
  footnoteDefinition: (node: NoteText, _, state, info) => {
    const track = state.createTracker(info)
    track.shift(4)
    const text = state.containerFlow(node as never, track.current())
    const lines = state.indentLines(text, (line, index, blank) => (index === 0 || blank ? '' : '    ') + line)
    return `[^${node.identifier}]: ${lines}`
  },
  table: (node: Table, _, state, info) => {
    const [head = [], ...rows] = node.rows.map(row => row.map(cell => writeCell(cell, state, info)))
    return [head, node.align.map(rule), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
  },
}

const rules: Readonly<Record<NonNullable<Alignment>, string>> = { left: ':--', right: '--:', center: ':-:' }

function rule(alignment: Alignment): string {
  return alignment === null ? '---' : rules[alignment]
}

/** Pipes are escaped everywhere in a cell, also in code. Source: GFM 4.10. */
function writeCell(children: Phrasing[], state: State, info: Parameters<Handle>[3]): string {
  const text = state.containerPhrasing({ type: 'paragraph', children } as never, { ...info, before: '|', after: '|' })
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** A checkbox comes before the first words of an item. */
function taskItem(plainItem: Handle): Handle {
  return (node: List['children'][number], parent, state, info) => {
    const text = plainItem(node, parent, state, info)
    if (node.checked === null || node.children[0]?.type !== 'paragraph') return text
    return text.replace(/^(?:[*+-]|\d+\.) /, marker => `${marker}[${node.checked ? 'x' : ' '}] `)
  }
}
