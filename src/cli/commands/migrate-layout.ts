/** `wiki migrate-layout`: moves all page files to the paths of another layout. */

import { WikiError } from '../../core/errors.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import type { MigratedLayout } from '../../operations/migrate-layout.ts'
import { sharedOptions } from '../arguments/options.ts'
import { findAuthor } from '../author.ts'
import { reportUnchangedFiles } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'

interface Values {
  readonly comment?: string
  readonly dryRun?: boolean
  readonly user?: string
}

/** Layouts by name. */
const layouts: Readonly<Record<string, WikiConfig['layout']>> = {
  sharded: 'sharded',
  folders: 'folders',
  flat: 'folders',
}

export const migrateLayout: Command<Values> = {
  summary: 'Move all files into another layout in one commit; titles, ids and histories stay the same',
  arguments: {
    '[layout]': 'sharded: spread over 256 folders (default); folders (or flat): as the titles are',
  },
  options: [sharedOptions.comment, sharedOptions.dryRun, sharedOptions.user, sharedOptions.noVerify],
  examples: ['wiki migrate-layout --dry-run', 'wiki migrate-layout sharded', 'wiki migrate-layout folders'],
  async run(context, [name = 'sharded'], { comment = null, dryRun, user }) {
    const layout = Object.hasOwn(layouts, name) ? layouts[name] : undefined
    if (layout === undefined)
      throw new WikiError('wiki-usage', {
        params: [`There is no layout "${name}"`],
        hint: 'One of: sharded, folders',
      })
    const operation = await import('../../operations/migrate-layout.ts')
    const author = await findAuthor(context, user)
    const migrated = await operation.migrateLayout(await context.wiki(), { layout, comment, author, dryRun })
    if (context.options.json) await context.printJson(migrated)
    else if (dryRun) await context.print(migrated.moves.map(({ from, to }) => `${from}\t${to}\n`).join(''))
    await sayMigrated(context, migrated, dryRun ?? false)
    await reportUnchangedFiles(context, migrated.leftAlone)
  },
}

async function sayMigrated(context: Context, migrated: MigratedLayout, dryRun: boolean): Promise<void> {
  const { moves, commit, layout } = migrated
  const files = moves.length === 1 ? '1 file' : `${moves.length} files`
  if (dryRun) return context.say(`Would move ${files}`)
  if (commit === null) return context.say(`All files already have the layout ${layout}`)
  await context.say(`Moved ${files} into the layout ${layout} (${shortHash(commit)})`)
}
