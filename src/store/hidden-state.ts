/** Hidden parts of a revision, also after git has written its commit again. */

import type { HiddenRevision, WikiConfig } from '../core/wiki-config.ts'
import type { RevisionEntry } from './format/entries.ts'
import { hiddenByBlob } from './format/hidden-revisions.ts'
import type { RevisionIndex } from './index/revision-index.ts'
import { identityOf } from './index/state.ts'

/** The index, with its settings. */
interface View {
  readonly index: RevisionIndex
  readonly config: WikiConfig
}

/** States by blob, for one state of the index. */
interface KnownStates {
  readonly identity: string
  readonly states: Map<string, HiddenRevision | undefined>
}

const rewritten = new WeakMap<WikiConfig['hidden'], KnownStates>()

/**
 * Returns what wiki.json says of a revision; undefined if it was never hidden. A rebase or an amended commit gives a revision
 * another commit: it stays hidden as long as it has the text of one that is hidden and no longer in the history.
 */
export function hiddenState(
  view: View,
  { commit, blob }: Pick<RevisionEntry, 'commit' | 'blob'>,
): HiddenRevision | undefined {
  const { hidden } = view.config
  return hidden[`${commit}/${blob}`] ?? (hiddenByBlob(hidden).has(blob) ? stateOfRewritten(view, blob) : undefined)
}

function stateOfRewritten({ index, config: { hidden } }: View, blob: string) {
  const identity = identityOf(index.state)
  const cached = rewritten.get(hidden)
  const { states } = cached?.identity === identity ? cached : { states: new Map<string, HiddenRevision | undefined>() }
  if (states.has(blob)) return states.get(blob)
  const named = hiddenByBlob(hidden).get(blob) ?? []
  const state = named.find(([commit, { parts }]) => parts.length > 0 && !index.log.hasCommit(commit))?.[1]
  rewritten.set(hidden, { identity, states: states.set(blob, state) })
  return state
}
