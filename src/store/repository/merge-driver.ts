/** Configures git to merge the wiki's texts with `wiki merge-driver`, in this clone only; no tracked file changes. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contentModels } from '../../core/content-models.ts'
import { WikiError } from '../../core/errors.ts'
import { makeFolder } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'
import { replaceDurably } from './durable-file.ts'
import { runGit } from './process.ts'
import type { Repository } from './repository.ts'

const driver = 'wiki merge-driver %O %A %B %P --marker-size %L'

/** Content models whose texts are merged by words. */
const proseModels = ['wikitext', 'markdown'] as const

/**
 * Installs the merge driver in a clone: in git's configuration, and for prose files in `info/attributes`. Idempotent. Errors:
 * wiki-usage if there is no git.
 */
export function installMergeDriver({ commonDirectory }: Repository): void {
  configure(commonDirectory, 'merge.wiki.name', 'merge of prose by words')
  configure(commonDirectory, 'merge.wiki.driver', driver)
  const file = join(commonDirectory, 'info', 'attributes')
  const before = existsSync(file) ? readText(file) : ''
  const present = new Set(before.split('\n').map(line => line.trim()))
  const missing = attributeLines().filter(line => !present.has(line))
  if (missing.length === 0) return
  makeFolder(join(commonDirectory, 'info'))
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  replaceDurably(file, `${before}${gap}${missing.map(line => `${line}\n`).join('')}`)
}

function attributeLines(): string[] {
  return proseModels.flatMap(model => contentModels[model].extensions.map(extension => `*.${extension} merge=wiki`))
}

function configure(commonDirectory: string, key: string, value: string): void {
  const result = runGit(['config', key, value], { gitDirectory: commonDirectory })
  if (result.status === 0) return
  const reason = result.stderr?.toString().split('\n')[0] || 'there is no git'
  throw new WikiError('wiki-usage', { params: [`The merge driver cannot be installed: ${reason}`] })
}
