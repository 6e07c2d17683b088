/** Statistics of the wiki, and its changes by day. */

import { type Activity, type DayActivity, wikiActivity } from '../../../operations/activity.ts'
import { specialAddress } from '../../addresses.ts'
import { activityCalendar } from '../../drawings/activity.ts'
import { html, type Markup } from '../../markup.ts'
import { notice } from '../../parts/notice.ts'
import type { WebReply, WebRequest } from '../../request.ts'

/** Shows the statistics. */
export async function statisticsPage(request: WebRequest): Promise<WebReply> {
  const { wiki, words } = request
  const { store } = wiki
  const activity = await wikiActivity(wiki)
  const figures = [
    [words.say('allPages'), store.countPages(), 'AllPages'],
    [words.say('files'), store.countFiles(), 'ListFiles'],
    [words.say('revisions'), store.revisionCount, 'RecentChanges'],
  ] as const
  const rows = figures.map(
    ([name, count, special]) =>
      html`<tr><th scope="row"><a href="${specialAddress(special)}">${name}</a></th><td>${words.number(count)}</td></tr>`,
  )
  const body = html`${store.shallow ? notice(words.say('shallowHistory')) : null}<table class="facts"><tbody>${rows}</tbody></table>${activityPart(request, activity)}`
  return { view: { title: words.text('statistics'), body } }
}

function activityPart({ words }: WebRequest, { days, isWhole }: Activity): Markup | null {
  if (days.length === 0) return null
  return html`<h2>${words.say('activityTitle')}</h2>
${isWhole ? null : html`<p class="meta">${words.say('listIncomplete')}</p>`}
<div class="scroll" role="region" tabindex="0" aria-label="${words.say('activityTitle')}">${activityCalendar(days, words)}</div>
<details><summary>${words.say('asTable')}</summary>${dayTable(days, words)}</details>`
}

function dayTable(days: readonly DayActivity[], words: WebRequest['words']): Markup {
  const rows = days
    .toReversed()
    .map(
      ({ day, changes, pages, people }) =>
        html`<tr><th scope="row">${words.day(day)}</th><td>${words.number(changes)}</td><td>${words.number(pages)}</td><td>${words.number(people)}</td></tr>\n`,
    )
  return html`<table class="facts numbers"><thead><tr><th scope="col">${words.say('dayColumn')}</th><th scope="col">${words.say('changesGroup')}</th><th scope="col">${words.say('pagesColumn')}</th><th scope="col">${words.say('peopleColumn')}</th></tr></thead><tbody>
${rows}</tbody></table>`
}
