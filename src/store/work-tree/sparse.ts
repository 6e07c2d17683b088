/**
 * Sparse checkout: the paths that a work tree is meant to lack. Git marks their entries in its index, and has patterns for those to
 * come. Source: git-sparse-checkout(1), "INTERNALS"; git's dir.c, path_in_sparse_checkout.
 */

import { dirname, join } from 'node:path'
import { readText } from '../../files/read-file.ts'
import { booleanOf } from '../repository/config-text.ts'
import { type GitDirectories, settingsOf } from '../repository/repository.ts'
import { matchesPath } from './conversion/attribute-lines.ts'

interface SparsePattern {
  readonly pattern: string
  /** True if it names what the work tree lacks. */
  readonly isNegated: boolean
  readonly isFolder: boolean
}

/**
 * Returns a function that tests whether the work tree is meant to lack a path. The patterns are read when it is first called; without
 * sparse checkout, or without the file of its patterns, nothing is lacking.
 */
export function sparseFinder({ gitDirectory, commonDirectory }: GitDirectories): (path: string) => boolean {
  let patterns: readonly SparsePattern[] | null | undefined
  const ignoreCase = () => booleanOf(settingsOf(gitDirectory, commonDirectory).get('core.ignorecase')) ?? false
  return path => {
    if (patterns === undefined) patterns = readPatterns({ gitDirectory, commonDirectory })
    return patterns !== null && !isInside(patterns, path, ignoreCase())
  }
}

function readPatterns({ gitDirectory, commonDirectory }: GitDirectories): readonly SparsePattern[] | null {
  if (booleanOf(settingsOf(gitDirectory, commonDirectory).get('core.sparsecheckout')) !== true) return null
  try {
    return patternsIn(readText(join(gitDirectory, 'info', 'sparse-checkout'), 'latin1'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
}

/** Reads the lines of a file of patterns, the strongest last. Source: gitignore(5), "PATTERN FORMAT". */
function patternsIn(text: string): SparsePattern[] {
  return text
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .map(line => withoutBlanks(line.replace(/\r$/, '')))
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const isNegated = line.startsWith('!')
      const wanted = isNegated ? line.slice(1) : line
      const isFolder = wanted.endsWith('/')
      return { pattern: isFolder ? wanted.slice(0, -1) : wanted, isNegated, isFolder }
    })
}

/** A blank at the end counts only after a backslash. */
function withoutBlanks(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ' && line[end - 2] !== '\\') end--
  return line.slice(0, end)
}

/** The last pattern decides that matches a path, or else the nearest folder above it that any matches. */
function isInside(patterns: readonly SparsePattern[], path: string, ignoreCase: boolean): boolean {
  let at = Buffer.from(path).toString('latin1')
  for (let isFolder = false; at !== '.'; at = dirname(at), isFolder = true) {
    const found = patterns.findLast(one => (isFolder || !one.isFolder) && matchesPath(one.pattern, at, ignoreCase))
    if (found !== undefined) return !found.isNegated
  }
  return false
}
