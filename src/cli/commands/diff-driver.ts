/** `wiki diff-driver`: replaces the comparison of `git diff` and `git show`. See docs/cli.md. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { formatComparison } from '../render/comparison.ts'
import { visibleLine } from '../render/text.ts'
import { colourLevel } from '../terminal/colour.ts'

/** Maximum size of a compared file, in bytes. */
const largestFile = 64 * 1024 * 1024

export const diffDriver: Command = {
  summary: 'Diff driver of git, called for the files that .gitattributes names',
  arguments: { '<parameters...>': 'path, old file, old hash, old mode, new file, new hash, new mode' },
  examples: ['git config diff.wiki.command "wiki diff-driver"'],
  async run(context, [path = '', oldFile = '', , , newFile = '']) {
    const { compareFiles } = await import('../../operations/compare-files.ts')
    const { io, options } = context
    const read = (file: string): Buffer => {
      const bytes = file === '/dev/null' ? Buffer.alloc(0) : readFileSync(resolve(io.cwd, file))
      return bytes.length > largestFile ? Buffer.from('(too large to compare)\n') : bytes
    }
    const comparison = compareFiles(read(oldFile), read(newFile))
    const paint = await context.paint()
    const name = visibleLine(path)
    await context.print(`${paint.bold(`--- ${oldFile === '/dev/null' ? 'nothing' : name}`)}\n`)
    await context.print(`${paint.bold(`+++ ${newFile === '/dev/null' ? 'nothing' : name}`)}\n`)
    await context.print(formatComparison(comparison, paint, colourLevel(io.stdout, io.env, options.color) > 0))
  },
}
