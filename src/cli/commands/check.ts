/** `wiki check`: reports problems of the wiki, or those that a change introduces. The exit status is the result. */

import type { WikiProblem } from '../../operations/check-wiki.ts'
import { checkFixValues, type FixValues, type GateValues, isGate } from '../arguments/gate-arguments.ts'
import { type OptionRow, sharedOptions } from '../arguments/options.ts'
import type { Command } from '../command.ts'
import { type Column, printList } from '../render/table.ts'

interface Values extends GateValues, FixValues {
  readonly rebuild?: boolean
}

/** Report formats, which `wiki lint` shares. */
export const formatOption: OptionRow = {
  flags: '--format <format>',
  help: 'text, json, sarif, junit, github, gitlab, rdjson or markdown; format=file writes a file; may be repeated',
  repeats: true,
  offers: ['text', 'json', 'sarif', 'junit', 'github', 'gitlab', 'rdjson', 'markdown'],
}

export const check: Command<Values> = {
  summary: 'Check the wiki, or a change to it, for problems; exit with 1 if there are any',
  details:
    'Without options: colliding titles, conflict copies, broken redirects, overgrown folders and lost edits. ' +
    'With --since, --range, --staged or --work: problems that the newer state has and the older one lacks, in texts as well; --all lists ' +
    'those of the whole wiki. docs/reference/checks.md describes each kind. Exit status 0: none at or above --fail-on; 1: some; 2: the check failed.',
  options: [
    { flags: '--rebuild', help: 'delete the index and build it again first' },
    { flags: '--since <git-rev>', help: 'changes on HEAD since its merge base with that branch or commit' },
    { flags: '--range <A...B>', help: 'changes on B since its merge base with A; A..B compares the two directly' },
    { flags: '--staged', help: 'changes staged for the next git commit' },
    { flags: '--work', help: 'files in the work tree' },
    { flags: '--all', help: 'all problems of the whole wiki, in texts as well' },
    formatOption,
    { flags: '-o, --output <file>', help: 'write the result to a file' },
    {
      flags: '--fail-on <severity>',
      help: 'lowest severity that fails the check (default: warning)',
      choices: ['note', 'warning', 'error'],
    },
    {
      flags: '--baseline <file>',
      help: 'file of known problems, which pass (default: wiki-baseline.json, for a change as the older state has it)',
    },
    { flags: '--update-baseline', help: 'write the problems found to the baseline, and pass' },
    { flags: '--prune', help: 'remove fixed problems from the baseline' },
    { flags: '--fix', help: 'apply all automatic fixes, in one commit' },
    sharedOptions.dryRun,
    sharedOptions.comment,
    sharedOptions.user,
  ],
  examples: [
    'wiki check',
    'wiki check --rebuild --json',
    'wiki check --since origin/main --format github --format sarif=wiki.sarif',
    'wiki check --staged',
    'wiki check --all --update-baseline',
    'wiki check --since origin/main --fix --dry-run',
  ],
  paged: true,
  async run(context, _, values) {
    checkFixValues(values)
    if (isGate(values)) return (await import('../gate.ts')).runGate(context, values)
    const { checkWiki } = await import('../../operations/check-wiki.ts')
    const body = await checkWiki(await context.wiki(), { rebuild: values.rebuild })
    if (body.problems.length > 0) context.answer(1)
    await printList(context, {
      body,
      items: body.problems,
      columns,
      none: 'No problems in names and redirects; wiki check --all reads the texts too',
    })
  },
}

const columns: readonly Column<WikiProblem>[] = [
  { title: 'Kind', style: 'red', value: problem => problem.kind },
  { title: 'Path', names: 'path', value: problem => problem.path },
  { title: 'Title', names: 'title', value: problem => problem.title ?? '' },
  { title: 'Problem', value: problem => problem.message },
]
