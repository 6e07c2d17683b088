/**
 * Finds the attributes of paths without starting git, by every attributes file that git would read.
 * Source: gitattributes(5), "DESCRIPTION"; git-config(1), `core.attributesFile`.
 */

import { statSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { noFileCode, readBytes } from '../../../files/read-file.ts'
import { booleanOf } from '../../repository/config-text.ts'
import { settingsEnvironment } from '../../repository/environment.ts'
import { lastValue, readSettings, type ScopedEntry } from '../../repository/git-config.ts'
import { damagedFile, type Repository } from '../../repository/repository.ts'
import { type AttributeLine, type Attributes, attributesBy, builtinLines, linesOf } from './attribute-lines.ts'

/** Content of an attributes file of the tree, by its path from the top; null if there is none. */
export type ReadAttributes = (path: string) => Promise<Uint8Array | null>

/** Folders whose lines are cached. */
const maxCachedFolders = 10_000

/** The settings and attributes files of one moment. Each is read once. */
export class AttributeFinder {
  readonly settings: readonly ScopedEntry[]
  readonly #repository: Repository
  readonly #read: ReadAttributes
  readonly #user: readonly AttributeLine[]
  readonly #own: readonly AttributeLine[]
  readonly #folders = new Map<string, Promise<readonly AttributeLine[]>>()

  constructor(repository: Repository, read: ReadAttributes) {
    this.#repository = repository
    this.#read = read
    const environment = settingsEnvironment()
    this.settings = readSettings({ repository, environment })
    this.#user = [...builtinLines, ...['/etc/gitattributes', this.#userFile(environment)].flatMap(outsideLines)]
    this.#own = outsideLines(join(repository.commonDirectory, 'info/attributes'))
  }

  /** Finds the attributes of a path from the top of the tree. */
  async of(path: string): Promise<Attributes> {
    const inTree = await Promise.all(foldersAbove(path).map(folder => this.#linesIn(folder)))
    const ignoreCase = booleanOf(lastValue(this.settings, 'core.ignorecase')) ?? false
    return attributesBy([...this.#user, ...inTree.flat(), ...this.#own], path, ignoreCase)
  }

  #linesIn(folder: string): Promise<readonly AttributeLine[]> {
    const cached = this.#folders.get(folder)
    if (cached !== undefined) return cached
    if (this.#folders.size > maxCachedFolders) this.#folders.clear()
    const origin = { folder: Buffer.from(folder).toString('latin1'), mayDefine: folder === '' }
    const read = this.#read(posix.join(folder, '.gitattributes'))
    const lines = read.then(file => (file === null || file.length > maxFileBytes ? [] : linesOf(file, origin)))
    this.#folders.set(folder, lines)
    return lines
  }

  #userFile({ HOME = '/', XDG_CONFIG_HOME }: NodeJS.ProcessEnv): string {
    const own = lastValue(this.settings, 'core.attributesfile')?.replace(/^~\//, `${HOME}/`)
    const { workTree, gitDirectory } = this.#repository
    if (own) return resolve(workTree ?? gitDirectory, own)
    return join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git/attributes')
  }
}

/** Maximum bytes of an attributes file; git skips larger ones. Source: git's attr.h, ATTR_MAX_FILE_SIZE. */
const maxFileBytes = 100 * 1024 * 1024

/** Git skips a file that it may not read. */
function outsideLines(path: string): AttributeLine[] {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return []
    return linesOf(readBytes(path, maxFileBytes), { folder: '', mayDefine: true })
  } catch (error) {
    // A filter that is named there must not be left out.
    if ((error as NodeJS.ErrnoException).code === noFileCode) throw damagedFile(path, 'is a pipe')
    return []
  }
}

/** Folders from the top down to that of a path; '' is the top. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))]
}
