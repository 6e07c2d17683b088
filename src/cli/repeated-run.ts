/** A second run of a command whose index turned out to be damaged in the first one. */

import { isWikiError, WikiError } from '../core/errors.ts'
import type { Context } from './context.ts'
import type { Input } from './terminal/io.ts'

/** Input that can be read again from its beginning. */
export interface RepeatedInput extends Input {
  /** Begins again; false if a part of it is gone, because it was read in chunks. */
  readonly restart: () => boolean
}

/** Remembers what is read from an input, except for chunks, of which there may be gigabytes. */
export function repeatedInput(input: Input): RepeatedInput {
  let all: Promise<Uint8Array> | undefined
  let isSpent = false
  const lines: Promise<string>[] = []
  let next = 0
  return {
    get isTTY() {
      return input.isTTY
    },
    bytes() {
      all ??= input.bytes()
      return all
    },
    chunks() {
      isSpent = true
      return input.chunks()
    },
    line() {
      if (next === lines.length) lines.push(input.line())
      return lines[next++] as Promise<string>
    },
    restart() {
      next = 0
      return !isSpent
    },
  }
}

/**
 * Runs a command. If the index is damaged, rebuilds it, and runs the command once more if that is the same as a first run: nothing was
 * written or printed, no editor was open, and the input can be read again. Errors: those of the command; wiki-saved-unread if it had written.
 */
export async function runRepeatedly(context: Context, input: RepeatedInput, run: () => Promise<void>): Promise<void> {
  try {
    return await run()
  } catch (error) {
    if (!isWikiError(error, 'wiki-index-damaged')) throw error
    const { store } = await context.wiki()
    await store.rebuild()
    const written = await store.lastWritten()
    if (written !== null) throw new WikiError('wiki-saved-unread', { params: [written], cause: error })
    if (context.hasPrinted || context.draft !== undefined || !input.restart())
      throw new WikiError('wiki-index-damaged', { hint: 'It is rebuilt: run the command again', cause: error })
  }
  await run()
}
