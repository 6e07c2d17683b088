/** `wiki convert`: converts a text from one format to another. */

import { resolve } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { writeOutput } from '../../files/private-files.ts'
import type { Wiki } from '../../operations/wiki.ts'
import { sharedOptions } from '../arguments/options.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'

interface Values {
  readonly title?: string
  readonly original?: string
  readonly output?: string
}

/** A text to convert, with its context. */
interface Job {
  readonly text: string
  readonly title: string | undefined
  /** The wikitext that the HTML was made from. */
  readonly original: string | undefined
}

type Conversion = (wiki: Wiki, job: Job) => Promise<string>

/** Conversions, by source and target format. */
const conversions: Readonly<Record<string, Conversion>> = {
  'html wikitext': htmlToWikitext,
  'wikitext html': (wiki, job) => toHtml(wiki, job, 'wikitext'),
  'markdown html': (wiki, job) => toHtml(wiki, job, 'markdown'),
  'wikitext markdown': async (wiki, { text, title }) => {
    const { wikitextToMarkdown } = await import('../../operations/convert-markdown.ts')
    return wikitextToMarkdown(wiki, { text, title })
  },
  'html markdown': async (_, { text }) => {
    const { htmlToMarkdown } = await import('../../operations/convert-markdown.ts')
    return htmlToMarkdown(text)
  },
  'markdown wikitext': async (wiki, job) => htmlToWikitext(wiki, { ...job, text: await toHtml(wiki, job, 'markdown') }),
}

export const convert: Command<Values> = {
  summary: 'Convert a text between wikitext, HTML and Markdown',
  details:
    'Reads stdin if no file is named. HTML made by wiki becomes the wikitext it was made from; with --original, what has ' +
    'not changed keeps its source, byte for byte. ' +
    'Markdown is made from the page as readers see it: templates are expanded, links to pages are relative ' +
    '(./Tide_times), references become footnotes; categories and the layout of tables are left out. ' +
    'Outside a repository it works with the default settings, without templates and files.',
  arguments: {
    '<from>': 'html, wikitext or markdown',
    '<to>': 'wikitext, html or markdown',
    '[file]': 'the text (default: stdin)',
  },
  options: [
    { flags: '--title <title>', help: 'title of the page that the text belongs to (default: the main page)' },
    { flags: '--original <file>', help: 'the wikitext that the HTML was made from' },
    sharedOptions.output,
  ],
  examples: [
    'wiki convert html wikitext page.html',
    'wiki convert wikitext html --title "Main Page" < draft.wiki > draft.html',
    'wiki convert markdown wikitext README.md -o readme.wiki',
    'wiki convert wikitext markdown Tide_times.wiki --title "Tide times"',
  ],
  async run(context, [from = '', to = '', file = '-'], { title, original, output }) {
    const conversion = conversionOf(from, to)
    if (original !== undefined && to !== 'wikitext') {
      throw new WikiError('wiki-usage', { params: ['--original is for conversions to wikitext'] })
    }
    const text = await readText(context, file)
    const source = original === undefined ? undefined : await readText(context, original)
    const converted = await conversion(await context.snapshotForText(), { text, title, original: source })
    // A pipe gets the exact bytes; a terminal gets a final line feed.
    const ending = context.io.stdout.isTTY && !converted.endsWith('\n') ? '\n' : ''
    if (output === undefined) await context.print(converted + ending)
    else writeOutput(resolve(context.io.cwd, output), converted)
  },
}

function conversionOf(from: string, to: string): Conversion {
  const name = `${from} ${to}`
  if (Object.hasOwn(conversions, name)) return conversions[name]!
  const hint = `It can convert: ${Object.keys(conversions).join(', ')}`
  throw new WikiError('wiki-usage', { params: [`Nothing converts ${from} to ${to}`], hint })
}

async function readText(context: Context, file: string): Promise<string> {
  const { longestText, readBytes } = await import('../draft.ts')
  const { decode } = await import('../editor.ts')
  return decode(await readBytes(context, file, longestText), file === '-' ? 'stdin' : file)
}

async function htmlToWikitext(wiki: Wiki, { text, title, original }: Job): Promise<string> {
  const { transformToWikitext } = await import('../../operations/convert-html.ts')
  const source = original === undefined ? undefined : { source: original }
  return transformToWikitext(wiki, { html: text, title, original: source })
}

async function toHtml(wiki: Wiki, { text, title }: Job, model: 'wikitext' | 'markdown'): Promise<string> {
  const { renderText } = await import('../../operations/render-page.ts')
  const about = { text, model, title: title ?? wiki.store.config.mainPage }
  const flavor = model === 'wikitext' ? 'edit' : 'view'
  return (await renderText(wiki, about, { flavor })).html
}
