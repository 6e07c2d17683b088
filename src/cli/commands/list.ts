/** `wiki list`: lists pages and titles by their links. */

import { WikiError } from '../../core/errors.ts'
import type { LinkListName, ListMember } from '../../operations/link-lists.ts'
import { namespaceIds } from '../arguments/namespaces.ts'
import { sharedOptions } from '../arguments/options.ts'
import type { Command } from '../command.ts'
import { type Column, printList } from '../render/table.ts'

interface Values {
  readonly namespace?: string
  readonly limit?: string
  readonly nul?: boolean
  readonly exitCode?: boolean
  readonly [list: string]: unknown
}

/** Help text of each list, by the option that selects it. */
const listHelp: Readonly<Record<LinkListName, string>> = {
  orphans: 'pages that no other page links to',
  'dead-ends': 'pages that link to no other page',
  wanted: 'titles without a page that pages link to',
  'wanted-files': 'files that pages show but that do not exist',
  'wanted-templates': 'templates that pages use but that do not exist',
  'wanted-categories': 'categories of pages without a page of their own',
  uncategorized: 'pages in no category',
  'unused-files': 'files that no page shows or links to',
  'unused-templates': 'templates that no page uses',
  'double-redirects': 'redirects that lead to a redirect',
  'broken-redirects': 'redirects that lead to no page',
  'most-linked': 'pages by the number of pages that link to them',
  longest: 'pages by their size, the largest first',
  shortest: 'pages by their size, the smallest first',
}

export const list: Command<Values> = {
  summary: 'List orphaned, wanted, uncategorized and other pages',
  details:
    'One list at a time, named by its option or as a word: wiki list orphans. The number after a title is the number of pages that link to it, or its size in bytes.',
  arguments: { '[list]': 'name of the list' },
  options: [
    ...Object.entries(listHelp).map(([name, help]) => ({ flags: `--${name}`, help })),
    {
      flags: '--namespace <name>',
      help: 'pages of one namespace: its name or its number (0, that of articles, unless given)',
    },
    sharedOptions.limit,
    sharedOptions.nul,
    sharedOptions.exitCode,
  ],
  examples: ['wiki list --orphans', 'wiki list --wanted -n 20', 'wiki list double-redirects --exit-code'],
  paged: true,
  async run(context, [word], values) {
    const { listBody, listByLinks } = await import('../../operations/link-lists.ts')
    const { boundedInteger, optionalInteger } = await import('../../operations/resources/params.ts')
    const { partLimit, partRoute } = await import('../../operations/resources/routes.ts')
    const wiki = await context.snapshot()
    const namespace = optionalInteger('namespace', await namespaceIds(wiki, values.namespace))
    const limit =
      values.limit === undefined ? 1_000_000_000 : boundedInteger('limit', values.limit, { min: 1, max: 1_000_000_000 })
    const part = await listByLinks(wiki, { list: nameOf(word, values), namespace, limit })
    const { list, members, total, counts } = part
    const query = { namespace, limit: partLimit(limit) }
    const shown = {
      body: listBody(part, partRoute(`${context.base}/lists/${list}`, query, part.next)),
      items: members,
      columns: columnsOf(counts),
      none: 'None',
    }
    await printList(context, shown, { nul: values.nul === true })
    if (total === 0 && values.exitCode) context.answer(1)
    if (total > members.length) await context.say(`${members.length} of ${total}`)
  },
}

function nameOf(word: string | undefined, values: Values): string {
  const asked = Object.keys(listHelp).filter(
    name => values[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())] === true,
  )
  const names = word === undefined ? asked : [word, ...asked]
  if (names.length === 1) return names[0] as string
  const hint = `Lists: ${Object.keys(listHelp).join(', ')}`
  throw new WikiError('wiki-usage', {
    params: [names.length === 0 ? 'The name of a list is missing' : 'Only one list can be named'],
    hint,
  })
}

function columnsOf(counts: 'pages' | 'bytes' | null): readonly Column<ListMember>[] {
  return [
    { title: 'Title', names: 'title', value: ({ title }) => title, least: 20 },
    ...(counts === null
      ? []
      : [
          {
            title: counts === 'pages' ? 'Pages' : 'Bytes',
            align: 'right' as const,
            value: ({ rank }: ListMember) => String(rank),
          },
        ]),
    { title: 'Redirects to', style: 'dim', value: ({ target }) => target ?? '' },
  ]
}
