/** Quotes words for a shell, in commands that a person copies from a hint or a message. */

/** Quotes a word if it needs quotes. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : inShellQuotes(word)
}

/** Quotes a word always: in double quotes, or in single quotes if it contains signs that a shell reads in double ones. */
export function inShellQuotes(word: string): string {
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`
}
