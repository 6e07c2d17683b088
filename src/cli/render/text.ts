/** Prepares text from the wiki for a terminal. */

import { escapeControls } from '../../core/control-characters.ts'

/** Makes control characters visible, so that a page cannot control the terminal. Line ends and tabs stay. */
export function visible(text: string): string {
  return escapeControls(text)
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text.replace(/[\t\r\n]+/g, ' '))
}

/** Returns the columns of a text on a terminal. */
export function textWidth(text: string): number {
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

/** Tests for ASCII first, because V8 builds the character sets only on use. */
function charWidth(char: string): 0 | 1 | 2 {
  if (char < '\u0300') return 1
  if (/\p{Mn}|\p{Me}|[\u1160-\u11ff\u200b-\u200f\u2060\ufeff\u{e0020}-\u{e007f}]/u.test(char)) return 0
  return isWide(char) ? 2 : 1
}

/** Returns true for East Asian characters and emoji. */
function isWide(char: string): boolean {
  const wide =
    /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18dff}\u{1b000}-\u{1b2ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
  // Two regional indicators form one flag, which is as wide as any emoji.
  return wide.test(char) || (/\p{Emoji_Presentation}/u.test(char) && !/\p{Regional_Indicator}/u.test(char))
}

/** Truncates a text to a number of columns, ending with `…`. */
export function truncate(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  let cut = ''
  let width = 1
  for (const char of text) {
    width += textWidth(char)
    if (width > columns) break
    cut += char
  }
  return `${cut.trimEnd()}…`
}

/** `2026-01-31T12:00:07Z` → `2026-01-31 12:00`, in UTC as everywhere. */
export function shortTime(timestamp: string): string {
  return timestamp.slice(0, 16).replace('T', ' ')
}

/** `1 page`, `1,200 pages`. */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`
}
