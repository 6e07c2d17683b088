/** The metadata at the beginning of a text: front matter, or a separate block of names and values. */

import type { ContentModel } from '../../core/content-models.ts'
import type { PageMatter } from './page-text.ts'

/** Metadata that a page gives about itself. */
export interface Preamble {
  readonly title: string | null
  readonly description: string | null
}

/** Longer blocks are treated as text. */
const longestBlock = 20_000

/** Lines before the block, within the lead section. */
const before = /^\uFEFF?(?:(?!=|#|<pre|```|~~~).*\n){0,50}/.source

/** A separate block: `<pre>` in wikitext, a fence in Markdown. Else Markdown's first heading. */
const blocks: Partial<Record<ContentModel, RegExp>> = {
  wikitext: new RegExp(`${before}<pre>(?<block>[^]*?)</pre>`, 'i'),
  markdown: new RegExp(
    `${before}(?:(?:\`\`\`|~~~)[ \\t]*\\n(?<block>[^]*?)\\n(?:\`\`\`|~~~)|#[ \\t]+(?<heading>[^\\n]+))`,
  ),
}

const nothing: Preamble = { title: null, description: null }

/** A name and its value; a value may continue on further indented lines. */
const member = /^(?<indent>[ \t]{0,20})(?<name>[A-Za-z][\w-]{0,30})[ \t]*:(?:[ \t]+(?![ \t])(?<value>.*))?$/

const memberOf: Readonly<Record<string, keyof Preamble>> = {
  title: 'title',
  description: 'description',
  summary: 'description',
}

const longestValue = 500

/** Reads the metadata at the beginning of a text. */
export function readPreamble(source: string, model: ContentModel, matter: PageMatter | null): Preamble {
  if (matter?.rows) return described(oneLine(matter.title ?? ''), oneLine(matter.description ?? ''))
  const text = source.slice(0, longestBlock).replace(/\r\n?/g, '\n')
  const groups = blocks[model]?.exec(text)?.groups
  if (groups === undefined) return nothing
  if (groups.heading !== undefined) return { ...nothing, title: oneLine(groups.heading) }
  const { title, description } = readMembers(groups.block ?? '') ?? nothing
  return described(title, description)
}

function described(title: string | null, description: string | null): Preamble {
  return { title, description: description ?? title }
}

/** Null if some line is not a member: the block is text then. */
function readMembers(block: string): Preamble | null {
  const lines = block.split('\n').filter(line => line.trim() !== '')
  const found: Record<keyof Preamble, string | null> = { title: null, description: null }
  let open: { readonly indent: number; readonly kind: keyof Preamble | undefined } | null = null
  for (const line of lines) {
    const { indent, name, value } = member.exec(line)?.groups ?? {}
    const depth = line.length - line.trimStart().length
    if (name !== undefined && (open === null || depth <= open.indent)) {
      const kind = Object.hasOwn(memberOf, name.toLowerCase()) ? memberOf[name.toLowerCase()] : undefined
      open = { indent: indent!.length, kind: kind !== undefined && found[kind] === null ? kind : undefined }
      if (open.kind !== undefined) found[open.kind] = oneLine(value ?? '')
    } else if (open === null || depth <= open.indent) return null
    else if (open.kind !== undefined) found[open.kind] = oneLine(`${found[open.kind] ?? ''} ${line}`)
  }
  return found
}

/** One line, without the quotes around it; null if it is empty. */
function oneLine(raw: string): string | null {
  const value = raw.replace(/\s+/g, ' ').trim().slice(0, longestValue)
  return (
    value
      .replace(/^(["'])(.*)\1$/, '$2')
      .replace(/^[>|][-+]?$/, '')
      .trim() || null
  )
}
