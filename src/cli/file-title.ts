/** Accepts file names in place of titles, as a shell completes them: `notes/Tide_times.md` for the page Tide times. */

import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { modelsByExtension } from '../core/content-models.ts'
import { isWikiError } from '../core/errors.ts'
import type { Wiki } from '../operations/wiki.ts'
import type { Context } from './context.ts'

/**
 * Returns the titles that arguments mean. An argument may be the path of a page's file, relative to the current folder
 * or to the top of the work tree. A file that is not a page yet stays as given, because a page of the same name at the
 * top is another one.
 */
export async function titlesOfFiles(context: Context, args: readonly string[]): Promise<readonly string[]> {
  if (!args.some(hasPageExtension)) return args
  const wiki = await wikiIfThere(context)
  if (wiki === null) return args
  const { store } = wiki
  await store.refresh()
  return args.map(arg => {
    if (!hasPageExtension(arg)) return arg
    const here = store.pageAtPath(pathInWorkTree(context, store.repository.workTree, arg))
    if (here !== undefined) return store.findPage(here.key)?.path === here.path ? here.title : arg
    return existsSync(resolve(context.io.cwd, arg)) ? arg : (store.pageAtPath(arg)?.title ?? arg)
  })
}

/** Null outside a repository: the command decides whether it needs one. */
async function wikiIfThere(context: Context): Promise<Wiki | null> {
  return context.wiki().catch(error => {
    if (!isWikiError(error, 'wiki-not-found')) throw error
    return null
  })
}

/** Titles of code pages include the extension of their file, so both mean the same page. */
function hasPageExtension(arg: string): boolean {
  const extension = /\.(\w+)$/.exec(arg)?.[1]
  return extension !== undefined && modelsByExtension.has(extension.toLowerCase())
}

function pathInWorkTree({ io }: Context, workTree: string | null, arg: string): string {
  return workTree === null ? arg : relative(workTree, resolve(io.cwd, arg)).replaceAll('\\', '/')
}
