/**
 * The headers of every page. A page has the session's cookie, so nothing that somebody wrote may run in it: scripts come from the
 * folder of our own assets alone, not from the host, where sources and files of the wiki lie as well.
 * Source: Content Security Policy Level 3; Trusted Types.
 */

import type { Client } from '../http/client.ts'
import { assetFolder } from './assets.ts'

/** Returns the headers of a page that is asked for under this name. */
export function policyHeaders({ host, isSecure }: Client): Record<string, string> {
  const assets = `${isSecure ? 'https' : 'http'}://${host}${assetFolder}`
  const policy = [
    "default-src 'none'",
    `script-src ${assets}`,
    `style-src-elem ${assets}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self'",
    "font-src 'none'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types wiki',
  ]
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  }
}
