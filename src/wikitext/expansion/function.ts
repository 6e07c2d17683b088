/** Types of magic words and parser functions. */

import type { Title, TitleRules } from '../../core/title.ts'
import type { PreNode } from '../preprocess/nodes.ts'
import type { Frame } from './frame.ts'
import type { Budget } from './limits.ts'
import type { Locale, Locales } from './locale.ts'
import type { Markers } from './markers.ts'
import type { PageContext, PageProperties } from './page-context.ts'

/** The page and the wiki as functions see them. */
export interface FunctionContext extends PageContext {
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
  readonly properties: PageProperties
  /** The page's original text; null before it is known. */
  ownText: string | null
  /** Expands nodes of the frame's text to one text; extension tags become markers. */
  readonly expand: (nodes: readonly PreNode[], frame: Frame) => string
}

/** Selects the part of a page's nodes to transclude; `text` is the text to which their offsets refer. */
export type SelectNodes = (nodes: readonly PreNode[], text: string) => readonly PreNode[]

/** One use of a function. Arguments count from 0, the one after the colon. */
export interface FunctionCall {
  readonly context: FunctionContext
  readonly frame: Frame
  /** Name as written. */
  readonly name: string
  readonly count: number
  /** An argument, expanded, without white space at its ends; "" if there is none. */
  readonly text: (index: number) => string
  /** The same with `change` applied to everything but extension tags and their content. */
  readonly changed: (index: number, change: (text: string) => string) => string
  /** An argument, expanded, with its white space. */
  readonly spaced: (index: number) => string
  /** The text of a page, or the selected part of it, transcluded without arguments; undefined if there is none. */
  readonly page: (title: Title, select?: SelectNodes) => string | undefined
  /** An argument split at its first `=`; its name is null if it has none. Each half is expanded on demand. */
  readonly named: (index: number) => { readonly name: string | null; readonly value: () => string }
}

/** A magic word or parser function. */
export interface WikiFunction {
  /** As `data-mw` names it. */
  readonly key: string
  /** Returns wikitext that is not expanded again; undefined if the braces turn out not to be such a function. */
  readonly run: (call: FunctionCall) => string | undefined
}

/** A function that a caller adds, or that replaces one of the same name. */
export interface FunctionDefinition {
  /** As pages write it, `#` included; the case of letters does not count. */
  readonly name: string
  /** As `data-mw` names it; the name without `#` and in lower case unless given. */
  readonly key?: string
  /** True if it may stand alone, without a colon and arguments. */
  readonly isVariable?: boolean
  readonly run: WikiFunction['run']
}

/** Functions by name. */
export type FunctionTable = Readonly<Record<string, (call: FunctionCall) => string | undefined>>

/** A function that a caller added. */
export interface OwnFunction extends WikiFunction {
  readonly isVariable: boolean
}

/** Functions that the caller adds, by lower-case name. */
export type OwnFunctions = ReadonlyMap<string, OwnFunction>
