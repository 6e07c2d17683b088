/** Content negotiation. Source: RFC 9110, 12.5.1; profiles match by major version, as in Parsoid. */

/** One representation of a response. */
export interface Offer {
  /** Media type, e.g. `text/html`. */
  readonly type: string
  /** URL that ends in the version of the format. */
  readonly profile?: string
}

/**
 * Returns true if an Accept header matches an offer. A missing or empty header matches everything. The most specific range counts:
 * `text/html;q=0` excludes HTML although any type is there.
 */
export function accepts(header: string | null, offer: Offer): boolean {
  if (header === null || header.trim() === '') return true
  const matching = splitList(header.slice(0, 4096)).flatMap(range => matchOf(range, offer) ?? [])
  const closest = Math.max(...matching.map(({ precision }) => precision))
  return matching.some(({ precision, isExcluded }) => precision === closest && !isExcluded)
}

interface RangeMatch {
  /** 0 for any type, 1 for any of its kind, 2 for the type, 3 with the profile. */
  readonly precision: number
  readonly isExcluded: boolean
}

function matchOf(range: string, { type, profile }: Offer): RangeMatch | null {
  const [wanted = '', ...parameters] = range.split(';').map(part => part.trim())
  const [kind] = type.split('/')
  const precision = ['*/*', `${kind}/*`, type].indexOf(wanted.toLowerCase())
  const asked = parameters.map(parameter => /^profile="?([^"]*)"?$/i.exec(parameter)?.[1]).find(Boolean)
  if (precision < 0 || (asked !== undefined && (profile === undefined || majorOf(asked) !== majorOf(profile))))
    return null
  const isExcluded = parameters.some(parameter => /^q=0(?:\.0{0,3})?$/i.test(parameter))
  return { precision: asked === undefined ? precision : 3, isExcluded }
}

/** A URL without the minor part of its version: `.../HTML/2`. */
function majorOf(profile: string): string {
  return profile.replace(/\/(\d+)(?:\.\d+)*$/, '/$1').toLowerCase()
}

/** Splits at commas outside quotes. */
function splitList(header: string): string[] {
  return header.match(/(?:"[^"]*"|[^",])+/g) ?? []
}
