/** State that the parts of this folder share while one page is expanded. */

import type { Title, TitleRules } from '../../core/title.ts'
import type { PreNode } from '../preprocess/nodes.ts'
import type { ExpanderOptions, Frame, PageProperties } from './expansion.ts'
import type { OwnFunctions } from './function.ts'
import type { Budget } from './limits.ts'
import type { Locale, Locales } from './locale.ts'
import type { Markers } from './markers.ts'

/** A page as a template. */
export interface TemplateSource {
  readonly nodes: readonly PreNode[]
  /** The page that this one redirects to; null if it is no redirect. */
  readonly redirect: Title | null
}

/** State of one expander. */
export interface Expanding extends ExpanderOptions {
  readonly purpose: 'show' | 'save'
  readonly rules: TitleRules
  /** Lower case. */
  readonly language: string
  readonly locales: Locales
  /** The wiki's. */
  readonly locale: Locale
  /** True if the language has variants, so that `-{` and `}-` are markup. */
  readonly variants: boolean
  readonly markers: Markers
  readonly budget: Budget
  /** Text of a template by its key and arguments. */
  readonly cache: Map<string, string>
  /** Parsed texts of templates, by key. */
  readonly sources: Map<string, TemplateSource>
  /** Titles by their names in braces; null for invalid ones. */
  readonly titles: Map<string, Title | null>
  readonly properties: PageProperties
  /** Expands nodes of the frame's text to one text; extension tags become markers. */
  readonly expand: (nodes: readonly PreNode[], frame: Frame) => string
  readonly ownFunctions: OwnFunctions
  /** The page's original text. */
  ownText: string | null
}
