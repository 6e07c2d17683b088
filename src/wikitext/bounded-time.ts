/** Work of other libraries that takes nobody knows how long, ended when its time is over. */

import { type Context, createContext, Script } from 'node:vm'

/** Runs what another library does, which may take for ever; undefined if it takes longer than the page has time. */
export type InTime = <Result>(work: () => Result) => Result | undefined

const call = new Script('work()')
let context: Context | null = null

/**
 * Returns what `work` gives, or undefined where it was not done after this many milliseconds: it is ended then, also in the
 * middle of a regular expression that backtracks. It must not wait for anything, and leave nothing half done that is used again.
 */
export function withinTime<Result>(milliseconds: number, work: () => Result): Result | undefined {
  if (milliseconds < 1) return undefined
  context ??= createContext({})
  context.work = work
  try {
    return call.runInContext(context, { timeout: Math.floor(milliseconds) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    context.work = null
  }
}
