/** Type of a command: one function, and data for the parser, the help and shell completion. */

import type { OptionRow } from './arguments/options.ts'
import type { Context } from './context.ts'

/** Values as commander returns them. Each command types its own. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export interface Command<Values = OptionValues> {
  /** One line, for lists of commands. */
  readonly summary: string
  /** Text that `--help` shows after the summary. */
  readonly details?: string
  /** Puts `--` before the names in a command line of git's, where an earlier version has installed one without. */
  readonly guard?: (words: readonly string[]) => readonly string[]
  /** Help texts of the arguments, by commander's notation (`<title>`, `[to]`, `<title...>`). */
  readonly arguments?: Readonly<Record<string, string>>
  readonly options?: readonly OptionRow[]
  /** Command lines that can be pasted. */
  readonly examples: readonly string[]
  /** Completions of the arguments. */
  readonly completes?: 'titles' | readonly string[]
  /** True if long output on a terminal goes through the pager. */
  readonly paged?: boolean
  /** True if the command serves edits of other users. */
  readonly byServer?: boolean
  /** `args` are the typed arguments, without gaps. It imports modules of operations lazily, when they are needed. */
  run(context: Context, args: readonly string[], values: Values): Promise<void>
}
