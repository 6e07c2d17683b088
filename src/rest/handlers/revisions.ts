/** Reads and compares revisions. */

import { pageTag } from '../../http/conditional.ts'
import { compareRevisionsAsJson } from '../../operations/compare-revisions.ts'
import { type Mergeable, mergeTexts } from '../../operations/merge-texts.ts'
import { readPageBare } from '../../operations/read-page.ts'
import { readRevision, readRevisionBare } from '../../operations/read-revision.ts'
import { integerParam } from '../../operations/resources/params.ts'
import { type ComparisonSide, readComparison, readMerge } from '../body.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Source: MediaWiki REST API reference, "Get revision source". */
export async function revisionSource({ wiki, path }: RestRequest): Promise<Reply> {
  const revision = await readRevision(wiki, { id: integerParam('id', path.id ?? '') })
  return { body: revision, tag: pageTag(wiki.store, revision), edited: revision.timestamp }
}

/** Source: MediaWiki REST API reference, "Get revision". */
export async function revisionBare({ wiki, path, base }: RestRequest): Promise<Reply> {
  const revision = await readRevisionBare(wiki, { id: integerParam('id', path.id ?? ''), base })
  return { body: revision, tag: pageTag(wiki.store, revision), edited: revision.timestamp }
}

/** Source: MediaWiki REST API reference, "Compare revisions". */
export async function comparison({ wiki, path }: RestRequest): Promise<Reply> {
  const [from, to] = [integerParam('from', path.from ?? ''), integerParam('to', path.to ?? '')]
  return { body: await compareRevisionsAsJson(wiki, { from, to }), type: 'application/json' }
}

/** Compares unsaved texts, pages and revisions in any combination. An addition to MediaWiki's API. */
export async function textComparison(request: RestRequest): Promise<Reply> {
  const { from, to } = await readComparison(request)
  const sides = { from: await comparableOf(request, from), to: await comparableOf(request, to) }
  return { body: await compareRevisionsAsJson(request.wiki, sides), type: 'application/json' }
}

/** Merges two texts that are based on a third; saves nothing. */
export async function textMerge(request: RestRequest): Promise<Reply> {
  const { sides, by } = await readMerge(request)
  const base = await comparableOf(request, sides.base)
  const mine = await comparableOf(request, sides.mine)
  const theirs = await comparableOf(request, sides.theirs)
  return { body: await mergeTexts(request.wiki, { base, mine, theirs, by }) }
}

async function comparableOf({ wiki, base }: RestRequest, side: ComparisonSide): Promise<Mergeable> {
  if ('id' in side) return side.id
  if ('text' in side) return { text: side.text }
  return (await readPageBare(wiki, { title: side.title, base })).latest.id
}
