/** Formatting of numbers and dates by language, read from Intl once and cached. */

import { isLanguageTag } from './languages.ts'

/** Form of a month's name: on its own or within a date, where some languages decline it, or abbreviated. */
export type NameForm = 'alone' | 'in-date' | 'short'

/** Digits and separators of a language. */
export interface NumberSigns {
  readonly group: string
  readonly decimal: string
  /** The ten digits. */
  readonly digits: readonly string[]
  /** Minimum digits before the first separator. */
  readonly minimum: number
  /** Digits of the group next to the decimal sign, and of those before it. */
  readonly sizes: readonly [number, number]
}

/** Numbers and dates of one language. */
export interface Locale {
  /** Lower case. */
  readonly language: string
  readonly numbers: () => NumberSigns
  /** Name of a month, 1 to 12. */
  readonly month: (month: number, form: NameForm) => string
  /** Name of a day of the week, 0 for Sunday. */
  readonly day: (weekday: number, form: 'alone' | 'short') => string
  /** Index of the plural form for a number among the language's forms, from 0. */
  readonly pluralForm: (number: number) => number
}

/** Returns the locale of a language; English if the platform does not know it. */
export type Locales = (language: string) => Locale

/** Wraps a function in a cache by language. */
export function createLocales(): Locales {
  const locales = new Map<string, Locale>()
  return language => {
    const locale = locales.get(language) ?? localeOf(language)
    locales.set(language, locale)
    return locale
  }
}

function localeOf(language: string): Locale {
  const tag = once(() => (isLanguageTag(language) ? language : 'en'))
  const names = new Map<string, string>()
  const plural = once(() => pluralForms(tag()))
  const named = (key: string, make: () => string): string => {
    const name = names.get(key) ?? make()
    names.set(key, name)
    return name
  }
  return {
    language,
    numbers: once(() => numberSigns(tag())),
    month: (month, form) => named(`${form} ${month}`, () => monthName(month, form, tag())),
    day: (weekday, form) => named(`day ${form} ${weekday}`, () => dayName(weekday, form, tag())),
    pluralForm: number => plural()(number),
  }
}

function once<Value>(make: () => Value): () => Value {
  let value: { readonly made: Value } | undefined
  return () => {
    value ??= { made: make() }
    return value.made
  }
}

function monthName(month: number, form: NameForm, tag: string): string {
  const time = Date.UTC(2000, month - 1, 15)
  if (form === 'alone') return datePart(time, tag, { month: 'long' }, 'month')
  if (form === 'in-date') return datePart(time, tag, { month: 'long', day: 'numeric' }, 'month')
  return datePart(time, tag, { month: 'short' }, 'month')
}

function dayName(weekday: number, form: 'alone' | 'short', tag: string): string {
  const time = Date.UTC(2000, 0, 2 + weekday)
  return datePart(time, tag, { weekday: form === 'short' ? 'short' : 'long' }, 'weekday')
}

function datePart(
  time: number,
  tag: string,
  options: Intl.DateTimeFormatOptions,
  type: Intl.DateTimeFormatPartTypes,
): string {
  const format = new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, { ...options, timeZone: 'UTC' })
  return format.formatToParts(time).find(one => one.type === type)?.value ?? ''
}

/** Languages without a separator before the fifth digit. Source: CLDR, minimumGroupingDigits 2. */
const fromFiveDigits: ReadonlySet<string> = new Set(['bg', 'es', 'et', 'hu', 'it', 'lv', 'pl', 'pt-pt', 'sl'])

function numberSigns(tag: string): NumberSigns {
  const parts = new Intl.NumberFormat(tag, { useGrouping: true }).formatToParts(12_345_678_901.5)
  const sign = (type: string, fallback: string) => parts.find(part => part.type === type)?.value ?? fallback
  const groups = parts.filter(({ type }) => type === 'integer')
  const plain = new Intl.NumberFormat(tag, { useGrouping: false })
  return {
    group: sign('group', ','),
    decimal: sign('decimal', '.'),
    digits: Array.from({ length: 10 }, (_, digit) => plain.format(digit)),
    minimum: fromFiveDigits.has(tag.toLowerCase()) ? 5 : 4,
    sizes: [groups.at(-1)?.value.length ?? 3, groups.at(-2)?.value.length ?? 3],
  }
}

const pluralOrder: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other']

function pluralForms(tag: string): (number: number) => number {
  const rules = new Intl.PluralRules(tag)
  const categories = rules.resolvedOptions().pluralCategories
  const order = pluralOrder.filter(one => categories.includes(one))
  return number => order.indexOf(rules.select(Math.abs(number)))
}
