/** Edits JSON text in place, so that a person's file keeps its spaces, line ends and order of keys. */

type Members = Readonly<Record<string, unknown>>

/** A member of an object in the text. */
interface Member {
  readonly key: string
  /** Text before the key: spaces and line ends. */
  readonly lead: string
  /** Text from the key up to the value. */
  readonly name: string
  readonly value: string
  /** Text from the value to the comma or the brace. */
  readonly rest: string
}

/** The form of new text. */
interface Style {
  readonly indent: string
  readonly newline: string
}

/**
 * Returns the text with another value. All that the value has in common with the text stays byte for byte; new members of an object are
 * written like those before them. The text must be valid JSON.
 */
export function editedJson(text: string, value: unknown): string {
  const start = /\S/.exec(text)?.index ?? 0
  const end = text.trimEnd().length
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  return text.slice(0, start) + edited(text.slice(start, end), value, '', { indent, newline }) + text.slice(end)
}

/** `margin` is the indentation of the line on which the value begins. */
function edited(text: string, value: unknown, margin: string, style: Style): string {
  const before: unknown = JSON.parse(text)
  if (JSON.stringify(before) === JSON.stringify(value)) return text
  const members = isObject(before) && isObject(value) ? membersOf(text) : []
  if (members.length > 0) return withMembers(members, value as Members, style)
  const isOneLine = !text.includes('\n') && Object.keys(Object(before)).length > 0
  return isOneLine ? oneLine(value) : lines(value, margin, style)
}

function withMembers(members: readonly Member[], value: Members, style: Style): string {
  const [first, last] = [members[0] as Member, members.at(-1) as Member]
  const margin = first.lead.slice(first.lead.lastIndexOf('\n') + 1)
  const isOneLine = !first.lead.includes('\n')
  const separator = /:\s*$/.exec(first.name)?.[0] ?? ': '
  const present = new Set(members.map(({ key }) => key))
  const kept = members
    .filter(({ key }) => Object.hasOwn(value, key))
    .map(one => one.lead + one.name + edited(one.value, value[one.key], margin, style) + (one === last ? '' : one.rest))
  const added = Object.keys(value)
    .filter(key => !present.has(key))
    .map(key => {
      const written = isOneLine ? oneLine(value[key]) : lines(value[key], margin, style)
      const lead = isOneLine && first.lead === '' ? ' ' : first.lead
      return lead + JSON.stringify(key) + separator + written
    })
  return `{${[...kept, ...added].join(',')}${last.rest}}`
}

function lines(value: unknown, margin: string, { indent, newline }: Style): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', newline + margin)
}

/** A line feed in the written text is never part of a string. */
function oneLine(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/(?<=[[{])\n *|\n *(?=[\]}])/g, '')
    .replace(/\n */g, ' ')
}

const token = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^"[\]{}:,]+/gy

/** The members of an object, whose text begins and ends with a brace. */
function membersOf(text: string): Member[] {
  const members: Member[] = []
  let depth = 0
  // Places in the text: after the last comma or brace, of the key, after the colon.
  let [from, key, colon] = [1, -1, -1]
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '{' || found === '[') depth++
    else if (depth === 1 && key < 0 && found.startsWith('"')) key = index
    else if (depth === 1 && colon < 0 && found === ':') colon = index + 1
    else if ((found === ',' && depth === 1) || (found === '}' && depth === 1)) {
      if (key >= 0) members.push(memberIn(text.slice(from, index), key - from, colon - from))
      ;[from, key, colon] = [index + 1, -1, -1]
    }
    if (found === '}' || found === ']') depth--
  }
  return members
}

function memberIn(text: string, key: number, colon: number): Member {
  const start = colon + (/\S/.exec(text.slice(colon))?.index ?? 0)
  const end = text.trimEnd().length
  const name = text.slice(key, start)
  return {
    key: JSON.parse(text.slice(key, colon - 1)) as string,
    lead: text.slice(0, key),
    name,
    value: text.slice(start, end),
    rest: text.slice(end),
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
