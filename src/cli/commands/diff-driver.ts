/** `wiki diff-driver`: replaces the comparison of `git diff` and `git show`. See docs/cli.md. */

import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import type { Command } from '../command.ts'
import { formatComparison } from '../render/comparison.ts'
import { visibleLine } from '../render/text.ts'
import { colourLevel } from '../terminal/colour.ts'

/** Maximum size of a compared file, in bytes. */
const largestFile = 64 * 1024 * 1024

export const diffDriver: Command = {
  summary: 'Diff driver of git, called for the files that .gitattributes names',
  details: 'Set up by: wiki init --diff-driver.',
  arguments: { '<parameters...>': 'path, old file, old hash, old mode, new file, new hash, new mode' },
  // A renamed file has its new name and git's lines about the rename in two words more.
  guard: words => (words.length === 7 || words.length === 9 ? ['--', ...words] : words),
  examples: ['wiki diff-driver -- A.wiki old - 100644 new - 100644'],
  async run(context, [path = '', oldFile, , , newFile]) {
    if (oldFile === undefined || newFile === undefined) return context.print(`* Unmerged path ${visibleLine(path)}\n`)
    const { compareFiles } = await import('../../operations/compare-files.ts')
    const { io, options } = context
    const read = (file: string): Buffer => {
      const bytes = file === '/dev/null' ? Buffer.alloc(0) : readFileSync(resolve(io.cwd, file))
      // The caller then shows git's own comparison.
      if (bytes.length > largestFile || !isUtf8(bytes) || bytes.includes(0))
        throw new WikiError('wiki-usage', {
          params: [`Not a text that can be compared by words: ${visibleLine(path)}`],
        })
      return bytes
    }
    const comparison = compareFiles(read(oldFile), read(newFile))
    const paint = await context.paint()
    const name = visibleLine(path)
    await context.print(`${paint.bold(`--- ${oldFile === '/dev/null' ? 'nothing' : name}`)}\n`)
    await context.print(`${paint.bold(`+++ ${newFile === '/dev/null' ? 'nothing' : name}`)}\n`)
    await context.print(formatComparison(comparison, paint, colourLevel(io.stdout, io.env, options.color) > 0))
  },
}
