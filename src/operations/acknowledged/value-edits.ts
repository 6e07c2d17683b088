/**
 * Acknowledged changes of files that the index has no history of: a setting of wiki.json, or a media file as a whole, is a value that the
 * last one who sets it decides. Finds the changes that were undone by a commit which was made from an older file, or deletes it, and by
 * a merge that kept another side.
 */

import { configFile } from '../../core/config.ts'
import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { OpenLoss } from '../../store/acknowledged/verified.ts'
import type { CommitChanges, PathChange } from '../../store/git/backend.ts'
import { pagesEdited } from './pages-edited.ts'
import type { Texts } from './text-cache.ts'

/** The values of settings by their names, as JSON; of a media file its blob alone. */
type Values = ReadonlyMap<string, string>

/** A change of one file, by its values. */
interface ValueChange {
  readonly before: Values
  readonly after: Values
}

interface ValueEdit extends ValueChange {
  readonly commit: string
  readonly path: string
  readonly ordinal: number
}

/** A change of an acknowledged commit that the index lacks. */
export interface AwayChange {
  readonly commit: string
  /** Merge of the branch that brought it; null if the branch does not reach it. */
  readonly by: string | null
  readonly change: PathChange
  /** Path of the file at the tip. */
  readonly path: string
}

/** Returned by `ValueEdits.judge`. */
export interface Verdict {
  /** False if the change was lost. */
  readonly isHeld: boolean
  /** The merge that has it, and takes its place in the record; null if a later change does. */
  readonly carrier: string | null
}

export class ValueEdits {
  readonly #record: BranchRecord
  readonly #texts: Texts
  readonly #byOrdinal: ReadonlyMap<number, string>
  readonly #edits = new Map<string, Promise<readonly ValueEdit[]>>()

  /** `byOrdinal` has the acknowledged commits of the index. */
  constructor(record: BranchRecord, texts: Texts, byOrdinal: ReadonlyMap<number, string>) {
    this.#record = record
    this.#texts = texts
    this.#byOrdinal = byOrdinal
  }

  /** Returns true for the settings and media files. */
  has(path: string): boolean {
    return path === configFile || this.#record.kindOf(path) === 'file'
  }

  /** Lists the acknowledged changes that a commit of the first-parent chain undid. If it deletes the settings, that is the latest one. */
  async undoneBy(commit: CommitChanges, ordinal: number): Promise<OpenLoss[]> {
    const losses: OpenLoss[] = []
    for (const { path, before, after } of commit.changes) {
      if (!this.has(path)) continue
      const earlier = (await this.#editsOf(path)).filter(edit => edit.ordinal < ordinal)
      const [from, to] = [await this.#valuesOf(path, before), await this.#valuesOf(path, after)]
      if (earlier.length === 0 || from === null || to === null) continue
      const isDeleted = path === configFile && after === null
      const undone = isDeleted
        ? earlier.slice(0, 1)
        : await this.#undoneAmong(earlier, { before: from, after: to }, commit)
      for (const edit of undone) losses.push({ kind: 'undone', commit: edit.commit, path, by: commit.hash })
    }
    return losses
  }

  async #undoneAmong(
    earlier: readonly ValueEdit[],
    step: ValueChange,
    { parents }: CommitChanges,
  ): Promise<readonly ValueEdit[]> {
    const undone = new Set<ValueEdit>()
    for (const name of changedNames(step)) {
      const edits = earlier.filter(edit => changes(edit, name))
      const [last] = edits
      const to = step.after.get(name)
      // Another value than that of the last edit: somebody has replaced it before.
      if (last === undefined || last.after.get(name) !== step.before.get(name)) continue
      const oldest = edits.findIndex(({ before }) => before.get(name) === to)
      const isDropped = (await this.#isOlderSide(parents, last.path, name, to)) ?? oldest !== -1
      if (isDropped) for (const edit of edits.slice(0, Math.max(oldest, 0) + 1)) undone.add(edit)
    }
    return earlier.filter(edit => undone.has(edit))
  }

  /**
   * Returns true if a value of a merge is that of a side which never changed it; false if that side did, which is a conflict that somebody
   * has resolved; null if no side has the value.
   */
  async #isOlderSide(
    [first, ...sides]: readonly string[],
    path: string,
    name: string,
    value: string | undefined,
  ): Promise<boolean | null> {
    for (const side of sides) {
      if ((await this.#valuesAt(side, path))?.get(name) !== value) continue
      const base = await this.#record.mergeBase(first as string, side)
      return base === null || (await this.#valuesAt(base, path))?.get(name) === value
    }
    return null
  }

  /**
   * Judges a change of a commit that the index lacks. It is held if the tip or the merge that brought the commit has each of its values, or
   * if somebody has set another one who saw it. `away` has all acknowledged commits that the index lacks.
   */
  async judge({ commit, by, change, path }: AwayChange, away: readonly CommitChanges[]): Promise<Verdict> {
    const values = await this.#changeOf(change)
    const tip = await this.#valuesAt(this.#record.tip, path)
    if (values === null || tip === null) return { isHeld: false, carrier: null }
    let carrier: string | null = null
    for (const name of changedNames(values)) {
      const value = values.after.get(name)
      if (by !== null && (await this.#valuesAt(by, change.path))?.get(name) === value) carrier = by
      else if (
        tip.get(name) !== value &&
        !(await this.#isReplaced({ commit, by, change, path }, { name, value }, away))
      )
        return { isHeld: false, carrier: null }
    }
    return { isHeld: true, carrier }
  }

  async #isReplaced(
    { commit, by, change, path }: AwayChange,
    { name, value }: { readonly name: string; readonly value: string | undefined },
    away: readonly CommitChanges[],
  ): Promise<boolean> {
    const place = by === null ? undefined : this.#record.index.log.commitsWithPrefix(by)[0]
    for (const edit of await this.#editsOf(path)) {
      if (!changes(edit, name)) continue
      if (place === undefined ? await this.#record.descends(edit.commit, commit) : edit.ordinal > place) return true
    }
    for (const other of away) {
      const later = other.hash === commit ? undefined : other.changes.find(one => one.path === change.path)
      const values = later === undefined ? null : await this.#changeOf(later)
      if (values !== null && changes(values, name) && (await this.#record.descends(other.hash, commit))) return true
    }
    return by !== null && (await this.#isReplacedIn(by, { commit, path: change.path }, { name, value }))
  }

  /** Returns true if a merge brought another value from the side of a commit, or if both sides had changed the value. */
  async #isReplacedIn(
    merge: string,
    { commit, path }: { readonly commit: string; readonly path: string },
    { name, value }: { readonly name: string; readonly value: string | undefined },
  ): Promise<boolean> {
    const [first, ...sides] = (await this.#record.header(merge))?.parents ?? []
    if (first === undefined) return false
    const kept = (await this.#valuesAt(first, path))?.get(name)
    for (const side of sides) {
      if (!(await this.#record.descends(side, commit))) continue
      if ((await this.#valuesAt(side, path))?.get(name) !== value) return true
      const base = await this.#record.mergeBase(first, side)
      return base !== null && (await this.#valuesAt(base, path))?.get(name) !== kept
    }
    return false
  }

  /** Returns true if each value of a loss that the commit named there has undone is at the tip again, or was set by somebody since. */
  async isBack({ commit, path, by }: OpenLoss): Promise<boolean> {
    const { tip, index } = this.#record
    if (path === null || by === null) return false
    const edits = await this.#editsOf(path)
    const at = edits.findIndex(edit => edit.commit === commit)
    const [now, undone] = [await this.#valuesAt(tip, path), await this.#valuesAt(by, path)]
    if (at === -1 || now === null || undone === null) return false
    const place = index.log.commitsWithPrefix(by)[0] ?? index.commitCount
    const edit = edits[at] as ValueEdit
    return [...changedNames(edit)].every(name => {
      const later = edits.slice(0, at + 1).filter(one => changes(one, name))
      const isSetSince = later.some(one => one.ordinal > place || one.after.get(name) === now.get(name))
      return isSetSince || undone.get(name) === edit.after.get(name)
    })
  }

  /** The acknowledged changes of a file, newest first. */
  #editsOf(path: string): Promise<readonly ValueEdit[]> {
    const edits = this.#edits.get(path) ?? this.#readEdits(path)
    this.#edits.set(path, edits)
    return edits
  }

  async #readEdits(path: string): Promise<readonly ValueEdit[]> {
    const edits: ValueEdit[] = []
    for (const [ordinal, commit] of [...this.#byOrdinal].sort(([a], [b]) => b - a)) {
      // Settings are changed alone.
      if (path === configFile && pagesEdited(this.#record.index, ordinal).length > 0) continue
      const change = (await this.#record.changes(commit))?.changes.find(one => one.path === path)
      const values = change === undefined ? null : await this.#changeOf(change)
      if (values !== null) edits.push({ ...values, commit, path, ordinal })
    }
    return edits
  }

  async #changeOf({ path, before, after }: PathChange): Promise<ValueChange | null> {
    const [old, now] = [await this.#valuesOf(path, before), await this.#valuesOf(path, after)]
    return old === null || now === null ? null : { before: old, after: now }
  }

  async #valuesAt(commit: string | null, path: string): Promise<Values | null> {
    return this.#valuesOf(path, commit === null ? null : await this.#record.blobAt(commit, path))
  }

  /** Null for settings that cannot be read. */
  async #valuesOf(path: string, blob: string | null): Promise<Values | null> {
    if (path !== configFile) return new Map(blob === null ? [] : [['', blob]])
    const text = await this.#texts.of(blob)
    return text === null ? null : settingsIn(text)
  }
}

function changes({ before, after }: ValueChange, name: string): boolean {
  return before.get(name) !== after.get(name)
}

function changedNames(change: ValueChange): ReadonlySet<string> {
  const names = [...change.before.keys(), ...change.after.keys()]
  return new Set(names.filter(name => changes(change, name)))
}

/** Null for a text that is not an object. */
function settingsIn(text: string): Values | null {
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
