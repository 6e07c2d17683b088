/** `wiki __complete`: called by the shells' completion scripts. */

import type { Command } from '../../command.ts'
import { completeWord } from '../../completion.ts'

export const complete: Command = {
  summary: 'Print what the last word may become',
  arguments: { '[words...]': 'the command line so far, without `wiki`' },
  examples: ['wiki __complete -- page get Ma'],
  async run(context, words) {
    // Whatever goes wrong, a key press must not print an error into the command line.
    const found = await completeWord(context, words).catch(() => [])
    await context.print(found.map(word => `${word}\n`).join(''))
  },
}
