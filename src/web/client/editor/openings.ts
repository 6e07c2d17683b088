/** Finds the open construct before a cursor: a link, a template or one of its parameters, a file, the name of a note. */

/** Something that can be completed. */
export interface Opening {
  readonly kind: 'page' | 'template' | 'parameter' | 'file' | 'picture' | 'note'
  /** Text that was typed of it. */
  readonly typed: string
  /** Name of the template, and parameters that it has already. */
  readonly template?: string
  readonly used?: readonly string[]
}

/** Characters before the cursor that are looked into. */
export const reach = 5000

/** Names of files' namespace that every wiki knows. Source: MediaWiki's namespaces. */
const fileNames = ['file', 'image']

/** Returns the open construct at the end of a text; null if there is none. */
export function openingAt(before: string, model: string, fileNamespace: string): Opening | null {
  const text = before.slice(-reach)
  const line = text.slice(text.lastIndexOf('\n') + 1)
  if (model === 'markdown') {
    const picture = /!\[[^\]]{0,200}\]\(\/?([^()]{0,200})$/.exec(line)
    if (picture !== null) return { kind: 'picture', typed: picture[1]! }
  }
  const link = /\[\[([^[\]|{}]{0,200})$/.exec(line)
  if (link !== null) return linkOpening(link[1]!, fileNamespace)
  if (model !== 'wikitext') return null
  const note = /<ref\s+name\s?=\s?"([^"<>]{0,200})$/i.exec(line)
  if (note !== null) return { kind: 'note', typed: note[1]! }
  return templateOpening(text)
}

function linkOpening(typed: string, fileNamespace: string): Opening | null {
  const colon = typed.indexOf(':')
  const namespace = typed.slice(0, Math.max(0, colon)).trim().toLowerCase()
  if (colon > 0 && [...fileNames, fileNamespace.toLowerCase()].includes(namespace))
    return { kind: 'file', typed: typed.slice(colon + 1) }
  return typed.trim() === '' ? null : { kind: 'page', typed }
}

/** The innermost template that is open at the end of the text. */
function templateOpening(text: string): Opening | null {
  const open = openBraces(text)
  // Three braces are an argument.
  if (open < 0 || text[open - 3] === '{') return null
  const [name = '', ...parameters] = splitParts(text.slice(open))
  if (parameters.length === 0) return /^[^#<>\n]{1,200}$/.test(name) ? { kind: 'template', typed: name } : null
  const typed = parameters.pop()!
  if (typed.includes('=') || /[[\]{}<>]/.test(typed)) return null
  const used = parameters.flatMap(part => (part.includes('=') ? [part.slice(0, part.indexOf('=')).trim()] : []))
  return { kind: 'parameter', typed: typed.trimStart(), template: name.trim(), used }
}

/** Place behind the braces that are not closed; -1 if all are. */
function openBraces(text: string): number {
  let depth = 0
  for (let at = text.length - 2; at >= 0; at--) {
    const pair = text.slice(at, at + 2)
    if (pair === '}}') depth++
    else if (pair === '{{' && depth-- === 0) return at + 2
    if (pair === '}}' || pair === '{{') at--
  }
  return -1
}

/** Cuts a call at the signs that are not inside links and other templates. */
function splitParts(call: string): string[] {
  const parts = ['']
  let depth = 0
  for (let at = 0; at < call.length; at++) {
    const pair = call.slice(at, at + 2)
    if (pair === '[[' || pair === '{{') depth++
    else if (pair === ']]' || pair === '}}') depth--
    if (call[at] === '|' && depth <= 0) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${call[at]}`)
  }
  return parts
}

/** Names of the notes of a text, each once. */
export function notesIn(text: string): string[] {
  return [
    ...new Set([...text.matchAll(/<ref\s+name\s?=\s?["']?([^"'<>/\n]{1,200})/gi)].map(([, name]) => name!.trim())),
  ]
}
