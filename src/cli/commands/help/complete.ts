/** `wiki __complete`: called by the completion scripts of shells. */

import type { Command } from '../../command.ts'
import { completeWord } from '../../completion.ts'

export const complete: Command = {
  summary: 'Print what the last word may become',
  arguments: { '[words...]': 'the command line so far, without `wiki`' },
  examples: ['wiki __complete -- page get Ma'],
  async run(context, words) {
    // An error message must never be printed into the command line being typed.
    const found = await completeWord(context, words).catch(() => [])
    await context.print(found.map(word => `${word}\n`).join(''))
  },
}
