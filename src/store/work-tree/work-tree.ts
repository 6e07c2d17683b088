/** Lists the wiki's files in the work tree that differ from the branch. */

import fs from 'node:fs'
import { join } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { readWorkFile, workTreeAt } from '../../files/work-file.ts'
import { pointerTo } from '../git/lfs.ts'
import { hashBlob } from '../git/objects.ts'
import type { BackendName } from '../git/open-backend.ts'
import { kindOfPath } from '../index/record-writer.ts'
import { runGit } from '../repository/process.ts'
import { checkWorkTree, headOf, type Repository } from '../repository/repository.ts'
import { mayRunFilters, withoutFilters } from './content-filters.ts'
import { type Conversion, lfsFilter } from './conversion/conversion.ts'
import { OwnNames } from './own-names.ts'
import { absentFinder, hashAt, readStaged } from './staged.ts'
import { damagedHint } from './staging-file.ts'
import { UntouchedFiles } from './untouched-files.ts'

export interface WorkTreeChange {
  /** From the repository's top. */
  readonly path: string
  readonly kind: 'modified' | 'added' | 'deleted' | 'conflicted'
  /** Name of the content filter that was not run, so that the file may be unchanged. */
  readonly filter?: string
}

/** A change, and whether git's index has it. */
interface FoundChange extends WorkTreeChange {
  readonly isStaged: boolean
}

interface Comparing {
  /** Folder of the pages. */
  readonly root: string
  readonly backend: BackendName
  readonly conversion: Conversion
}

/** Files of a work tree that differ from every commit. */
export interface WorkTreeFiles {
  /** Pages and media files whose content differs from the branch's tip, in order of their paths. */
  readonly changes: WorkTreeChange[]
  /** Versions that another program saved at the moment when a write replaced the file; they are kept beside it. */
  readonly kept: KeptVersion[]
}

export interface KeptVersion {
  /** Path of the version, from the repository's top; absolute where it is not below that. */
  readonly path: string
  /** Path of the file that it is a version of. */
  readonly original: string
}

/** Suffix of the names that `src/files/replace-file.ts` gives to such versions. */
const keptEnding = /\.kept-[0-9a-f]{8}(?:-\d{1,3})?$/

/** Lists the files of the work tree that the branch's tip lacks. */
export async function listWorkTree(
  repository: Repository,
  { root, backend, conversion }: Comparing,
): Promise<WorkTreeFiles> {
  const { workTree } = repository
  // HEAD may have moved since the repository was opened.
  if (workTree === null || headOf(repository) !== repository.branch) return { changes: [], kept: [] }
  checkWorkTree(repository)
  const found = backend === 'git' ? nativeStatus(repository, workTree) : await isomorphicStatus(repository, workTree)
  const all = await withoutUnchanged(repository, { found, conversion })
  const names = new OwnNames(repository, workTree)
  const isOwn = ({ path, kind }: WorkTreeChange) => !isNewLink(workTree, path, kind) && names.takenBy(path) === null
  const changes = all.filter(change => kindOfPath(change.path, root) !== null && isOwn(change))
  return { changes, kept: all.flatMap(({ path, kind }) => (kind === 'added' ? keptVersion(path) : [])) }
}

/**
 * Leaves out files that seem to differ only because no filter was run, and names the filter of those that may be unchanged: see
 * `content-filters.ts`.
 */
async function withoutUnchanged(
  repository: Repository,
  { found, conversion }: { readonly found: readonly FoundChange[]; readonly conversion: Conversion },
): Promise<WorkTreeChange[]> {
  const untouched = new UntouchedFiles(repository)
  const changes: WorkTreeChange[] = []
  for (const { path, kind, isStaged } of found) {
    const filter = kind !== 'modified' || isStaged ? null : await conversion.filterNotRun(path)
    if (filter === null) changes.push({ path, kind })
    else if (untouched.blobOf(path) !== null) continue
    else if (filter !== lfsFilter) changes.push({ path, kind, filter })
    else if (!(await holdsPointer(repository, path))) changes.push({ path, kind })
  }
  return changes
}

/** Returns true if the staged blob of a path is the pointer that Git LFS makes of its file. */
async function holdsPointer(repository: Repository, path: string): Promise<boolean> {
  const file = repository.workTree === null ? null : readWorkFile(workTreeAt(repository.workTree), path)
  if (file === null || typeof file !== 'object') return false
  return hashBlob(pointerTo(file.content)) === hashAt(readStaged(repository), path)
}

/** A symbolic link is not a page, whatever its name. One in place of a page is a change of that page. */
function isNewLink(workTree: string, path: string, kind: WorkTreeChange['kind']): boolean {
  return kind === 'added' && fs.lstatSync(join(workTree, path), { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function keptVersion(path: string): KeptVersion[] {
  const original = path.replace(keptEnding, '')
  return original === path ? [] : [{ path, original }]
}

/** Maximum bytes of `git status` output. */
const statusLimit = 256 * 1024 * 1024

/** Milliseconds after which `git status` is ended. It waits for a pipe in place of `.gitignore`, for example. */
const statusPatience = 600_000

function isTimeout({ error }: { readonly error?: Error | undefined }): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
}

function slowStatus(workTree: string) {
  return { params: [workTree, 'git status has run for ten minutes'], hint: 'Look for a pipe: find . -type p' }
}

function nativeStatus(repository: Repository, workTree: string): FoundChange[] {
  const question = [
    // Git compares the files that the index does not know to be unchanged, by what their filters make of them.
    ...(mayRunFilters(repository) ? [] : withoutFilters(repository)),
    // A commit of the wiki records texts. The mode of a file stays as it is, so a change of it alone is not an edit.
    ...['-c', 'core.fileMode=false'],
    // The repository may have been made on another disk.
    ...ignoreCase(workTree),
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    // A submodule has a configuration of its own, and contains no page.
    '--ignore-submodules=all',
  ]
  const { gitDirectory } = repository
  const result = runGit(question, {
    gitDirectory,
    workTree,
    cwd: workTree,
    limit: statusLimit,
    timeout: statusPatience,
  })
  if (isTimeout(result)) throw new WikiError('wiki-bad-repository', slowStatus(workTree))
  if (result.status !== 0) {
    const reason = result.stderr?.toString().split('\n')[0] || 'git status failed'
    const hint = /index file|bad index|bad signature/.test(reason) && { hint: damagedHint }
    throw new WikiError('wiki-bad-repository', { params: [workTree, reason], ...hint })
  }
  const kinds = new Map<string, FoundChange>()
  for (const row of result.stdout.toString('utf8').split('\0')) {
    if (row.length < 4) continue
    const [path, kind] = [row.slice(3), kindOfStatus(row.slice(0, 2))]
    // A file that is deleted in the index alone is listed twice.
    const isTwice = kinds.get(path)?.kind === 'deleted' && kind === 'added'
    kinds.set(path, { path, kind: isTwice ? 'modified' : kind, isStaged: row[0] !== ' ' })
  }
  return [...kinds.values()]
}

/** Tells git what the disk does with names, by its own answer. */
function ignoreCase(workTree: string): string[] {
  const isThere = (name: string) => fs.lstatSync(join(workTree, name), { throwIfNoEntry: false }) !== undefined
  return isThere('.git') ? ['-c', `core.ignoreCase=${isThere('.GIT')}`] : []
}

const conflicts: ReadonlySet<string> = new Set(['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU'])

function kindOfStatus(status: string): WorkTreeChange['kind'] {
  if (conflicts.has(status)) return 'conflicted'
  // The branch has it, and the index only announces a file (`git add -N`).
  if (status === 'DA') return 'modified'
  if (status.includes('D')) return 'deleted'
  return status === '??' || status.includes('A') ? 'added' : 'modified'
}

/**
 * The library refreshes the index while it compares, without git's lock. Reading changes nothing, also where the user may not write.
 */
const readingOnly = { promises: { ...fs.promises, writeFile: async () => {} } }

async function isomorphicStatus(repository: Repository, workTree: string): Promise<FoundChange[]> {
  // A damaged index is named as such; the library knows no version 4.
  const index = readStaged(repository)
  const { default: git } = await import('isomorphic-git')
  const compared = git.statusMatrix({ fs: readingOnly, dir: workTree, gitdir: repository.gitDirectory })
  const rows = await compared.catch(cause => {
    const reason = `its files cannot be compared without git (${String(cause.message).split('\n')[0]})`
    throw new WikiError('wiki-bad-repository', {
      params: [workTree, reason],
      hint: 'Install git, or put it into PATH',
      cause,
    })
  })
  const changes: FoundChange[] = []
  const isAbsent = absentFinder(repository, index)
  const isThere = (path: string) => holdsStaged(workTree, path, hashAt(index, path))
  for (const [path, head, file, staged] of rows) {
    if (head === 1 && isAbsent(path)) continue
    // The disk may spell its name in another way.
    if (head === 1 && file === 0 && staged === 1 && isThere(path)) continue
    if (head === 1 && file === 1 && staged === 1) continue
    const kind = head === 0 ? 'added' : file === 0 ? 'deleted' : 'modified'
    changes.push({ path, kind, isStaged: staged !== 1 })
  }
  return changes
}

/** Returns true if the file of a path has the staged text. */
function holdsStaged(workTree: string, path: string, hash: string | null): boolean {
  const found = readWorkFile(workTreeAt(workTree), path)
  return found !== null && typeof found === 'object' && hashBlob(found.content) === hash
}
