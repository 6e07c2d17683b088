/** Compares two revisions of a page. */

import type { Comparison } from '../../core/comparison.ts'
import { WikiError } from '../../core/errors.ts'
import type { RevisionObject } from '../../core/revision.ts'
import { areReadable } from '../../operations/access/hidden.ts'
import { compareRevisionsAsJson } from '../../operations/compare-revisions.ts'
import { readRevision, revisionObject } from '../../operations/read-revision.ts'
import { integerParam } from '../../operations/resources/params.ts'
import { pageAddress } from '../addresses.ts'
import { attributes, html, type Markup } from '../markup.ts'
import { flagsOf } from '../parts/changes.ts'
import { type DiffForm, diffTable, type GapText, maxTableBytes } from '../parts/diff-table.ts'
import { keyOf } from '../parts/keys.ts'
import { nextRevision } from '../parts/next-revision.ts'
import { summaryOf, userLink } from '../parts/people.ts'
import { revisionLink } from '../parts/revision-links.ts'
import { redirectReply, type WebReply, type WebRequest } from '../request.ts'
import { canWrite } from '../rights.ts'

type Revision = NonNullable<ReturnType<WebRequest['wiki']['store']['revision']>>

/** The two sides. `from` is null if `to` created the page. */
interface Sides {
  readonly from: Revision | null
  readonly to: Revision
}

/** Compares the revisions that `diff` and `oldid` name, with MediaWiki's meaning. Errors: as `compareRevisions`. */
export async function comparisonPage(request: WebRequest): Promise<WebReply> {
  const sides = sidesOf(request, request.query('oldid'), request.query('diff') ?? 'prev')
  return showSides(request, sides)
}

/** `Special:Diff/A/B`, `Special:Diff/B`. */
export async function specialComparison(request: WebRequest): Promise<WebReply> {
  const [first = '', second] = request.title.split('/')
  const sides = second === undefined ? sidesOf(request, undefined, first) : sidesOf(request, first, second)
  const { key } = revisionObject(request.wiki.store, sides.to).page
  return redirectReply(302, pageAddress(key, { diff: sides.to.id, oldid: sides.from?.id }))
}

function sidesOf({ wiki, title }: WebRequest, oldid: string | undefined, diff: string): Sides {
  const { store } = wiki
  const find = (id: number): Revision => {
    const found = store.revision(id, { deleted: true })
    if (found === undefined) throw new WikiError('rest-nonexistent-revision', { params: [id] })
    return found
  }
  const latest = (): number => {
    const page = store.findPage(title.replaceAll(' ', '_'))
    if (page === undefined) throw new WikiError('rest-nonexistent-title', { params: [title] })
    return page.latest
  }
  const old = oldid === undefined ? null : find(integerParam('oldid', oldid))
  if (diff === 'prev') return before(find, old ?? find(latest()))
  if (diff === 'next' && old !== null) return { from: old, to: find(nextRevision(store, old) ?? old.id) }
  const to = find(diff === 'cur' || diff === '0' || diff === 'next' ? latest() : integerParam('diff', diff))
  return old === null ? before(find, to) : { from: old, to }
}

function before(find: (id: number) => Revision, to: Revision): Sides {
  return { from: to.previous === null ? null : find(to.previous), to }
}

async function showSides(request: WebRequest, { from, to }: Sides): Promise<WebReply> {
  const { wiki, words } = request
  const { page } = revisionObject(wiki.store, to)
  if (page.key !== request.title.replaceAll(' ', '_'))
    return redirectReply(301, pageAddress(page.key, { diff: to.id, oldid: from?.id }))
  const text = (await readRevision(wiki, { id: to.id })).source
  const query = { from: from?.id ?? { text: '' }, to: to.id, maxBytes: maxTableBytes }
  const { diff }: Comparison = JSON.parse(await compareRevisionsAsJson(wiki, query))
  const form: DiffForm = request.query('view') === 'side' ? 'side' : 'inline'
  const table = await diffTable(diff, form, gapText(request, { from, to }, text), words)
  return {
    view: {
      title: words.text('differenceTitle', page.title),
      heading: html`${words.say('differenceTitle', html`<bdi>${page.title}</bdi>`)}`,
      key: page.key,
      tab: 'history',
      isWide: form === 'side',
      unlisted: true,
      body: html`${sideHeads(request, { from, to }, form)}${formSwitch(request, { from, to }, form)}${table}`,
    },
  }
}

function gapText({ wiki, query }: WebRequest, { from, to }: Sides, text: string): GapText {
  const { key } = revisionObject(wiki.store, to).page
  const asked = query('open')
  const sides = { diff: to.id, oldid: from?.id, view: query('view') }
  return {
    text,
    open: asked === undefined ? null : integerParam('open', asked),
    opening: line => pageAddress(key, { ...sides, open: line }),
  }
}

function sideHeads(request: WebRequest, { from, to }: Sides, form: DiffForm): Markup {
  const { wiki, words } = request
  const view = form === 'side' ? form : undefined
  const previous = from?.previous ?? null
  const next = nextRevision(wiki.store, to)
  const { key } = revisionObject(wiki.store, to).page
  const older =
    previous === null
      ? null
      : revisionLink(request, {
          shows: [previous],
          address: pageAddress(key, { diff: from?.id, oldid: previous, view }),
          content: html`← ${words.say('olderEdit')}`,
          about: { accesskey: keyOf('olderEdit') },
        })
  const newer =
    next === null
      ? null
      : revisionLink(request, {
          shows: [next],
          address: pageAddress(key, { diff: next, oldid: to.id, view }),
          content: html`${words.say('newerEdit')} →`,
          about: { accesskey: keyOf('newerEdit') },
        })
  return html`<div class="sides">
<section aria-label="${words.say('before')}">${from === null ? html`<p>${words.say('pageBegins')}</p>` : sideHead(request, from)}${older}</section>
<section aria-label="${words.say('after')}">${sideHead(request, to)}${newer}</section>
</div>`
}

function sideHead(request: WebRequest, entry: Revision): Markup {
  const { wiki, words } = request
  const revision: RevisionObject = revisionObject(wiki.store, entry)
  const { id, page, timestamp, user, comment } = revision
  const latest = wiki.store.findPage(page.key)?.latest
  const canEdit = latest !== undefined && canWrite(request, page.key)
  const undo =
    canEdit && entry.previous !== null && areReadable(wiki.store, [entry.previous, latest])
      ? html`<a href="${pageAddress(page.key, { action: 'edit', undo: id })}">${words.say('undo')}</a>`
      : null
  const restore =
    canEdit && latest !== id
      ? html`<a href="${pageAddress(page.key, { action: 'edit', oldid: id })}">${words.say('restoreThis')}</a>`
      : null
  return html`<p><a href="${pageAddress(page.key, { oldid: id })}">${words.time(timestamp)}</a>${latest === id ? html` <span class="tag">${words.say('latest')}</span>` : null}</p>
<p>${userLink(user, words)} ${flagsOf(entry, words)}</p>
<p>${summaryOf(comment, page.key, words)}</p>
<p class="ways">${undo}${restore}</p>`
}

function formSwitch({ wiki, words }: WebRequest, { from, to }: Sides, form: DiffForm): Markup {
  const { key } = revisionObject(wiki.store, to).page
  const query = { diff: to.id, oldid: from?.id }
  const link = (own: DiffForm, word: 'inlineView' | 'sideView'): Markup =>
    html`<a href="${pageAddress(key, { ...query, view: own === 'side' ? 'side' : undefined })}"${attributes({ 'aria-current': own === form ? 'true' : null })}>${words.say(word)}</a>`
  return html`<nav class="switch" aria-label="${words.say('comparison')}">${link('inline', 'inlineView')}${link('side', 'sideView')}</nav>`
}
