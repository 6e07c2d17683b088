/** Files of the repository that are neither pages nor media: pages may link to them, and the server shows them. */

import { configFile } from '../../core/config.ts'
import { isHiddenPath } from '../../store/format/paths.ts'
import { kindOfPath } from '../../store/index/record-writer.ts'

/** Folders that forges read at the top of a repository: public by their purpose, although hidden. */
const forgeFolder = /^\.(?:github|gitlab|gitea|forgejo)\//

/**
 * Returns true for such a file. Pages and media have operations of their own, which respect hidden revisions; settings and
 * other dotfiles are not shown.
 */
export function isOtherFile(inside: string, root: string): boolean {
  const path = root === '' ? inside : `${root}/${inside}`
  if (isHiddenPath(inside.replace(forgeFolder, ''))) return false
  return kindOfPath(path, root) === null && path.toLowerCase() !== configFile
}
