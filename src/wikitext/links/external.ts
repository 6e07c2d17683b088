/** Attributes of links that lead outside. */

import type { Site } from '../site.ts'

/** What links to an address have beside it: `nofollow`, unless the wiki trusts the host, and the window they open in. */
export function externalAttributes(href: string, { followedDomains, externalLinkTarget }: Site): [string, string][] {
  const host = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#:]*)/i.exec(href)?.[1]?.toLowerCase() ?? ''
  const isFollowed = followedDomains.some(domain => host === domain || host.endsWith(`.${domain}`))
  const rel: [string, string][] = isFollowed ? [] : [['rel', 'nofollow']]
  return externalLinkTarget === null ? rel : [...rel, ['target', externalLinkTarget]]
}
