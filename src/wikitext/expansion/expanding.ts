/** State that the parts of this folder share while one page is expanded. */

import type { Title } from '../../core/title.ts'
import type { PreNode } from '../preprocess/nodes.ts'
import type { FunctionContext, OwnFunctions } from './function.ts'

/** A page as a template. */
export interface TemplateSource {
  readonly nodes: readonly PreNode[]
  /** The page that this one redirects to; null if it is not a redirect. */
  readonly redirect: Title | null
}

/** State of one expander. */
export interface Expanding extends FunctionContext {
  /** Text of a template by its key and arguments. */
  readonly cache: Map<string, string>
  /** Parsed texts of templates, by key. */
  readonly sources: Map<string, TemplateSource>
  /** Titles by their names in braces; null for invalid ones. */
  readonly titles: Map<string, Title | null>
  readonly ownFunctions: OwnFunctions
}
