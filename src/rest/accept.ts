/** Content negotiation. Source: RFC 9110, 12.5.1; profiles match by major version, as in Parsoid. */

/** One representation of a response. */
export interface Offer {
  /** Media type, e.g. `text/html`. */
  readonly type: string
  /** URL that ends in the version of the format. */
  readonly profile?: string
}

/** Returns true if an Accept header matches an offer. A missing or empty header matches everything. */
export function accepts(header: string | null, offer: Offer): boolean {
  if (header === null || header.trim() === '') return true
  return splitList(header.slice(0, 4096)).some(range => admits(range, offer))
}

function admits(range: string, { type, profile }: Offer): boolean {
  const [wanted = '', ...parameters] = range.split(';').map(part => part.trim())
  const [kind] = type.split('/')
  const isType = ['*/*', `${kind}/*`, type].includes(wanted.toLowerCase())
  if (!isType || parameters.some(parameter => /^q=0(?:\.0{0,3})?$/i.test(parameter))) return false
  const asked = parameters.map(parameter => /^profile="?([^"]*)"?$/i.exec(parameter)?.[1]).find(Boolean)
  return asked === undefined || (profile !== undefined && majorOf(asked) === majorOf(profile))
}

/** A URL without the minor part of its version: `.../HTML/2`. */
function majorOf(profile: string): string {
  return profile.replace(/\/(\d+)(?:\.\d+)*$/, '/$1').toLowerCase()
}

/** Splits at commas outside quotes. */
function splitList(header: string): string[] {
  return header.match(/(?:"[^"]*"|[^",])+/g) ?? []
}
