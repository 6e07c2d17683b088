/** Merges edits of others into a text that is being edited, as saving would. Independent of the document and the network. */

import { type MergeUnit, mergeTexts } from '../../../diff/merge.ts'
import { type Section, sameSection, sectionText } from '../../../diff/same-section.ts'
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
  /** Sections of a revision; none if it is edited only whole. */
  readonly sections: (id: number) => Promise<readonly Section[]>
}

/** The text that is being edited. */
export interface EditedText {
  readonly key: string
  readonly merges: MergeUnit | 'never'
  /** Number of the edited section in the revision that the text is based on; null for the whole page. */
  readonly section: () => number | null
  /** Id of the revision that the text is based on; 0 for a new page. */
  readonly base: () => number
  readonly read: () => string
  /** Replaces the text by a merged one, which is based on the given revision and on this section of it. */
  readonly take: (merged: string, revision: Revision, section: number | null) => void
  /** Resolves when the user pauses. */
  readonly pause: () => Promise<void>
}

/**
 * A newer state of the page. `taken`: the text is now that of the page, because the user has typed nothing, or the same. `ahead`: saving
 * merges it, and nothing of it is in the edited section.
 */
export type News =
  | { readonly kind: 'deleted' }
  | { readonly kind: 'moved'; readonly title: string }
  | { readonly kind: 'taken' | 'merged' | 'ahead' | 'conflict'; readonly revision: Revision; readonly from: number }

export interface CatchUp {
  /** Checks for a newer revision. A call during another one makes that one check again. */
  readonly poll: () => Promise<void>
  /** Id of the latest revision that was reported. */
  readonly reported: () => number
  /** Starts again with another text, which is based on the given revision. */
  readonly restart: (base: number) => void
}

/** Id of the latest revision of a page that does not exist. */
const gone = -1

/** Starts at the revision that the text is based on. `report` is called once for each newer state. */
export function startCatchUp(page: PageNow, written: EditedText, report: (news: News) => void): CatchUp {
  let reported = written.base()
  let isBusy = false
  let isWanted = false

  const poll = async (): Promise<void> => {
    const from = written.base()
    const latest = await page.latest()
    if (reported === (latest ?? gone) || (latest !== null && latest < reported)) return
    const [old, now] = await Promise.all([versionAt(from), versionAt(latest ?? 0)])
    await written.pause()
    // A draft was continued meanwhile: its text is based on another revision than the one that was read.
    if (written.base() !== from) {
      isWanted = true
      return
    }
    const news = latest !== null && now === null ? null : newsOf(from, old, now)
    // A revision that cannot be read now is requested again.
    if (news === null) return
    reported = latest ?? gone
    if (news !== 'unchanged') report(news)
  }
  const versionAt = async (id: number): Promise<Version | null> => {
    if (id === 0) return null
    const isWhole = written.section() === null
    const [revision, sections] = await Promise.all([page.revision(id), isWhole ? [] : page.sections(id)])
    return revision === null ? null : { ...revision, sections }
  }

  /** Returns null if the base cannot be read. `now` is null for a page that does not exist. */
  const newsOf = (from: number, old: Version | null, now: Version | null): News | 'unchanged' | null => {
    if (old !== null && old.page.key !== written.key) return { kind: 'moved', title: old.page.title }
    if (now === null) return from === 0 ? 'unchanged' : { kind: 'deleted' }
    if (old === null && from !== 0) return null
    const section = written.section()
    const mine = written.read()
    if (section !== null && old !== null) return newsOfSection(old, now, section)
    const merged = mergeOf(old?.source ?? '', mine, now.source, written.merges)
    if (merged === null) return { kind: 'conflict', revision: now, from }
    written.take(merged, now, null)
    return { kind: isSameText(merged, now.source) ? 'taken' : 'merged', revision: now, from }
  }

  const newsOfSection = (old: Version, now: Version, number: number): News | 'unchanged' => {
    const [mine, from] = [written.read(), old.id]
    const there = sameSection(old, now, number)
    if (there === null) {
      const merged = mergeOf(old.source, wholeWith(old, number, mine), now.source, written.merges)
      return { kind: merged === null ? 'conflict' : 'ahead', revision: now, from }
    }
    const [before, after] = [sectionText(old, number), sectionText(now, there)]
    const merged = mergeOf(before, mine, after, written.merges)
    if (merged === null) return { kind: 'conflict', revision: now, from }
    written.take(merged, now, there)
    if (isSameText(before, after))
      return isSameText(mine, before) ? 'unchanged' : { kind: 'ahead', revision: now, from }
    return { kind: isSameText(merged, after) ? 'taken' : merged === mine ? 'ahead' : 'merged', revision: now, from }
  }

  return {
    poll: async () => {
      isWanted = true
      if (isBusy) return
      isBusy = true
      try {
        while (isWanted) {
          isWanted = false
          await poll()
        }
      } catch {
        // A server that does not respond now may respond to the next poll.
      } finally {
        isBusy = false
      }
    },
    reported: () => reported,
    restart: base => {
      reported = base
    },
  }
}

/** A revision with its sections, which are empty while the whole page is edited. */
export interface Version extends Revision {
  readonly sections: readonly Section[]
}

/** Returns the source with another text in place of a section. */
export function wholeWith(version: Version, number: number, text: string): string {
  const { source, sections } = version
  const start = sections.find(one => one.number === number)?.start ?? source.length
  return source.slice(0, start) + text + source.slice(start + sectionText(version, number).length)
}

/**
 * Returns the merged text; null if it is not certain, or the comparison would take too long. Where nothing is ever merged, two edits
 * conflict as they do on the server, unless nothing was typed in the text.
 */
export function mergeOf(base: string, mine: string, theirs: string, by: MergeUnit | 'never'): string | null {
  if (by === 'never' && !isSameText(mine, base) && !isSameText(mine, theirs)) return null
  try {
    const merge = mergeTexts(base, mine, theirs, { ...(by !== 'never' && { by }), work: createWorkLimit() })
    if (!merge.merged) return null
    return mine.endsWith('\n') ? merge.text : merge.text.replace(/\n$/, '')
  } catch {
    return null
  }
}

/** Returns true for texts that differ at most in the white space at their ends, which no merge and no form keeps. */
function isSameText(one: string, other: string): boolean {
  return one.trimEnd() === other.trimEnd()
}
