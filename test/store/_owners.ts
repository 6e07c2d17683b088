/** Names of owners, and their locks, as other processes would leave them. */

import { ownName } from '../../src/files/owner.ts'
import { deadProcess } from './_processes.ts'

export interface OwnerParts {
  readonly machine?: string
  readonly boot?: string
  readonly space?: string
  readonly pid?: number
  readonly start?: string
  readonly token?: string
}

/** Name of an owner that differs from this process in these parts. */
export function ownerWith({ machine, boot, space, pid, start, token = 'ffffffff' }: OwnerParts): string {
  const own = ownName()
  const [, ownPid, ownStart] = own.split('-')
  const place = `${machine ?? own.slice(0, 6)}${boot ?? own.slice(6, 14)}${space ?? own.slice(14, 20)}`
  return `${place}-${pid ?? ownPid}-${start ?? ownStart}-${token}`
}

/** A process of this machine that has ended. */
export const deadOwner = (): string => ownerWith({ pid: deadProcess })

/** Content of the lock of an owner, one of those that it has taken. */
export const lockOf = (owner: string, count = 1): string => `wiki 1 host ${owner} ${count} -\n`
