/** `wiki merge`: merges three files by words, without a wiki. */

import { resolve } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { writeOutput } from '../../files/private-files.ts'
import type { Command } from '../command.ts'
import { readBytes } from '../draft.ts'

interface Values {
  readonly output?: string
  readonly by?: 'words' | 'lines'
  readonly marks?: boolean
}

export const merge: Command<Values> = {
  summary: 'Merge two texts that were both edited from a third',
  details:
    'Prints the merged text. If both changed the same words, nothing is printed and the exit status is 3; with --marks ' +
    'the text is printed with conflict markers, like those of git.',
  arguments: { '<files...>': 'three files: the common base, one edit, the other edit (- is stdin)' },
  options: [
    {
      flags: '--by <unit>',
      help: 'unit in which changes of both sides conflict (default: words)',
      choices: ['words', 'lines'],
    },
    { flags: '--marks', help: 'print the text even if there are conflicts, with conflict markers' },
  ],
  examples: ['wiki merge old.wiki mine.wiki theirs.wiki > merged.wiki'],
  async run(context, files, { by = 'words', marks = false }) {
    const [base, mine, theirs] = files
    if (base === undefined || mine === undefined || theirs === undefined || files.length > 3)
      throw new WikiError('wiki-usage', { params: ['Three files are needed: base, mine, theirs'] })
    const { mergeFiles } = await import('../../operations/merge-files.ts')
    const [baseBytes, mineBytes, theirsBytes] = [
      await readBytes(context, base),
      await readBytes(context, mine),
      await readBytes(context, theirs),
    ]
    const labels = context.options.json ? { mine: 'mine', theirs: 'theirs' } : { mine, theirs }
    const { text, conflicts } = mergeFiles(baseBytes, mineBytes, theirsBytes, { by, labels })
    if (context.options.json) await context.printJson({ merged: conflicts === 0, conflicts, text })
    else if (conflicts === 0 || marks) await context.print(text)
    if (conflicts > 0)
      throw new WikiError('wiki-merge-conflict', { params: [conflicts], hint: marks ? '' : 'Show them: --marks' })
  },
}

interface DriverValues {
  readonly markerSize?: string
}

export const mergeDriver: Command<DriverValues> = {
  summary: 'Merge driver of git, called for the files that .gitattributes names',
  details:
    'Set up by: wiki init --merge-driver. Writes the result over <mine>; exits with 1 if it contains conflict markers.',
  arguments: {
    '<base>': '%O',
    '<mine>': '%A',
    '<theirs>': '%B',
    '[path]': '%P',
  },
  options: [{ flags: '--marker-size <n>', help: '%L, the length of the markers' }],
  examples: ['git config merge.wiki.driver "wiki merge-driver %O %A %B %P --marker-size %L"'],
  async run(context, [base = '', mine = '', theirs = ''], { markerSize }) {
    const { mergeFiles } = await import('../../operations/merge-files.ts')
    const size = Number(markerSize ?? 7)
    const { text, conflicts } = mergeFiles(
      await readBytes(context, base),
      await readBytes(context, mine),
      await readBytes(context, theirs),
      { labels: { mine: 'ours', theirs: 'theirs' }, markerSize: size > 0 && size < 1000 ? Math.floor(size) : 7 },
    )
    writeOutput(resolve(context.io.cwd, mine), text)
    if (conflicts > 0) context.answer(1)
  },
}
