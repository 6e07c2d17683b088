/** Accepts file names for pages, as a shell completes them: `notes/Tide_times.md` for the page Tide times. */

import { relative, resolve } from 'node:path'
import { modelsByExtension } from '../core/content-models.ts'
import type { Context } from './context.ts'

/** Returns the titles that arguments mean: those of pages' files, if no page has the argument as its title. */
export async function titlesOfFiles(context: Context, args: readonly string[]): Promise<readonly string[]> {
  if (!args.some(hasPageExtension)) return args
  const { store } = await context.wiki()
  await store.refresh()
  return args.map(arg => {
    if (!hasPageExtension(arg)) return arg
    const paths = [pathInWorkTree(context, store.repository.workTree, arg), arg]
    return paths.map(path => store.pageAtPath(path)).find(page => page !== undefined)?.title ?? arg
  })
}

/** Titles of code have an extension of their own, which is that of their file: both mean the same page. */
function hasPageExtension(arg: string): boolean {
  const extension = /\.(\w+)$/.exec(arg)?.[1]
  return extension !== undefined && modelsByExtension.has(extension.toLowerCase())
}

function pathInWorkTree({ io }: Context, workTree: string | null, arg: string): string {
  return workTree === null ? arg : relative(workTree, resolve(io.cwd, arg)).replaceAll('\\', '/')
}
