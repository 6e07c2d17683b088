/** Records which base was verified in full, so that later processes need not read all of it again. */

import { readText } from '../../files/read-file.ts'
import { replaceDurably } from '../repository/durable-file.ts'

/** Name of the record in the folder of an index. */
export const verifiedName = 'sound'

/** Returns true if any process verified the base with this identity. */
export function isVerified(folder: string, identity: string): boolean {
  try {
    return readText(`${folder}/${verifiedName}`) === identity
  } catch {
    return false
  }
}

/** Notes that the base with this identity is verified. If that fails it is verified again later. */
export function recordVerified(folder: string, identity: string): void {
  try {
    replaceDurably(`${folder}/${verifiedName}`, identity)
  } catch {
    // A read-only file system, or another process that notes the same.
  }
}
