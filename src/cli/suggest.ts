/** Suggests the command that a user may have meant. */

import { nearest } from '../core/nearest-name.ts'
import { commandTree, isGroup } from './commands.ts'

/** Commands of git, shells and other wiki programs, with their names here. */
const otherNames: Readonly<Record<string, string>> = {
  add: 'file add',
  annotate: 'blame',
  backlinks: 'links',
  backup: 'export',
  cat: 'page get',
  categories: 'category',
  changes: 'log',
  ci: 'commit',
  diff: 'compare',
  dump: 'export',
  find: 'search',
  grep: 'search',
  ls: 'page list',
  man: 'help',
  mv: 'page move',
  new: 'page create',
  open: 'page edit',
  print: 'page get',
  read: 'page get',
  recentchanges: 'log',
  rename: 'page move',
  revert: 'undo',
  rm: 'page delete',
  rollback: 'undo',
  save: 'commit',
  settings: 'config list',
  st: 'status',
  start: 'serve',
  undelete: 'page restore',
  upload: 'file add',
  versions: 'history',
  view: 'show',
  whatlinkshere: 'links',
  write: 'page edit',
}

/** Returns the command that an unknown first word probably means; undefined if none is near. */
export function meantCommand(word: string): string | undefined {
  if (Object.hasOwn(otherNames, word)) return otherNames[word]
  const [group] =
    Object.entries(commandTree).find(([, entry]) => isGroup(entry) && Object.hasOwn(entry.commands, word)) ?? []
  return group === undefined ? nearest(word, Object.keys(commandTree)) : `${group} ${word}`
}
