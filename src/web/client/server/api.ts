/** Client of the REST API of the page's server. */

import { createClient } from '../../../client/client.ts'

/** Prefix of the URLs of the page's server; "" at the root of a host. */
export const urlPrefix = globalThis.document?.body.dataset.uiPrefix ?? ''

export const api = createClient({ base: `${urlPrefix}/v1` })

/** Client that bypasses the browser's cache, which hides a newer revision for a minute. */
export const currentApi = createClient({
  base: `${urlPrefix}/v1`,
  fetch: (input, init) => fetch(input, { ...init, cache: 'no-cache' }),
})
