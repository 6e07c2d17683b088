/** Parts that wiki.json hides, by the commits of the revisions and by the blobs of their texts. */

import type { HiddenRevision, HideablePart, WikiConfig } from '../../core/wiki-config.ts'

type Hidden = WikiConfig['hidden']

/** The blob of a revision, and its hidden parts. */
export type HiddenBlob = readonly [blob: string, state: HiddenRevision]

const byCommit = new WeakMap<Hidden, ReadonlyMap<string, readonly HiddenBlob[]>>()

/**
 * Returns the hidden revisions of wiki.json, by the hash of the commit. Settings objects never change, so it is computed once.
 */
export function hiddenByCommit(hidden: Hidden): ReadonlyMap<string, readonly HiddenBlob[]> {
  const cached = byCommit.get(hidden)
  if (cached !== undefined) return cached
  const commits = new Map<string, HiddenBlob[]>()
  for (const [key, state] of Object.entries(hidden)) {
    const [commit, blob] = key.split('/') as [string, string]
    const blobs = commits.get(commit)
    if (blobs === undefined) commits.set(commit, [[blob, state]])
    else blobs.push([blob, state])
  }
  byCommit.set(hidden, commits)
  return commits
}

/** The commit of a revision, and its hidden parts. */
export type HiddenCommit = readonly [commit: string, state: HiddenRevision]

const byBlob = new WeakMap<Hidden, ReadonlyMap<string, readonly HiddenCommit[]>>()

/** Returns the hidden revisions of wiki.json, by the blob of the text. */
export function hiddenByBlob(hidden: Hidden): ReadonlyMap<string, readonly HiddenCommit[]> {
  const cached = byBlob.get(hidden)
  if (cached !== undefined) return cached
  const blobs = new Map<string, HiddenCommit[]>()
  for (const [commit, revisions] of hiddenByCommit(hidden))
    for (const [blob, state] of revisions) blobs.set(blob, [...(blobs.get(blob) ?? []), [commit, state]])
  byBlob.set(hidden, blobs)
  return blobs
}

const textsByHidden = new WeakMap<Hidden, ReadonlySet<string>>()

/** True if the text of a revision with this blob is hidden, in whichever commit. */
export function isTextHidden(hidden: Hidden, blob: string): boolean {
  const cached = textsByHidden.get(hidden)
  if (cached !== undefined) return cached.has(blob)
  const texts = Object.entries(hidden).filter(([, { parts }]) => parts.includes('text'))
  const blobs = new Set(texts.map(([key]) => key.slice(key.indexOf('/') + 1)))
  textsByHidden.set(hidden, blobs)
  return blobs.has(blob)
}

/** Lists the hidden parts of all revisions of a commit: they apply to everything else that the commit did, too. */
export function hiddenParts(hidden: Hidden, commit: string): HideablePart[] {
  return (hiddenByCommit(hidden).get(commit) ?? []).flatMap(([, { parts }]) => [...parts])
}
