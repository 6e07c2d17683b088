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
const dayLength = 86_400_000

/** Counts changes, pages and people by day, over the year that ends with the newest change. */
export async function wikiActivity({ store }: Wiki): Promise<Activity> {
  const newest = store.countChanges() - 1
  const days = new Map<number, { changes: number; pages: Set<number>; people: Set<string> }>()
  let looked = 0
  await store.visitChanges({ from: newest, to: 0, step: -1 }, ({ time, pageId, flags, deletion }) => {
    const day = Math.floor(time / dayLength)
    const found = days.get(day) ?? { changes: 0, pages: new Set(), people: new Set() }
    days.set(day, found)
    found.changes++
    found.pages.add(pageId)
    const { user } = flags ?? deletion ?? {}
    if (user !== undefined) found.people.add(user.name)
    return ++looked < maxChanges
  })
  const last = Math.max(...days.keys())
  const shown = [...days].filter(([day]) => day > last - activityDays).sort(([one], [other]) => one - other)
  return {
    days: shown.map(([day, { changes, pages, people }]) => ({
      day: new Date(day * dayLength).toISOString().slice(0, 10),
      ...{ changes, pages: pages.size, people: people.size },
    })),
    isWhole: looked < maxChanges,
  }
}
