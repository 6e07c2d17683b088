/** The changes of a year as a calendar: one column per week, one square per day, larger and darker for more changes. */

import { activityDays, type DayActivity } from '../../operations/activity.ts'
import { html, type Markup } from '../markup.ts'
import type { Words } from '../words/words.ts'

/** Distance between days in drawing units, and number of levels. */
const pitch = 13
const levels = 4
const dayLength = 86_400_000
const left = 4
const head = 16

/** Draws the days, of which there must be at least one. */
export function activityCalendar(days: readonly DayActivity[], words: Words): Markup {
  const last = Date.parse(days.at(-1)!.day)
  const weekday = (new Date(last).getUTCDay() + 6) % 7
  const start = last - (activityDays - 7 + weekday) * dayLength
  const most = Math.max(...days.map(({ changes }) => changes))
  const shown = days.filter(({ day }) => Date.parse(day) >= start)
  const square = ({ day, changes }: DayActivity): Markup => {
    const at = Math.round((Date.parse(day) - start) / dayLength)
    const level = Math.max(1, Math.ceil((levels * Math.log(changes + 1)) / Math.log(most + 1)))
    const size = 3 + 2 * level
    const inset = (11 - size) / 2
    const [x, y] = [left + pitch * Math.floor(at / 7) + inset, head + pitch * (at % 7) + inset]
    return html`<rect class="level-${level}" x="${x}" y="${y}" width="${size}" height="${size}"><title>${words.text('dayChanges', words.dayText(day), changes)}</title></rect>`
  }
  const width = left + pitch * (activityDays / 7)
  return html`<svg class="drawing activity" viewBox="0 0 ${String(width)} ${String(head + pitch * 7)}" role="img" aria-label="${words.text('activityTitle')}">${months(start, last, words)}${shown.map(square)}</svg>`
}

/** Labels each week in which a month starts. */
function months(start: number, last: number, words: Words): Markup[] {
  const names: Markup[] = []
  for (let time = start; time <= last; time += dayLength) {
    const date = new Date(time)
    if (date.getUTCDate() !== 1) continue
    const week = Math.floor((time - start) / (7 * dayLength))
    names.push(html`<text x="${left + pitch * week}" y="10">${words.month(date)}</text>`)
  }
  return names
}
