/** The client that a request counts for, where clients share the turns, the workers and the caches of a server. */

import { type Access, bearerToken, findSession } from './access.ts'
import { networkOf } from './client.ts'

/** The parts of a request that decide whom it counts for. */
export interface CountedRequest {
  readonly method: string
  readonly headers: Headers
}

/**
 * Returns the name of a client: a signed-in user, or the network of anybody else. What a page of another website makes a
 * browser request, and what somebody sends without signing in, counts apart from the pages that the same network reads. Source:
 * https://www.w3.org/TR/fetch-metadata/, Sec-Fetch-Site.
 */
export function countedAs(access: Access, { method, headers }: CountedRequest, address: string): string {
  const user = signedInUser(access, headers)
  if (user !== null) return `user ${user}`
  const network = networkOf(address)
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site' || site === 'same-site') return `${network}, another site`
  return method === 'GET' || method === 'HEAD' ? network : `${network}, sent`
}

/** Id of the token, or of the user at this machine; null for anybody else. */
function signedInUser(access: Access, headers: Headers): string | null {
  try {
    const bearer = bearerToken(headers)
    return (bearer === null ? findSession(access, headers)?.user : access.tokens.find(bearer))?.id ?? null
  } catch {
    // Reads work without the token file.
    return null
  }
}
