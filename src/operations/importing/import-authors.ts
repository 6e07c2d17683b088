/** Maps contributors of a dump to git authors. */

import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { DumpContributor, DumpSite } from '../../dump/dump.ts'
import { identName } from '../../store/format/commit-content.ts'
import type { Author } from '../../store/format/entries.ts'

export interface ImportedAuthor {
  readonly author: Author
  /** Name of a person who is neither a user of the wiki nor an IP address; otherwise null. */
  readonly user: string | null
}

/** Maps users of a site to authors. Each user gets an invented e-mail address. */
export function authorsOf(site: DumpSite | null): (contributor: DumpContributor) => ImportedAuthor {
  const domain = `${domainOf(site)}.invalid`
  return contributor => {
    if (contributor.kind === 'hidden') return { author: { name: 'hidden', address: '' }, user: null }
    if (contributor.kind === 'address') return addressAuthor(contributor.address)
    const { name, id } = contributor
    if (identName(name) !== name || isIP(name) !== 0) return nobody(name)
    const local = id !== null && id > 0 ? `user-${id}` : `name-${hashOf(name)}`
    return { author: { name, address: `${local}@${domain}` }, user: null }
  }
}

function addressAuthor(address: string): ImportedAuthor {
  return isIP(address) === 0 ? nobody(address) : { author: { name: address, address: '' }, user: null }
}

/** `imported>Zelda`: for a name that git cannot store, or that must not equal a local user's. */
function nobody(name: string): ImportedAuthor {
  return { author: { name: identName(name.replaceAll('>', ' ')) || 'unknown', address: '' }, user: name }
}

/** Sites are distinguished by URL and database. */
function domainOf(site: DumpSite | null): string {
  const host = /^\w+:\/\/([^/:]+)/.exec(site?.base ?? '')?.[1] ?? ''
  const parts = [site?.database ?? '', host].map(part => part.toLowerCase().replace(/[^a-z0-9.-]+/g, '-'))
  return parts.filter(part => part !== '').join('.') || 'import'
}

function hashOf(name: string): string {
  return createHash('sha1').update(name).digest('hex').slice(0, 16)
}
