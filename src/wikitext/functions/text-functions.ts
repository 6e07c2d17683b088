/** Functions for letters and numbers. Source: MediaWiki help page on magic words, Formatting. */

import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import { directionOf, isLanguageTag, languageName, languageTag } from '../expansion/languages.ts'
import { withoutMarkers } from '../expansion/markers.ts'
import { readTitle } from '../expansion/titles.ts'
import { formatDate } from './date-preference.ts'
import { interfaceText } from './messages.ts'
import { formatDigits, formatNumber, parseFormattedNumber } from './number-format.ts'
import { pluralForm } from './plural.ts'
import { titleUrl } from './urls.ts'

/** Maximum length of padded text. Source: MediaWiki CoreParserFunctions::pad. */
const maxPadding = 500

function changeCase(change: (text: string, locale: string) => string): (call: FunctionCall) => string {
  return call => {
    const { language } = call.context
    const locale = isLanguageTag(language) ? language : 'en'
    return call.changed(0, piece => change(piece, locale))
  }
}

function changeFirst(change: (letter: string, locale: string) => string): (call: FunctionCall) => string {
  return call => {
    const text = call.text(0)
    const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
    const { language } = call.context
    const locale = isLanguageTag(language) ? language : 'en'
    return text === '' ? '' : change(first, locale) + text.slice(first.length)
  }
}

function padding(call: FunctionCall): string {
  const fill = [...(call.count < 3 ? '0' : withoutMarkers(call.text(2)))]
  const wanted = Math.min(Number.parseInt(call.text(1), 10) || 0, maxPadding)
  const missing = wanted - [...call.text(0)].length
  if (fill.length === 0 || missing <= 0) return ''
  return Array.from({ length: missing }, (_, index) => fill[index % fill.length]).join('')
}

function formatnum(call: FunctionCall): string {
  const { locale } = call.context
  const options = new Set(Array.from({ length: call.count - 1 }, (_, index) => call.text(index + 1).toUpperCase()))
  const text = call.text(0)
  if (options.has('R')) return parseFormattedNumber(text, locale)
  if (options.has('NOSEP'))
    return options.has('LOSSLESS') || /^\d+(?:\.\d*)?$/.test(text) ? text : formatDigits(text, locale)
  // A text with separators, or with more digits than a machine number holds, stays unchanged.
  if (/\d,\d/.test(text) || (options.has('LOSSLESS') && !isExact(text))) return text
  return formatNumber(isExact(text) ? text : asFloat(text), locale)
}

/** Rounds long digit strings to what a double can hold, as PHP does. */
function asFloat(text: string): string {
  return text.replace(/\d{16,300}/g, digits => String(BigInt(Number(digits))))
}

function isExact(text: string): boolean {
  return text.replace(/[^\d]/g, '').replace(/^0+/, '').length <= 15
}

function plural(call: FunctionCall): string {
  const forms = Array.from({ length: call.count - 1 }, (_, index) => call.text(index + 1))
  const number = Number(parseFormattedNumber(call.text(0), call.context.locale)) || 0
  return pluralForm(number, forms, call.context.locale)
}

/** The gender of users is unknown here: the third form, or the first if there are fewer. */
function gender(call: FunctionCall): string {
  return call.count > 3 ? call.text(3) : call.text(1)
}

function namespaceName(call: FunctionCall): string | undefined {
  const { rules } = call.context
  const text = call.text(0)
  const id = /^-?\d{1,9}$/.test(text) ? Number(text) : rules.idsByName.get(text.replace(/_/g, ' ').toLowerCase())
  return text === '' ? undefined : rules.namespaces.get(id ?? Number.NaN)?.name
}

function specialPage(call: FunctionCall): string | undefined {
  return readTitle(`Special:${call.text(0)}`, call.context.rules)?.key
}

function language(call: FunctionCall): string {
  const code = call.text(0).toLowerCase() || call.context.language
  const inLanguage = call.text(1).toLowerCase()
  return languageName(code, inLanguage === '' ? code : inLanguage) ?? call.text(0)
}

/** Interface messages: pages of the namespace MediaWiki, transcluded, or one of the few built-in texts. */
function message(call: FunctionCall): string | undefined {
  const key = call.text(0)
  const title = readTitle(`MediaWiki:${key}`, call.context.rules)
  if (key === '' || title === undefined) return undefined
  const page = call.context.sourceCache.page(title)
  const text = page === null || page === undefined ? interfaceText(key) : call.page(title)
  return (text ?? `⧼${key}⧽`).replace(/\$(\d)/g, (whole, index: string) =>
    Number(index) < call.count ? call.text(Number(index)) : whole,
  )
}

/** Functions with case-insensitive names. */
export const textTable: FunctionTable = {
  lc: changeCase((text, locale) => text.toLocaleLowerCase(locale)),
  uc: changeCase((text, locale) => text.toLocaleUpperCase(locale)),
  lcfirst: changeFirst((letter, locale) => letter.toLocaleLowerCase(locale)),
  ucfirst: changeFirst((letter, locale) => letter.toLocaleUpperCase(locale)),
  padleft: call => padding(call) + call.text(0),
  padright: call => call.text(0) + padding(call),
  formatnum,
  plural,
  grammar: call => call.text(1),
  gender,
  ns: call => namespaceName(call)?.replaceAll('_', ' '),
  nse: call => {
    const name = namespaceName(call)
    return name === undefined ? undefined : titleUrl(name)
  },
  int: message,
}

/** Functions whose names begin with `#`. */
export const hashTextTable: FunctionTable = {
  special: call => specialPage(call)?.replaceAll('_', ' '),
  speciale: call => {
    const name = specialPage(call)
    return name === undefined ? undefined : titleUrl(name)
  },
  language,
  dir: call => directionOf(call.text(0) || call.context.language),
  bcp47: call => languageTag(call.text(0) || call.context.language),
  formatdate: call => formatDate(call.text(0), call.text(1), call.context.locale),
  dateformat: call => formatDate(call.text(0), call.text(1), call.context.locale),
}
