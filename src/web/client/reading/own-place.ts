/**
 * The path below which this browser is signed in: the server shows the wiki there, so that no program on another port gets the cookie. A
 * page at an address without it leads there, as a bookmark does, or a link in another program.
 */

import { placeName, storedPlace } from '../server/api.ts'
import { pageAt } from './trusted.ts'

/** Below the path, remembers it if somebody is signed in; elsewhere, goes there if somebody still is. */
export async function keepOwnPlace(): Promise<void> {
  const { uiOwn } = document.body.dataset
  const stored = storedPlace()
  if (uiOwn === undefined || uiOwn === stored) return
  const place = uiOwn || stored
  if (place === '') return
  const isSignedIn = await isSignedInBelow(place)
  if (uiOwn !== '' && isSignedIn) localStorage.setItem(placeName, place)
  else if (uiOwn === '' && isSignedIn) location.replace(place + location.pathname + location.search + location.hash)
  else if (uiOwn === '') localStorage.removeItem(placeName)
}

async function isSignedInBelow(place: string): Promise<boolean> {
  const page = await pageAt(`${place}/wiki/Special:UserLogin`)
  return page?.querySelector('main form[action$="/wiki/Special:UserLogout"]') != null
}
