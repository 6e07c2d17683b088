/** Prints the source of a page or revision. */

import { resolve } from 'node:path'
import { writeOutput } from '../../files/private-files.ts'
import type { Context } from '../context.ts'
import { visible } from './text.ts'

/**
 * Prints a page's source, or with `--json` the object that contains it; to a file if one is given.
 *
 * The text ends with a line feed, as its file in git does; `source` in JSON does not.
 */
export async function printSource(context: Context, body: { readonly source: string }, file?: string): Promise<void> {
  const text = body.source === '' ? '' : `${body.source}\n`
  const result = context.options.json ? `${JSON.stringify(body)}\n` : text
  if (file !== undefined && file !== '-') return writeOutput(resolve(context.io.cwd, file), result)
  if (context.options.json || !context.io.stdout.isTTY) return context.print(result)
  await context.print(visible(result))
}
