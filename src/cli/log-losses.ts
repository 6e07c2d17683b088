/** Log lines of a server about acknowledged edits that are lost or cannot be read. */

import type { LostEdit, VerifiedBranch, VerifiedWiki } from '../operations/verify-wiki.ts'
import type { Context } from './context.ts'
import { visibleLine } from './render/text.ts'

/** Maximum number of listed edits; the others are only counted. */
const namedEdits = 5

/**
 * Checks the record of acknowledged edits in the background, and logs lost ones and what git has lost of the branch. Never throws: the wiki may be in any state, or
 * gone, and requests report its problems.
 */
export async function logLosses(context: Context, write: (line: string) => void): Promise<void> {
  await logOf(context, write).catch(() => {})
}

async function logOf(context: Context, write: (line: string) => void): Promise<void> {
  const { verifyWiki } = await import('../operations/verify-wiki.ts')
  const { openWiki } = await import('../operations/wiki.ts')
  const { branch } = (await context.wiki()).store.repository
  const wiki = await openWiki({ directory: context.directory, ...(branch !== 'HEAD' && { branch }) })
  try {
    // A new clone has no index yet. The server builds it, and once is enough.
    if ((await wiki.store.record()).events().length === 0) return
    const { branches, lost, kept } = await verifyWiki(wiki, { onlyOwn: true })
    const isJson = context.options.json === true
    const damages = branches.flatMap(one => damageLine(one, isJson))
    for (const line of [...damages, ...lossLines(lost, isJson), ...kept.map(one => keptLine(one, isJson))]) write(line)
  } finally {
    await wiki.close()
  }
}

function damageLine({ branch, error }: VerifiedBranch, json: boolean): string[] {
  if (error === null) return []
  const time = new Date().toISOString()
  const { message, hint } = error
  if (json) return [JSON.stringify({ event: 'unreadable-branch', time, branch, message, hint })]
  return [`${time} ${visibleLine(`${branch}: ${message}; ${hint}`)}`]
}

function keptLine({ path, original }: VerifiedWiki['kept'][number], json: boolean): string {
  const time = new Date().toISOString()
  if (json) return JSON.stringify({ event: 'kept-text', time, path, original })
  return `${time} text written to ${visibleLine(original)} after it was replaced is in ${visibleLine(path)}`
}

/** Formats one line for each of the first edits, and one with the number of the others. */
export function lossLines(lost: readonly LostEdit[], json: boolean): string[] {
  const time = new Date().toISOString()
  const named = lost.slice(0, namedEdits)
  const others = lost.length - named.length
  if (json) {
    const rows: object[] = named.map(edit => ({ event: 'lost-edit', time, edit }))
    if (others > 0) rows.push({ event: 'lost-edits', time, others })
    return rows.map(row => JSON.stringify(row))
  }
  const lines = named.map(({ title, commit, user, kind, restore }) => {
    const advice = restore === null ? 'wiki verify says more' : `bring it back with: ${restore}`
    return `${time} lost edit (${kind}): ${visibleLine(`${title ?? commit} by ${user ?? 'a hidden user'}`)}; ${advice}`
  })
  return others > 0 ? [...lines, `${time} ${others} more lost edits: wiki verify lists them`] : lines
}
