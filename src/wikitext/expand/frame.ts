/** Frames: a text being expanded, with the values of its arguments. */

import type { Title } from '../../core/title.ts'
import type { Expanding } from '../expansion/expanding.ts'
import type { Frame } from '../expansion/frame.ts'
import { withoutSigns } from '../expansion/markers.ts'
import type { Part, PreNode } from '../preprocess/nodes.ts'
import { trimArgument } from '../preprocess/trim.ts'

/** Makes the frame of a page. */
export function frameOf(text: string, title: Title): Frame {
  return { text: withoutSigns(text), title, argument: null, parent: null, depth: 0 }
}

/** The same frame for another text. */
export function withText(frame: Frame, text: string): Frame {
  return { ...frame, text: withoutSigns(text) }
}

/** A template call: the text to expand, its title, the parts after the target and the caller's frame. */
export interface Call {
  readonly text: string
  readonly title: Title
  readonly parts: readonly Part[]
  readonly caller: Frame
}

/** Makes the frame of a called template. An argument is expanded on first use, and only once. */
export function calledFrame(context: Expanding, { text, title, parts, caller }: Call): Frame {
  const bound = bindParts(context, parts, caller)
  const values = new Map<string, string>()
  return {
    text: withoutSigns(text),
    title,
    parent: caller,
    depth: caller.depth + 1,
    argument(name) {
      const cached = values.get(name)
      const part = bound.get(name)
      if (cached !== undefined || part === undefined) return cached
      const { disturbances } = context.budget
      const value = argumentValue(context, part, caller)
      if (context.budget.disturbances === disturbances) values.set(name, value)
      return value
    },
  }
}

/** Values of unnamed parts keep their white space; others are trimmed. */
function argumentValue(context: Expanding, part: Part, caller: Frame): string {
  if (part.equals === -1) return context.expand(part.children, caller)
  return trimArgument(context.expand(splitAtEquals(part).value, caller))
}

/** Finds the part of each name; of two with one name the later counts. */
function bindParts(context: Expanding, parts: readonly Part[], caller: Frame): Map<string, Part> {
  const bound = new Map<string, Part>()
  let count = 0
  for (const part of parts) {
    const name = part.equals === -1 ? String(++count) : trimArgument(context.expand(splitAtEquals(part).name, caller))
    bound.set(name, part)
  }
  return bound
}

/** The nodes before and after a part's `=`. */
export function splitAtEquals({ equals, children }: Part): { name: PreNode[]; value: PreNode[] } {
  const name: PreNode[] = []
  const value: PreNode[] = []
  for (const node of children) {
    if (node.end <= equals) name.push(node)
    else if (node.start > equals) value.push(node)
    else if (node.kind === 'text') {
      if (node.start < equals) name.push({ ...node, end: equals })
      if (node.end > equals + 1) value.push({ ...node, start: equals + 1 })
    }
  }
  return { name, value }
}

/** True if a frame or one of its callers has this title. The page itself may be transcluded once. */
export function isBeingExpanded(frame: Frame, title: Title): boolean {
  for (let one: Frame | null = frame; one !== null && one.parent !== null; one = one.parent) {
    if (one.title.key === title.key) return true
  }
  return false
}
