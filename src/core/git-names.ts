/** Names that git keeps for itself, and refuses in the trees that it checks out. */

/** Letters that HFS+ does not see in a name. Source: git's utf8.c, next_hfs_char. */
const unseen = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu

/**
 * True for the name of a folder that some file system takes for `.git`: in any case, with points and blanks or a stream
 * behind (NTFS), by its short name, or with letters that are not seen (HFS+).
 * Source: git's path.c, is_ntfs_dotgit, and utf8.c, is_hfs_dotgit.
 */
export function isGitsOwn(name: string): boolean {
  return /^(?:\.git|git~\d)[ .]*(?:[:\\].*)?$/is.test(name.replace(unseen, ''))
}
