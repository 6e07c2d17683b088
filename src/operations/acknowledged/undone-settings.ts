/** Acknowledged changes of wiki.json that a later commit undid: one that was made from an older file, or deletes it. */

import { configFile } from '../../core/config.ts'
import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { OpenLoss } from '../../store/acknowledged/verified.ts'
import type { CommitChanges } from '../../store/git/backend.ts'
import type { TextChange } from './held-change.ts'
import { pagesEdited } from './pages-edited.ts'
import type { Texts } from './text-cache.ts'

interface SettingsEdit {
  readonly commit: string
  readonly ordinal: number
  readonly change: TextChange
}

/**
 * Returns a function that lists the changes of the settings, among the acknowledged commits by ordinal, that a commit with an
 * ordinal undid. If it deletes the settings, that is the latest change: its text has the others.
 */
export function settingsCheck(
  record: BranchRecord,
  texts: Texts,
  byOrdinal: ReadonlyMap<number, string>,
): (commit: CommitChanges, ordinal: number) => Promise<OpenLoss[]> {
  let edits: Promise<readonly SettingsEdit[]> | undefined
  return async ({ hash, changes }, at) => {
    const change = changes.find(({ path }) => path === configFile)
    if (change === undefined) return []
    edits ??= settingsEdits(record, texts, byOrdinal)
    const earlier = (await edits).filter(({ ordinal }) => ordinal < at)
    const [from, to] = [await texts.of(change.before), await texts.of(change.after)]
    if (from === null || to === null) return []
    const isDeleted = change.after === null
    const undone = isDeleted ? earlier.slice(0, 1) : earlier.filter(edit => resets(edit.change, { from, to }))
    return undone.map(({ commit }) => ({ kind: 'undone', commit, path: configFile, by: hash }))
  }
}

/** Lists acknowledged changes of the settings alone, newest first. The index has no history of them. */
async function settingsEdits(
  record: BranchRecord,
  texts: Texts,
  byOrdinal: ReadonlyMap<number, string>,
): Promise<readonly SettingsEdit[]> {
  const edits: SettingsEdit[] = []
  for (const [ordinal, commit] of [...byOrdinal].sort(([a], [b]) => b - a)) {
    if (pagesEdited(record.index, ordinal).length > 0) continue
    const change = (await record.changes(commit))?.changes.find(({ path }) => path === configFile)
    if (change === undefined) continue
    const [before, after] = [await texts.of(change.before), await texts.of(change.after)]
    if (before !== null && after !== null) edits.push({ commit, ordinal, change: { before, after } })
  }
  return edits
}

/** Returns true if a step sets a setting that the change had set back to its value before the change. */
function resets({ before, after }: TextChange, step: { readonly from: string; readonly to: string }): boolean {
  const [old, now, from, to] = [before, after, step.from, step.to].map(settingsIn)
  if (old == null || now == null || from == null || to == null) return false
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(name => old.get(name) !== now.get(name))
  return changed.some(name => from.get(name) === now.get(name) && to.get(name) === old.get(name))
}

/** The values of settings by their names, as JSON; null for a text that is not an object. */
function settingsIn(text: string): Map<string, string> | null {
  const values = new Map<string, string>()
  const add = (name: string, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) values.set(name, JSON.stringify(value))
    else for (const [key, inner] of Object.entries(value)) add(`${name}\0${key}`, inner)
  }
  try {
    add('', JSON.parse(text.trim() || '{}'))
    return values.has('') ? null : values
  } catch {
    return null
  }
}
