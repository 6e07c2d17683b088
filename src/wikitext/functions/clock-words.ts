/** CURRENT... and LOCAL...: the time of rendering. Source: MediaWiki help page on magic words, Date and time. */

import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import type { Locale } from '../expansion/locale.ts'
import { isoWeek, padded, timestampDigits, type ZonedDate, zonedDate } from './zoned-date.ts'

type Clock = (date: ZonedDate, locale: Locale) => string

const words: Readonly<Record<string, Clock>> = {
  YEAR: date => String(date.year),
  MONTH: date => padded(date.month, 2),
  MONTH1: date => String(date.month),
  MONTHNAME: (date, locale) => locale.month(date.month, 'alone'),
  MONTHNAMEGEN: (date, locale) => locale.month(date.month, 'in-date'),
  MONTHABBREV: (date, locale) => locale.month(date.month, 'short'),
  DAY: date => String(date.day),
  DAY2: date => padded(date.day, 2),
  DOW: date => String(date.weekday),
  DAYNAME: (date, locale) => locale.day(date.weekday, 'alone'),
  TIME: date => `${padded(date.hour, 2)}:${padded(date.minute, 2)}`,
  HOUR: date => padded(date.hour, 2),
  WEEK: date => String(isoWeek(date).week),
  TIMESTAMP: timestampDigits,
}

const aliases: Readonly<Record<string, string>> = { MONTH2: 'MONTH' }

function clockWords(prefix: string, zoneOf: (call: FunctionCall) => string): FunctionTable {
  const rows = [
    ...Object.entries(words),
    ...Object.entries(aliases).map(([name, main]) => [name, words[main]!] as const),
  ]
  return Object.fromEntries(
    rows.map(([name, clock]) => [
      prefix + name,
      (call: FunctionCall) => clock(zonedDate(call.context.now.getTime(), zoneOf(call)), call.context.locale),
    ]),
  )
}

/** The words, by name. */
export const clockTable: FunctionTable = {
  ...clockWords('CURRENT', () => 'UTC'),
  ...clockWords('LOCAL', ({ context }) => context.timeZone ?? 'UTC'),
}
