/** Messages of the pages in the wiki's language, or in English if there is no table for it. */

import { type Content, html, type Markup } from '../markup.ts'
import { arabic } from './ar.ts'
import { german } from './de.ts'
import { english, type WordKey, type WordTable } from './en.ts'

export type { WordKey } from './en.ts'

export interface Words {
  /** Language code of the messages. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /**
   * Formats a message with `$1`, `$2` ... replaced and escaped. `{{PLURAL:$1|one=page|other=pages}}` selects the plural
   * form of the language.
   */
  readonly say: (key: WordKey, ...params: readonly Content[]) => Markup
  /** Formats a message as plain text. */
  readonly text: (key: WordKey, ...params: readonly (string | number)[]) => string
  /** Returns an unformatted message, for scripts that fill it in. */
  readonly template: (key: WordKey) => string
  /** Formats an ISO 8601 timestamp as date and time in UTC. */
  readonly time: (timestamp: string) => Markup
  /** Formats a day, `2026-01-31`. */
  readonly day: (day: string) => Markup
  /** Formats a number. */
  readonly number: (value: number) => string
  /** Formats a day as plain text: `2026-11-24`. */
  readonly dayText: (date: string) => string
  /** Formats the short name of a date's month, in UTC. */
  readonly month: (date: Date) => string
  /** Formats a number with its sign. */
  readonly signed: (value: number) => string
}

const tables: Readonly<Record<string, { readonly table: WordTable; readonly direction: 'ltr' | 'rtl' }>> = {
  en: { table: english, direction: 'ltr' },
  de: { table: german, direction: 'ltr' },
  ar: { table: arabic, direction: 'rtl' },
}

const byLanguage = new Map<string, Words>()

/** Returns the messages for a language code, e.g. `de` or `de-at`. */
export function wordsFor(language: string): Words {
  const base = language.toLowerCase().split('-', 1)[0] ?? ''
  const code = Object.hasOwn(tables, base) ? base : 'en'
  const words = byLanguage.get(code) ?? createWords(code)
  byLanguage.set(code, words)
  return words
}

/** Codes of the languages with a table of messages. */
export const wordLanguages: readonly string[] = Object.keys(tables)

function createWords(language: string): Words {
  const { table, direction } = tables[language]!
  const plural = new Intl.PluralRules(language)
  const number = new Intl.NumberFormat(language)
  const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' })
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' })
  const filled = (key: WordKey, params: readonly Content[]): Content[] =>
    fill(table[key], params, { select: count => plural.select(count), write: value => number.format(value) })
  return {
    language,
    direction,
    say: (key, ...params) => html`${filled(key, params)}`,
    text: (key, ...params) => filled(key, params).join(''),
    template: key => table[key],
    time: timestamp => html`<time datetime="${timestamp}" data-ui-time>${moment.format(new Date(timestamp))}</time>`,
    day: date => html`<time datetime="${date}">${day.format(new Date(`${date}T00:00:00Z`))}</time>`,
    dayText: date => day.format(new Date(`${date}T00:00:00Z`)),
    month: date => month.format(date),
    number: value => number.format(value),
    signed: value => signed.format(value),
  }
}

/** Splits a message at its placeholders. */
function fill(sentence: string, params: readonly Content[], { select, write }: Numbers): Content[] {
  const chosen = sentence.replace(/\{\{PLURAL:\$(\d)\|([^{}]*)\}\}/g, (_, digit: string, forms: string) =>
    formOf(forms, select(Number(params[Number(digit) - 1]))),
  )
  return chosen.split(/(\$\d)/).map(part => {
    if (!/^\$\d$/.test(part)) return part
    const param = params[Number(part[1]) - 1] ?? ''
    return typeof param === 'number' ? write(param) : param
  })
}

/** Plural rules and number format of a language. */
interface Numbers {
  readonly select: (count: number) => string
  readonly write: (value: number) => string
}

/** Selects a plural form from `one=page|other=pages`. */
function formOf(forms: string, name: string): string {
  const named = new Map(forms.split('|').map(form => [form.split('=', 1)[0], form.slice(form.indexOf('=') + 1)]))
  return named.get(name) ?? named.get('other') ?? ''
}
