/** Names that git reserves and refuses to check out. */

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
