/** Plural forms by the rules of CLDR, in the order in which wikitext gives them. */

import { isLanguageTag } from './languages.ts'

const order: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other']

/**
 * Picks the form for a number; `3=form` is for just that number. The last form stands for those that are missing.
 *
 * Source: MediaWiki Language::convertPlural.
 */
export function pluralForm(number: number, forms: readonly string[], language: string): string {
  const explicit = forms.filter(form => /^\d+=/.test(form))
  const exact = explicit.find(form => Number(form.slice(0, form.indexOf('='))) === number)
  if (exact !== undefined) return exact.slice(exact.indexOf('=') + 1).trim()
  const rest = forms.filter(form => !explicit.includes(form))
  const rules = new Intl.PluralRules(isLanguageTag(language) ? language : 'en')
  const categories = rules.resolvedOptions().pluralCategories
  const index = order.filter(one => categories.includes(one)).indexOf(rules.select(Math.abs(number)))
  return rest[Math.min(index, rest.length - 1)] ?? ''
}
