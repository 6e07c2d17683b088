/**
 * The path below which this browser is signed in: the server shows the wiki there, so that no program on another port gets the cookie. A
 * page at an address without it leads there, as a bookmark does, or a link in another program.
 */

import { pageAt } from './trusted.ts'

const storedName = 'wiki-own-place'

/** Below the path, remembers it if somebody is signed in; elsewhere, goes there if somebody still is. */
export async function keepOwnPlace(): Promise<void> {
  const { uiOwn } = document.body.dataset
  const stored = storedPlace()
  if (uiOwn === undefined || uiOwn === stored) return
  const place = uiOwn || stored
  if (place === '') return
  const isSignedIn = await isSignedInBelow(place)
  if (uiOwn !== '' && isSignedIn) localStorage.setItem(storedName, place)
  else if (uiOwn === '' && isSignedIn) location.replace(place + location.pathname + location.search + location.hash)
  else if (uiOwn === '') localStorage.removeItem(storedName)
}

/** Returns the address of a form: below the path if somebody has signed in in another tab since the form was opened. */
export function ownAction(form: HTMLFormElement): string {
  const place = document.body.dataset.uiOwn === '' ? storedPlace() : ''
  const action = form.getAttribute('action') ?? ''
  if (place !== '' && action.startsWith('/') && !action.startsWith('/~')) form.setAttribute('action', place + action)
  return form.action
}

function storedPlace(): string {
  try {
    return localStorage.getItem(storedName) ?? ''
  } catch {
    return ''
  }
}

async function isSignedInBelow(place: string): Promise<boolean> {
  const page = await pageAt(`${place}/wiki/Special:UserLogin`)
  return page?.querySelector('main form[action$="/wiki/Special:UserLogout"]') != null
}
