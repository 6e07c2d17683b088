/** `<poem>`: keeps line breaks and indents. */

import { sanitizeAttributes } from '../sanitize/attributes.ts'
import { type ChildNode, type ElementNode, element, replaceWith, textNode } from '../tree/node.ts'
import { walk } from '../tree/walk.ts'
import type { Extension } from './extension.ts'

const nowikiBlock = /<nowiki>[\s\S]*?<\/nowiki>/g
/** Placeholder for a line feed that is not between two lines of the poem. */
const lineFeedPlaceholder = '\u0000'

/** The extension of `<poem>`. Source: MediaWiki's Poem extension. */
export const poem: Extension = {
  tags: ['poem'],
  render({ body, attributes }, context) {
    const { allowed } = sanitizeAttributes('div', attributes)
    allowed.delete('compact')
    const classes = ['poem', allowed.get('class') ?? ''].filter(name => name !== '').join(' ')
    const node = element('div', [...allowed, ['class', classes]])
    for (const child of context.parseBlocks(poemWikitext(body ?? ''))) adopt(node, child)
    breakNowiki(node)
    return [node]
  },
}

function adopt(parent: ElementNode, child: ChildNode): void {
  child.parent = parent
  parent.children.push(child)
}

/** Writes the wikitext that shows a poem's lines as lines. */
export function poemWikitext(source: string): string {
  const text = source.replace(/^\n/, '').replace(/\n$/, '').replaceAll(nowikiBlock, hideLineFeeds)
  const lines = text.split('\n')
  const written = lines.map((line, i) => {
    const isLast = i === lines.length - 1
    return isRule(line) || isLast ? indented(line) : `${indented(line)}<br />`
  })
  return written.join('\n').replaceAll(lineFeedPlaceholder, '\n')
}

function hideLineFeeds(block: string): string {
  return block.replaceAll('\n', lineFeedPlaceholder)
}

function isRule(line: string): boolean {
  return line.startsWith('----')
}

/** Colons are levels of indentation; spaces are shown. */
function indented(line: string): string {
  const colons = /^:+/.exec(line)?.[0].length ?? 0
  if (colons > 0) {
    const style = `display: inline-block; margin-inline-start: ${colons}em;`
    return `<span class="mw-poem-indented" style="${style}">${line.slice(colons)}</span>`
  }
  const spaces = /^ +/.exec(line)?.[0].length ?? 0
  return '&nbsp;'.repeat(spaces) + line.slice(spaces)
}

/** Lines inside `<nowiki>` are lines of the poem too. */
function breakNowiki(poemNode: ElementNode): void {
  for (const { element: node } of [...walk(poemNode)]) {
    if (node.attributes.get('typeof') !== 'mw:Nowiki') continue
    const children = [...node.children]
    replaceWith(
      node,
      children.flatMap(child => (child.kind === 'text' ? brokenLines(child.text) : [child])),
    )
  }
}

function brokenLines(text: string): ChildNode[] {
  return text.split('\n').flatMap((line, i) => {
    const shown = i === 0 ? line : `\n${line}`
    const node = shown === '' ? [] : [textNode(shown)]
    return i === 0 ? node : [element('br'), ...node]
  })
}
