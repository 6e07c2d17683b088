/** `#formatdate`: converts a date between a few formats. Source: MediaWiki DateFormatter. */

import type { Locale } from '../expansion/locale.ts'
import { padded } from './zoned-date.ts'

interface LooseDate {
  /** Year of ISO 8601: 0 is 1 BC; null if none is given. */
  readonly year: number | null
  readonly month: number
  readonly day: number
}

const isoDate = /^(-?\d{4})-(\d\d)-(\d\d)$/
const dayFirst = /^(\d{1,2})[ _](\S+?)(?:,?[ _]*(\d{1,4})([ _]BC)?)?$/
const monthFirst = /^(\S+?)[ _](\d{1,2})(?:,?[ _]*,?[ _]*(\d{1,4})([ _]BC)?)?$/
const yearFirst = /^(\d{1,4})([ _]BC)?,?[ _]+(\S+?)[ _](\d{1,2})$/

/** Maximum length of a date text. */
const maxLength = 100

/** Writes a date as `mdy`, `dmy`, `ymd` or `ISO 8601`; other text stays unchanged. */
export function formatDate(text: string, preference: string, locale: Locale): string {
  const date = text.length > maxLength ? undefined : readDate(text.trim(), locale)
  if (date === undefined) return text
  const iso = isoOf(date)
  return `<span class="mw-formatted-date" title="${iso}">${write(date, preference, locale) ?? text}</span>`
}

function readDate(text: string, locale: Locale): LooseDate | undefined {
  const iso = isoDate.exec(text)
  if (iso !== null) return checked(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const first = dayFirst.exec(text)
  if (first !== null) return checked(yearOf(first[3], first[4]), monthOf(first[2]!, locale), Number(first[1]))
  const second = monthFirst.exec(text)
  if (second !== null) return checked(yearOf(second[3], second[4]), monthOf(second[1]!, locale), Number(second[2]))
  const third = yearFirst.exec(text)
  return third === null ? undefined : checked(yearOf(third[1], third[2]), monthOf(third[3]!, locale), Number(third[4]))
}

function checked(year: number | null, month: number, day: number): LooseDate | undefined {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? { year, month, day } : undefined
}

function yearOf(year: string | undefined, before: string | undefined): number | null {
  if (year === undefined) return null
  return before === undefined ? Number(year) : 1 - Number(year)
}

function monthOf(name: string, locale: Locale): number {
  const wanted = name.toLowerCase().replace(/\.$/, '')
  for (let month = 1; month <= 12; month++) {
    const long = locale.month(month, 'alone').toLowerCase()
    const short = locale.month(month, 'short').toLowerCase().replace(/\.$/, '')
    const isCut = name.endsWith('.') && long.startsWith(wanted) && wanted.length >= 3
    if (wanted === long || wanted === short || isCut) return month
  }
  return 0
}

function isoOf({ year, month, day }: LooseDate): string {
  const rest = `${padded(month, 2)}-${padded(day, 2)}`
  return year === null ? rest : `${padded(year, 4)}-${rest}`
}

function write(date: LooseDate, preference: string, locale: Locale): string | undefined {
  const month = locale.month(date.month, 'in-date')
  const year = date.year === null ? '' : date.year > 0 ? String(date.year) : `${1 - date.year} BC`
  switch (preference.toLowerCase()) {
    case 'mdy':
      return `${month} ${date.day}${year === '' ? '' : `, ${year}`}`
    case 'dmy':
      return `${date.day} ${month}${year === '' ? '' : ` ${year}`}`
    case 'ymd':
      return `${year === '' ? '' : `${year} `}${month} ${date.day}`
    case 'iso 8601':
      return isoOf(date)
    default:
      return undefined
  }
}
