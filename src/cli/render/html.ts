/** Prints a rendered page or revision. */

import { resolve } from 'node:path'
import { escapeControls } from '../../core/control-characters.ts'
import { WikiError } from '../../core/errors.ts'
import { writeOutput } from '../../files/private-files.ts'
import type { OptionRow } from '../arguments/options.ts'
import type { Context } from '../context.ts'

export interface HtmlValues {
  readonly html?: boolean
  readonly withHtml?: boolean
  readonly flavor?: 'view' | 'edit'
  readonly output?: string
}

/** Options of the commands that render. */
export const htmlOptions: readonly OptionRow[] = [
  { flags: '--html', help: 'as HTML' },
  { flags: '--with-html', help: 'its metadata, with the HTML (JSON)' },
  {
    flags: '--flavor <flavor>',
    help: 'HTML for reading, or for conversion back to wikitext',
    choices: ['view', 'edit'],
  },
]

/** Returns true if HTML was requested. Throws `wiki-usage` for options that require it or contradict each other. */
export function asksHtml({ html, withHtml, flavor, meta }: HtmlValues & { readonly meta?: boolean }): boolean {
  if (meta && (html || withHtml)) throw usage('--meta and --html exclude each other')
  if (flavor !== undefined && !html && !withHtml) throw usage('--flavor requires --html or --with-html')
  return html === true || withHtml === true
}

function usage(sentence: string): WikiError {
  return new WikiError('wiki-usage', { params: [sentence] })
}

/** Returns the scheme and host of the API, which URLs in the HTML start with. */
export function serverOf({ base }: Context): string {
  return URL.canParse(base) ? new URL(base).origin : base
}

/** Prints HTML, or the object that contains it; to a file if one is given. */
export async function printHtml(
  context: Context,
  { object, html }: { readonly object: object; readonly html: string },
  { withHtml, output }: HtmlValues,
): Promise<void> {
  const isJson = withHtml === true || context.options.json === true
  const result = isJson ? `${JSON.stringify({ ...object, html })}\n` : html.endsWith('\n') ? html : `${html}\n`
  if (output !== undefined && output !== '-') return writeOutput(resolve(context.io.cwd, output), result)
  await context.print(isJson && context.io.stdout.isTTY ? escapeControls(result, 'json') : result)
}
