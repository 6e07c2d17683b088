/** Names of files that git or an operating system refuses, or treats as equal. */

import { composed, decomposed, fullCaseFold } from './composed-text.ts'

/** Characters that HFS+ ignores in a name. Source: git's utf8.c, next_hfs_char. */
const unseen = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu

/**
 * Returns true for a folder name that some file system treats as `.git`: in any case, with trailing dots, spaces or a
 * stream (NTFS), as its short name, or with ignored characters (HFS+). Source: git's path.c, is_ntfs_dotgit, and
 * utf8.c, is_hfs_dotgit.
 */
export function isGitsOwn(name: string): boolean {
  return /^(?:\.git|git~\d)[ .]*(?:[:\\].*)?$/is.test(name.replace(unseen, ''))
}

/** Windows' device names, which no file may have, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i

/**
 * Returns true if Windows does not support a name.
 *
 * Source: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function isUnportableName(name: string): boolean {
  return deviceName.test(name) || /[<>:"|?*\\\x00-\x1f]|[. ]$/.test(name)
}

/** Returns true for a name that may be the short form of another one, such as `PROGRA~1`. */
export function isShortName(name: string): boolean {
  return /~\d/.test(name)
}

/** Code points that some file systems ignore in names. */
const ignored = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Returns a key that all names have in common which some file system may treat as one: in any case and Unicode form, with ignored
 * characters, or with dots and spaces at the end. Whether a disk does so, only the disk can tell.
 */
export function foldedName(name: string): string {
  const folded = composed(fullCaseFold(composed(name.replace(ignored, ''))))
  let end = folded.length
  while (end > 0 && (folded[end - 1] === '.' || folded[end - 1] === ' ')) end--
  return folded.slice(0, end)
}

/** Spells a path so that those of one file on some disk are equal: see `foldedName`. */
export function foldedPath(path: string): string {
  return path.split('/').map(foldedName).join('/')
}

/** Returns other spellings of a name, of which a disk that treats names as equal knows at least one. */
export function otherSpellings(name: string): string[] {
  const swapped = Array.from(name, swapCase).join('')
  return [...new Set([swapped, composed(name), decomposed(name)])].filter(one => one !== name)
}

function swapCase(letter: string): string {
  const lower = letter.toLowerCase()
  const other = lower === letter ? letter.toUpperCase() : lower
  return other.length === letter.length ? other : letter
}
