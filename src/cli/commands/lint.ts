/** `wiki lint`: reports problems in wikitext. The exit status is the result. */

import { existsSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type * as LintTexts from '../../operations/lint-texts.ts'
import type { LintChoice, LintedText, LintSubject, LocatedLint } from '../../operations/lint-texts.ts'
import { requiredParam } from '../../operations/resources/params.ts'
import type { Wiki } from '../../operations/wiki.ts'
import { checkFixValues, type FixValues, usage } from '../arguments/gate-arguments.ts'
import { sharedOptions } from '../arguments/options.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { printLints } from '../render/lint.ts'
import { formatOption } from './check.ts'

interface Values extends FixValues {
  readonly all?: boolean
  readonly type?: string
  readonly format?: readonly string[]
  readonly output?: string
}

export const lint: Command<Values> = {
  summary: 'Find problems in wikitext; exit with 1 if there are any',
  details:
    'Without arguments it checks the pages edited in the work tree. Texts are read from the work tree if it has them. Files and stdin need no repository. docs/lint.md lists the problems.',
  arguments: { '[what...]': 'titles, files, or - for stdin' },
  options: [
    { flags: '--all', help: 'look at all pages' },
    { flags: '--type <types>', help: 'only these kinds of problem, separated by commas: missing-end-tag,obsolete-tag' },
    formatOption,
    sharedOptions.output,
    { flags: '--fix', help: 'apply all automatic fixes, in one commit' },
    sharedOptions.dryRun,
    sharedOptions.comment,
    sharedOptions.user,
  ],
  examples: [
    'wiki lint',
    'wiki lint "Main Page" --type stripped-tag',
    'wiki lint --all --json',
    'wiki lint - < draft.wiki',
    'wiki lint --all --type obsolete-tag --fix --dry-run',
  ],
  completes: 'titles',
  paged: true,
  async run(context, args, { all = false, type, ...values }) {
    checkFixValues(values)
    const { lintText, lintTypesParam } = await import('../../operations/lint-texts.ts')
    const types = lintTypesParam(type)
    if (args.includes('')) requiredParam('title', '')
    if (values.fix || values.format !== undefined || values.output !== undefined)
      return reportProblems(context, { types, args, all }, values)
    const wiki = await snapshotFor(context, args)
    const texts: LintedText[] = []
    for await (const subject of subjects(context, wiki, { args, all })) {
      const linted = await lintText(wiki, subject, types)
      if (linted.problems.length > 0) texts.push(linted)
    }
    const total = texts.reduce((sum, { problems }) => sum + problems.length, 0)
    if (total > 0) context.answer(1)
    if (context.options.jsonl)
      return context.print(
        records(texts)
          .map(record => `${JSON.stringify(record)}\n`)
          .join(''),
      )
    const isPage = args.length === 1 && !isFile(context, args[0] as string)
    if (context.options.json) return context.printJson(isPage ? texts.flatMap(lintBody) : { texts, total })
    await printLints(context, texts)
    if (total === 0 && context.io.stdout.isTTY) await context.say('No problems')
  },
}

/** The problems of one page as its route lists them. */
function lintBody({ problems }: LintedText) {
  return problems.map(({ type, dsr, templateInfo, params }) => ({ type, dsr, templateInfo, params }))
}

interface LintRequest {
  readonly types: ReturnType<typeof LintTexts.lintTypesParam>
  readonly args: readonly string[]
  readonly all: boolean
}

/** Writes the formats of `wiki check`; with `--fix`, the problems that remain. Drafts are left to their authors. */
async function reportProblems(context: Context, { types, args, all }: LintRequest, values: Values): Promise<void> {
  const { lintReport } = await import('../../operations/lint-texts.ts')
  const { outputsOf, writeReports } = await import('../gate.ts')
  const { runFixes } = await import('../fixes.ts')
  if (values.fix && args.includes('-')) throw usage('--fix changes pages, not texts from stdin')
  const outputs = outputsOf(context, values)
  const findProblems = async () => {
    // A snapshot would stay at the commit before the fixes.
    const wiki = await (values.fix ? context.wiki() : snapshotFor(context, args))
    return lintReport(wiki, subjects(context, wiki, { args, all }), types)
  }
  let found = await findProblems()
  // Fixes move the remaining problems on their lines, so they are searched for again.
  if (values.fix && (await runFixes(context, found.problems, values)).length < found.problems.length)
    found = await findProblems()
  if (found.problems.length > 0) context.answer(1)
  const report = { ...found, version: context.io.version() }
  if (!(values.fix && values.dryRun)) await writeReports(context, { report, outputs, failOn: 'note' })
}

function records(texts: readonly LintedText[]): (LocatedLint & Pick<LintedText, 'title' | 'path'>)[] {
  return texts.flatMap(({ title, path, problems }) => problems.map(problem => ({ title, path, ...problem })))
}

/** Files and stdin need no repository. */
function snapshotFor(context: Context, args: readonly string[]): Promise<Wiki> {
  const isOnlyFiles = args.length > 0 && args.every(arg => isFile(context, arg))
  return isOnlyFiles ? context.snapshotForText() : context.snapshot()
}

/** Yields the given files and stdin, then pages. */
async function* subjects(
  context: Context,
  wiki: Wiki,
  { args, all }: { args: readonly string[]; all: boolean },
): AsyncGenerator<LintSubject> {
  const { lintSubjects } = await import('../../operations/lint-texts.ts')
  const files = args.filter(arg => isFile(context, arg))
  for (const file of files) yield await readSubject(context, wiki, file)
  const titles = args.filter(arg => !files.includes(arg))
  const choice: LintChoice = { titles, all }
  if (titles.length > 0 || args.length === 0) yield* lintSubjects(wiki, choice)
}

/** A file is given with its extension, which titles of wikitext pages lack. */
function isFile({ io }: Context, arg: string): boolean {
  if (arg === '-') return true
  const path = resolve(io.cwd, arg)
  return /\.\w+$/.test(arg) && existsSync(path) && statSync(path).isFile()
}

async function readSubject(context: Context, wiki: Wiki, file: string): Promise<LintSubject> {
  const { longestText, readBytes } = await import('../draft.ts')
  const { textOf, titleOfFile } = await import('../../operations/lint-texts.ts')
  const isInput = file === '-'
  const bytes = Buffer.from(await readBytes(context, file, longestText))
  const hasMark = bytes.toString('latin1', 0, 3) === '\xef\xbb\xbf'
  const found = textOf(bytes.subarray(hasMark ? 3 : 0))
  if (isInput) return { title: wiki.store.config.mainPage, path: 'stdin', ...found }
  // Relative to the top of the work tree, like the paths of pages, because reports and fixes expect such a path.
  const place = resolve(context.io.cwd, file)
  const { workTree } = wiki.store.repository
  const path = workTree === null ? place : relative(workTree, place)
  return { title: titleOfFile(wiki, path), path: path.startsWith('..') ? place : path.replaceAll('\\', '/'), ...found }
}
