/** Locates the parts of a wiki's git repository by reading a few files, without starting git. */

import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isWikiError, WikiError } from '../../core/errors.ts'
import { leaveToOthers } from '../../files/private-files.ts'
import { largeFileCode, readText as readFile } from '../../files/read-file.ts'
import { BadConfigLine, booleanOf, parseConfig } from './config-text.ts'

const megabyte = 1024 * 1024

/** An opened repository. All paths are absolute. */
export interface Repository {
  /** HEAD, index and locks of this work tree. */
  readonly gitDirectory: string
  /** Objects and refs; the same as `gitDirectory` but in a linked work tree. */
  readonly commonDirectory: string
  readonly objectDirectory: string
  /** Folder of the checked-out files, or null in a bare repository. */
  readonly workTree: string | null
  /** Full name of the wiki's branch, `refs/heads/...`; `HEAD` where it is detached. */
  readonly branch: string
  /** True if HEAD names `branch`. Only then does the work tree follow it. */
  readonly isCheckedOut: boolean
  /** True for a write, which runs content filters: see `content-filters.ts`. */
  readonly isWritten?: boolean
}

export interface FindOptions {
  /** Branch to use instead of HEAD's, short or full name. */
  readonly branch?: string | undefined
}

/**
 * Finds the repository of a folder, upwards. Throws `wiki-not-found`, and `wiki-bad-repository` for unsupported formats (SHA-256,
 * reftable).
 */
export function findRepository(start: string, { branch }: FindOptions = {}): Repository {
  // The repository above a misspelt folder is another one.
  if (!statSync(start, { throwIfNoEntry: false })?.isDirectory())
    throw new WikiError('wiki-not-found', { params: [start], hint: 'There is no folder of this name' })
  const found = repositoryAbove(start)
  if (found !== null) return open(found.gitDirectory, found.workTree, branch)
  throw new WikiError('wiki-not-found', { params: [start], hint: 'Create a wiki here with: wiki init' })
}

interface FoundRepository {
  readonly gitDirectory: string
  readonly workTree: string | null
}

/** Finds the repository that a folder, which may be missing, is in or at the top of; null if there is none. */
export function repositoryAbove(start: string): (FoundRepository & { readonly folder: string }) | null {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const found = repositoryAt(folder)
    if (found !== null) return { ...found, folder }
    if (folder === dirname(folder)) return null
  }
}

function repositoryAt(folder: string): FoundRepository | null {
  const dotGit = join(folder, '.git')
  const kind = kindOf(dotGit)
  if (kind === 'file') {
    const link = /^gitdir: ([^\n]+)/m.exec(readFile(dotGit))?.[1]
    return link === undefined ? null : { gitDirectory: linkedFrom(folder, withoutEnd(link)), workTree: folder }
  }
  if (kind === 'folder' && isGitDirectory(dotGit)) return { gitDirectory: dotGit, workTree: folder }
  if (!isGitDirectory(folder)) return null
  return { gitDirectory: folder, workTree: basename(folder) === '.git' ? dirname(folder) : null }
}

/** A folder may end in any other white space. Source: git's setup.c, `read_gitfile_gently`. */
export function withoutEnd(line: string): string {
  return line.replace(/[\r\n]+$/, '')
}

function linkedFrom(folder: string, link: string): string {
  const gitDirectory = resolve(folder, link)
  if (!hasHead(gitDirectory))
    throw new WikiError('wiki-bad-repository', { params: [folder, `there is no git directory at ${gitDirectory}`] })
  return gitDirectory
}

function kindOf(path: string): 'file' | 'folder' | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  // Git passes over a pipe, which would block, too.
  return stat?.isDirectory() ? 'folder' : stat?.isFile() ? 'file' : null
}

function isGitDirectory(folder: string): boolean {
  return hasHead(folder) && existsSync(join(folder, 'objects')) && existsSync(join(folder, 'refs'))
}

/** Returns true if there is a HEAD. A link to a branch that is packed, or that has no commit yet, leads nowhere. */
export function hasHead(gitDirectory: string): boolean {
  try {
    return lstatSync(join(gitDirectory, 'HEAD'), { throwIfNoEntry: false }) !== undefined
  } catch {
    // A file in place of the folder, or a folder that may not be searched.
    return false
  }
}

function open(gitDirectory: string, workTree: string | null, branch: string | undefined): Repository {
  const common = readText(join(gitDirectory, 'commondir'))
  const commonDirectory = common === null ? gitDirectory : resolve(gitDirectory, withoutEnd(common))
  const config = settingsOf(gitDirectory, commonDirectory)
  checkFormat(gitDirectory, config)
  const isBare = booleanOf(config.get('core.bare')) === true
  const elsewhere = config.get('core.worktree')
  const mainWorkTree = elsewhere !== undefined ? resolve(gitDirectory, elsewhere) : isBare ? null : workTree
  const head = headOf({ gitDirectory, commonDirectory })
  const full = branch === undefined || branch.startsWith('refs/') ? branch : `refs/heads/${branch}`
  leaveToOthers(gitDirectory)
  leaveToOthers(commonDirectory)
  const chosen = full === undefined ? head : followSymbols(commonDirectory, checkedRef(full, gitDirectory)).name
  return {
    gitDirectory,
    commonDirectory,
    objectDirectory: join(commonDirectory, 'objects'),
    // These settings are those of the main work tree. A linked one has a place of its own.
    workTree: common === null ? mainWorkTree : workTree,
    branch: chosen,
    isCheckedOut: chosen === head,
  }
}

/** Reads the settings of a work tree, which may have its own. Source: git-worktree(1), "CONFIGURATION FILE". */
export function settingsOf(gitDirectory: string, commonDirectory: string): ReadonlyMap<string, string> {
  const config = readGitConfig(join(commonDirectory, 'config'))
  if (booleanOf(config.get('extensions.worktreeconfig')) !== true) return config
  return new Map([...config, ...readGitConfig(join(gitDirectory, 'config.worktree'))])
}

/** Source: gitrepository-layout(5), repository format version 1, and git-config(1), `extensions.*`. */
const supportedExtensions: ReadonlySet<string> = new Set(
  'compatobjectformat noop noop-v1 objectformat partialclone preciousobjects refstorage relativeworktrees worktreeconfig'.split(
    ' ',
  ),
)

/** Git refuses a repository of a format that it does not know: it may keep its objects and refs in another way. */
function checkFormat(gitDirectory: string, config: ReadonlyMap<string, string>): void {
  const version = Number(config.get('core.repositoryformatversion') ?? 0)
  const names = [...config.keys()].flatMap(key => /^extensions\.(.+)$/.exec(key)?.[1] ?? [])
  const unknown = version === 1 ? names.find(name => !supportedExtensions.has(name)) : undefined
  if (version !== 0 && version !== 1)
    throw new WikiError('wiki-bad-repository', { params: [gitDirectory, 'its format is newer than version 1'] })
  if (unknown !== undefined)
    throw new WikiError('wiki-bad-repository', { params: [gitDirectory, `its extension "${unknown}" is not known`] })
  const format = config.get('extensions.objectformat') ?? 'sha1'
  const refs = config.get('extensions.refstorage') ?? 'files'
  if (format !== 'sha1')
    throw new WikiError('wiki-bad-repository', { params: [gitDirectory, `its objects are ${format}, not sha1`] })
  if (refs !== 'files')
    throw new WikiError('wiki-bad-repository', { params: [gitDirectory, `its refs are a ${refs}, not files`] })
}

/** The folders of a repository's files: those of one work tree, and those that all share. Refs and settings are in both. */
export type GitDirectories = Pick<Repository, 'gitDirectory' | 'commonDirectory'>

/** The folders of a repository, with its work tree. */
export type RepositoryDirectories = GitDirectories & Pick<Repository, 'workTree'>

/** Full name of the branch that HEAD names, or `HEAD` if it names a commit. */
export function headOf({ gitDirectory, commonDirectory }: GitDirectories): string {
  const branch = symbolIn(readRefFile(join(gitDirectory, 'HEAD')), gitDirectory)
  return branch === undefined ? 'HEAD' : followSymbols(commonDirectory, branch).name
}

/** Commit that a ref names; null if there is no such ref, as before the first commit. */
export function readRef({ gitDirectory, commonDirectory }: GitDirectories, ref: string): string | null {
  const head = ref === 'HEAD' ? readRefFile(join(gitDirectory, ref)) : null
  const named = ref === 'HEAD' ? symbolIn(head, gitDirectory) : ref
  const { name, text } = named === undefined ? { name: ref, text: head } : followSymbols(commonDirectory, named)
  if (text === null) return packedRef(commonDirectory, name) ?? absentRef(gitDirectory)
  if (/^[0-9a-f]{40}$/.test(text.trim())) return text.trim()
  // A power failure may leave an empty file. That does not count as a branch without commits: the next write would begin a new history.
  throw new WikiError('wiki-bad-repository', {
    params: [commonDirectory, `${name} names no commit`],
    hint:
      name === 'HEAD'
        ? `Let it name the branch again: echo "ref: refs/heads/main" > ${join(gitDirectory, 'HEAD')}`
        : 'Its last commits are in the reflog: git reflog',
  })
}

/** As `readRef`; null also for a ref that is damaged. */
export function readRefIfSound(directories: GitDirectories, ref: string): string | null {
  try {
    return readRef(directories, ref)
  } catch (error) {
    if (isWikiError(error)) return null
    throw error
  }
}

/** A repository that was moved or deleted under a server is not one without commits: throws `wiki-bad-repository`. */
function absentRef(gitDirectory: string): null {
  if (hasHead(gitDirectory)) return null
  throw new WikiError('wiki-bad-repository', {
    params: [gitDirectory, 'its git directory is gone'],
    hint: 'If it was moved, start the server again in its new place',
  })
}

/** Throws `wiki-bad-repository` if the folder of the work tree is missing: it was moved or deleted, or `core.worktree` names none. */
export function checkWorkTree({ gitDirectory, workTree }: Pick<Repository, 'gitDirectory' | 'workTree'>): void {
  if (workTree === null || existsSync(workTree)) return
  throw new WikiError('wiki-bad-repository', {
    params: [gitDirectory, `its work tree, ${workTree}, does not exist`],
    hint: 'If it was moved, start again in its new place. Otherwise look at: git config --show-origin core.worktree',
  })
}

/** Maximum symbolic refs that git follows. */
const symbolLimit = 5

/** A ref may be symbolic: returns the final ref, and the text of its file. */
function followSymbols(commonDirectory: string, ref: string): { name: string; text: string | null } {
  let name = ref
  let text = readRefFile(join(commonDirectory, name))
  for (let depth = 0; depth < symbolLimit; depth++) {
    const next = symbolIn(text, commonDirectory)
    if (next === undefined) break
    name = next
    text = readRefFile(join(commonDirectory, name))
  }
  return { name, text }
}

/**
 * Reads the file of a ref; null if it is missing. A symbolic link to `refs/...` is a symbolic ref: old versions of git made HEAD like
 * this, and `core.preferSymlinkRefs` still does. Source: git's refs/files-backend.c, `read_ref_internal`.
 */
function readRefFile(path: string): string | null {
  const text = readText(path)
  if (text?.startsWith('ref:')) return text
  const target = linkTarget(path)
  return target?.startsWith('refs/') ? `ref: ${target}\n` : text
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    // Reading the file has failed for the same reason, or it is gone by now.
    return null
  }
}

/** Git ends a name at a white space of ASCII: an ideographic space or a line separator is a part of it. Source: git-check-ref-format(1). */
function symbolIn(text: string | null, directory: string): string | undefined {
  const name = /^ref: (refs\/[^\0-\x20]+)/.exec(text ?? '')?.[1]
  return name === undefined ? undefined : checkedRef(name, directory)
}

/**
 * Returns true for a name that a ref may have. One with two dots could leave the folder of the refs, and a write would reach a file
 * outside. Source: git-check-ref-format(1).
 */
export function isRefName(name: string): boolean {
  return !name.split('/').some(part => part === '' || part.startsWith('.')) && !/\.\.|[\0-\x20\x7f\\:~^?*[]/.test(name)
}

function checkedRef(name: string, directory: string): string {
  if (isRefName(name)) return name
  throw new WikiError('wiki-bad-repository', {
    params: [directory, `"${name}" is not the name of a branch`],
    hint: 'If HEAD names it, correct that: git symbolic-ref HEAD refs/heads/main',
  })
}

function packedRef(commonDirectory: string, name: string): string | null {
  const packed = readPackedRefs(commonDirectory)
  if (packed === null) return null
  const at = packed.indexOf(` ${name}\n`)
  const hash = at < 40 ? '' : packed.slice(at - 40, at)
  if (/^[0-9a-f]{40}$/.test(hash)) return hash
  checkPacked(commonDirectory, packed)
  return null
}

/** The last large file of packed refs, with the signs by which git itself knows that it is the same. Each read of a branch needs it. */
let lastPacked = { signs: '', text: '' }

/** Length from which reading it again takes longer than a millisecond. */
const longPacked = megabyte

/** Reads the packed refs; null if there are none. Git replaces the file as a whole. */
export function readPackedRefs(commonDirectory: string): string | null {
  const path = join(commonDirectory, 'packed-refs')
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined || stat.size < longPacked) return readText(path)
  const signs = `${path} ${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
  if (lastPacked.signs === signs) return lastPacked.text
  const text = readText(path, listBytes)
  if (text !== null) lastPacked = { signs, text }
  return text
}

/** A branch that cannot be found in a damaged file is not one without commits. Source: git's refs/packed-backend.c. */
function checkPacked(commonDirectory: string, packed: string): void {
  const reason = damageIn(packed)
  if (reason === null) return
  throw new WikiError('wiki-bad-repository', {
    params: [commonDirectory, reason],
    hint: 'Correct it, or restore it from a copy; the last commits of branches are in the reflog: git reflog',
  })
}

function damageIn(packed: string): string | null {
  const lines = packed.split('\n')
  const isWhole = lines.pop() === ''
  const at = lines.findIndex(line => !/^(?:#.*|[0-9a-f]{40} [^\0-\x20\x7f]+|\^[0-9a-f]{40})$/.test(line))
  if (at >= 0) return `line ${at + 1} of packed-refs is damaged`
  return isWhole ? null : 'packed-refs ends in the middle of a line'
}

/** Returns what is wrong with the packed refs; null if nothing is. */
export function packedDamage(commonDirectory: string): string | null {
  return damageIn(readPackedRefs(commonDirectory) ?? '')
}

/** Hashes of the boundary commits of a shallow clone. */
export function shallowCommits(repository: Repository): ReadonlySet<string> {
  const text = readText(join(repository.commonDirectory, 'shallow'), listBytes)
  return new Set(text === null ? [] : text.split('\n').filter(line => line !== ''))
}

/**
 * Returns git's operation in progress on the wiki's branch, in a word for people; null if the branch may be written to.
 * During a rebase HEAD does not name the branch.
 */
export function operationInProgress(repository: Repository): string | null {
  const { gitDirectory, workTree, branch } = repository
  if (workTree === null) return null
  const found = operationFiles.find(([file]) => existsSync(join(gitDirectory, file)))
  if (found === undefined) return null
  const [file, operation] = found
  const isOurs =
    headOf(repository) === branch || withoutEnd(readText(join(gitDirectory, file, 'head-name')) ?? '') === branch
  if (!isOurs) return null
  return typeof operation === 'string' ? operation : operation(gitDirectory)
}

/** A rebase may apply patches as `git am` does. Source: git's wt-status.c, `wt_status_check_rebase`. */
function patchesInProgress(gitDirectory: string): string {
  return existsSync(join(gitDirectory, 'rebase-apply', 'applying')) ? 'am' : 'rebase'
}

/** Several commits are picked or reverted, and git waits between two of them. */
function sequenceInProgress(gitDirectory: string): string {
  return /^revert\b/.test(readText(join(gitDirectory, 'sequencer', 'todo')) ?? '') ? 'revert' : 'cherry-pick'
}

/** Files that exist during an operation of git; a function distinguishes operations that use the same file. */
const operationFiles: readonly [file: string, operation: string | ((gitDirectory: string) => string)][] = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', patchesInProgress],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', sequenceInProgress],
  ['BISECT_LOG', 'bisect'],
]

/**
 * Reads the settings of one git config file, without those it includes: `section.key` and `section.Name.key` to the last value.
 * Throws `wiki-bad-repository` for a file that git refuses.
 */
export function readGitConfig(path: string): ReadonlyMap<string, string> {
  try {
    return new Map(parseConfig(readText(path) ?? '').map(({ key, value }) => [key, value ?? 'true']))
  } catch (error) {
    throw error instanceof BadConfigLine ? badSettings(path, error) : error
  }
}

/** Creates the error for a settings file that git refuses. */
export function badSettings(path: string, { message }: BadConfigLine): WikiError {
  return damagedFile(path, `is not a settings file of git: ${message}`)
}

/**
 * Maximum bytes of a file of settings, a ref, or another small file of git. Settings of ten thousand branches take one megabyte. Every
 * command reads them.
 */
const smallFileBytes = 4 * megabyte

/** Maximum bytes of a list of refs or commits, about four million of them. */
const listBytes = 256 * megabyte

/** Reads a small file; null if it is missing. An unreadable file, because of a permission or a failing disk, is not missing. */
export function readText(path: string, most = smallFileBytes): string | null {
  try {
    // Most of those that are searched for are missing: creating an error for each would take longer.
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return null
    // Reading would block until somebody writes to it.
    if (stat.isFIFO()) throw damagedFile(path, 'is a pipe')
    return readFile(path, 'utf8', most)
  } catch (error) {
    if (isWikiError(error)) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    if (absent.has(code)) return null
    if (code === largeFileCode) throw damagedFile(path, `is larger than ${most / megabyte} MB`, error)
    throw damagedFile(path, `cannot be read (${code})`, error)
  }
}

/**
 * Creates the error for an unusable file: `wiki-bad-repository`, or `wiki-bad-git-settings` for the user's or the system's
 * settings. The repository is named, and the file in it: a file alone, as the REST API would show it, names neither.
 */
export function damagedFile(path: string, reason: string, cause?: unknown): WikiError {
  let folder = dirname(path)
  while (!isGitDirectory(folder) && basename(folder) !== '.git' && folder !== dirname(folder)) folder = dirname(folder)
  if (folder === dirname(folder)) return new WikiError('wiki-bad-git-settings', { params: [path, reason], cause })
  return new WikiError('wiki-bad-repository', {
    params: [folder, `its file ${relative(folder, path)} ${reason}`],
    cause,
  })
}

/** `refs/heads/a` is a folder where there is a branch `a/b`, and `a/b/c` is below a file then. */
const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])
