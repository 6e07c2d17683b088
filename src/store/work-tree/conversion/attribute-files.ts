/**
 * Decides without starting git whether any conversion of git's can apply to a path. It may say yes too often, never no.
 * Source: gitattributes(5), "DESCRIPTION"; git-config(1), `core.autocrlf`, `core.attributesFile`.
 */

import { join, posix } from 'node:path'
import { gitEnvironment } from '../../repository/environment.ts'
import { booleanOf, lastValue, readSettings, type ScopedEntry } from '../../repository/git-config.ts'
import { type Repository, readText } from '../../repository/repository.ts'
import { wildMatch } from '../../repository/wild-match.ts'

/** Content of an attributes file of the tree, by its path from the top; null where there is none. */
export type ReadAttributes = (path: string) => Promise<string | null> | string | null

/** How much of git a path needs: nothing, normal forms of text, or a program. */
export type Need = 'nothing' | 'text' | 'filter'

/** Finds what git might do to a path's content, by every attributes file that git would read. */
export async function needOf(repository: Repository, path: string, read: ReadAttributes): Promise<Need> {
  const settings = readSettings({ repository, environment: gitEnvironment() })
  const lines = (text: string | null, folder: string) => (text === null ? [] : linesOf(text, folder))
  const all = userFiles(settings, repository).flatMap(file => lines(readText(file), ''))
  for (const folder of foldersAbove(path)) all.push(...lines(await read(posix.join(folder, '.gitattributes')), folder))
  const words = wordsOn(path, all)
  if (words.some(word => /^filter(?:=|$)/.test(word))) return 'filter'
  const autocrlf = lastValue(settings, 'core.autocrlf')
  const isText = words.some(word => /^(?:text|crlf|eol|ident|working-tree-encoding)(?:=|$)/.test(word))
  return isText || autocrlf === 'input' || booleanOf(autocrlf) ? 'text' : 'nothing'
}

function userFiles(settings: readonly ScopedEntry[], { commonDirectory }: Repository): string[] {
  const { HOME = '/', XDG_CONFIG_HOME } = gitEnvironment()
  const own = lastValue(settings, 'core.attributesfile')?.replace(/^~\//, `${HOME}/`)
  const user = own ?? join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git/attributes')
  return ['/etc/gitattributes', user, join(commonDirectory, 'info/attributes')]
}

/** Folders from the top down to the one that a path lies in; '' is the top. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))]
}

interface Line {
  readonly pattern: string
  readonly folder: string
  readonly words: readonly string[]
}

function linesOf(text: string, folder: string): Line[] {
  return text.split('\n').flatMap(raw => {
    const line = raw.trimStart()
    const [head = '', quoted, plain] = /^(?:"((?:[^"\\]|\\.)*)"|([^\s"#]\S*))/.exec(line) ?? []
    const rest = line.slice(head.length)
    const pattern = quoted === undefined ? plain : '**'
    return pattern === undefined ? [] : [{ pattern, folder, words: rest.split(/\s+/).filter(Boolean) }]
  })
}

/** Words of all lines that match, macros resolved by name; later lines that take them back are not looked at. */
function wordsOn(path: string, lines: readonly Line[]): string[] {
  const macros = new Map(lines.filter(isMacro).map(({ pattern, words }) => [pattern.slice('[attr]'.length), words]))
  const words = lines.filter(line => !isMacro(line) && fits(line, path)).flatMap(line => line.words)
  return [...words, ...words.flatMap(word => macros.get(word) ?? [])]
}

function isMacro({ pattern }: Line): boolean {
  return pattern.startsWith('[attr]')
}

function fits({ pattern, folder }: Line, path: string): boolean {
  const inside = folder === '' ? path : path.slice(folder.length + 1)
  const anchored = pattern.replace(/^\//, '')
  const subject = pattern.includes('/') ? inside : posix.basename(path)
  return wildMatch(anchored, subject, { ignoreCase: true })
}
