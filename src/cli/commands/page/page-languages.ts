/** `wiki page languages`: lists pages on the same topic in other languages. */

import type { PageLanguage } from '../../../operations/page-languages.ts'
import type { Command } from '../../command.ts'
import { type Column, printList } from '../../render/table.ts'

export const pageLanguages: Command = {
  summary: 'List the pages in other languages that a page links to',
  arguments: { '<title>': 'title of the page' },
  examples: ['wiki page languages "Main Page"'],
  completes: 'titles',
  paged: true,
  async run(context, [title = '']) {
    const { pageLanguages } = await import('../../../operations/page-languages.ts')
    const { asMissing } = await import('../../../operations/resources/find-page.ts')
    const wiki = await context.snapshot()
    const { languages } = await asMissing(title, () => pageLanguages(wiki, { title }))
    await printList(context, {
      body: languages,
      items: languages,
      columns,
      none: 'The page names none in another language',
    })
  },
}

const columns: readonly Column<PageLanguage>[] = [
  { title: 'Code', value: language => language.code },
  { title: 'Language', value: language => language.name },
  { title: 'Title', names: 'title', value: language => language.title },
]
