/** `wiki merge`: merges three files by words, without a wiki. */

import { resolve } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { renameFile, writeOutput } from '../../files/private-files.ts'
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
  readonly output?: string
}

export const mergeDriver: Command<DriverValues> = {
  summary: 'Merge driver of git, called for the files that .gitattributes names',
  details:
    'Set up by: wiki init --merge-driver. Writes the result over <mine>, or to a new file; exits with 1 if it contains conflict ' +
    'markers. Texts that cannot be merged by words are merged as git does alone, or left as they are with --output.',
  arguments: {
    '<base>': '%O',
    '<mine>': '%A',
    '<theirs>': '%B',
    '[path]': '%P',
  },
  options: [
    { flags: '--marker-size <n>', help: '%L, the length of the markers' },
    { flags: '--output <file>', help: 'file for the result, which exists only if it is whole' },
  ],
  guard: words => (words[4] === '--marker-size' ? [...words.slice(4), '--', ...words.slice(0, 4)] : words),
  examples: ['wiki merge-driver --output %A.out --marker-size %L -- %O %A %B'],
  async run(context, [base = '', mine = '', theirs = ''], { markerSize, output }) {
    const { cwd } = context.io
    const size = Number(markerSize ?? 7)
    const options = {
      labels: { mine: 'ours', theirs: 'theirs' },
      markerSize: size > 0 && size < 1000 ? Math.floor(size) : 7,
    }
    let conflicts: number
    try {
      const { mergeFiles } = await import('../../operations/merge-files.ts')
      const read = (file: string) => readBytes(context, file)
      const merged = mergeFiles(await read(base), await read(mine), await read(theirs), options)
      const target = resolve(cwd, output ?? mine)
      writeOutput(`${target}.new`, merged.text)
      renameFile(`${target}.new`, target)
      conflicts = merged.conflicts
    } catch (error) {
      if (output !== undefined) throw error
      // The caller is git, by a setting of an earlier version: it takes a failure for a conflict that is marked in the file.
      const { mergeAsGit } = await import('../../operations/merge-files.ts')
      conflicts = mergeAsGit(cwd, [mine, base, theirs], options.markerSize)
    }
    if (conflicts > 0) context.answer(1)
  },
}
