/**
 * Commits that git does not write are the same however they are read: few new ones object by object, many through `git log`, and all of
 * them without a git binary. Each text of a commit is generated as bytes.
 */

import { expect, test } from 'vitest'
import type { CommitChanges } from '../../src/store/git/backend.ts'
import { openBackend } from '../../src/store/git/open-backend.ts'
import { findRepository } from '../../src/store/repository/repository.ts'
import { type Hostile, hostileRepository } from '../_hostile.ts'
import { rounds } from '../_rounds.ts'
import { needsGit } from '../_setup.ts'
import { oddAuthors, oddHeaders, oddMessages } from './_odd-commits.ts'
import { numbersFrom } from './_random-history.ts'

/** More than are read object by object. */
const commits = 70

test.for(Array.from({ length: rounds(4, 12, 100) }, (_, at) => at + 1))(
  'odd commits of seed %i',
  { tags: 'rounds' },
  async (seed, context) => {
    needsGit(context)
    const made = await hostileRepository()
    const hashes = oddHistory(made, numbersFrom(seed))
    const [from, tip] = [hashes[commits / 2]!, hashes.at(-1)!]
    const [log, walk] = await Promise.all((['git', 'isomorphic-git'] as const).map(name => read(made, name, null, tip)))
    expect(log).toEqual(walk)
    expect(log?.map(({ hash }) => hash)).toContain(tip)
    for (const name of ['git', 'isomorphic-git'] as const) {
      const later = await read(made, name, from, tip)
      expect(later === null || later.every(commit => log!.some(one => isSame(one, commit)))).toBe(true)
    }
  },
)

/** A chain with a side commit here and there; each changes one file. */
function oddHistory(made: Hostile, random: () => number): string[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const hashes: string[] = []
  for (let at = 0; at < commits; at++) {
    const tree = made.tree([['100644', 'A.wiki', made.blob(`${at}\n`)]])
    const isSide = random() < 0.2 && at > 1
    const parents = at === 0 ? [] : [hashes[at - 1]!, ...(isSide ? [sideOf(hashes[at - 2]!, at)] : [])]
    hashes.push(object(tree, parents, at))
  }
  return hashes

  function sideOf(parent: string, at: number): string {
    return object(made.tree([['100644', 'B.wiki', made.blob(`side ${at}\n`)]]), [parent], at)
  }

  function object(tree: string, parents: readonly string[], at: number): string {
    const head = `tree ${tree}\n${parents.map(one => `parent ${one}\n`).join('')}author ${pick(oddAuthors)}\n`
    const committer = `committer Ada <ada@example.org> ${1_700_000_000 + at} +0000\n`
    return made.object('commit', Buffer.from(`${head}${committer}${pick(oddHeaders)}\n${pick(oddMessages)}`, 'latin1'))
  }
}

async function read(
  { directory }: Hostile,
  name: 'git' | 'isomorphic-git',
  from: string | null,
  to: string,
): Promise<CommitChanges[] | null> {
  const backend = openBackend(findRepository(directory), name)
  try {
    const history = await backend.history(from, to, () => true)
    if (history === null) return null
    const read: CommitChanges[] = []
    for await (const batch of history.batches) read.push(...batch)
    return read.sort((one, other) => (one.hash < other.hash ? -1 : 1))
  } finally {
    backend.close()
  }
}

function isSame(one: CommitChanges, other: CommitChanges): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
