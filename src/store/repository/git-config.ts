/**
 * Git's settings as git itself computes them, read without starting git: the files of the system, the user, the repository
 * and the work tree, with the files that they include.
 * Source: git-config(1), "FILES", "Includes", "Conditional includes".
 */

import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { BadConfigLine, booleanOf, type ConfigEntry, parseConfig } from './config-text.ts'
import { badSettings, damagedFile, type GitDirectories, headOf, readText } from './repository.ts'
import { wildMatch } from './wild-match.ts'

/** Origin of a setting. `local` and `worktree` come with the repository; the others belong to the user. */
export type ConfigScope = 'system' | 'global' | 'local' | 'worktree'

export interface ScopedEntry extends ConfigEntry {
  readonly scope: ConfigScope
}

export interface ConfigPlace {
  /** Null outside of a repository. */
  readonly repository: GitDirectories | null
  /** Names the user's files: HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, GIT_CONFIG_NOSYSTEM. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Files that include each other deeper than this are refused, as git refuses them. */
const deepest = 10

/** Maximum entries of a file with those that it includes: one that includes another twice, and so on, has a thousand times as many. */
const mostEntries = 4_000_000

/** Entries that take as long as a file. */
const entriesOfFile = 400

/**
 * Reads all settings that apply in a place, the strongest last. Throws `wiki-bad-repository` and `wiki-bad-git-settings` for files
 * that git refuses.
 */
export function readSettings(place: ConfigPlace): ScopedEntry[] {
  const files = configFiles(place)
  const context: Context = {
    ...place,
    remoteAddresses: once(() => addressesIn(files, place)),
    left: { entries: mostEntries },
  }
  return files.flatMap(({ path, scope }) => entriesOf(path, context, 0).map(entry => ({ ...entry, scope })))
}

/** The effective value of a key: the last one. Null for a key without a value, undefined if it is not set. */
export function lastValue(settings: readonly ConfigEntry[], key: string): string | null | undefined {
  return settings.findLast(entry => entry.key === key)?.value
}

interface ConfigFile {
  readonly path: string
  readonly scope: ConfigScope
}

function configFiles({ repository, environment }: ConfigPlace): ConfigFile[] {
  const files: ConfigFile[] = userFiles(environment)
  if (repository === null) return files
  const local = join(repository.commonDirectory, 'config')
  files.push({ path: local, scope: 'local' })
  const perTree = lastValue(parseFile(local), 'extensions.worktreeconfig')
  if (booleanOf(perTree)) files.push({ path: join(repository.gitDirectory, 'config.worktree'), scope: 'worktree' })
  return files
}

function userFiles(environment: ConfigPlace['environment']): ConfigFile[] {
  const { GIT_CONFIG_SYSTEM, GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME } = environment
  const files: ConfigFile[] = []
  if (!booleanOf(environment.GIT_CONFIG_NOSYSTEM))
    files.push({ path: GIT_CONFIG_SYSTEM ?? '/etc/gitconfig', scope: 'system' })
  const home = homeOf(environment)
  const xdg = XDG_CONFIG_HOME || (home && join(home, '.config'))
  const own =
    GIT_CONFIG_GLOBAL !== undefined
      ? [GIT_CONFIG_GLOBAL]
      : [xdg && join(xdg, 'git/config'), home && join(home, '.gitconfig')]
  for (const path of own) if (path) files.push({ path, scope: 'global' })
  return files
}

function homeOf({ HOME, USERPROFILE }: ConfigPlace['environment']): string | undefined {
  return HOME || USERPROFILE
}

/** Files by path, as they were parsed last: each write reads the same ones again, and they seldom change. */
const parsed = new Map<string, { readonly text: string; readonly entries: readonly ConfigEntry[] }>()
const parsedLimit = { files: 32, characters: 64 * 1024 }

function parseFile(path: string): readonly ConfigEntry[] {
  const text = readText(path) ?? ''
  const cached = parsed.get(path)
  if (cached?.text === text) return cached.entries
  const entries = parseText(text, path)
  if (parsed.size === parsedLimit.files) parsed.clear()
  if (text.length <= parsedLimit.characters) parsed.set(path, { text, entries })
  return entries
}

function parseText(text: string, path: string): readonly ConfigEntry[] {
  try {
    return parseConfig(text)
  } catch (error) {
    throw error instanceof BadConfigLine ? badSettings(path, error) : error
  }
}

interface Context extends ConfigPlace {
  /** URLs of all remotes in all files; used by `hasconfig:` only. */
  readonly remoteAddresses: () => readonly string[]
  /** Entries that may still be read. */
  readonly left: { entries: number }
}

function entriesOf(path: string, context: Context, depth: number): ConfigEntry[] {
  if (depth > deepest) throw damagedFile(path, `is included more than ${deepest} deep`)
  const entries = parseFile(path)
  context.left.entries -= entries.length + entriesOfFile
  if (context.left.entries < 0)
    throw damagedFile(path, `and the files that it includes have more than ${mostEntries} settings`)
  return entries.flatMap(entry => {
    const target = includeOf(entry, path, context)
    return target === null ? [entry] : [entry, ...entriesOf(target, context, depth + 1)]
  })
}

/** The file that an entry includes here; null if it includes none. */
function includeOf({ key, value }: ConfigEntry, path: string, context: Context): string | null {
  const condition = /^includeif\.(.*)\.path$/s.exec(key)?.[1]
  if ((key !== 'include.path' && condition === undefined) || !value) return null
  if (condition !== undefined && !holds(condition, path, context)) return null
  const target = expandHome(value, context.environment)
  return target === null ? null : resolve(dirname(path), target)
}

function expandHome(path: string, environment: ConfigPlace['environment']): string | null {
  if (!path.startsWith('~/')) return path
  const home = homeOf(environment)
  return home === undefined ? null : join(home, path.slice(2))
}

function holds(condition: string, path: string, context: Context): boolean {
  const [, kind = '', pattern = ''] = /^([^:]*:(?:remote\.\*\.url:)?)(.*)$/s.exec(condition) ?? []
  const { repository } = context
  if (kind === 'gitdir:' || kind === 'gitdir/i:')
    return (
      repository !== null && isInFolder(pattern, path, { ...context, repository, ignoreCase: kind === 'gitdir/i:' })
    )
  if (kind === 'onbranch:') return repository !== null && isOnBranch(pattern, repository)
  if (kind === 'hasconfig:remote.*.url:') return context.remoteAddresses().some(address => wildMatch(pattern, address))
  return false
}

type InRepository = Context & { readonly repository: NonNullable<ConfigPlace['repository']> }

function isInFolder(written: string, path: string, context: InRepository & { readonly ignoreCase: boolean }): boolean {
  const { repository, environment, ignoreCase } = context
  const expanded = expandHome(written, environment)
  if (expanded === null) return false
  let pattern = expanded.startsWith('./') ? join(realPath(dirname(path)), expanded.slice(2)) : expanded
  if (expanded.endsWith('/') && !pattern.endsWith('/')) pattern += '/'
  if (!isAbsolute(pattern)) pattern = `**/${pattern}`
  if (pattern.endsWith('/')) pattern += '**'
  const folders = [realPath(repository.gitDirectory), repository.gitDirectory]
  return folders.some(folder => wildMatch(pattern, folder.replaceAll('\\', '/'), { ignoreCase }))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function isOnBranch(pattern: string, repository: InRepository['repository']): boolean {
  const branch = /^refs\/heads\/(.*)$/s.exec(headOf(repository))?.[1]
  return branch !== undefined && wildMatch(pattern.endsWith('/') ? `${pattern}**` : pattern, branch)
}

/**
 * Returns the URLs of remotes for `hasconfig:`. Files included by it may not name remotes, so the condition is false while they
 * are read.
 */
function addressesIn(files: readonly ConfigFile[], place: ConfigPlace): string[] {
  const context: Context = { ...place, remoteAddresses: () => [], left: { entries: mostEntries } }
  const entries = files.flatMap(({ path }) => entriesOf(path, context, 0))
  return entries.flatMap(({ key, value }) => (/^remote\..*\.url$/s.test(key) && value ? [value] : []))
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
