/** `wiki restore`: restores lost edits. */

import type { Comparison } from '../../core/comparison.ts'
import { WikiError } from '../../core/errors.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { RepairedBranch, RestoredEdit, RestoredEdits } from '../../operations/restore-edits.ts'
import { sharedOptions } from '../arguments/options.ts'
import { findAuthor } from '../author.ts'
import { reportUnchangedFiles } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { counted, visible } from '../render/text.ts'
import { colourLevel } from '../terminal/colour.ts'

interface Values {
  readonly dryRun?: boolean
  readonly user?: string
  readonly repair?: boolean
}

export const restore: Command<Values> = {
  summary: 'Restore saved edits that a branch has lost (wiki verify lists them)',
  details:
    'It works on the branch that HEAD names, or on that of --branch, and names others that have lost edits. --repair first puts a branch that ' +
    'names a missing or damaged commit, or none, back to its last whole one; files stay as they are. Each edit is merged by words into the latest text in a separate commit, by its author. If the same words were ' +
    'changed since, that edit is left out and the exit status is 3. Without a commit all lost edits are restored; at a terminal ' +
    'it asks first, unless --yes is given. Restore a deleted page with: wiki page restore',
  arguments: { '[commit...]': 'lost edits, as wiki verify names them (default: all)' },
  options: [
    { flags: '--branch <name>', help: 'branch to restore (default: the one HEAD names)' },
    { flags: '--repair', help: 'put a branch that names no whole commit back to its last one first' },
    { flags: '--dry-run', help: 'show the difference without changing anything' },
    sharedOptions.user,
  ],
  examples: ['wiki restore --dry-run', 'wiki restore 3f2a91c0d4', 'wiki restore --yes', 'wiki restore --repair'],
  paged: true,
  async run(context, commits, { dryRun = false, user, repair }) {
    const { otherLosingBranches, restoreEdits } = await import('../../operations/restore-edits.ts')
    const wiki = await context.wiki()
    const accept = commits.length === 0 ? (lost: number) => confirm(context, lost) : undefined
    const done = await restoreEdits(wiki, { commits, author: () => findAuthor(context, user), dryRun, accept, repair })
    const others = context.options.branch === undefined && commits.length === 0 ? await otherLosingBranches(wiki) : []
    if (done.repaired !== null) await sayRepaired(context, done, dryRun)
    if (context.options.json) await context.printJson({ ...jsonOf(done), others })
    else if (dryRun) await printPatches(context, done.restored)
    if (!dryRun) for (const edit of done.restored) await sayRestored(context, edit)
    if (done.restored.length + done.failures.length === 0) await context.say(`Nothing was lost on ${done.branch}`)
    for (const { branch, lost, restore } of others)
      await context.say(`${branch} has lost ${counted(lost, 'edit')}. Restore them with: ${restore}`)
    await reportFailures(context, done)
  },
}

async function sayRepaired(context: Context, { branch, repaired }: RestoredEdits, dryRun: boolean): Promise<void> {
  const { from, to } = repaired as RepairedBranch
  const named = from === null ? 'named no commit' : `named ${shortHash(from)}, which git cannot read`
  await context.say(
    `${branch} ${named}. ${dryRun ? 'It would be' : 'It is'} back at its last whole commit, ${shortHash(to)}`,
  )
}

/** Asks for confirmation only on a terminal. */
async function confirm({ io, options }: Context, lost: number): Promise<void> {
  if (options.yes || !options.input || !io.stdin.isTTY || !io.stderr.isTTY) return
  await io.stderr.write(`Restore ${counted(lost, 'lost edit')}? [y/N] `)
  if (/^y(es)?$/i.test((await io.stdin.line()).trim())) return
  throw new WikiError('wiki-usage', { params: ['Nothing was restored'] })
}

async function printPatches(context: Context, restored: readonly RestoredEdit[]): Promise<void> {
  const text = restored.map(({ patch = '' }) => patch).join('')
  await context.print(context.io.stdout.isTTY ? visible(text) : text)
}

async function sayRestored(context: Context, { restored, commit, titles, leftAlone }: RestoredEdit): Promise<void> {
  const pages = titles.length === 0 ? '' : ` of ${titles.map(title => `"${title}"`).join(', ')}`
  await context.say(
    commit === null
      ? `${shortHash(restored)} is there already`
      : `Restored ${shortHash(restored)}${pages} in ${shortHash(commit)}`,
  )
  await reportUnchangedFiles(context, leftAlone)
}

/**
 * Prints the edits that could not be restored, and throws the first conflict, or else the first other error, which
 * determines the exit status.
 */
async function reportFailures(context: Context, { failures }: RestoredEdits): Promise<void> {
  const first = failures.find(({ error }) => error.status === 409) ?? failures[0]
  for (const failure of failures) {
    if (!context.options.json) await printSides(context, failure.error)
    if (failure !== first)
      await context.say(`wiki: ${shortHash(failure.commit)}: ${failure.error.message}\nhint: ${failure.error.hint}`)
  }
  if (first !== undefined) throw first.error
}

const sides = [
  ['local', 'What the lost edit changed:'],
  ['remote', 'What others have changed since:'],
] as const

/** Prints both differences of an edit that cannot be merged. */
async function printSides(context: Context, { data }: WikiError): Promise<void> {
  const { formatComparison } = await import('../render/comparison.ts')
  const paint = await context.paint()
  const isColoured = colourLevel(context.io.stdout, context.io.env, context.options.color) > 0
  for (const [side, heading] of sides) {
    const { diff } = (data[side] ?? {}) as Partial<Comparison>
    if (diff === undefined) continue
    const none = { id: 0, slot_role: 'main', sections: [] } as const
    await context.print(`${heading}\n${formatComparison({ from: none, to: none, diff }, paint, isColoured)}`)
  }
}

/** Formats errors as in the API. */
function jsonOf({ branch, repaired, restored, failures }: RestoredEdits) {
  return {
    branch,
    repaired,
    restored,
    failures: failures.map(({ commit, error }) => ({
      commit,
      errorKey: error.code,
      message: error.message,
      hint: error.hint,
      ...error.data,
    })),
  }
}
