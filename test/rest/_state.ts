/** A state of a wiki, for caches of responses. */

import type { WikiState } from '../../src/http/response-cache.ts'

export const oneState: WikiState = { state: 'state', tip: 'tip', lineage: '', configText: '', follows: () => true }
