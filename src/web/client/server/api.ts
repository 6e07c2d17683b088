/** Client of the REST API of the page's server. */

import { createClient } from '../../../client/client.ts'

export const api = createClient({ base: '/v1' })
