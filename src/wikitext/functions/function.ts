/** What a magic word or parser function is. */

import type { Title } from '../../core/title.ts'
import type { Frame } from '../expand/expander.ts'
import type { Expanding } from '../expand/expanding.ts'

/** What functions may ask of the page and the wiki. */
export type FunctionContext = Expanding

/** One use of a function. Arguments count from 0, the one after the colon. */
export interface FunctionCall {
  readonly context: FunctionContext
  readonly frame: Frame
  /** As it was written. */
  readonly name: string
  readonly count: number
  /** An argument, expanded, without white space at its ends; "" where there is none. */
  readonly text: (index: number) => string
  /** An argument, expanded, with its white space. */
  readonly spaced: (index: number) => string
  /** The text of a page, transcluded without arguments; undefined where there is none. */
  readonly page: (title: Title) => string | undefined
  /** An argument cut at its first `=`; its name is null where it has none. Each half is expanded when it is asked for. */
  readonly named: (index: number) => { readonly name: string | null; readonly value: () => string }
}

/** A magic word or parser function. */
export interface WikiFunction {
  /** As `data-mw` names it. */
  readonly key: string
  /** Makes wikitext that is not expanded again; undefined where the braces are no such function after all. */
  readonly run: (call: FunctionCall) => string | undefined
}

/** Functions by name. */
export type FunctionTable = Readonly<Record<string, (call: FunctionCall) => string | undefined>>
