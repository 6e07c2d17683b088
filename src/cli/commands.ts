/** The tree of commands. Only the module of the requested command is loaded. */

import type { Command } from './command.ts'

/** Loads a command's module. */
export type Loader = () => Promise<Command>

/** Several commands for one kind of thing: `wiki page move`. */
export interface Group {
  readonly summary: string
  /** Default subcommand. */
  readonly fallback?: string
  readonly commands: Readonly<Record<string, Loader>>
}

/** Commands by the first word of the command line, in the order of the help. */
export const commandTree: Readonly<Record<string, Loader | Group>> = {
  init: async () => (await import('./commands/init.ts')).init,
  serve: async () => (await import('./commands/serve.ts')).serve,
  show: async () => (await import('./commands/show.ts')).show,
  search: async () => (await import('./commands/search.ts')).search,
  page: {
    summary: 'Read, list, create, edit, move, delete and restore pages',
    fallback: 'get',
    commands: {
      get: async () => (await import('./commands/page/page-get.ts')).pageGet,
      list: async () => (await import('./commands/page/page-list.ts')).pageList,
      languages: async () => (await import('./commands/page/page-languages.ts')).pageLanguages,
      files: async () => (await import('./commands/page/page-files.ts')).pageFiles,
      create: async () => (await import('./commands/page/page-create.ts')).pageCreate,
      edit: async () => (await import('./commands/page/page-edit.ts')).pageEdit,
      move: async () => (await import('./commands/page/page-move.ts')).pageMove,
      delete: async () => (await import('./commands/page/page-delete.ts')).pageDelete,
      restore: async () => (await import('./commands/page/page-restore.ts')).pageRestore,
    },
  },
  log: async () => (await import('./commands/log.ts')).log,
  history: async () => (await import('./commands/history.ts')).history,
  blame: async () => (await import('./commands/blame.ts')).blame,
  revision: {
    summary: 'Read one revision, hide it, show it again',
    fallback: 'get',
    commands: {
      get: async () => (await import('./commands/revision/revision-get.ts')).revisionGet,
      hide: async () => (await import('./commands/revision/revision-hide.ts')).revisionHide,
      show: async () => (await import('./commands/revision/revision-hide.ts')).revisionShow,
    },
  },
  compare: async () => (await import('./commands/compare.ts')).compare,
  links: async () => (await import('./commands/links.ts')).links,
  list: async () => (await import('./commands/list.ts')).list,
  category: async () => (await import('./commands/category.ts')).category,
  replace: async () => (await import('./commands/replace.ts')).replace,
  apply: async () => (await import('./commands/apply.ts')).apply,
  undo: async () => (await import('./commands/undo.ts')).undo,
  merge: async () => (await import('./commands/merge.ts')).merge,
  file: {
    summary: 'Read, list and add media files',
    commands: {
      get: async () => (await import('./commands/file/file-get.ts')).fileGet,
      list: async () => (await import('./commands/file/file-list.ts')).fileList,
      add: async () => (await import('./commands/file/file-add.ts')).fileAdd,
    },
  },
  status: async () => (await import('./commands/status.ts')).status,
  commit: async () => (await import('./commands/commit.ts')).commit,
  convert: async () => (await import('./commands/convert.ts')).convert,
  lint: async () => (await import('./commands/lint.ts')).lint,
  verify: async () => (await import('./commands/verify.ts')).verify,
  restore: async () => (await import('./commands/restore.ts')).restore,
  check: async () => (await import('./commands/check.ts')).check,
  'migrate-layout': async () => (await import('./commands/migrate-layout.ts')).migrateLayout,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  config: {
    summary: 'Read and change wiki.json',
    commands: {
      get: async () => (await import('./commands/config.ts')).configGet,
      set: async () => (await import('./commands/config.ts')).configSet,
      list: async () => (await import('./commands/config.ts')).configList,
    },
  },
  token: {
    summary: 'Make, list and revoke the tokens of the server',
    commands: {
      create: async () => (await import('./commands/token.ts')).tokenCreate,
      list: async () => (await import('./commands/token.ts')).tokenList,
      revoke: async () => (await import('./commands/token.ts')).tokenRevoke,
    },
  },
  completion: async () => (await import('./commands/help/completion.ts')).completion,
  help: async () => (await import('./commands/help/help.ts')).help,
}

/** Commands for this project's own scripts, hidden from the help. */
export const hiddenCommands: Readonly<Record<string, Loader>> = {
  transform: async () => (await import('./commands/convert.ts')).convert,
  'diff-driver': async () => (await import('./commands/diff-driver.ts')).diffDriver,
  'merge-driver': async () => (await import('./commands/merge.ts')).mergeDriver,
  __complete: async () => (await import('./commands/help/complete.ts')).complete,
}

/** Returns true for a group of subcommands. */
export function isGroup(entry: Loader | Group): entry is Group {
  return typeof entry !== 'function'
}
