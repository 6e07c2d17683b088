/**
 * Decides where git converts: in the work tree, if it has the branch's files, otherwise in a private folder with the attributes
 * files. Objects that git writes go to a private store.
 */

import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { deflateSync } from 'node:zlib'
import { makeFolder, makeTemporaryFolder, removeFolder, writeFile } from '../../../files/private-files.ts'
import { removeAtSignal } from '../../../files/unfinished.ts'
import { frameObject, hashBlob, loosePath, readLoose } from '../../git/objects.ts'
import { type GitResult, type Running, runGitBounded, startGit } from '../../repository/process.ts'
import type { Repository } from '../../repository/repository.ts'
import { mayRunFilters, withoutFilters } from '../content-filters.ts'
import { foldersAbove, type ReadAttributes } from './attribute-files.ts'
import type { ReadTree } from './tip-attributes.ts'

/** The source of attributes: the work tree, if it follows the branch, and then the branch's tip. */
export interface ConversionPlace {
  readonly repository: Repository
  readonly tree: ReadTree
  /** Returns true if the work tree holds the branch's files. */
  readonly isFollowing: boolean
}

/** Maximum bytes of a converted file. */
export const largest = 200 * 1024 * 1024

/** A folder for git to run in, to be removed. */
export interface PrivateTree {
  /** Top of the tree that git treats as the work tree. */
  readonly top: string
  /** Copies the attributes files for a path there, unless git reads those of the work tree itself. */
  readonly placeAttributes: (path: string) => Promise<void>
  readonly run: (parameters: readonly string[], input?: Uint8Array) => Promise<GitResult>
  readonly start: (parameters: readonly string[], environment?: NodeJS.ProcessEnv) => Running
  /** Stores a blob for git to read; returns its hash. */
  readonly keep: (content: Uint8Array) => string
  /** Returns a blob that git wrote; null if the repository had it already. */
  readonly written: (hash: string) => Buffer | null
  readonly remove: () => void
}

/** Creates a folder. With `isApart` it never is the work tree, so that files may be placed there. */
export async function openPrivateTree(
  { repository, isFollowing }: ConversionPlace,
  read: ReadAttributes,
  isApart = false,
): Promise<PrivateTree> {
  const folder = makeTemporaryFolder(join(tmpdir(), 'wiki-'))
  const finished = removeAtSignal(folder)
  const objects = join(folder, '.objects')
  makeFolder(objects)
  const isThere = isFollowing && !isApart
  const top = isThere ? (repository.workTree as string) : join(folder, 'tree')
  if (!isThere) makeFolder(top)
  const { gitDirectory } = repository
  const own = {
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: repository.objectDirectory,
    ...(!isThere && { GIT_INDEX_FILE: join(folder, '.index') }),
  }
  const placed = new Set<string>()
  // Git may see a filter that this program does not.
  const before = mayRunFilters(repository) ? [] : withoutFilters(repository)
  return {
    top,
    placeAttributes: async path => {
      for (const above of isThere ? [] : foldersAbove(path)) {
        if (placed.has(above)) continue
        placed.add(above)
        const file = posix.join(above, '.gitattributes')
        const content = await read(file)
        if (content === null) continue
        makeFolder(dirname(join(top, file)))
        writeFile(join(top, file), content)
      }
    },
    run: (parameters, input = Buffer.alloc(0)) =>
      runGitBounded([...before, ...parameters], {
        gitDirectory,
        workTree: top,
        cwd: top,
        input,
        environment: own,
        limit: largest,
      }),
    start: (parameters, environment) =>
      startGit(gitDirectory, [...before, ...parameters], {
        workTree: top,
        cwd: top,
        environment: { ...own, ...environment },
      }),
    keep: content => {
      const hash = hashBlob(content)
      makeFolder(dirname(loosePath(objects, hash)))
      writeFile(loosePath(objects, hash), deflateSync(frameObject('blob', content)))
      return hash
    },
    written: hash => readLoose(objects, hash)?.content ?? null,
    remove: () => {
      removeFolder(folder)
      finished()
    },
  }
}
