/** `wiki page list`: lists the titles of the wiki. */

import type { PageListItem } from '../../../core/page.ts'
import { namespaceIds } from '../../arguments/namespaces.ts'
import { sharedOptions } from '../../arguments/options.ts'
import type { Command } from '../../command.ts'
import { type Column, printList } from '../../render/table.ts'
import { shortTime } from '../../render/text.ts'

interface Values {
  readonly prefix?: string
  readonly namespace?: string
  readonly redirects?: boolean
  readonly limit?: string
  readonly nul?: boolean
  readonly exitCode?: boolean
}

export const pageList: Command<Values> = {
  summary: 'List the pages in order of their titles',
  options: [
    { flags: '--prefix <text>', help: 'titles that begin with this, in any case' },
    { flags: '--namespace <name>', help: 'pages of one namespace: its name or its number (0 is that of articles)' },
    { flags: '--redirects', help: 'redirects only' },
    { flags: '--no-redirects', help: 'no redirects' },
    sharedOptions.limit,
    sharedOptions.nul,
    sharedOptions.exitCode,
  ],
  examples: ['wiki page list --prefix "Talk:"', 'wiki page list -z | xargs -0 -n1 wiki page get'],
  paged: true,
  async run(context, _, values) {
    const { listPages } = await import('../../../operations/list-pages.ts')
    const { boundedInteger, optionalInteger } = await import('../../../operations/resources/params.ts')
    const { partLimit, partRoute } = await import('../../../operations/resources/routes.ts')
    const { prefix, redirects } = values
    const wiki = await context.snapshot()
    const namespace = optionalInteger('namespace', await namespaceIds(wiki, values.namespace))
    const limit =
      values.limit === undefined ? undefined : boundedInteger('limit', values.limit, { min: 1, max: 1_000_000_000 })
    const { pages, total } = await listPages(wiki, { prefix, namespace, redirects, limit })
    const next = pages.length < total ? (pages.at(-1)?.key ?? null) : null
    const query = { prefix, namespace, redirects, limit: partLimit(limit) }
    const body = { pages, next: partRoute(`${context.base}/pages`, query, next) }
    const list = { body, items: pages, columns, none: 'No page found' }
    await printList(context, list, { nul: values.nul === true })
    if (total === 0 && values.exitCode) context.answer(1)
    if (total > pages.length) await context.say(`${pages.length} of ${total} pages`)
  },
}

const columns: readonly Column<PageListItem>[] = [
  { title: 'Title', names: 'title', value: page => page.title },
  { title: 'Revision', align: 'right', style: 'yellow', value: page => String(page.latest.id) },
  { title: 'Time (UTC)', value: ({ latest }) => latest.timestamp, people: ({ latest }) => shortTime(latest.timestamp) },
  { title: 'Bytes', align: 'right', value: page => String(page.size) },
  { title: 'Redirects to', names: 'title', style: 'dim', value: page => page.redirect ?? '' },
]
