/** Links whose letters differ only in case from the path of the file that they lead to. */

import { decodePath } from '../../links/names.ts'
import { joinPath } from '../../links/resolve.ts'

/** A path of a Markdown link as it is in the text, and as it is read. */
interface WrittenPath {
  readonly source: string
  readonly target: string
}

/**
 * Compares a path of the page at `from` with the path of the file that it leads to, both from the root of the wiki.
 * Returns null unless only the case of letters differs; otherwise the source with the file's letters, or null where it
 * has to be corrected by hand.
 */
export function wrongCase(
  { source, target }: WrittenPath,
  from: string,
  file: string,
): { readonly corrected: string | null } | null {
  const path = decodePath(target.replace(/[?#].*/s, ''))
  const folder = path.startsWith('/') ? '' : from.slice(0, Math.max(0, from.lastIndexOf('/')))
  const place = joinPath(folder, path)
  if (place === file || place.toLowerCase() !== file.toLowerCase()) return null
  const written = source.replace(/[?#].*/s, '')
  // The letters are taken from the end of the file's path: `../` and the folder of the page are not written.
  const steps = /^(?:\/|(?:\.\.?\/)*)/.exec(written)![0].length
  const plain = written.slice(steps).replaceAll('%20', ' ')
  const corrected = file.slice(file.length - plain.length)
  const isPlain =
    plain.toLowerCase() === corrected.toLowerCase() && joinPath(folder, written.slice(0, steps) + corrected) === file
  const spaced = written.includes('%20') ? corrected.replaceAll(' ', '%20') : corrected
  return { corrected: isPlain ? written.slice(0, steps) + spaced + source.slice(written.length) : null }
}
