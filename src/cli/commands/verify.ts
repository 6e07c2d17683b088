/** `wiki verify`: reports acknowledged edits that were lost. The exit status is the result. */

import { shortHash } from '../../core/short-hash.ts'
import type { CommitNote, LostEdit } from '../../operations/verify-wiki.ts'
import type { Command } from '../command.ts'
import { type Column, printList } from '../render/table.ts'

interface Values {
  readonly accept?: string
}

export const verify: Command<Values> = {
  summary: 'Find saved edits that the branch has lost; exit with 1 if there are any',
  details:
    'Every edit that this wiki has saved is recorded outside the branch. An edit is lost if the branch does not have it any more ' +
    '(reset, rebase, a forced push), if its branch is gone and no other one has it, or if a later commit reverted it without ' +
    'having seen it (a stale file or index, a merge). ' +
    'wiki restore restores lost edits. Pages with content that git cannot read are named as well.',
  options: [
    { flags: '--accept <commits>', help: 'accept these losses as intended: commits, separated by commas, or all' },
  ],
  examples: ['wiki verify', 'wiki verify --json', 'wiki verify --accept 3f2a91c0', 'wiki verify --accept all'],
  paged: true,
  async run(context, _, { accept }) {
    const { verifyWiki } = await import('../../operations/verify-wiki.ts')
    const accepted = accept === 'all' ? accept : accept?.split(',').map(commit => commit.trim())
    const body = await verifyWiki(await context.wiki(), { accept: accepted })
    if (body.lost.length + body.unread.length > 0) context.answer(1)
    for (const title of body.unread)
      await context.say(`Git lacks content of ${title}, or it is damaged; wiki check names the object`)
    for (const commit of body.accepted) await context.say(`The loss of ${shortHash(commit)} is accepted`)
    const none = `Nothing was lost of ${body.checked} saved edits`
    await printList(context, { body, items: body.lost, columns, none })
    const commits = new Set(body.lost.filter(({ restore }) => restore !== null).map(({ commit }) => commit))
    if (commits.size > 0 && context.io.stdout.isTTY)
      await context.say('Restore all of them with: wiki restore; preview the changes with: wiki restore --dry-run')
  },
}

const columns: readonly Column<LostEdit>[] = [
  { title: 'Kind', style: 'red', value: ({ kind }) => kind },
  { title: 'Commit', style: 'yellow', value: ({ commit }) => commit, people: ({ commit }) => commit.slice(0, 10) },
  { title: 'Time', value: ({ time }) => time ?? '' },
  { title: 'User', value: ({ user }) => user ?? '' },
  { title: 'Undone by', value: ({ by }) => by?.commit ?? '', people: ({ by }) => (by === null ? '' : undoneBy(by)) },
  { title: 'Title', value: ({ title, path }) => title ?? path ?? '' },
  { title: 'Branch', value: ({ branch }) => branch ?? '', people: ({ branch }) => goneBranch(branch) },
]

function goneBranch(branch: string | null): string {
  return branch === null ? '' : branch === 'HEAD' ? 'detached HEAD' : `${branch}, which is gone`
}

function undoneBy({ commit, user }: CommitNote): string {
  return `${shortHash(commit)}${user === null ? '' : ` ${user}`}`
}
