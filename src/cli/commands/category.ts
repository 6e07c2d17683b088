/** `wiki category`: the members of a category. */

import type { CategoryMember } from '../../operations/link-lists.ts'
import { sharedOptions } from '../arguments/options.ts'
import type { Command } from '../command.ts'
import { type Column, printList } from '../render/table.ts'

interface Values {
  readonly limit?: string
  readonly nul?: boolean
  readonly exitCode?: boolean
}

export const category: Command<Values> = {
  summary: 'List the members of a category',
  details:
    'Markdown pages belong to the categories named by the tags in their front matter. Sub-categories come first.',
  arguments: { '<name>': 'its name, with or without its namespace' },
  options: [sharedOptions.limit, sharedOptions.nul, sharedOptions.exitCode],
  examples: ['wiki category Bridges', 'wiki category "Category:Bridges" -z | xargs -0 -n1 wiki page get'],
  paged: true,
  async run(context, [name = ''], values) {
    const { categoryBody, categoryMembers } = await import('../../operations/link-lists.ts')
    const { boundedInteger } = await import('../../operations/resources/params.ts')
    const { encodeSegment, partLimit, partRoute } = await import('../../operations/resources/routes.ts')
    const wiki = await context.snapshot()
    const limit =
      values.limit === undefined ? 1_000_000_000 : boundedInteger('limit', values.limit, { min: 1, max: 1_000_000_000 })
    const part = await categoryMembers(wiki, { name, limit })
    const { members } = part
    const route = `${context.base}/category/${encodeSegment(name)}`
    const list = {
      body: categoryBody(part, partRoute(route, { limit: partLimit(limit) }, part.next)),
      items: members,
      columns,
      none: 'No member found',
    }
    await printList(context, list, { nul: values.nul === true })
    if (members.length === 0 && values.exitCode) context.answer(1)
  },
}

const columns: readonly Column<CategoryMember>[] = [
  { title: 'Title', names: 'title', value: ({ title }) => title, least: 20 },
  { title: 'Kind', style: 'dim', value: ({ kind }) => kind },
  { title: 'By template', names: 'title', style: 'dim', value: ({ through }) => through ?? '' },
]
