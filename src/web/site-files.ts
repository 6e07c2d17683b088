/** Files that programs ask every server for. */

import type { PlainResponse } from '../http/response.ts'
import { apiBase, pageBase, urlPrefix } from './addresses.ts'
import { assetAddress } from './assets.ts'

/** Crawlers read each page once: its versions, comparisons and lists are thousands of addresses of the same words. */
const robots = (): string => `User-agent: *
Disallow: ${urlPrefix()}/*?
Disallow: ${pageBase()}Special:
Disallow: ${urlPrefix()}/index.php
Disallow: ${urlPrefix()}/w/
Disallow: ${apiBase()}/
`

/** Returns the file at a path; null for any other path. */
export function siteFile(path: string): PlainResponse | null {
  if (path === '/robots.txt')
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: robots() }
  const icon = path === '/favicon.ico' ? assetAddress('icon.svg') : null
  return icon === null ? null : { status: 302, headers: { location: icon }, body: '' }
}
