/** `wiki page edit`: saves the next revision of a page. */

import { isWikiError } from '../../../core/errors.ts'
import type { PageSource } from '../../../core/page.ts'
import type { UpdatedPage } from '../../../operations/update-page.ts'
import type { Wiki } from '../../../operations/wiki.ts'
import { sharedOptions } from '../../arguments/options.ts'
import { revisionOfPage } from '../../arguments/revision-of-page.ts'
import { checkWrittenTitle } from '../../arguments/written-title.ts'
import { findAuthor } from '../../author.ts'
import { reportUnchangedFiles, revisionName } from '../../change-report.ts'
import type { Command } from '../../command.ts'
import type { Context } from '../../context.ts'
import { readDraft, refuseEmpty } from '../../draft.ts'

interface Values {
  readonly file?: string
  readonly comment?: string
  readonly minor?: boolean
  readonly base?: string
  readonly html?: boolean
  readonly allowEmpty?: boolean
  readonly user?: string
}

export const pageEdit: Command<Values> = {
  summary: 'Change a page, from a file or in the editor',
  details:
    'A page that does not exist is created. If somebody else has saved a newer revision meanwhile, both edits are merged; ' +
    "if they collide, nothing is written and the exit status is 3. A text of --file that comes from the page's file in the work " +
    'tree is based on what that file was made from, unless --base names a revision. Without --base a text that seems to be older ' +
    'than the edits of others is refused, too.',
  arguments: { '<title>': 'title of the page' },
  options: [
    sharedOptions.file,
    sharedOptions.comment,
    sharedOptions.minor,
    { flags: '--html', help: 'the text is HTML: what you do not change keeps its wikitext' },
    { flags: '--base <revision>', help: 'the revision that your text is based on (default: the latest)' },
    sharedOptions.allowEmpty,
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: ['wiki page edit "Main Page" -m "Fix a typo" --minor', 'wiki page edit "Main Page" -f new.wiki --base 42'],
  completes: 'titles',
  async run(context, [title = ''], { file, comment = null, minor, base, html = false, allowEmpty, user }) {
    const { updatePage } = await import('../../../operations/update-page.ts')
    const wiki = await context.wiki()
    const author = await findAuthor(context, user)
    await checkWrittenTitle(wiki, title)
    const start = await findStart(context, title, base)
    const { text, model } = html ? await htmlStart(wiki, start) : sourceStart(start)
    const draft = await readDraft(context, { file, title, text, model })
    if (draft === null) return context.say('Nothing was changed in the editor; nothing was saved')
    const source = html ? await wikitextOf(wiki, { title, html: draft.source, revision: start?.id }) : draft.source
    refuseEmpty(draft, source, { title, allowEmpty })
    const isGiven = file !== undefined && !html
    const given = { title, source, hasBase: base !== undefined, writer: author.name, file: file ?? '-' }
    const origin = isGiven ? await originOf(wiki, given) : undefined
    const made = origin?.base ?? start?.made
    const edited = { base: made?.id, baseCommit: made?.commit, work: origin?.work }
    const result = await updatePage(wiki, { title, source, comment, minor, author, ...edited })
    draft.discard()
    await sayUpdated(context, result)
  },
}

/** Returns the initial text of an edit in wikitext: the page's source. */
function sourceStart(start: Start) {
  return { text: start?.source ? `${start.source}\n` : '', model: start?.content_model ?? 'wikitext' }
}

/**
 * Returns the initial text of an edit in HTML: the revision's HTML, with attributes that locate each part in the
 * source.
 */
async function htmlStart(wiki: Wiki, start: Start) {
  if (start === null) return { text: '', model: 'html' }
  const { renderRevision } = await import('../../../operations/render-page.ts')
  return { text: (await renderRevision(wiki, { id: start.id, flavor: 'edit' })).html, model: 'html' }
}

/** A text from a file or a program may be older than the page, as may the page's work-tree file that it equals. */
async function originOf(
  { store }: Wiki,
  given: { title: string; source: string; hasBase: boolean; writer: string; file: string },
) {
  const { writtenTitle } = await import('../../../operations/resources/find-page.ts')
  const { originOfText } = await import('../../../operations/work-tree/work-source.ts')
  const { checkNotStale } = await import('../../../operations/work-tree/stale-text.ts')
  const title = writtenTitle(store, given.title)
  const { source: text, hasBase, writer, file } = given
  const origin = await originOfText(store, { title, source: text, hasBase })
  if (!hasBase && origin.base === undefined) await checkNotStale(store, title, { text, writer, file })
  return origin
}

async function wikitextOf(wiki: Wiki, query: { title: string; html: string; revision: number | undefined }) {
  const { transformToWikitext } = await import('../../../operations/convert-html.ts')
  return transformToWikitext(wiki, query)
}

type Start = Awaited<ReturnType<typeof findStart>>

/** Returns the revision that the edit is based on; null if the page does not exist yet. */
async function findStart(context: Context, title: string, base: string | undefined) {
  const { readPage } = await import('../../../operations/read-page.ts')
  const wiki = await context.wiki()
  if (base !== undefined) {
    const { readRevision } = await import('../../../operations/read-revision.ts')
    const revision = await readRevision(wiki, { id: await revisionOfPage(wiki, base, title) })
    // The user may have read the number before a pull reassigned it.
    const isNumber = /^\d+$/.test(base)
    return { ...revision, made: isNumber ? { id: revision.id, commit: undefined } : revisionNow(wiki, revision.id) }
  }
  const page = await readPage(wiki, { title, base: '' }).catch((error: unknown): PageSource | null => {
    if (isWikiError(error, 'rest-nonexistent-title')) return null
    throw error
  })
  return page && { ...page, id: page.latest.id, made: revisionNow(wiki, page.latest.id) }
}

/** Ids may be reassigned while the editor is open; commits are not. */
function revisionNow({ store }: Wiki, id: number) {
  return { id, commit: store.revision(id)?.commit }
}

async function sayUpdated(context: Context, { page, created, changed, merged, leftAlone }: UpdatedPage): Promise<void> {
  if (context.options.json) await context.printJson(page)
  const revision = await revisionName(context, page.latest.id)
  const others = merged ? ', merged with the newer edits of others' : ''
  await context.say(
    changed
      ? `${created ? 'Created' : 'Saved'} "${page.title}" as ${revision}${others}`
      : `"${page.title}" has this text already, in ${revision}`,
  )
  await reportUnchangedFiles(context, leftAlone)
}
