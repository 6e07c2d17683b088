/** Formats times for people: relative, or in the local time zone. Programs get ISO 8601. */

import type { Column } from './table.ts'
import { shortTime } from './text.ts'

/** Time formats. `auto` is relative within a week, and local time otherwise. */
export const timeForms = ['auto', 'relative', 'local', 'utc', 'iso'] as const
export type TimeForm = (typeof timeForms)[number]

/** Seconds of the units, largest first. */
const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const week = 7 * 86_400

const forms: Readonly<Record<TimeForm, (timestamp: string, now: number) => string>> = {
  auto: (timestamp, now) => {
    const age = ageOf(timestamp, now)
    return age >= 0 && age < week ? ago(age) : localTime(timestamp)
  },
  relative: (timestamp, now) => ago(ageOf(timestamp, now)),
  local: localTime,
  utc: shortTime,
  iso: timestamp => timestamp,
}

/** Formats a time of the API. */
export function formatTime(timestamp: string, form: TimeForm, now: number = Date.now()): string {
  return forms[form](timestamp, now)
}

/** The time column of a list; `form` is the requested format, if any. */
export function timeColumn<Item extends { readonly timestamp: string }>(form: TimeForm | undefined): Column<Item> {
  return {
    title: form === 'utc' ? 'Time (UTC)' : 'Time',
    value: ({ timestamp }) => formatTime(timestamp, form ?? 'iso'),
    people: ({ timestamp }) => formatTime(timestamp, form ?? 'auto'),
  }
}

/** Age in seconds. */
function ageOf(timestamp: string, now: number): number {
  return Math.floor((now - Date.parse(timestamp)) / 1000)
}

/** `3 days ago`. Small clock differences do not produce a future time. */
function ago(age: number): string {
  const [unit, seconds] = units.find(([, length]) => Math.abs(age) >= length) ?? ['second', 1]
  if (unit === 'second') return 'just now'
  const count = Math.floor(Math.abs(age) / seconds)
  const text = `${count} ${unit}${count === 1 ? '' : 's'}`
  return age < 0 ? `in ${text}` : `${text} ago`
}

/** `2026-01-31 12:00` in the local time zone. */
function localTime(timestamp: string): string {
  const time = new Date(timestamp)
  if (Number.isNaN(time.getTime())) return timestamp
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}
