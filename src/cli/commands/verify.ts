/** `wiki verify`: reports acknowledged edits that were lost. The exit status is the result. */

import type { WikiError } from '../../core/errors.ts'
import { pathArgument } from '../../core/shell-quote.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { CommitNote, LostEdit, VerifiedBranch } from '../../operations/verify-wiki.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { type Column, printList } from '../render/table.ts'
import { visibleLine } from '../render/text.ts'

interface Values {
  readonly accept?: string
}

export const verify: Command<Values> = {
  summary: 'Find saved edits that their branches have lost; exit with 1 if there are any',
  details:
    'Every edit that this wiki has saved is recorded outside its branch. Each branch that has a record, or that a running server serves, ' +
    'is looked at, whatever HEAD names. An edit is lost if its branch does not have it any more ' +
    '(reset, rebase, a forced push), if its branch is gone and no other one has it, or if a later commit reverted it without ' +
    'having seen it (a stale file or index, a merge). ' +
    'wiki restore restores lost edits. Pages with content that git cannot read are named as well, and text that another program wrote ' +
    'to a file after the wiki had replaced it (`>>`, an editor that keeps the file open).',
  options: [
    { flags: '--branch <name>', help: 'look at this branch alone' },
    { flags: '--accept <commits>', help: 'accept these losses as intended: commits, separated by commas, or all' },
  ],
  examples: ['wiki verify', 'wiki verify --json', 'wiki verify --accept 3f2a91c0', 'wiki verify --accept all'],
  paged: true,
  async run(context, _, { accept }) {
    const { verifyWiki } = await import('../../operations/verify-wiki.ts')
    const accepted = accept === 'all' ? accept : accept?.split(',').map(commit => commit.trim())
    const onlyOwn = context.options.branch !== undefined
    const result = await verifyWiki(await context.wiki(), { accept: accepted, onlyOwn })
    const body = { ...result, branches: result.branches.map(branch => ({ ...branch, error: jsonOf(branch.error) })) }
    if (body.lost.length + body.unread.length + body.kept.length > 0) context.answer(1)
    for (const title of body.unread)
      await context.say(`Git lacks content of ${title}, or it is damaged; wiki check names the object`)
    for (const { path, original } of body.kept)
      await context.say(
        `Another program wrote to ${visibleLine(original)} after it was replaced; its text is in ${visibleLine(path)}. ` +
          `Take it from there, then remove it: rm ${visibleLine(pathArgument(path))}`,
      )
    for (const commit of body.accepted) await context.say(`The loss of ${shortHash(commit)} is accepted`)
    const checked = body.branches.filter(({ error }) => error === null).map(({ branch }) => branch)
    const none = `Nothing was lost of ${body.checked} saved edits on ${checked.join(', ')}`
    await printList(context, { body, items: body.lost, columns, ...(checked.length > 0 && { none }) })
    const commits = new Set(body.lost.filter(({ restore }) => restore !== null).map(({ commit }) => commit))
    if (commits.size > 0 && context.io.stdout.isTTY) await sayRestore(context, body.lost)
    await reportUnreadable(context, result.branches)
  },
}

/** Each branch is restored by itself. */
async function sayRestore(context: Context, lost: readonly LostEdit[]): Promise<void> {
  const commands = new Set(lost.flatMap(({ restore }) => restore?.replace(/^(wiki restore) [0-9a-f]+/, '$1') ?? []))
  await context.say(`Restore all of them with: ${[...commands].join('; ')}. --dry-run previews the changes`)
}

/** The others were checked all the same. */
async function reportUnreadable(context: Context, branches: readonly VerifiedBranch[]): Promise<void> {
  const [first, ...others] = branches.flatMap(({ branch, error }) => (error === null ? [] : [{ branch, error }]))
  if (first === undefined) return
  for (const { branch, error } of others) await context.say(`wiki: ${branch}: ${error.message}\nhint: ${error.hint}`)
  throw first.error
}

function jsonOf(error: WikiError | null) {
  return error === null ? null : { errorKey: error.code, message: error.message, hint: error.hint }
}

const columns: readonly Column<LostEdit>[] = [
  { title: 'Kind', style: 'red', value: ({ kind }) => kind },
  { title: 'Commit', style: 'yellow', value: ({ commit }) => commit, people: ({ commit }) => commit.slice(0, 10) },
  { title: 'Time', value: ({ time }) => time ?? '' },
  { title: 'User', value: ({ user }) => user ?? '' },
  { title: 'Undone by', value: ({ by }) => by?.commit ?? '', people: ({ by }) => (by === null ? '' : undoneBy(by)) },
  { title: 'Title', names: 'title', value: ({ title, path }) => title ?? path ?? '' },
  { title: 'Branch', value: ({ branch }) => branch, people: branchOf },
]

function branchOf({ branch, isGone }: LostEdit): string {
  return branch === 'HEAD' ? 'detached HEAD' : isGone ? `${branch}, which is gone` : branch
}

function undoneBy({ commit, user }: CommitNote): string {
  return `${shortHash(commit)}${user === null ? '' : ` ${user}`}`
}
