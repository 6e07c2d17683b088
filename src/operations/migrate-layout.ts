/** Moves a wiki's files to another layout, in one commit that creates no revision of any page. */

import { configFile, setConfigValue } from '../core/config.ts'
import { WikiError } from '../core/errors.ts'
import type { WikiConfig } from '../core/wiki-config.ts'
import { readWorkFile, workTreeAt } from '../files/work-file.ts'
import type { CommitPlan } from '../store/format/entries.ts'
import type { FileMove } from '../store/layout.ts'
import type { Store } from '../store/store.ts'
import { type ChangeRequest, planOf } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { settingsToChange } from './editing/settings-text.ts'
import type { Wiki } from './wiki.ts'

export interface MigrateLayoutRequest extends ChangeRequest {
  readonly layout: WikiConfig['layout']
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
}

export interface MigratedLayout {
  readonly layout: WikiConfig['layout']
  /** Previous layout of the wiki. */
  readonly before: WikiConfig['layout']
  /** Files that moved, or would move in a dry run. */
  readonly moves: readonly Pick<FileMove, 'from' | 'to'>[]
  /** The new commit; null in a dry run, and if nothing had to change. */
  readonly commit: string | null
  readonly leftAlone: readonly string[]
}

/**
 * Moves the files of all pages and media to their places in a layout and records it in wiki.json, as one commit. Titles,
 * histories and ids of pages and revisions stay the same: a commit that declares a layout change makes no revision of a page that
 * it only moves (`src/store/index/numbering.ts`). Errors: wiki-uncommitted if the work tree has uncommitted changes,
 * wiki-conversion-failed if a file would get another content filter, wiki-settings-kept, wiki-no-author, and those of the store's commit.
 */
export async function migrateLayout({ store }: Wiki, request: MigrateLayoutRequest): Promise<MigratedLayout> {
  const { layout, dryRun = false } = request
  await store.refresh()
  let before = store.config.layout
  if (dryRun) {
    await refuseUncommitted(store, await settingsToChange(store), false)
    return { layout, before, moves: placesOf(movesOf(store, layout)), commit: null, leftAlone: [] }
  }
  let moves: readonly FileMove[] = []
  const committed = await store.commit(async () => {
    before = store.config.layout
    const text = await settingsToChange(store)
    await refuseUncommitted(store, text, true)
    moves = movesOf(store, layout)
    await store.checkout.checkMoves(moves)
    return migrationPlan(store, { moves, text }, request)
  })
  await store.refresh()
  return { layout, before, moves: placesOf(moves), ...committed }
}

function movesOf(store: Store, layout: WikiConfig['layout']): FileMove[] {
  return [...store.layoutMoves(layout)]
}

function placesOf(moves: readonly FileMove[]): Pick<FileMove, 'from' | 'to'>[] {
  return moves.map(({ from, to }) => ({ from, to }))
}

/** Uncommitted changes would otherwise stay at the page's old path. */
async function refuseUncommitted(store: Store, settings: string, isWritten: boolean): Promise<void> {
  const [first] = await store.checkout.written(isWritten).changes()
  const path = first?.path ?? changedSettings(store, settings)
  if (path === null) return
  const hint = 'Commit the changes, or put them aside with: git stash --include-untracked'
  throw new WikiError('wiki-uncommitted', { params: [path], hint })
}

/** Returns the settings file if the work tree's differs from the branch's. */
function changedSettings({ repository }: Store, settings: string): string | null {
  if (repository.workTree === null || !repository.isCheckedOut) return null
  const text = readIfThere(repository.workTree, configFile)
  return text.replaceAll('\r\n', '\n') === settings.replaceAll('\r\n', '\n') ? null : configFile
}

function readIfThere(workTree: string, path: string): string {
  const found = readWorkFile(workTreeAt(workTree), path)
  return found === null || typeof found === 'string' ? '' : found.content.toString()
}

/** `text` is that of wiki.json. */
function migrationPlan(
  store: Store,
  { moves, text }: { readonly moves: readonly FileMove[]; readonly text: string },
  request: MigrateLayoutRequest,
): CommitPlan | null {
  const { layout, comment } = request
  const settings = layout === store.config.layout ? [] : [settingsChange(text, layout)]
  if (moves.length === 0 && settings.length === 0) return null
  const changes = moves.flatMap(({ from, to, blob }) => [
    { path: to, content: { blob } },
    { path: from, content: null },
  ])
  const subject = `Lay out the files: ${layout}`
  return {
    ...planOf(request, { changes: [...changes, ...settings], comment: cleanComment(comment ?? ''), subject }),
    layout,
  }
}

function settingsChange(configText: string, layout: WikiConfig['layout']) {
  return { path: configFile, content: Buffer.from(setConfigValue(configText, 'layout', layout)) }
}
