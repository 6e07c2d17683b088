/** `wiki check`: what is wrong with the wiki, or what a change makes wrong. Answers with its status. */

import type { WikiProblem } from '../../operations/check-wiki.ts'
import type { Command } from '../command.ts'
import { type GateValues, isGate } from '../gate-arguments.ts'
import { type Column, printList } from '../render/table.ts'

interface Values extends GateValues {
  readonly rebuild?: boolean
}

export const check: Command<Values> = {
  summary: 'Look for problems of the wiki, or for those that a change brings; exit with 1 if there are any',
  details:
    'Without options: colliding titles, broken redirects, overgrown folders and lost edits.\n' +
    'With --since, --range, --staged or --work: problems that the newer state has and the older one has not, in texts too; --all lists ' +
    'those of the whole wiki. docs/reference/checks.md describes each kind. Exit status 0: none at or above --fail-on; 1: some; 2: it cannot tell.',
  options: [
    { flags: '--rebuild', help: 'delete the index and build it again first' },
    { flags: '--since <git-rev>', help: 'what HEAD has brought since it left that branch or commit' },
    { flags: '--range <A...B>', help: 'what B has brought since it left A; A..B compares the two as they are' },
    { flags: '--staged', help: 'what is staged for the next commit of git' },
    { flags: '--work', help: 'what lies in the work tree' },
    { flags: '--all', help: 'all problems of the whole wiki, in texts too' },
    {
      flags: '--format <format>',
      help: 'text, json, sarif, junit, github, gitlab, rdjson or markdown; format=file writes a file; may be repeated',
      repeats: true,
      offers: ['text', 'json', 'sarif', 'junit', 'github', 'gitlab', 'rdjson', 'markdown'],
    },
    { flags: '-o, --output <file>', help: 'write the result to a file' },
    {
      flags: '--fail-on <severity>',
      help: 'least severity that fails (default: warning)',
      choices: ['note', 'warning', 'error'],
    },
    { flags: '--baseline <file>', help: 'old problems that pass (default: wiki-baseline.json, if it is there)' },
    { flags: '--update-baseline', help: 'write what is found into the baseline, and pass' },
    { flags: '--prune', help: 'take what is mended out of the baseline' },
  ],
  examples: [
    'wiki check',
    'wiki check --rebuild --json',
    'wiki check --since origin/main --format github --format sarif=wiki.sarif',
    'wiki check --staged',
    'wiki check --all --update-baseline',
  ],
  paged: true,
  async run(context, _, values) {
    if (isGate(values)) return (await import('../gate.ts')).runGate(context, values)
    const { checkWiki } = await import('../../operations/check-wiki.ts')
    const body = await checkWiki(await context.wiki(), { rebuild: values.rebuild })
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
