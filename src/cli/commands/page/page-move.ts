/** `wiki page move`: renames a page, and rewrites the links to it. */

import { titleArgument } from '../../../core/shell-quote.ts'
import type { MovedLinks, MovedPage } from '../../../operations/move-page.ts'
import type { Wiki } from '../../../operations/wiki.ts'
import { sharedOptions } from '../../arguments/options.ts'
import { checkWrittenTitle } from '../../arguments/written-title.ts'
import { findAuthor } from '../../author.ts'
import { reportUnchangedFiles, revisionName } from '../../change-report.ts'
import type { Command } from '../../command.ts'
import type { Context } from '../../context.ts'

interface Values {
  readonly comment?: string
  readonly redirect?: boolean
  readonly updateLinks?: boolean
  readonly retitle?: boolean
  readonly dryRun?: boolean
  readonly user?: string
}

export const pageMove: Command<Values> = {
  summary: 'Give a page another title and leave a redirect',
  details:
    'With --update-links the links of all pages are rewritten in the same commit, so that each keeps its target; their text ' +
    'stays, and so does every byte outside targets. At a terminal it asks if there are links to the page. With --dry-run it prints the ' +
    'resulting difference. A Markdown page leaves a note with a link instead of a redirect.',
  arguments: { '<from>': 'its title', '<to>': 'its new title' },
  options: [
    sharedOptions.comment,
    { flags: '--update-links', help: 'rewrite all links to it' },
    { flags: '--no-update-links', help: 'leave links unchanged, and do not ask' },
    { flags: '--retitle', help: 'change the text of links that show the old title' },
    { flags: '--no-redirect', help: 'leave nothing at the old title' },
    sharedOptions.dryRun,
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: [
    'wiki page move "Fire house" "Fire station" -m "The usual name"',
    'wiki page move "Fire house" "Fire station" --update-links --dry-run',
  ],
  completes: 'titles',
  async run(context, [from = '', to = ''], { comment = null, redirect, updateLinks, retitle, dryRun, user }) {
    const { movedBody, movePage } = await import('../../../operations/move-page.ts')
    const author = await findAuthor(context, user)
    const wiki = await context.wiki()
    await checkWrittenTitle(wiki, to)
    const request = { from, to, comment, author, redirect, retitleLinks: retitle }
    const planned = async () => (await movePage(wiki, { ...request, updateLinks: true, dryRun: true })).links
    const asked = updateLinks ?? retitle ?? (!dryRun && (await wantsUpdate(context, planned)))
    const moved = await movePage(wiki, { ...request, updateLinks: asked, dryRun })
    if (context.options.json) await context.printJson(movedBody(moved))
    else if (dryRun) await printPlan(context, moved)
    if (!dryRun) await sayMoved(context, moved)
    if (redirect && !moved.redirect && !asked && !dryRun) await sayBroken(context, wiki, moved)
  },
}

/** Asks on a terminal; otherwise links stay unchanged. */
async function wantsUpdate({ io, options }: Context, planned: () => Promise<MovedLinks | undefined>): Promise<boolean> {
  if (options.yes || !options.input || !io.stdin.isTTY || !io.stderr.isTTY) return false
  const { pages = [] } = (await planned()) ?? {}
  if (pages.length === 0) return false
  await io.stderr.write(`Update ${linksOf(pages)}? [Y/n] `)
  return !/^n/i.test((await io.stdin.line()).trim())
}

async function printPlan(context: Context, moved: MovedPage): Promise<void> {
  const sentence = `Would move "${moved.from.title}" to "${moved.to.title}"${besides(moved)}`
  if (moved.patch === undefined) await context.print(`${sentence}\n`)
  else {
    await context.print(moved.patch)
    await context.say(sentence)
    await sayUnchanged(context, moved)
  }
}

async function sayMoved(context: Context, moved: MovedPage): Promise<void> {
  const revision = moved.latest === null ? '' : ` as ${await revisionName(context, moved.latest)}`
  await context.say(`Moved "${moved.from.title}" to "${moved.to.title}"${revision}${besides(moved)}`)
  await sayUnchanged(context, moved)
  await reportUnchangedFiles(context, moved.leftAlone)
}

/** A redirect would be a second file of the same name but for its case, so a move that changes only case breaks links. */
async function sayBroken(context: Context, wiki: Wiki, { from }: MovedPage): Promise<void> {
  const { incomingLinks } = await import('../../../operations/page-links.ts')
  const { members } = await incomingLinks(wiki, { title: from.key, limit: 1_000_000_000 })
  if (members.length === 0) return
  const pages = members.length === 1 ? '1 page links' : `${members.length} pages link`
  await context.say(
    `No redirect could stay: ${pages} to "${from.title}", where nothing is now (wiki links ${titleArgument(from.title)} --to)`,
  )
}

function besides({ redirect, replaced, to, links }: MovedPage): string {
  const left = /\.(?:markdown|mdx?|mkdn?|mdown)$/i.test(to.path) ? 'a note with a link' : 'a redirect'
  const parts = [
    ...(replaced ? ['in place of what had led here'] : []),
    ...(redirect ? [`leaving ${left}`] : []),
    ...(links !== undefined && links.pages.length > 0 ? [`with ${linksOf(links.pages)}`] : []),
  ]
  return parts.map(part => `, ${part}`).join('')
}

function linksOf(pages: MovedLinks['pages']): string {
  const count = pages.reduce((sum, { links }) => sum + links, 0)
  return `${count} ${count === 1 ? 'link' : 'links'} on ${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`
}

/** Maximum number of links that are listed; the JSON form lists all. */
const named = 10

async function sayUnchanged(context: Context, { links }: MovedPage): Promise<void> {
  const { unchanged = [], unread = [] } = links ?? {}
  for (const { title, link } of unchanged.slice(0, named))
    await context.say(`Not rewritten: ${link.replace(/\s+/g, ' ').slice(0, 80)} on "${title}"`)
  if (unchanged.length > named)
    await context.say(`Not rewritten: ${unchanged.length - named} more links; --json lists them`)
  if (unread.length > 0)
    await context.say(
      `Not read: ${unread
        .map(title => `"${title}"`)
        .slice(0, named)
        .join(', ')}`,
    )
}
