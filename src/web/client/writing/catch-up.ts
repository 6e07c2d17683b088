/** Merges edits of others into a text that is being edited, as saving would. Independent of the document and the network. */

import { type MergeUnit, mergeTexts } from '../../../diff/merge.ts'
import { createWorkLimit } from '../../../diff/work-limit.ts'

/** The part of a revision that a merge needs. */
export interface Revision {
  readonly id: number
  readonly source: string
  readonly page: { readonly key: string; readonly title: string }
  readonly user: { readonly name: string } | null
}

/** The page on the server. Errors: those of the network; the next look tries again. */
export interface PageNow {
  /** Id of the latest revision; null if there is no page. */
  readonly latest: () => Promise<number | null>
  /** Null for a revision that cannot be read. */
  readonly revision: (id: number) => Promise<Revision | null>
}

/** The text that is being edited. */
export interface Written {
  readonly key: string
  readonly merges: MergeUnit | 'never'
  /** The original text of the edited section; null for the whole page. */
  readonly section: string | null
  /** Id of the revision that the text is based on; 0 for a new page. */
  readonly base: () => number
  readonly read: () => string
  /** Replaces the text by a merged one, which is based on the given revision. */
  readonly take: (merged: string, revision: Revision) => void
  /** Resolves when the user pauses. */
  readonly pause: () => Promise<void>
}

/** A newer state of the page. `ahead`: saving merges it; of a section, whose text is not changed during editing. */
export type News =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'moved'; readonly title: string }
  | { readonly kind: 'merged' | 'ahead' | 'conflict'; readonly revision: Revision; readonly from: number }

export interface CatchUp {
  /** Checks for a newer revision. A call during another one makes that one check again. */
  readonly look: () => Promise<void>
  /** Id of the latest revision that was reported. */
  readonly known: () => number
  /** Starts again with another text, which is based on the given revision. */
  readonly restart: (base: number) => void
}

/** Id of the latest revision of a page that does not exist. */
const gone = -1

/** Starts at the revision that the text is based on. `tell` is called once for each newer state. */
export function startCatchUp(page: PageNow, written: Written, tell: (news: News) => void): CatchUp {
  let known = written.base()
  let isBusy = false
  let isWanted = false

  const look = async (): Promise<void> => {
    const from = written.base()
    const latest = await page.latest()
    if (known === (latest ?? gone) || (latest !== null && latest < known)) return
    const [old, now] = await Promise.all([revisionAt(from), revisionAt(latest ?? 0)])
    await written.pause()
    // A draft was continued meanwhile: its text is based on another revision than the one that was read.
    if (written.base() !== from) {
      isWanted = true
      return
    }
    const news = latest !== null && now === null ? null : newsOf(from, old, now)
    // A revision that cannot be read now is requested again.
    if (news === null) return
    known = latest ?? gone
    if (news !== 'unchanged') tell(news)
  }
  const revisionAt = async (id: number): Promise<Revision | null> => (id === 0 ? null : page.revision(id))

  /** Returns null if the base cannot be read. `now` is null for a page that does not exist. */
  const newsOf = (from: number, old: Revision | null, now: Revision | null): News | 'unchanged' | null => {
    if (old !== null && old.page.key !== written.key) return { kind: 'moved', title: old.page.title }
    if (now === null) return from === 0 ? 'unchanged' : { kind: 'deleted' }
    if (old === null && from !== 0) return null
    const { section, merges } = written
    const mine = written.read()
    const whole = section === null ? mine : withSection(old?.source ?? '', section, mine)
    if (whole === null) return { kind: 'ahead', revision: now, from }
    const merged = mergeOf(old?.source ?? '', whole, now.source, merges)
    if (merged === null) return { kind: 'conflict', revision: now, from }
    if (section !== null) return { kind: 'ahead', revision: now, from }
    written.take(merged, now)
    return { kind: 'merged', revision: now, from }
  }

  return {
    look: async () => {
      isWanted = true
      if (isBusy) return
      isBusy = true
      try {
        while (isWanted) {
          isWanted = false
          await look()
        }
      } catch {
        // A server that does not respond now may respond to the next poll.
      } finally {
        isBusy = false
      }
    },
    known: () => known,
    restart: base => {
      known = base
    },
  }
}

/** Returns the source with the edited section in it; null if the section's text occurs twice. */
function withSection(source: string, section: string, edited: string): string | null {
  const at = source.indexOf(section)
  if (at < 0 || section === '' || source.includes(section, at + 1)) return null
  return source.slice(0, at) + edited + source.slice(at + section.length)
}

/** Returns the merged text; null if both changed the same words, or the comparison would take too long. */
export function mergeOf(base: string, mine: string, theirs: string, by: MergeUnit | 'never'): string | null {
  if (by === 'never') return null
  try {
    const merge = mergeTexts(base, mine, theirs, { by, work: createWorkLimit() })
    if (!merge.merged) return null
    return mine.endsWith('\n') ? merge.text : merge.text.replace(/\n$/, '')
  } catch {
    return null
  }
}
