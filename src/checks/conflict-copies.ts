/**
 * Names of the copies that programs for synchronising folders make where two computers have edited a file. Only names that such a
 * program alone makes are recognised: OneDrive appends the computer's name (`Note-PC.md`), iCloud and Google Drive a number (`Note 2.md`,
 * `Note (1).md`), which titles of pages have as well.
 */

/** A kind of copy: the file's name before and after what the program has added. */
interface CopyName {
  readonly program: string
  readonly pattern: RegExp
  readonly source: string
}

const names: readonly CopyName[] = [
  {
    program: 'Syncthing',
    pattern: /^(.+)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?(\.[^.]*)?$/,
    source: 'https://docs.syncthing.net/users/syncing.html#conflicting-changes',
  },
  {
    program: 'Dropbox or Nextcloud',
    pattern: /^(.+) \((?:[^()]{1,100} )?conflicted copy(?: [^()]{1,100})?\)(\.[^.]*)?$/i,
    source:
      'https://help.dropbox.com/organize/conflicted-copy and https://docs.nextcloud.com/desktop/latest/conflicts.html',
  },
  {
    program: 'ownCloud',
    pattern: /^(.+)_conflict-\d{8}-\d{6}(\.[^.]*)?$/,
    source: 'https://doc.owncloud.com/desktop/latest/conflicts.html',
  },
  {
    program: 'Seafile',
    pattern: /^(.+) \(SFConflict [^()]{1,200}\)(\.[^.]*)?$/,
    source: 'https://help.seafile.com/syncing_client/file_conflicts/',
  },
  {
    program: 'git-annex',
    pattern: /^(.+)\.variant-[0-9a-f]{4}(\.[^.]*)?$/,
    source: 'https://git-annex.branchable.com/automatic_conflict_resolution/',
  },
]

/** Longest name of a file that is examined, in UTF-16 units. */
const longestName = 1000

/** A copy, by the program that makes copies of such names. */
export interface ConflictCopy {
  readonly program: string
  /** Path of the file that was edited twice. */
  readonly original: string
}

/** Returns what a path is a copy of; null if its name is not that of a copy. */
export function conflictCopy(path: string): ConflictCopy | null {
  const at = path.lastIndexOf('/') + 1
  const name = path.slice(at)
  if (name.length > longestName) return null
  for (const { program, pattern } of names) {
    const [, stem, ending = ''] = pattern.exec(name) ?? []
    if (stem !== undefined) return { program, original: path.slice(0, at) + stem + ending }
  }
  return null
}
