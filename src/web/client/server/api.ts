/** The API of the server that the page is from. */

import { createClient } from '../../../client/client.ts'

export const api = createClient({ base: '/v1' })
