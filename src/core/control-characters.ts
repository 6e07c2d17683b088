/** Makes control characters visible, because a terminal interprets those in pages, titles and paths of any repository. */

/** Form in which control characters are shown: as symbols and code points, or as JSON escapes. */
export type Form = 'text' | 'json'

/**
 * Characters that a terminal interprets: C0 except tab and line feed, DEL, C1, bidirectional controls, and line and
 * paragraph separators.
 */
const controls = /\r\n|[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g

/** Makes control characters visible. Line feeds and tabs stay; CR LF becomes a line feed. */
export function escapeControls(text: string, form: Form = 'text'): string {
  return text.replace(controls, form === 'json' ? inJson : shown)
}

/** Makes control characters visible, with line ends and tabs, so that different names look different. */
export function inOneLine(text: string): string {
  return escapeControls(text.replace(/[\t\r\n]/g, symbolOf))
}

function shown(char: string): string {
  if (char === '\r\n') return '\n'
  const code = char.charCodeAt(0)
  if (code < 0x20) return symbolOf(char)
  return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

/** Unicode has a symbol for each of C0, in the same order. */
function symbolOf(char: string): string {
  return String.fromCharCode(0x2400 + char.charCodeAt(0))
}

function inJson(chars: string): string {
  return Array.from(chars, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}
