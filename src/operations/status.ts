/** Reports the state of a wiki: branch, index, and uncommitted edits. */

import type { LinkSetting } from '../core/wiki-config.ts'
import type { BackendName } from '../store/git/open-backend.ts'
import type { ProvisionalRevisions } from '../store/index/live-index.ts'
import { servedBranches } from '../store/repository/served-branch.ts'
import { trustHint } from '../store/work-tree/content-filters.ts'
import type { Unshown } from '../store/work-tree/own-names.ts'
import type { KeptVersion } from '../store/work-tree/work-tree.ts'
import { shortName } from './access/served-branch.ts'
import { effectiveDialect } from './resources/link-dialect.ts'
import type { Wiki } from './wiki.ts'
import { type TitledChange, titledChanges, withBehind } from './work-tree/work-changes.ts'

export type { Unshown }

export interface WikiStatus {
  /** Name of the site; "" if wiki.json names none. */
  readonly name: string
  /** Name of the branch, without `refs/heads/`; `HEAD` if detached. */
  readonly branch: string
  /** Branches served by running servers of this repository, in the same form. */
  readonly served: readonly string[]
  /** Hash of the wiki's current commit; null in an empty repository. */
  readonly tip: string | null
  /** Implementation that reads git: the git binary or isomorphic-git. */
  readonly backend: BackendName
  /**
   * Link rules: `links` of wiki.json, or the detected kind: `gollum`, `notes` for Markdown pages, `paths` for wikitext;
   * `auto` if both kinds have their own, or there are no pages.
   */
  readonly links: LinkSetting
  /** Git operation in progress (`merge`, `rebase` ...), during which nothing is written; null if there is none. */
  readonly operation: string | null
  /** True if the clone lacks the start of the history. */
  readonly shallow: boolean
  /** Includes revisions of deleted and hidden pages. */
  readonly index: { readonly pages: number; readonly revisions: number; readonly files: number }
  /** Revisions that are not shared yet, whose ids may change; null without an upstream branch. */
  readonly provisional: ProvisionalRevisions | null
  /** Paths repaired in git's index after another git process had removed edits from it. Sorted; usually empty. */
  readonly repaired: readonly string[]
  /** The same list under its former name, which is deprecated and ends with version 1.0. */
  readonly mended: readonly string[]
  /** Files of the work tree that differ from the tip; empty in a bare repository. */
  readonly changes: readonly TitledChange[]
  /**
   * Versions that another program saved while a write replaced the file, stored beside it, and those that it wrote afterwards to the
   * file that it had opened before, stored in the git directory. They are not committed.
   */
  readonly kept: readonly KeptVersion[]
  /** Saved pages without a file in the work tree, because the disk takes its name for another one's (`shown`) or refuses it. */
  readonly unshown: readonly Unshown[]
  /** Hint for changes whose content filter was not run (`filter`), so that they may be unchanged; null if there are none. */
  readonly trust: string | null
  /** Number of files that cannot be shown under their title; `checkWiki` lists them. */
  readonly problems: number
}

export interface StatusRequest {
  readonly writer?: () => Promise<string | null>
}

/**
 * Reads the state of the wiki. First repairs index entries that native git has reverted
 * (`src/store/work-tree/index-repair.ts`). `writer` returns the name of the committer; null if unknown.
 */
export async function wikiStatus(
  { store }: Wiki,
  { writer = async () => null }: StatusRequest = {},
): Promise<WikiStatus> {
  await store.refresh()
  const repaired = (await store.checkout.repairIndex()).toSorted()
  await store.checkout.settleBases()
  const files = await store.checkout.files()
  const changes = await withBehind(store, titledChanges(store, files.changes), writer)
  return {
    name: store.config.name,
    branch: shortName(store.repository.branch),
    served: servedBranches(store.repository.commonDirectory).map(shortName),
    tip: store.tip,
    backend: store.backend,
    links: effectiveDialect(store),
    operation: store.operation(),
    shallow: store.shallow,
    index: { pages: store.countPages(), revisions: store.revisionCount, files: store.countFiles() },
    provisional: await store.provisional(),
    repaired,
    mended: repaired,
    changes,
    kept: [...files.kept, ...(await store.checkout.lateVersions())],
    unshown: await store.checkout.unshown(),
    trust: changes.some(({ filter }) => filter !== undefined) ? trustHint(store.repository) : null,
    problems: [...store.problems()].length,
  }
}
