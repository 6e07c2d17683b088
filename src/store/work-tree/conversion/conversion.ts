/**
 * Git's conversion between files and blobs: content filters, line ends, encodings, `$Id$`. Git itself converts, wherever
 * an attribute or a setting can apply; everything else passes as it is, and no process is started.
 * Source: gitattributes(5), "EFFECTS"; git-hash-object(1) `--path`; git-cat-file(1) `--filters`.
 */

import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { WikiError } from '../../../core/errors.ts'
import { makeFolder, makeTemporaryFolder, removeFolder, writeFile } from '../../../files/private-files.ts'
import { mayRunGit } from '../../git/native.ts'
import { readLoose } from '../../git/objects.ts'
import { gitEnvironment } from '../../repository/environment.ts'
import { readSettings } from '../../repository/git-config.ts'
import { type Ran, runGitBounded } from '../../repository/process.ts'
import { type Repository, readText } from '../../repository/repository.ts'
import { type FileForm, lineEnds } from '../follow.ts'
import { foldersAbove, type Need, needOf, type ReadAttributes } from './attribute-files.ts'
import { type ReadTree, tipAttributes } from './tip-attributes.ts'

/** Bytes of a file are as they lie in the work tree; those of an editor are UTF-8 with line feeds. */
export type Origin = 'file' | 'editor'

/** Most bytes of a converted file. */
const largest = 200 * 1024 * 1024

/** Where attributes are read: the work tree, where it follows the branch, and then the branch's tip. */
export interface ConversionPlace {
  readonly repository: Repository
  readonly tree: ReadTree
  /** Whether the work tree holds the branch's files. */
  readonly isFollowing: boolean
}

/** Converts content to what the blob at a path holds, as `git add` does. Throws `wiki-conversion-failed`. */
export async function toBlob(
  place: ConversionPlace,
  path: string,
  content: Uint8Array,
  origin: Origin,
): Promise<Uint8Array> {
  const need = await needOf(place.repository, path, attributesIn(place))
  if (need === 'nothing' || (need === 'text' && origin === 'editor')) return content
  return inPrivateTree(place, path, need, async run => {
    if (need === 'filter') await checkFilter(place, path, origin, run)
    const safe = origin === 'editor' ? ['-c', 'core.safecrlf=false'] : []
    const ran = await run([...safe, 'hash-object', '-w', '--stdin', `--path=${path}`], content)
    if (ran.status !== 0) throw failed(path, ran)
    const hash = ran.stdout.toString().trim()
    const object = readLoose(run.objects, hash)
    if (object !== null) return object.content
    // Git writes no object that the repository has already.
    const known = await run(['cat-file', 'blob', hash])
    if (known.status !== 0) throw failed(path, known)
    return known.stdout
  })
}

/** Converts a blob that is written to what the file at a path holds, as `git checkout` does. Throws `wiki-conversion-failed`. */
export async function toFile(place: ConversionPlace, path: string, content: Uint8Array): Promise<Uint8Array> {
  const need = await needOf(place.repository, path, attributesIn(place))
  if (need === 'nothing') return content
  return inPrivateTree(place, path, need, async run => {
    const written = await run(['hash-object', '-w', '--stdin', '--no-filters'], content)
    const ran = await run(['cat-file', '--filters', `--path=${path}`, written.stdout.toString().trim()])
    if (ran.status !== 0) throw failed(path, ran)
    return ran.stdout
  })
}

/** Whether git might convert the content at a path. */
export async function isConverted(place: ConversionPlace, path: string): Promise<boolean> {
  return (await needOf(place.repository, path, attributesIn(place))) !== 'nothing'
}

function attributesIn({ repository, tree, isFollowing }: ConversionPlace): ReadAttributes {
  const { workTree } = repository
  if (!isFollowing || workTree === null) return path => tipAttributes(tree, path)
  return async path => readText(join(workTree, path)) ?? (await tipAttributes(tree, path))
}

interface Run {
  (parameters: readonly string[], input?: Uint8Array): Promise<Ran>
  /** Folder of the objects that git writes, which is removed at the end. */
  readonly objects: string
}

/** Gives a way to run git that writes no object into the repository; what it leaves is removed. */
async function inPrivateTree<Done>(
  place: ConversionPlace,
  path: string,
  need: Need,
  work: (run: Run) => Promise<Done>,
): Promise<Done> {
  const { repository, isFollowing } = place
  if (!mayRunGit(repository)) throw refusal(path, `git is needed for its ${need} attributes, and cannot be run here`)
  const folder = makeTemporaryFolder(join(tmpdir(), 'wiki-'))
  try {
    if (!isFollowing) await placeAttributes(place.tree, path, folder)
    const objects = join(folder, '.objects')
    makeFolder(objects)
    const environment = {
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: repository.objectDirectory,
      ...(!isFollowing && { GIT_INDEX_FILE: join(folder, '.index') }),
    }
    const workTree = isFollowing ? (repository.workTree as string) : folder
    const { gitDirectory } = repository
    const run = (parameters: readonly string[], input: Uint8Array = Buffer.alloc(0)) =>
      runGitBounded(parameters, { gitDirectory, workTree, cwd: workTree, input, environment, limit: largest })
    return await work(Object.assign(run, { objects }))
  } finally {
    removeFolder(folder)
  }
}

async function placeAttributes(tree: ReadTree, path: string, folder: string): Promise<void> {
  for (const above of foldersAbove(path)) {
    const file = posix.join(above, '.gitattributes')
    const text = await tipAttributes(tree, file)
    if (text === null) continue
    makeFolder(dirname(join(folder, file)))
    writeFile(join(folder, file), text)
  }
}

/** A filter that an attribute names and no setting defines would let the plain content pass. */
async function checkFilter({ repository }: ConversionPlace, path: string, origin: Origin, run: Run): Promise<void> {
  const ran = await run(['check-attr', '-z', 'filter', 'working-tree-encoding', '--', path])
  const [, , filter, , , encoding] = ran.stdout.toString().split('\0')
  if (ran.status !== 0 || filter === undefined) throw failed(path, ran)
  if (/^(?:unspecified|unset|set|)$/.test(filter)) return
  const settings = readSettings({ repository, environment: gitEnvironment() })
  const keys = [`filter.${filter}.clean`, `filter.${filter}.process`]
  if (!settings.some(({ key, value }) => keys.includes(key) && value))
    throw refusal(path, `its filter "${filter}" is not configured`)
  if (origin === 'editor' && encoding !== undefined && !/^(?:unspecified|unset|UTF-8)$/i.test(encoding))
    throw refusal(path, `its filter "${filter}" expects ${encoding}; edit the file in a work tree`)
}

function failed(path: string, { status, stderr }: Ran): WikiError {
  const reason = status === null ? 'git or the filter did not end in time' : stderr.trim().split('\n').at(-1)
  return refusal(path, reason || 'git failed')
}

function refusal(path: string, reason: string): WikiError {
  return new WikiError('wiki-conversion-failed', {
    params: [path, reason],
    hint: `See what applies to it: git check-attr --all -- "${path}"`,
  })
}

/** Returns git's conversion for files that follow the branch. */
export function fileForm(place: ConversionPlace): FileForm {
  const applies = (path: string) => isConverted(place, path)
  return {
    applies,
    fromFile: async (path, content) =>
      (await applies(path)) ? toBlob(place, path, content, 'file') : lineEnds.fromFile(path, content),
    toFile: async (path, content) =>
      (await applies(path)) ? toFile(place, path, content) : lineEnds.toFile(path, content),
  }
}
