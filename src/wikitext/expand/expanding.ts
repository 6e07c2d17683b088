/** What the parts of this folder share while one page is expanded. */

import type { TitleRules } from '../../core/title.ts'
import type { OwnFunctions } from '../functions/registry.ts'
import type { PreNode } from '../preprocess/nodes.ts'
import type { ExpanderOptions, Frame, PageProperties } from './expander.ts'
import type { Budget } from './limits.ts'
import type { Markers } from './markers.ts'

/** State of one expander. */
export interface Expanding extends ExpanderOptions {
  readonly purpose: 'show' | 'save'
  readonly rules: TitleRules
  /** Lower case. */
  readonly language: string
  /** True where the language has variants, so that `-{` and `}-` enclose. */
  readonly variants: boolean
  readonly markers: Markers
  readonly budget: Budget
  /** Text of a template by its key and arguments. */
  readonly cache: Map<string, string>
  /** Nodes of a template's text by the template's key. */
  readonly trees: Map<string, readonly PreNode[]>
  readonly properties: PageProperties
  /** Expands nodes of the frame's text to one text; extension tags become markers. */
  readonly expand: (nodes: readonly PreNode[], frame: Frame) => string
  readonly ownFunctions: OwnFunctions
  /** The page's own text, as it was given first. */
  ownText: string | null
}
