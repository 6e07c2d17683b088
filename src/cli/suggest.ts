/** Suggests the command that a user may have meant. */

import { nearest } from '../core/nearest-name.ts'
import { commandTree, isGroup } from './commands.ts'

/** Commands of git, shells and other wiki programs, with their names here. */
const otherNames: Readonly<Record<string, string>> = {
  cat: 'page get',
  diff: 'compare',
  find: 'search',
  grep: 'search',
  log: 'history',
  ls: 'page list',
  mv: 'page move',
  new: 'page create',
  rename: 'page move',
  rm: 'page delete',
  undelete: 'page restore',
}

/** Returns the command that an unknown first word probably means; undefined if none is near. */
export function meantCommand(word: string): string | undefined {
  if (Object.hasOwn(otherNames, word)) return otherNames[word]
  const [group] =
    Object.entries(commandTree).find(([, entry]) => isGroup(entry) && Object.hasOwn(entry.commands, word)) ?? []
  return group === undefined ? nearest(word, Object.keys(commandTree)) : `${group} ${word}`
}
