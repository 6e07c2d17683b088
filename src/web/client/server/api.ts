/** Client of the REST API of the page's server. */

import { createClient } from '../../../client/client.ts'

/** Prefix of the URLs of the page's server; "" at the root of a host. */
export const urlPrefix = globalThis.document?.body.dataset.uiPrefix ?? ''

/** Name under which the path is stored below which somebody is signed in. */
export const placeName = 'wiki-own-place'

/** Returns that path; "" for none. */
export function storedPlace(): string {
  try {
    return localStorage.getItem(placeName) ?? ''
  } catch {
    return ''
  }
}

export const api = createClient({ base: `${urlPrefix}/v1` })

/** Client that bypasses the browser's cache, which hides a newer revision for a minute. */
export const currentApi = createClient({
  base: `${urlPrefix}/v1`,
  fetch: (input, init) => fetch(input, { ...init, cache: 'no-cache' }),
})
