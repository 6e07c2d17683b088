/** Type of a command: data for the parser, the help and the completion, and one function. */

import type { OptionRow } from './arguments/options.ts'
import type { Context } from './context.ts'

/** Values as commander gives them; each command names its own. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export interface Command<Values = OptionValues> {
  /** One line, for lists of commands. */
  readonly summary: string
  /** Text that `--help` shows after the summary. */
  readonly details?: string
  /** Commander's notation (`<title>`, `[to]`, `<title...>`) to help text. */
  readonly arguments?: Readonly<Record<string, string>>
  readonly options?: readonly OptionRow[]
  /** Command lines that can be pasted. */
  readonly examples: readonly string[]
  /** Completions of the arguments. */
  readonly completes?: 'titles' | readonly string[]
  /** True if long output on a terminal goes through the pager. */
  readonly paged?: boolean
  /** True if others edit through this command. */
  readonly byServer?: boolean
  /** `args` are the typed arguments, without gaps. Modules of operations are imported inside, when they are needed. */
  run(context: Context, args: readonly string[], values: Values): Promise<void>
}
