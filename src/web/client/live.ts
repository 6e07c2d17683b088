/** Optional live updates of recent changes while the page is open. */

import { showLocalTimes } from './reading/times.ts'
import { pageAt } from './reading/trusted.ts'
import { followChanges } from './server/change-stream.ts'
import { morphChildren } from './writing/morph.ts'

const list = document.querySelector<HTMLElement>('[data-ui-live]')
if (list !== null) offerLive(list)

/** Adds a switch above the list. New content is the server's own page, with its filters. */
function offerLive(list: HTMLElement): void {
  const { uiWord = '' } = list.dataset
  const toggle = document.createElement('button')
  toggle.type = 'button'
  toggle.textContent = uiWord
  toggle.ariaPressed = 'false'
  let end: (() => void) | null = null
  let isAsking = false
  let isStale = false
  const renew = async (): Promise<void> => {
    isStale = true
    if (isAsking) return
    isAsking = true
    while (isStale) {
      isStale = false
      const page = await pageAt(location.href)
      const now = page?.querySelector('[data-ui-live]')
      if (now) morphChildren(list, now)
      showLocalTimes(list)
    }
    isAsking = false
  }
  toggle.addEventListener('click', () => {
    end?.()
    end = end === null ? followChanges(() => void renew()) : null
    toggle.ariaPressed = String(end !== null)
    // Changes since the page was requested.
    if (end !== null) void renew()
  })
  const place = document.createElement('p')
  place.append(toggle)
  list.before(place)
}
