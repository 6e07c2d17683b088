/** Parses dates and times in English. A small part of PHP's strtotime. */

import { isZone, momentInZone, type ZonedDate, zonedDate } from './zoned-date.ts'

interface DateFields {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  /** IANA name; if only an offset is known, `offset` counts. */
  zone: string
  /** Minutes ahead of UTC; null if the zone's name counts. */
  offset: number | null
  hasDate: boolean
  hasTime: boolean
  /** Months and milliseconds to add. */
  months: number
  milliseconds: number
  /** Days from Monday to Friday to add. */
  workingDays: number
  /** A weekday to advance to, 0 for Sunday, and how many times. */
  weekday: { day: number; count: number } | null
  /** Day of the month that is set after months were added: 1, or the last one. */
  monthEdge: 'first' | 'last' | null
}

type Reader = (fields: DateFields, found: RegExpExecArray) => void

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const weekdays = 'sun mon tue wed thu fri sat'.split(' ')
const monthPattern =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?'
const weekdayPattern = '(sun|mon|tue|wed|thu|fri|sat)(?:s?day|nesday|rsday|urday|s|r|rs)?\\b\\.?'
const unitPattern = '(sec(?:ond)?|min(?:ute)?|hour|day|week|fortnight|month|year|weekday)s?\\b'
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')

const second = 1000
const day = 86_400 * second

/** Zones by their abbreviations, in hours ahead of UTC. */
const zoneHours: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  jst: 9,
  ist: 5.5,
  aest: 10,
  aedt: 11,
}

/** Patterns and their readers, in the order in which they are tried. */
const readers: readonly (readonly [RegExp, Reader])[] = [
  sticky('[\\s,]+|(?:of|on|at|the|and|t)\\b|t(?=\\d)', () => {}),
  sticky('@(-?\\d{1,15})', readStamp),
  sticky('(\\d{4})(\\d\\d)(\\d\\d)t?(\\d\\d):?(\\d\\d):?(\\d\\d)', readDigits),
  sticky('(\\d{4})(\\d\\d)(\\d\\d)(?!\\d)', (fields, found) => setDate(fields, found[1], found[2], found[3])),
  sticky('([+-]?\\d{4,6})-(\\d{1,2})-(\\d{1,2})(?!\\d)', (fields, found) =>
    setDate(fields, found[1], found[2], found[3]),
  ),
  sticky('(\\d{4})-?w(\\d\\d)(?:-?([0-7]))?(?!\\d)', readWeek),
  sticky('(\\d{4})/(\\d{1,2})/(\\d{1,2})(?!\\d)', (fields, found) => setDate(fields, found[1], found[2], found[3])),
  sticky('(\\d{4})-(\\d{1,2})(?!\\d)', (fields, found) => setDate(fields, found[1], found[2], '1')),
  sticky('(\\d{1,2})/(\\d{1,2})/(\\d{4}|\\d\\d)(?!\\d)', (fields, found) =>
    setDate(fields, found[3], found[1], found[2]),
  ),
  sticky('(\\d{1,2})[-.](\\d{1,2})[-.](\\d{4})(?!\\d)', (fields, found) =>
    setDate(fields, found[3], found[2], found[1]),
  ),
  sticky('(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:[.,]\\d+)?)?(?:\\s*([ap])\\.?m\\b\\.?)?', readClock),
  sticky('(\\d{1,2})\\s*([ap])\\.?m\\b\\.?', (fields, found) => setTime(fields, hourOf(found[1], found[2]), 0, 0)),
  sticky(`(\\d{1,2})(?:st|nd|rd|th)?[\\s.-]*(?:of\\s+)?${monthPattern}(?:[\\s,.-]*(\\d{4})(?![\\d:]))?`, readDayMonth),
  sticky(`(\\d{4})[\\s.-]*${monthPattern}[\\s.-]*(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])`, readYearMonthDay),
  sticky(`${monthPattern}[\\s.-]*(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:[\\s,.-]+(\\d{4})(?![\\d:]))?`, readMonthDay),
  sticky(`${monthPattern}[\\s,.-]*(\\d{4})(?![\\d:])`, (fields, found) =>
    setDate(fields, found[2], monthNumber(found[1]), '1'),
  ),
  sticky(monthPattern, (fields, found) =>
    setDate(fields, String(fields.year), monthNumber(found[1]), String(fields.day)),
  ),
  sticky('(first|last) day of\\b', (fields, found) => {
    fields.monthEdge = found[1] as 'first' | 'last'
  }),
  sticky(`([+-]?)\\s*(\\d{1,9})\\s*${unitPattern}(\\s+ago\\b)?`, readAmount),
  sticky(`(next|last|previous|this)\\s+${unitPattern}`, readStep),
  sticky(`(next|last|previous|this)\\s+${weekdayPattern}`, readWeekdayStep),
  sticky(`(${ordinals.join('|')})\\s+${weekdayPattern}`, (fields, found) => {
    fields.weekday = { day: weekdayNumber(found[2]), count: ordinals.indexOf(found[1]!) + 1 }
  }),
  sticky(weekdayPattern, (fields, found) => {
    fields.weekday = { day: weekdayNumber(found[1]), count: 0 }
    midnight(fields)
  }),
  sticky('now\\b', () => {}),
  sticky('today\\b|midnight\\b', midnight),
  sticky('noon\\b', fields => setTime(fields, 12, 0, 0)),
  sticky('tomorrow\\b', fields => shiftDay(fields, 1)),
  sticky('yesterday\\b', fields => shiftDay(fields, -1)),
  sticky('(?:utc|gmt)?([+-])(\\d{1,2}):?(\\d\\d)?(?!\\d)', readOffset),
  sticky('([a-z]+/[a-z_]+(?:/[a-z_]+)?)', (fields, found) => {
    if (!isZone(found[1]!)) throw new UnknownTime()
    fields.zone = found[1]!
    fields.offset = null
  }),
  sticky('\\(?([a-z]{1,4})\\)?(?![a-z])', readZoneLetters),
  sticky('(\\d{4})(?!\\d)', (fields, found) => {
    fields.year = Number(found[1])
    fields.hasDate = true
  }),
]

class UnknownTime extends Error {}

function sticky(pattern: string, reader: Reader): readonly [RegExp, Reader] {
  return [new RegExp(pattern, 'iy'), reader]
}

/** Maximum length of a date text. */
const maxLength = 300

/**
 * Parses a date or time; missing fields are those of the current time. Undefined if the text is neither. `zone` is the zone of
 * a text without one.
 */
export function parseTime(text: string, now: number, zone = 'UTC'): number | undefined {
  const plain = text.trim()
  if (plain.length > maxLength) return undefined
  const fields = fieldsOf(zonedDate(now, zone))
  try {
    // Four digits alone are a year.
    if (/^\d{4}$/.test(plain)) Object.assign(fields, { year: Number(plain), hasDate: true })
    else readAll(fields, plain)
  } catch (error) {
    if (error instanceof UnknownTime) return undefined
    throw error
  }
  const moment = momentOf(fields)
  return Number.isNaN(moment) ? undefined : moment
}

function fieldsOf({ year, month, day, hour, minute, second, zone }: ZonedDate): DateFields {
  const open = {
    offset: null,
    hasDate: false,
    hasTime: false,
    months: 0,
    milliseconds: 0,
    workingDays: 0,
    weekday: null,
    monthEdge: null,
  }
  return { year, month, day, hour, minute, second, zone, ...open }
}

function readAll(fields: DateFields, text: string): void {
  let at = 0
  while (at < text.length) {
    const [found, reader] = firstMatch(text, at)
    reader(fields, found)
    at += found[0].length
  }
}

function firstMatch(text: string, at: number): [RegExpExecArray, Reader] {
  for (const [pattern, reader] of readers) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null && found[0] !== '') return [found, reader]
  }
  throw new UnknownTime()
}

function setDate(fields: DateFields, year = '', month = '', dayOfMonth = ''): void {
  const short = year.length === 2 ? (Number(year) < 70 ? 2000 : 1900) : 0
  fields.year = Number(year) + short
  fields.month = Number(month)
  fields.day = Number(dayOfMonth)
  fields.hasDate = true
  if (fields.month > 12 || fields.month < 1 || fields.day > 31) throw new UnknownTime()
}

function setTime(fields: DateFields, hour: number, minute: number, seconds: number): void {
  if (hour > 24 || minute > 59 || seconds > 60) throw new UnknownTime()
  Object.assign(fields, { hour, minute, second: seconds, hasTime: true })
}

function midnight(fields: DateFields): void {
  if (!fields.hasTime) setTime(fields, 0, 0, 0)
}

function shiftDay(fields: DateFields, days: number): void {
  midnight(fields)
  fields.milliseconds += days * day
}

function readStamp(fields: DateFields, found: RegExpExecArray): void {
  const { year, month, day: dayOfMonth, hour, minute, second: seconds } = zonedDate(Number(found[1]) * second)
  Object.assign(fields, {
    year,
    month,
    day: dayOfMonth,
    hour,
    minute,
    second: seconds,
    offset: 0,
    hasDate: true,
    hasTime: true,
  })
}

function readDigits(fields: DateFields, found: RegExpExecArray): void {
  setDate(fields, found[1], found[2], found[3])
  setTime(fields, Number(found[4]), Number(found[5]), Number(found[6]))
}

function readWeek(fields: DateFields, found: RegExpExecArray): void {
  const fourth = new Date(Date.UTC(Number(found[1]), 0, 4))
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * day
  const date = zonedDate(monday + ((Number(found[2]) - 1) * 7 + Number(found[3] ?? 1) - 1) * day)
  setDate(fields, String(date.year), String(date.month), String(date.day))
}

function readClock(fields: DateFields, found: RegExpExecArray): void {
  setTime(fields, hourOf(found[1], found[4]), Number(found[2]), Number(found[3] ?? 0))
}

function hourOf(hour = '0', half?: string): number {
  if (half === undefined) return Number(hour)
  return (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

function readDayMonth(fields: DateFields, found: RegExpExecArray): void {
  setDate(fields, found[3] ?? String(fields.year).padStart(4, '0'), monthNumber(found[2]), found[1])
}

function readYearMonthDay(fields: DateFields, found: RegExpExecArray): void {
  setDate(fields, found[1], monthNumber(found[2]), found[3])
}

function readMonthDay(fields: DateFields, found: RegExpExecArray): void {
  setDate(fields, found[3] ?? String(fields.year).padStart(4, '0'), monthNumber(found[1]), found[2])
}

function monthNumber(name = ''): string {
  return String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1)
}

function weekdayNumber(name = ''): number {
  return weekdays.indexOf(name.slice(0, 3).toLowerCase())
}

const unitLengths: Readonly<Record<string, number>> = {
  sec: second,
  min: 60 * second,
  hou: 3600 * second,
  day,
  wee: 7 * day,
  for: 14 * day,
}

function add(fields: DateFields, amount: number, unit: string): void {
  const key = unit.slice(0, 3).toLowerCase()
  if (key === 'mon') fields.months += amount
  else if (key === 'yea') fields.months += 12 * amount
  else if (/^weekday/i.test(unit)) fields.workingDays += amount
  else fields.milliseconds += amount * unitLengths[key]!
}

function readAmount(fields: DateFields, found: RegExpExecArray): void {
  const sign = (found[1] === '-' ? -1 : 1) * (found[4] === undefined ? 1 : -1)
  add(fields, sign * Number(found[2]), found[3]!)
}

const stepCounts: Readonly<Record<string, number>> = { next: 1, last: -1, previous: -1, this: 0 }

function readStep(fields: DateFields, found: RegExpExecArray): void {
  add(fields, stepCounts[found[1]!.toLowerCase()]!, found[2]!)
}

function readWeekdayStep(fields: DateFields, found: RegExpExecArray): void {
  fields.weekday = { day: weekdayNumber(found[2]), count: stepCounts[found[1]!.toLowerCase()]! }
  midnight(fields)
}

function readOffset(fields: DateFields, found: RegExpExecArray): void {
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0)
  fields.offset = found[1] === '-' ? -minutes : minutes
}

function readZoneLetters(fields: DateFields, found: RegExpExecArray): void {
  const letters = found[1]!.toLowerCase()
  if (!Object.hasOwn(zoneHours, letters)) throw new UnknownTime()
  fields.offset = zoneHours[letters]! * 60
}

function momentOf(fields: DateFields): number {
  const { year, month, day: dayOfMonth, milliseconds, zone, offset } = fields
  const [hour, minute, seconds] =
    fields.hasDate && !fields.hasTime ? [0, 0, 0] : [fields.hour, fields.minute, fields.second]
  const date = new Date(Date.UTC(2000, 0, 1, hour, minute, seconds))
  const wanted = fields.monthEdge === 'first' ? 1 : dayOfMonth
  // The last day of a month is the day before the first of the next month.
  if (fields.monthEdge === 'last') date.setUTCFullYear(year, month + fields.months, 0)
  else date.setUTCFullYear(year, month - 1 + fields.months, wanted)
  const local = onWeekday(afterWorkingDays(date.getTime() + milliseconds, fields.workingDays), fields)
  return offset === null ? momentInZone(local, zone) : local - offset * 60 * second
}

/** Adds days from Monday to Friday. Counting on from a weekend begins at its Friday, and back at its Monday. */
function afterWorkingDays(local: number, count: number): number {
  if (count === 0) return local
  const weekend = new Date(local).getUTCDay() % 6 === 0
  const isSunday = new Date(local).getUTCDay() === 0
  const start = weekend ? local + (count > 0 ? (isSunday ? -2 : -1) : isSunday ? 1 : 2) * day : local
  const weeks = Math.trunc(count / 5)
  const rest = count % 5
  const at = ((new Date(start).getUTCDay() + 6) % 7) + rest
  return start + (weeks * 7 + rest + (at > 4 ? 2 : at < 0 ? -2 : 0)) * day
}

/** Advances to a weekday: 0 times means today or the next such day. */
function onWeekday(local: number, { weekday, monthEdge }: DateFields): number {
  if (weekday === null) return local
  const ahead = (weekday.day - new Date(local).getUTCDay() + 7) % 7
  if (weekday.count < 0) return local + ((ahead === 0 ? 7 : ahead) - 7 - (ahead === 0 ? 7 : 0)) * day
  const isCounted = weekday.count > 0 && monthEdge === null
  return local + (isCounted && ahead === 0 ? 7 : ahead) * day + Math.max(0, weekday.count - 1) * 7 * day
}
