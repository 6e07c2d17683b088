/** Reports problems found while links and files were parsed. */

import type { ElementNode } from '../../tree/node.ts'
import type { Finding } from '../rule.ts'

/** The rule of everything that a construct noted at its node. */
export function noted({ data }: ElementNode): readonly Finding[] {
  return (data.problems ?? []).map(({ type, params, at }) => ({
    type,
    ...(params === undefined ? {} : { params }),
    ...(at === undefined ? {} : { at }),
  }))
}
