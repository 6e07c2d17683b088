/** Reports problems found while links and files were parsed. */

import type { ElementNode } from '../../tree/node.ts'
import type { Finding } from '../rule.ts'

/** The rule of all problems that constructs recorded at their nodes. */
export function noted({ data }: ElementNode): readonly Finding[] {
  return (data.problems ?? []).map(({ type, params, at }) => ({
    type,
    ...(params === undefined ? {} : { params }),
    ...(at === undefined ? {} : { at }),
  }))
}
