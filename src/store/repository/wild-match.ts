/** Git's patterns for paths and branches. Source: gitignore(5), "PATTERN FORMAT"; git's wildmatch.c with WM_PATHNAME. */

/** Most characters of a pattern or a text that are matched: the time grows with the product of both. */
const longest = 4096

/** True if a pattern matches a whole text: `*` and `?` stop at a slash, `**` between slashes spans folders. */
export function wildMatch(pattern: string, text: string, { ignoreCase = false } = {}): boolean {
  if (pattern.length > longest || text.length > longest) return false
  const parts = partsOf(ignoreCase ? pattern.toLowerCase() : pattern)
  const subject = ignoreCase ? text.toLowerCase() : text
  // `reached[at]`: whether the parts so far match the text up to `at`.
  let reached = new Array<boolean>(subject.length + 1).fill(false)
  reached[0] = true
  for (const part of parts) reached = stepOver(part, subject, reached)
  return reached[subject.length] === true
}

type Part =
  | { readonly kind: 'one'; readonly fits: (char: string) => boolean }
  /** `*`: any characters but slashes; `**`: any at all; `**` and a slash: any whole folders, or nothing. */
  | { readonly kind: 'star' | 'all' | 'folders' }

function partsOf(pattern: string): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at)
    const isAtSlash = at === 0 || pattern[at - 1] === '/'
    const stars = /^\*+/.exec(rest)?.[0].length ?? 0
    const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest)
    if (stars === 2 && isAtSlash && rest[2] === '/') parts.push({ kind: 'folders' })
    else if (stars === 2 && isAtSlash && rest.length === 2) parts.push({ kind: 'all' })
    else if (stars > 0) parts.push({ kind: 'star' })
    else if (set !== null) parts.push({ kind: 'one', fits: setOf(set[2] as string, set[1] !== '') })
    else parts.push({ kind: 'one', fits: characterOf(rest) })
    const length = stars > 0 ? stars + (parts.at(-1)?.kind === 'folders' ? 1 : 0) : (set?.[0].length ?? 0)
    at += length || (rest[0] === '\\' ? 2 : 1)
  }
  return parts
}

function characterOf(rest: string): (char: string) => boolean {
  if (rest[0] === '?') return char => char !== '/'
  const wanted = rest[0] === '\\' ? rest[1] : rest[0]
  return char => char === wanted
}

function setOf(members: string, isNegated: boolean): (char: string) => boolean {
  const ranges = [...members.matchAll(/\\?(.)(?:-\\?(.))?/gs)].map(([, from, to]) => [from, to ?? from] as const)
  return char => char !== '/' && ranges.some(([from, to]) => char >= from! && char <= to!) !== isNegated
}

function stepOver(part: Part, text: string, reached: readonly boolean[]): boolean[] {
  const next = new Array<boolean>(text.length + 1).fill(false)
  let isOpen = false
  for (let at = 0; at <= text.length; at++) {
    if (part.kind === 'one') {
      if (at > 0 && reached[at - 1] && part.fits(text[at - 1] as string)) next[at] = true
      continue
    }
    if (part.kind === 'star' && text[at - 1] === '/') isOpen = false
    isOpen ||= reached[at] === true
    next[at] = part.kind === 'folders' ? reached[at] === true || (isOpen && text[at - 1] === '/') : isOpen
  }
  return next
}
