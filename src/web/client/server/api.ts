/** Client of the REST API of the page's server. */

import { createClient } from '../../../client/client.ts'

export const api = createClient({ base: '/v1' })

/** Client that bypasses the browser's cache, which hides a newer revision for a minute. */
export const currentApi = createClient({
  base: '/v1',
  fetch: (input, init) => fetch(input, { ...init, cache: 'no-cache' }),
})
