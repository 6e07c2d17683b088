/** `wiki help`: shows help on a command or topic. */

import type { Command } from '../../command.ts'

export const help: Command = {
  summary: 'Explain a command or a topic',
  arguments: {
    '[words...]': 'a command (page move) or a topic: commands, options, environment, exit-codes, revisions, json',
  },
  examples: ['wiki help page move', 'wiki help exit-codes'],
  async run(context, words) {
    const { helpOn } = await import('../../help.ts')
    await context.print(await helpOn(words, context.io))
  },
}
