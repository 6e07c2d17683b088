/** The format letters of `#time`. Source: MediaWiki Extension:ParserFunctions, its help page on #time; Language::sprintfDate. */

import { createLocales, type Locale } from '../expansion/locale.ts'
import { zoneLabel } from './date-formats.ts'
import { formatDigits } from './number-format.ts'
import { isoWeek, padded, type ZonedDate, zonedDate } from './zoned-date.ts'

type Letter = (date: ZonedDate, locale: Locale) => string

const dayLength = 86_400_000

function dayOfYear({ year, month, day }: ZonedDate): number {
  return Math.round((utcDay(year, month, day) - utcDay(year, 1, 1)) / dayLength)
}

function utcDay(year: number, month: number, day: number): number {
  return new Date(Date.UTC(2000, 0, 1)).setUTCFullYear(year, month - 1, day)
}

function isLeap({ year }: ZonedDate): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

function offsetText({ offset }: ZonedDate, separator: string): string {
  const size = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${padded(Math.floor(size / 60), 2)}${separator}${padded(size % 60, 2)}`
}

const hour12 = ({ hour }: ZonedDate) => hour % 12 || 12

/** Letters for numbers, which are written with the language's digits. */
const numberLetters: Readonly<Record<string, Letter>> = {
  d: ({ day }) => padded(day, 2),
  j: ({ day }) => String(day),
  N: ({ weekday }) => String(weekday || 7),
  w: ({ weekday }) => String(weekday),
  z: date => String(dayOfYear(date)),
  W: date => padded(isoWeek(date).week, 2),
  m: ({ month }) => padded(month, 2),
  n: ({ month }) => String(month),
  t: ({ year, month }) => String(new Date(utcDay(year, month + 1, 0)).getUTCDate()),
  L: date => (isLeap(date) ? '1' : '0'),
  o: date => String(isoWeek(date).year),
  Y: ({ year }) => String(year),
  y: ({ year }) => padded(((year % 100) + 100) % 100, 2),
  g: date => String(hour12(date)),
  h: date => padded(hour12(date), 2),
  G: ({ hour }) => String(hour),
  H: ({ hour }) => padded(hour, 2),
  i: ({ minute }) => padded(minute, 2),
  s: ({ second }) => padded(second, 2),
  U: ({ time }) => String(Math.floor(time / 1000)),
  xkY: ({ year }) => String(year + 543),
  xoY: ({ year }) => String(year - 1911),
}

const textLetters: Readonly<Record<string, Letter>> = {
  D: ({ weekday }, locale) => locale.day(weekday, 'short'),
  l: ({ weekday }, locale) => locale.day(weekday, 'alone'),
  F: ({ month }, locale) => locale.month(month, 'alone'),
  M: ({ month }, locale) => locale.month(month, 'short'),
  xg: ({ month }, locale) => locale.month(month, 'in-date'),
  a: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  A: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  e: ({ zone }) => zone,
  I: date => (isSummer(date) ? '1' : '0'),
  O: date => offsetText(date, ''),
  P: date => offsetText(date, ':'),
  T: zoneLabel,
  Z: ({ offset }) => String(offset * 60),
  c: date => write('Y-m-d\\TH:i:sP', date, createLocales()('en')),
  r: date => write('D, d M Y H:i:s O', date, createLocales()('en')),
  xx: () => 'x',
}

/** Calendars by the letter after the x. */
const calendars: Readonly<Record<string, string>> = { i: 'persian', m: 'islamic-civil', j: 'hebrew' }

const calendarParts: Readonly<Record<string, Intl.DateTimeFormatOptions & { type: string }>> = {
  j: { day: 'numeric', type: 'day' },
  n: { month: 'numeric', type: 'month' },
  F: { month: 'long', type: 'month' },
  Y: { year: 'numeric', type: 'year' },
}

function otherCalendar(code: string, date: ZonedDate): string | undefined {
  const calendar = calendars[code[1]!]
  const part = calendarParts[code[2]!]
  if (calendar === undefined || part === undefined) return undefined
  const { type, ...options } = part
  const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, { ...options, timeZone: 'UTC' })
  const local = date.time + date.offset * 60_000
  const parts = format.formatToParts(local)
  return parts.find(one => one.type === type)?.value
}

function isSummer({ zone, year, offset }: ZonedDate): boolean {
  return offset !== zonedDate(Date.UTC(year, 0, 1), zone).offset ||
    offset !== zonedDate(Date.UTC(year, 6, 1), zone).offset
    ? offset > Math.min(zonedDate(Date.UTC(year, 0, 1), zone).offset, zonedDate(Date.UTC(year, 6, 1), zone).offset)
    : false
}

const romanDigits: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

function roman(text: string): string {
  let left = Number(text)
  if (!(left > 0 && left <= 10_000)) return text
  let out = ''
  for (const [value, sign] of romanDigits) {
    out += sign.repeat(Math.floor(left / value))
    left %= value
  }
  return out
}

const token = /"([^"]*)"|\\([\s\S])|(x[nNr])|(x(?:[kot]Y|[ijm][jFnY]|g|x))|([a-zA-Z])|[\s\S]/gu

/** Writes a date by a format. */
export function write(format: string, date: ZonedDate, locale: Locale): string {
  let out = ''
  // `xn` and `xr` change the next number, `xN` all following ones.
  let isRaw = false
  let next = ''
  for (const [whole, quoted, escaped, mode, special, letter] of format.matchAll(token)) {
    if (mode === 'xN') isRaw = !isRaw
    else if (mode !== undefined) next = mode
    else if (quoted !== undefined || escaped !== undefined) out += quoted ?? escaped
    else {
      out +=
        letterText(special ?? letter ?? '', {
          date,
          locale,
          isRaw: isRaw || next === 'xn',
          isRoman: next === 'xr',
        }) ?? whole
      next = ''
    }
  }
  return out
}

interface LetterOptions {
  readonly date: ZonedDate
  readonly locale: Locale
  readonly isRaw: boolean
  readonly isRoman: boolean
}

function letterText(code: string, { date, locale, isRaw, isRoman }: LetterOptions): string | undefined {
  if (Object.hasOwn(textLetters, code)) return textLetters[code]!(date, locale)
  const number = Object.hasOwn(numberLetters, code) ? numberLetters[code]!(date, locale) : undefined
  const text = number ?? (/^x[ijm]/.test(code) ? otherCalendar(code, date) : undefined)
  if (text === undefined) return undefined
  if (isRoman) return roman(text)
  return isRaw ? text : formatDigits(text, locale)
}
