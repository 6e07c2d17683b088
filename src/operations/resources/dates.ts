/**
 * Parses dates and times: `2026-01-31`, `2026-01-31 12:00`, `yesterday`, `3 days ago`. Without a time zone they are
 * UTC.
 */

const dateForm = /^(\d{4}-\d{2}-(\d{2}))(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

const day = 24 * 3600

/** Seconds in each unit; months and years have their average length, as in git. */
const units: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day,
  week: 7 * day,
  fortnight: 14 * day,
  month: 30 * day,
  year: 365 * day,
}

const shortUnits: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }

const agoForm = /^(\d{1,6}|an?|last) ?([a-z]+?)s?(?: ago)?$/

/** Examples of accepted dates, for hints. */
export const dateExamples = '2026-01-31, "2026-01-31 12:00", yesterday, "3 days ago"'

/** Parses a time to milliseconds since 1970; null if the text is not one. */
export function parseMoment(text: string, now: number = Date.now()): number | null {
  return parseDate(text) ?? parseAgo(text, now)
}

/** Parses a numeric date or time to milliseconds since 1970; null for anything else. */
export function parseDate(text: string): number | null {
  const [, date, day] = dateForm.exec(text) ?? []
  // Date.parse takes February 30 for March 2.
  if (date === undefined || new Date(Date.parse(date)).getUTCDate() !== Number(day)) return null
  const form = text.replace(' ', 'T')
  const time = Date.parse(/T[\d:.]+$/.test(form) ? `${form}Z` : form)
  return Number.isNaN(time) ? null : time
}

/** Parses a time and returns its last millisecond: the end of a day, or the time itself. */
export function endOfMoment(text: string, now: number = Date.now()): number | null {
  return endOfDate(text) ?? parseAgo(text, now)
}

/** The same for a numeric date or time. */
export function endOfDate(text: string): number | null {
  const moment = parseDate(text)
  return moment !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? moment + day * 1000 - 1 : moment
}

/** Parses `3 days ago`, `3.days.ago`, `2h`, `last week`; `yesterday` is 24 hours ago, `today` the start of the day. */
function parseAgo(text: string, now: number): number | null {
  const words = text.trim().toLowerCase().replace(/[._]/g, ' ')
  if (words === 'now') return now
  if (words === 'today') return now - (now % (day * 1000))
  if (words === 'yesterday') return now - day * 1000
  const [, count = '', unit = ''] = agoForm.exec(words) ?? []
  const seconds = units[shortUnits[unit] ?? unit]
  if (seconds === undefined) return null
  const moment = now - (/^\d/.test(count) ? Number(count) : 1) * seconds * 1000
  return Math.abs(moment) <= 8.64e15 ? moment : null
}
