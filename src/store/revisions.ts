/** Builds a revision from the index's records and the wiki's settings. */

import { type HideablePart, hideableParts, type WikiConfig } from '../core/wiki-config.ts'
import type { RevisionEntry } from './format/entries.ts'
import type { PathRules } from './format/paths.ts'
import { hiddenState } from './hidden-state.ts'
import { type CommitRecord, flagBits, type RevisionRecord } from './index/records.ts'
import type { RevisionIndex } from './index/revision-index.ts'

/** The index, with its settings and path rules. */
export interface IndexView {
  readonly index: RevisionIndex
  readonly config: WikiConfig
  readonly rules: PathRules
}

/** The fields that filters and counts need. Reading them takes a tenth of the time of a whole revision. */
export type RevisionFlags = Pick<RevisionEntry, 'sequence' | 'user' | 'minor' | 'bot' | 'hidden' | 'reverted'>

/** Returns the flags of the revision at an ordinal. */
export function flagsAt(view: IndexView, ordinal: number): RevisionFlags {
  const record = view.index.revision(ordinal)
  return flagsOf(view, record, view.index.commit(record.commit))
}

function flagsOf(view: IndexView, record: RevisionRecord, commit: CommitRecord): RevisionFlags {
  const { config } = view
  const hidesHere = Object.keys(config.hidden).length > 0
  return {
    sequence: record.sequence,
    // The user is read on demand: it is the costly part, and most counts do not need it.
    get user() {
      const { user: id, name } = view.index.author(commit.author)
      return { id, name }
    },
    minor: commit.minor,
    get bot() {
      return commit.bot || (config.bots.length > 0 && isBotAuthor(view, this.user))
    },
    hidden: hidesHere
      ? hiddenParts(commit.hidden, hiddenState(view, { commit: commit.hash, blob: record.blob })?.parts)
      : commit.hidden,
    reverted: (record.flags & flagBits.reverted) !== 0,
  }
}

/** Returns the revision at an ordinal. */
export function revisionAt(view: IndexView, ordinal: number): RevisionEntry {
  const { index } = view
  const record = index.revision(ordinal)
  const commit = index.commit(record.commit)
  const previous = record.previous === null ? null : index.revision(record.previous)
  return {
    id: index.revisionId(ordinal),
    page: index.pageId(record.page),
    previous: record.previous === null ? null : index.revisionId(record.previous),
    commit: commit.hash,
    blob: record.blob,
    model: record.model,
    size: record.size,
    delta: previous === null ? null : record.size - previous.size,
    timestamp: isoTime(commit.time),
    comment: index.comment(commit),
    ...flagsOf(view, record, commit),
  }
}

/** Returns the time and size of a revision, as long lists need them, with as few reads of the index as possible. */
export function stampAt({ index }: IndexView, ordinal: number): Pick<RevisionEntry, 'timestamp' | 'size'> {
  const { commit, size } = index.revision(ordinal)
  return { timestamp: isoTime(index.commit(commit).time), size }
}

function isBotAuthor({ index, config: { bots } }: IndexView, { id, name }: RevisionFlags['user']): boolean {
  return bots.includes(name) || (id !== null && bots.some(bot => bot.toLowerCase() === index.address(id)))
}

/**
 * Combines the parts hidden here with those hidden in the wiki of origin, which stay hidden because the dump lacks
 * them.
 */
function hiddenParts(
  there: readonly HideablePart[],
  here: readonly HideablePart[] | undefined,
): readonly HideablePart[] {
  if (here === undefined || there.length === 0) return here ?? there
  return hideableParts.filter(part => there.includes(part) || here.includes(part))
}

/** Formats seconds since 1970 as ISO 8601, UTC. Times outside the range of a date become 1970. */
export function isoTime(seconds: number): string {
  const milliseconds = seconds * 1000
  const date = Number.isFinite(milliseconds) && Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds) : new Date(0)
  return `${date.toISOString().slice(0, -5)}Z`
}
