/** Reading and comparing revisions. */

import { compareRevisions } from '../../operations/compare-revisions.ts'
import { integerParam } from '../../operations/params.ts'
import { readRevision, readRevisionBare } from '../../operations/read-revision.ts'
import { revisionValidators } from '../conditional.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Source: SPEC 4.18. */
export async function revisionSource({ wiki, path }: RestRequest): Promise<Reply> {
  const revision = await readRevision(wiki, { id: integerParam('id', path.id ?? '') })
  return { body: revision, validators: revisionValidators(revision) }
}

/** Source: SPEC 4.17. */
export async function revisionBare({ wiki, path, base }: RestRequest): Promise<Reply> {
  const revision = await readRevisionBare(wiki, { id: integerParam('id', path.id ?? ''), base })
  return { body: revision, validators: revisionValidators(revision) }
}

/** Source: SPEC 4.21. */
export async function comparison({ wiki, path }: RestRequest): Promise<Reply> {
  const [from, to] = [integerParam('from', path.from ?? ''), integerParam('to', path.to ?? '')]
  return { body: await compareRevisions(wiki, { from, to }) }
}
