/** Prints the line in which a command reports what it changed. */

import type { ConflictCopy } from '../checks/conflict-copies.ts'
import { shortHash } from '../core/short-hash.ts'
import type { Unshown } from '../operations/status.ts'
import type { Behind } from '../operations/work-tree/work-base.ts'
import type { Context } from './context.ts'
import { visibleLine } from './render/text.ts'

/** `revision 43 (3f2a91c)` */
export async function revisionName(context: Context, id: number): Promise<string> {
  const commit = (await context.wiki()).store.revision(id)?.commit
  return `revision ${id}${commit === undefined ? '' : ` (${shortHash(commit)})`}`
}

/** Predicate of a page that a change of many pages leaves out. A dry run does not know what a filter would do. */
export function unwritableText(isDry: boolean): string {
  const filter = isDry ? 'a filter, which was not run, may store' : 'a filter stores'
  return `is not UTF-8, or Git LFS or ${filter} its text in another form`
}

/** Lists the work-tree files that a write left unchanged to preserve other changes, and reports a detached HEAD. */
export async function reportUnchangedFiles(context: Context, paths: readonly string[]): Promise<void> {
  const store = (await context.wiki().catch(() => null))?.store
  const isDetached = store?.repository.branch === 'HEAD'
  if (isDetached)
    await context.say('HEAD is detached: the edit is on no branch. Give it one with: git switch -c <name>')
  const unshown = new Map(paths.length === 0 ? [] : (await store?.checkout.unshown())?.map(one => [one.path, one]))
  for (const path of paths) {
    const one = unshown.get(path)
    const reason =
      one === undefined ? `${path} has changes that are not committed; the file was left as it is` : unshownText(one)
    await context.io.stderr.write(`wiki: ${reason}\n`)
  }
}

/** `Foo.wiki is saved, but has no file here: the disk takes its name for that of foo.wiki` */
export function unshownText({ path, shown }: Unshown): string {
  const reason = shown === null ? 'the disk refuses it' : `the disk takes its name for that of ${visibleLine(shown)}`
  return `${visibleLine(path)} is saved, but has no file here: ${reason}`
}

/** `behind: edited from revision 12, latest is 15` */
export function behindText({ base, latest }: Behind): string {
  const from = base === null ? '' : `edited from revision ${base}, `
  if (latest === null) return `behind: ${from}others have moved or deleted it`
  return `behind: ${from}latest is ${latest}`
}

/** `stale: lacks what others saved after revision 12, latest is 15` */
export function staleText({ base, latest }: Behind): string {
  return `stale: lacks what others saved after revision ${base}, latest is ${latest}`
}

/** `maybe unchanged: its filter "crypt" was not run` */
export function filterText(filter: string): string {
  return `maybe unchanged: its filter "${visibleLine(filter)}" was not run`
}

/** `a copy of Note.md, named as Syncthing names conflicting edits` */
export function copyText({ program, original }: ConflictCopy): string {
  return `a copy of ${visibleLine(original)}, named as ${program} names conflicting edits`
}

/** Reports that the clone lacks part of the list. */
export async function reportShallow(context: Context, { shallow }: { readonly shallow?: true }): Promise<void> {
  if (shallow && !context.options.json)
    await context.say(
      'This clone is shallow: older history is missing, its oldest commit stands for all before it. Get it: git fetch --unshallow',
    )
}
