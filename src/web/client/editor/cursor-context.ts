/**
 * Finds the unclosed construct before a cursor: a link, a template or one of its parameters, a file, or the name of a
 * note.
 */

/** A construct that can be completed. */
export interface Opening {
  readonly kind: 'page' | 'template' | 'parameter' | 'file' | 'picture' | 'note'
  /** The part of it that is already typed. */
  readonly typed: string
  /** Name of the template, and the parameters that it already has. */
  readonly template?: string
  readonly used?: readonly string[]
}

/** Number of UTF-16 units searched before the cursor. */
export const reach = 5000

/** Names of the file namespace that every wiki accepts. Source: MediaWiki's namespaces. */
const fileNames = ['file', 'image']

/** Returns the unclosed construct at the end of a text; null if there is none. */
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

/** Returns the innermost unclosed template at the end of the text. */
function templateOpening(text: string): Opening | null {
  const open = openBraces(text)
  // Three braces open a template argument.
  if (open < 0 || text[open - 3] === '{') return null
  const [name = '', ...parameters] = splitParts(text.slice(open))
  if (parameters.length === 0) return /^[^#<>\n]{1,200}$/.test(name) ? { kind: 'template', typed: name } : null
  const typed = parameters.pop()!
  if (typed.includes('=') || /[[\]{}<>]/.test(typed)) return null
  const used = parameters.flatMap(part => (part.includes('=') ? [part.slice(0, part.indexOf('=')).trim()] : []))
  return { kind: 'parameter', typed: typed.trimStart(), template: name.trim(), used }
}

/** Returns the offset after the innermost unclosed braces; -1 if all are closed. */
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

/** Splits a call at the pipes that are outside links and nested templates. */
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

/** Lists the distinct names of a text's notes. */
export function notesIn(text: string): string[] {
  return [
    ...new Set([...text.matchAll(/<ref\s+name\s?=\s?["']?([^"'<>/\n]{1,200})/gi)].map(([, name]) => name!.trim())),
  ]
}
