/** Languages and their words in wikitext. */

/** Languages whose words are those of another one. Source: MediaWiki Messages*.php, $fallback. */
const fallbacks: Readonly<Record<string, string>> = { ln: 'fr', nb: 'no', nn: 'no' }

/**
 * Finds the row of a table by language that has the words of a language: its own row, that of the language it is a form
 * of (`de` for `de-at`), or that of its fallback; "" if there is none.
 */
export function languageIn(table: Readonly<Record<string, unknown>>, language: string): string {
  const lower = language.toLowerCase()
  const main = lower.split('-', 1)[0]!
  return [lower, main, fallbacks[main] ?? ''].find(one => Object.hasOwn(table, one)) ?? ''
}

const wideSigns = { ja: true }

/** Returns true for a language whose keyboards write colons and underscores in full width. */
export function hasWideSigns(language: string): boolean {
  return languageIn(wideSigns, language) !== ''
}
