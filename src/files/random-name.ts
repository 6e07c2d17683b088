/** Unguessable names for temporary files. */

import { randomBytes } from 'node:crypto'

/** Returns 128 random bits as 32 hexadecimal digits. */
export function randomName(): string {
  return randomBytes(16).toString('hex')
}
