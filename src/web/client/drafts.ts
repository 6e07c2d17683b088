/** Lists the drafts of this wiki that the browser stores. */

import { draftsWith, removeDrafts, takeStashed } from './writing/draft-store.ts'
import { button, timeText } from './writing/edit-form.ts'

interface DraftListData {
  /** Prefix of the names of this wiki's drafts. */
  readonly prefix: string
  readonly words: { readonly none: string; readonly discard: string; readonly refused: string }
}

const list = document.querySelector<HTMLElement>('[data-ui-drafts]')
if (list !== null) void show(list)

async function show(list: HTMLElement): Promise<void> {
  const { prefix, words }: DraftListData = JSON.parse(list.dataset.uiDrafts ?? '')
  await takeStashed().catch(() => {})
  const drafts = await draftsWith(prefix).catch(() => null)
  if (drafts === null || drafts.length === 0) {
    list.textContent = drafts === null ? words.refused : words.none
    return
  }
  const rows = document.createElement('ul')
  list.append(rows)
  for (const { id, name, title, address, time, text } of drafts) {
    const row = document.createElement('li')
    const link = document.createElement('a')
    link.href = address?.startsWith('/') ? address : './'
    link.textContent = title ?? name.slice(name.lastIndexOf(' ') + 1)
    const start = document.createElement('p')
    start.className = 'meta'
    start.textContent = text.slice(0, 200)
    const gone = (): void => row.remove()
    const drop = button(words.discard, () => void removeDrafts(id).then(gone, gone))
    row.append(link, ` ${timeText(time)} `, drop, start)
    rows.append(row)
  }
}
