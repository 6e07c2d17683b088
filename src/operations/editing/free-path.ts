/** The path of a new file, where no other file has a name that a disk may take for the same. */

import { WikiError } from '../../core/errors.ts'
import { legalMeaning, pathRules } from '../../store/format/paths.ts'
import type { Store } from '../../store/store.ts'

/** The first folder that differs. */
function foldersAlike(path: string, adopted: string): string {
  const names = adopted.split('/')
  return names.slice(0, path.split('/').findIndex((name, at) => name !== names[at]) + 1).join('/')
}

/**
 * Returns the path in the folders that exist, whatever their case. Throws `apierror-articleexists` if it would differ from the path of
 * another file only in case or Unicode form, or lie below a file or a submodule; the files of `leaving` make way for it.
 */
export async function freePath(store: Store, path: string, leaving: readonly string[] = []): Promise<string> {
  const { path: adopted, other } = await store.trees.standing(path)
  const rules = pathRules(store.config, store.titles)
  const meaning = legalMeaning(path, rules)
  const isSame = legalMeaning(adopted, rules)?.title.key === meaning?.title.key
  const taken = other ?? (isSame ? null : foldersAlike(path, adopted))
  if (taken === null || leaving.includes(taken)) return isSame ? adopted : path
  throw twinError(store, path, taken)
}

/** Throws `apierror-articleexists` as `freePath`, also if a folder of the path exists in another spelling. */
export async function checkFree(store: Store, path: string): Promise<void> {
  const free = await freePath(store, path)
  if (free !== path) throw twinError(store, path, foldersAlike(path, free))
}

function twinError(store: Store, path: string, taken: string): WikiError {
  const twin = legalMeaning(taken, pathRules(store.config, store.titles))?.title.text ?? taken
  return new WikiError('apierror-articleexists', {
    params: [twin],
    hint: `${path} differs from ${taken} only in case or is below it: many disks hold only one of them`,
  })
}
