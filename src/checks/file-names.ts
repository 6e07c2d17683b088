/** Checks of the paths of a repository: names that other systems cannot hold. */

/** Names of Windows' devices, which no file may have, whatever its extension. */
const deviceName = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i

/**
 * Returns true if Windows cannot hold a file of this path.
 *
 * Source: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function isUnportable(path: string): boolean {
  return path.split('/').some(name => deviceName.test(name) || /[<>:"|?*\\\x00-\x1f]|[. ]$/.test(name))
}

/** Lists paths of which an earlier one differs only in case or in the Unicode form, each with that one. */
export function caseCollisions(paths: Iterable<string>): { readonly path: string; readonly other: string }[] {
  const seen = new Map<string, string>()
  const found: { path: string; other: string }[] = []
  for (const path of [...paths].sort()) {
    const folded = path.normalize('NFC').toLowerCase()
    const other = seen.get(folded)
    if (other === undefined) seen.set(folded, path)
    else found.push({ path, other })
  }
  return found
}
