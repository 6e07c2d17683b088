/** A moment in the calendar and clock of a time zone. */

export interface ZonedDate {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** 0 for Sunday. */
  readonly weekday: number
  /** Minutes by which the zone is ahead of UTC. */
  readonly offset: number
  readonly zone: string
  /** Milliseconds since 1970, UTC. */
  readonly time: number
}

const minute = 60_000

/** Converts a moment to a zone; an unknown zone counts as UTC. */
export function zonedDate(time: number, zone = 'UTC'): ZonedDate {
  const offset = zoneOffset(time, zone)
  const local = new Date(time + offset * minute)
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    weekday: local.getUTCDay(),
    offset,
    zone,
    time,
  }
}

/** Offset of a zone at a moment, minutes ahead of UTC. */
function zoneOffset(time: number, zone: string): number {
  if (zone === 'UTC') return 0
  const format = zoneFormat(zone)
  if (format === undefined) return 0
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute: minutes = 0, second = 0 } = parts
  const local = Date.UTC(year, month - 1, day, hour % 24, minutes, second)
  return Math.round((local - Math.floor(time / 1000) * 1000) / minute)
}

/** True for the name of a known time zone. */
export function isZone(name: string): boolean {
  return zoneFormat(name) !== undefined
}

function zoneFormat(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}

/** The moment at which the zone's clock shows the fields that `local` has in UTC. */
export function momentInZone(local: number, zone: string): number {
  const guess = local - zoneOffset(local, zone) * minute
  return local - zoneOffset(guess, zone) * minute
}

export interface IsoWeek {
  readonly week: number
  readonly year: number
}

/** The ISO 8601 week of a date, and the year of that week. */
export function isoWeek({ year, month, day }: Pick<ZonedDate, 'year' | 'month' | 'day'>): IsoWeek {
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  // Thursday decides the year of a week.
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  const weekYear = date.getUTCFullYear()
  const first = new Date(Date.UTC(2000, 0, 1)).setUTCFullYear(weekYear, 0, 1)
  return { week: Math.floor((date.getTime() - first) / (7 * 24 * 60 * minute)) + 1, year: weekYear }
}

/** Pads a number with leading zeros. */
export function padded(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width, '0')}` : String(value).padStart(width, '0')
}

/** The moment as MediaWiki stores it: 14 digits. */
export function timestampDigits(date: ZonedDate): string {
  const { year, month, day, hour, minute: minutes, second } = date
  return padded(year, 4) + [month, day, hour, minutes, second].map(part => padded(part, 2)).join('')
}
