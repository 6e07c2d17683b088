/** `wiki check`: what is wrong with the wiki. Answers with its status. */

import type { WikiProblem } from '../../operations/check-wiki.ts'
import type { Command } from '../command.ts'
import { type Column, printList } from '../render/table.ts'

interface Values {
  readonly rebuild?: boolean
}

export const check: Command<Values> = {
  summary:
    'Look for colliding titles, broken redirects, overgrown folders and lost edits; exit with 1 if there are any',
  options: [{ flags: '--rebuild', help: 'delete the index and build it again first' }],
  examples: ['wiki check', 'wiki check --rebuild --json'],
  paged: true,
  async run(context, _, { rebuild }) {
    const { checkWiki } = await import('../../operations/check-wiki.ts')
    const body = await checkWiki(await context.wiki(), { rebuild })
    if (body.problems.length > 0) context.answer(1)
    await printList(context, { body, items: body.problems, columns, none: 'No problems' })
  },
}

const columns: readonly Column<WikiProblem>[] = [
  { title: 'Kind', style: 'red', value: problem => problem.kind },
  { title: 'Path', value: problem => problem.path },
  { title: 'Title', value: problem => problem.title ?? '' },
  { title: 'Problem', value: problem => problem.message },
]
