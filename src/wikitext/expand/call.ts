/** A call of a magic word or parser function. Its arguments are expanded lazily. */

import type { Expanding } from '../expansion/expanding.ts'
import type { Frame } from '../expansion/frame.ts'
import type { FunctionCall } from '../expansion/function.ts'
import { betweenMarkers } from '../expansion/markers.ts'
import type { Part } from '../preprocess/nodes.ts'
import { trimArgument } from '../preprocess/trim.ts'
import { splitAtEquals } from './frame.ts'
import { transcludePage } from './transclude.ts'

export interface FunctionUse {
  readonly name: string
  /** The expanded text after the colon. */
  readonly first: string
  readonly parts: readonly Part[]
  readonly frame: Frame
}

/** Makes a call. */
export function functionCall(context: Expanding, { name, first, parts, frame }: FunctionUse): FunctionCall {
  const texts: (string | undefined)[] = [first]
  const spaced = (index: number) => {
    const part = parts[index - 1]
    texts[index] ??= part === undefined ? '' : context.expand(part.children, frame)
    return texts[index]!
  }
  return {
    context,
    frame,
    name,
    count: parts.length + 1,
    spaced,
    text: index => trimArgument(spaced(index)),
    changed: (index, change) => betweenMarkers(trimArgument(spaced(index)), change),
    page: (title, select) => transcludePage(context, title, { frame, ...(select && { select }) }),
    named: index => {
      const part = parts[index - 1]
      if (part === undefined || part.equals === -1) return { name: null, value: () => trimArgument(spaced(index)) }
      const halves = splitAtEquals(part)
      return {
        name: trimArgument(context.expand(halves.name, frame)),
        value: () => trimArgument(context.expand(halves.value, frame)),
      }
    },
  }
}
