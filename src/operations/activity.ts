/** Changes of the wiki by day. */

import type { Wiki } from './wiki.ts'

/** The changes of one day. */
export interface DayActivity {
  /** UTC: `2026-11-24`. */
  readonly day: string
  readonly changes: number
  readonly pages: number
  readonly people: number
}

export interface Activity {
  /** Days with changes, oldest first, within a year that ends with the newest. */
  readonly days: readonly DayActivity[]
  /** False if the year has more changes than were counted. */
  readonly isWhole: boolean
}

/** Number of days reported, and maximum number of changes counted. */
export const activityDays = 53 * 7
const maxChanges = 50_000
/** Number of older changes in a row that end the count. Dates of commits are nearly, but not always, in the branch's order. */
const maxOlder = 1_000
const dayLength = 86_400_000

/** Counts changes, pages and people by day, over the year that ends with the newest change. */
export async function wikiActivity({ store }: Wiki): Promise<Activity> {
  const days = new Map<number, { changes: number; pages: Set<number>; people: Set<string> }>()
  let [looked, older, newest, isWhole] = [0, 0, Number.NEGATIVE_INFINITY, true]
  const walk = { from: store.countChanges() - 1, to: 0, step: -1 } as const
  await store.visitChanges(walk, ({ time, pageId, flags, deletion }) => {
    isWhole = ++looked <= maxChanges
    if (!isWhole) return false
    const day = Math.floor(time / dayLength)
    newest = Math.max(newest, day)
    if (day <= newest - activityDays) return ++older < maxOlder
    older = 0
    const found = days.get(day) ?? { changes: 0, pages: new Set(), people: new Set() }
    days.set(day, found)
    found.changes++
    found.pages.add(pageId)
    const { user } = flags ?? deletion ?? {}
    if (user !== undefined) found.people.add(user.name)
    return true
  })
  const shown = [...days].filter(([day]) => day > newest - activityDays).sort(([one], [other]) => one - other)
  return {
    days: shown.map(([day, { changes, pages, people }]) => ({
      day: new Date(day * dayLength).toISOString().slice(0, 10),
      ...{ changes, pages: pages.size, people: people.size },
    })),
    isWhole,
  }
}
