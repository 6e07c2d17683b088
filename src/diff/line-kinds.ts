/** The kind of a line of wikitext or Markdown, as far as a merge depends on it. Source: docs/reference/comparison.md#merging. */

/** A line without its line feed. */
export interface LineKind {
  readonly kind: 'blank' | 'heading' | 'item' | 'numbered' | 'row' | 'key' | 'rule' | 'indented' | 'prose'
  /** The marker of an item, or the name of a key. Lines with other ones are not versions of one line. */
  readonly identity: string
  /** Place in the outline: headings by their level, other text, items by their depth. */
  readonly level: number
  /** The marker, the box of a task, and the name: one whole. */
  readonly head: string
  /** The rest. */
  readonly body: string
  /** The name of an item, without its marker. */
  readonly name: string
}

/** Level of text that is neither heading nor item. */
export const textLevel = 10

const heading = /^(={1,6})[^=].*=$|^(#{1,6})[ \t]/
const bullet = /^([*:;#]+(?![*#:;])|[ \t]*(?:[-+*]|\d{1,9}[.)])(?=[ \t]))([ \t]*(?:\[[ xX]\](?=[ \t]))?)/
const row = /^[ \t]*(?:\|-|\||!)/
/** A parameter; a row's start and a cell have quoted attributes instead. */
const key = /^[ \t]*\|(?!-)([^|={}[\]<>]+)=(?![ \t]*")/
/** A note or an address with a name, in Markdown. */
const note = /^[ \t]{0,3}(\[[^\]]+\]):/
/** Ends of what an item is about. */
const itemName = /^.*?(?=[:.](?=\s|$)|[,;(\u2013\u2014\u3001\u3002\uff0c\uff1a]| - |$)/

/** Returns the kind of a line. `isFront`: it is in front matter, whose lines are keys. */
export function kindOfLine(line: string, isFront = false): LineKind {
  if (line.trim() === '') return { kind: 'blank', identity: '', level: textLevel, head: '', body: '', name: '' }
  if (isFront) return keyLine(/^[ \t]*(?:-[ \t]+)?[^:]*/.exec(line)![0], line)
  const [, equals, hashes] = heading.exec(line.trimEnd()) ?? []
  if (equals !== undefined || hashes !== undefined)
    return { kind: 'heading', identity: '', level: (equals ?? hashes)!.length, head: line, body: '', name: '' }
  const [, named] = key.exec(line) ?? note.exec(line) ?? []
  if (named !== undefined) return keyLine(named, line)
  if (row.test(line)) return { kind: 'row', identity: '', level: textLevel, head: '', body: line, name: '' }
  return itemLine(line) ?? plainLine(line)
}

function keyLine(name: string, line: string): LineKind {
  return { kind: 'key', identity: name.trim(), level: textLevel, head: '', body: line, name: '' }
}

function plainLine(line: string): LineKind {
  const kind = /^[ \t]/.test(line) ? 'indented' : /[\p{L}\p{N}]/u.test(line) ? 'prose' : 'rule'
  return { kind, identity: '', level: textLevel, head: '', body: line, name: '' }
}

function itemLine(line: string): LineKind | null {
  const [all, marker, box] = bullet.exec(line) ?? []
  if (all === undefined || marker === undefined || box === undefined) return null
  // Emphasis at the start of a line.
  if (marker.startsWith('**') && line.includes('**', marker.length)) return null
  const rest = line.slice(all.length)
  const name = itemName.exec(rest)![0]
  const sign = marker.trim()
  const isNumbered = /\d/.test(sign)
  const depth = /^[*:;#]+$/.test(marker) ? sign.length : 1 + marker.length - sign.length
  return {
    kind: isNumbered ? 'numbered' : 'item',
    identity: isNumbered ? '1' : marker,
    level: textLevel + depth,
    head: marker + box + name,
    body: rest.slice(name.length),
    name,
  }
}
