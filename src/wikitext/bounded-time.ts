/** Runs code of other libraries with a time limit. */

import { type Context, createContext, Script } from 'node:vm'

/** Runs a function of another library, which may never end; undefined if it exceeds the page's time. */
export type InTime = <Result>(work: () => Result) => Result | undefined

const call = new Script('work()')
let context: Context | null = null

/**
 * Returns the result of `work`, or undefined if it takes more than this many milliseconds: it is then stopped, even inside a
 * regular expression that backtracks. `work` must be synchronous, and must not leave shared state half changed.
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
