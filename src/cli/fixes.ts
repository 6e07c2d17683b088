/** `--fix` of `wiki check` and `wiki lint`: applies all automatic fixes in one commit. */

import type { Problem } from '../checks/problem.ts'
import { shortHash } from '../core/short-hash.ts'
import type { FixValues } from './arguments/gate-arguments.ts'
import { findAuthor } from './author.ts'
import { reportUnchangedFiles, unwritableText } from './change-report.ts'
import type { Context } from './context.ts'

/** Fixes problems of pages on the branch, or prints the difference in a dry run. Returns the remaining problems. */
export async function runFixes(
  context: Context,
  problems: readonly Problem[],
  values: FixValues,
): Promise<readonly Problem[]> {
  const { fixProblems } = await import('../operations/fix-problems.ts')
  const { dryRun = false, comment = null, user } = values
  const author = await findAuthor(context, user)
  const fixed = await fixProblems(await context.wiki(), { problems, dryRun, comment, author })
  const { pages, edited, unread, left, patch } = fixed
  if (dryRun)
    await (context.options.json ? context.printJson({ pages, edited, unread, left, patch }) : context.print(patch))
  const count = fixed.pages.reduce((sum, page) => sum + page.count, 0)
  const places = `${count} ${count === 1 ? 'problem' : 'problems'} on ${fixed.pages.length} ${fixed.pages.length === 1 ? 'page' : 'pages'}`
  if (count === 0) await context.say('There are no automatic fixes')
  else if (fixed.commit === null) await context.say(`Would fix ${places}`)
  else await context.say(`Fixed ${places} in ${shortHash(fixed.commit)}`)
  if (fixed.left > 0)
    await context.say(
      `${fixed.left} are left, within others or on a page that changed meanwhile; run the command again for them`,
    )
  for (const path of fixed.edited)
    await context.say(`Left ${path} unchanged: it has uncommitted changes; wiki commit records them`)
  for (const path of unread) await context.say(`Left ${path} unchanged: it ${unwritableText(dryRun)}`)
  await reportUnchangedFiles(context, fixed.leftAlone)
  const done = new Set(fixed.commit === null ? [] : fixed.fixed)
  return problems.filter(problem => !done.has(problem))
}
