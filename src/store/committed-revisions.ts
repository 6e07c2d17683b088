/** Revisions with data that only git holds: texts, and details of their commits. */

import type { RevisionEntry } from './format/entries.ts'
import { type Origin, parseMessage } from './format/trailers.ts'
import type { GitBackend } from './git/backend.ts'
import { parseCommit } from './git/objects.ts'
import { missingObject } from './repository/missing-object.ts'

/** A revision with its data from git. */
export interface CommittedRevision {
  readonly revision: RevisionEntry
  /** Bytes of its text. */
  readonly content: Buffer
  /** Address of its author. */
  readonly address: string
  /** Its origin in the wiki that it was imported from. */
  readonly origin: Origin | undefined
}

/** Reads the texts and commits of revisions, in order, many at once. Throws `wiki-objects-missing`. */
export async function* readCommitted(
  backend: GitBackend,
  revisions: Iterable<RevisionEntry>,
): AsyncIterable<CommittedRevision> {
  const asked: RevisionEntry[] = []
  const hashes = function* () {
    for (const revision of revisions) {
      asked.push(revision)
      yield revision.blob
      yield revision.commit
    }
  }
  const objects = backend.readBlobs(hashes())[Symbol.asyncIterator]()
  for (let text = await objects.next(); !text.done; text = await objects.next()) {
    const commit = await objects.next()
    const revision = asked.shift() as RevisionEntry
    if (text.value === null) throw missingObject(revision.blob)
    if (commit.value === null) throw missingObject(revision.commit)
    const { authorAddress, message } = parseCommit(revision.commit, commit.value as Buffer)
    yield { revision, content: text.value, address: authorAddress, origin: parseMessage(message).origin }
  }
}
