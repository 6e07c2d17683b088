/** Attributes of external links. */

import type { Site } from '../site.ts'
import { type ElementNode, element } from '../tree/node.ts'

/** Attributes of external links: `nofollow` unless the wiki trusts the host, and the target window. */
export function externalAttributes(href: string, { followedDomains, externalLinkTarget }: Site): [string, string][] {
  const host = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#:]*)/i.exec(href)?.[1]?.toLowerCase() ?? ''
  const isFollowed = followedDomains.some(domain => host === domain || host.endsWith(`.${domain}`))
  const rel: [string, string][] = isFollowed ? [] : [['rel', 'nofollow']]
  return externalLinkTarget === null ? rel : [...rel, ['target', externalLinkTarget]]
}

const imageAddress = /^https?:\/\/[^?]*\/([^/?#]+)\.(?:avif|gif|jpe?g|png|svg|webp)$/i

/** Makes the image of an address, in wikis that show external images; null for other addresses and wikis. */
export function externalImage(href: string, { showsExternalImages }: Site): ElementNode | null {
  if (!showsExternalImages || !imageAddress.test(href)) return null
  return element('img', [
    ['src', href],
    ['alt', href.slice(href.lastIndexOf('/') + 1)],
  ])
}
