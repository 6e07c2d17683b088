/** `wiki page get`: prints the text of a page. */

import { WikiError } from '../../../core/errors.ts'
import { pageRoute, withoutHost } from '../../../operations/resources/routes.ts'
import { sharedOptions } from '../../arguments/options.ts'
import { revisionOfPage } from '../../arguments/revision-of-page.ts'
import type { Command } from '../../command.ts'
import type { Context } from '../../context.ts'
import { withDeletion } from '../../deletion-notice.ts'
import { asksHtml, type HtmlValues, htmlOptions, printHtml, serverOf } from '../../render/html.ts'
import { printSource } from '../../render/source.ts'

interface Values extends HtmlValues {
  readonly meta?: boolean
  readonly at?: string
  readonly redirect?: boolean
  readonly work?: boolean
}

export const pageGet: Command<Values> = {
  summary: 'Print the source of a page',
  details: '`wiki page <title>` is short for it; scripts should write `page get`.',
  arguments: { '<title>': 'title of the page, with its namespace: "Talk:Main Page"' },
  options: [
    { flags: '--meta', help: 'metadata of the page, without its source (JSON)' },
    ...htmlOptions,
    { flags: '--no-redirect', help: 'render a redirect itself, not its target' },
    { flags: '--at <revision>', help: 'the page as it was then (wiki help revisions)' },
    { flags: '--work', help: 'the current file in the work tree, committed or not' },
    sharedOptions.output,
    sharedOptions.baseUrl,
  ],
  examples: ['wiki page get "Main Page"', 'wiki page get "Main Page" --at "Main Page@prev" -o old.wiki'],
  completes: 'titles',
  paged: true,
  async run(context, [title = ''], values) {
    if (values.work) return printWork(context, title, values)
    if (asksHtml(values)) return printRendered(context, title, values)
    if (values.at !== undefined) return printThen(context, title, values.at, values)
    const { readPage, readPageBare } = await import('../../../operations/read-page.ts')
    const query = { title, base: context.base }
    if (values.meta) return context.printJson(await readPageBare(await context.snapshot(), query))
    const page = await readPage(await context.snapshot(), query)
    await printSource(context, page, values.output)
    const target = page.redirect_target?.split('/').at(-1)
    if (target !== undefined) await context.say(`"${page.title}" redirects to "${titleOfSegment(target)}"`)
  },
}

/** Prints the file in the work tree, as source or rendered. */
async function printWork(context: Context, title: string, values: Values): Promise<void> {
  if (values.at !== undefined || values.meta)
    throw new WikiError('wiki-usage', { params: ['--work goes with neither --at nor --meta'] })
  const { readWorkPage } = await import('../../../operations/work-tree/work-page.ts')
  const { sourceOfFile } = await import('../../../operations/resources/source.ts')
  const wiki = await context.snapshot()
  await wiki.store.refresh()
  const { text, model, ...page } = await readWorkPage(wiki.store, title)
  const object = { ...page, content_model: model }
  if (!asksHtml(values)) return printSource(context, { ...object, source: sourceOfFile(text) }, values.output)
  const { renderText } = await import('../../../operations/render-page.ts')
  const { flavor } = values
  const query = { ...(flavor !== undefined && { flavor }), server: serverOf(context) }
  const { html } = await renderText(wiki, { text, model, title: page.title }, query)
  await printHtml(context, { object, html }, values)
}

async function printRendered(context: Context, title: string, values: Values): Promise<void> {
  const { findRedirect, renderPage, renderRevision } = await import('../../../operations/render-page.ts')
  const wiki = await context.snapshot()
  const { flavor } = values
  const query = { ...(flavor !== undefined && { flavor }), server: serverOf(context) }
  if (values.at !== undefined) {
    const { revision, html } = await renderRevision(wiki, {
      ...query,
      id: await revisionOfPage(wiki, values.at, title),
    })
    return printHtml(context, { object: revision, html }, values)
  }
  // Follows one redirect, as clients of the API do.
  const { redirect } = await findRedirect(wiki, { title })
  const follows = values.redirect !== false
  const { page, html } = await renderPage(wiki, { ...query, title: (follows ? redirect : null) ?? title })
  const rest = follows || redirect === null ? {} : { redirect_target: routeOfTarget(context, redirect, values) }
  await printHtml(context, { object: { ...page, ...rest }, html }, values)
}

/** The route of a redirect's target, for the same request. */
function routeOfTarget({ base }: Context, target: string, { flavor }: HtmlValues): string {
  const query = new URLSearchParams({ ...(flavor !== undefined && { flavor }), redirect: 'no' })
  return `${withoutHost(pageRoute(base, target, '/with_html'))}?${query}`
}

const titleOfSegment = (segment: string): string => decodeURIComponent(segment).replaceAll('_', ' ')

async function printThen(context: Context, title: string, at: string, values: Values): Promise<void> {
  const { readRevision, readRevisionBare } = await import('../../../operations/read-revision.ts')
  const wiki = await context.snapshot()
  const id = await revisionOfPage(wiki, at, title)
  if (values.meta)
    return context.printJson(await withDeletion(context, await readRevisionBare(wiki, { id, base: context.base })))
  await printSource(context, await withDeletion(context, await readRevision(wiki, { id })), values.output)
}
