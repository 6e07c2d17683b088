/** Git's patterns for paths and branches. Source: gitignore(5), "PATTERN FORMAT"; git's wildmatch.c with WM_PATHNAME. */

/** Maximum characters of a pattern or a text: the time grows with the product of both. */
const longest = 4096

/** True if a pattern matches a whole text: `*` and `?` stop at a slash, `**` between slashes spans folders. */
export function wildMatch(pattern: string, text: string, { ignoreCase = false } = {}): boolean {
  if (pattern.length > longest || text.length > longest) return false
  const parts = partsOf(pattern, ignoreCase)
  if (parts === null) return false
  const subject = ignoreCase ? lower(text) : text
  // `reached[at]`: the parts so far match the text up to `at`.
  let reached = new Array<boolean>(subject.length + 1).fill(false)
  reached[0] = true
  for (const part of parts) reached = stepOver(part, subject, reached)
  return reached[subject.length] === true
}

type Fits = (char: string) => boolean

type Part =
  | { readonly kind: 'one'; readonly fits: Fits }
  /** `*`: any characters but slashes; `**`: any at all; `**` and a slash: any whole folders, or nothing. */
  | { readonly kind: 'star' | 'all' | 'folders' }

/** Returns null for a pattern that matches nothing: it ends inside a set or after a backslash. */
function partsOf(pattern: string, ignoreCase: boolean): Part[] | null {
  const parts: Part[] = []
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at] as string
    if (char === '*') {
      const end = endOfStars(pattern, at)
      const kind = kindOfStars(pattern, at, end)
      parts.push({ kind })
      at = kind === 'folders' ? end + 1 : end
    } else if (char === '[') {
      const set = setAt(pattern, at, ignoreCase)
      if (set === null) return null
      parts.push({ kind: 'one', fits: set.fits })
      at = set.end
    } else if (char === '?') {
      parts.push({ kind: 'one', fits: one => one !== '/' })
      at++
    } else {
      const wanted = char === '\\' ? pattern[++at] : char
      if (wanted === undefined) return null
      const compared = ignoreCase ? lower(wanted) : wanted
      parts.push({ kind: 'one', fits: one => one === compared })
      at++
    }
  }
  return parts
}

function endOfStars(pattern: string, at: number): number {
  let end = at
  while (pattern[end] === '*') end++
  return end
}

function kindOfStars(pattern: string, at: number, end: number): 'star' | 'all' | 'folders' {
  const isAtSlash = at === 0 || pattern[at - 1] === '/'
  const next = pattern[end]
  if (end - at < 2 || !isAtSlash) return 'star'
  if (next === '/') return 'folders'
  return next === undefined || (next === '\\' && pattern[end + 1] === '/') ? 'all' : 'star'
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
}

/** Reads a set such as `[!a-c[:digit:]]`; null if it has no end, or an unknown class. */
function setAt(pattern: string, start: number, ignoreCase: boolean): { fits: Fits; end: number } | null {
  let at = start + 1
  const isNegated = pattern[at] === '!' || pattern[at] === '^'
  if (isNegated) at++
  const members: Member[] = []
  let previous = ''
  for (let isFirst = true; isFirst || pattern[at] !== ']'; isFirst = false) {
    const member = memberAt(pattern, at, previous)
    if (member === null) return null
    members.push(member)
    previous = member.previous
    at = member.end
  }
  // Ignoring case, git compares a small letter itself, and its capital in ranges and classes.
  const capitalOf = (char: string) => (ignoreCase && /[a-z]/.test(char) ? char.toUpperCase() : char)
  const isMember = (char: string) =>
    members.some(({ fits, isPlain }) => fits(char) || (!isPlain && fits(capitalOf(char))))
  return { fits: char => char !== '/' && isMember(char) !== isNegated, end: at + 1 }
}

interface Member {
  readonly fits: Fits
  /** A single character, no range and no class. */
  readonly isPlain: boolean
  /** The character that may begin a range; '' after a range or a class. */
  readonly previous: string
  readonly end: number
}

function memberAt(pattern: string, at: number, previous: string): Member | null {
  const char = pattern[at]
  const next = pattern[at + 1]
  if (char === undefined) return null
  if (char === '-' && previous !== '' && next !== undefined && next !== ']') {
    const last = next === '\\' ? pattern[at + 2] : next
    if (last === undefined) return null
    return {
      fits: one => one >= previous && one <= last,
      isPlain: false,
      previous: '',
      end: at + (next === '\\' ? 3 : 2),
    }
  }
  if (char === '[' && next === ':') {
    const close = pattern.indexOf(']', at + 2)
    if (close < 0) return null
    if (close > at + 2 && pattern[close - 1] === ':') {
      const named = classes[pattern.slice(at + 2, close - 1)]
      return named === undefined ? null : { fits: one => named.test(one), isPlain: false, previous: '', end: close + 1 }
    }
  }
  const plain = char === '\\' ? next : char
  if (plain === undefined) return null
  return { fits: one => one === plain, isPlain: true, previous: plain, end: at + (char === '\\' ? 2 : 1) }
}

function lower(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
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
