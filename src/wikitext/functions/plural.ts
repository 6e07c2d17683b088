/** Plural forms by the rules of CLDR, in the order in which wikitext gives them. */

import type { Locale } from '../expansion/locale.ts'

/**
 * Selects the form for a number; `3=form` is for that number only. The last form replaces missing ones.
 *
 * Source: MediaWiki Language::convertPlural.
 */
export function pluralForm(number: number, forms: readonly string[], locale: Locale): string {
  const exact = forms.find(form => isExplicit(form) && Number(form.slice(0, form.indexOf('='))) === number)
  if (exact !== undefined) return exact.slice(exact.indexOf('=') + 1).trim()
  const rest = forms.filter(form => !isExplicit(form))
  return rest[Math.min(locale.pluralForm(number), rest.length - 1)] ?? ''
}

function isExplicit(form: string): boolean {
  return /^\d+=/.test(form)
}
