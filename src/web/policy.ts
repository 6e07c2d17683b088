/**
 * Security headers of every page. A page carries the session's cookie, so nothing that a user wrote may run in it.
 * Scripts are allowed only from the asset folder, not from the whole host, which also serves sources and files of the
 * wiki. Source: Content Security Policy Level 3; Trusted Types.
 */

import type { Client } from '../http/client.ts'
import { assetFolder } from './assets.ts'

/** Returns the headers of a page requested under this host name. */
export function policyHeaders({ host, isSecure, prefix }: Client): Record<string, string> {
  const assets = `${isSecure ? 'https' : 'http'}://${host}${prefix}${assetFolder}`
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
