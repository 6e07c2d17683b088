/** Random attributes files, settings and contents, by a seed. */

export type Random = (below: number) => number

/** Returns a generator of numbers that are the same for a seed: mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed | 0
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)] as Item
}

export const paths = [
  'Ferry.wiki',
  'Tide.md',
  'a/Ferry.wiki',
  'a/b/Tide.wiki',
  'a/b/Größe.wiki',
  'A/ferry.WIKI',
  '[x].wiki',
  '"q".wiki',
  'a b/Two words.wiki',
] as const

const patterns = [
  '*',
  '*.wiki',
  '/*.wiki',
  'a/**',
  '**/b/*',
  'a/b',
  'a/b/',
  'a/*/Tide.wiki',
  'Ferry.wiki',
  'ferry.wiki',
  '[A-F]*',
  '[!a-z]*.wiki',
  '[[:upper:]]erry.*',
  '[[:bogus:]]*',
  '\\[x].wiki',
  '[[]x*',
  '"\\"q\\".wiki"',
  '"a b/Two words.wiki"',
  'Gr??e.wiki',
  'Gr????e.wiki',
  '"Gr\\303\\266\\303\\237e.wiki"',
  '"unclosed',
  'T*e.*',
  'a**/Ferry.wiki',
  '**',
  '!*.wiki',
  '# comment',
  'b/T*',
  'Tide\\.md',
  '[',
]

const states = [
  'text',
  '-text',
  '!text',
  'text=auto',
  'text=input',
  'text=bogus',
  'crlf',
  '-crlf',
  'crlf=input',
  'eol=lf',
  'eol=crlf',
  '!eol',
  'eol',
  'ident',
  '-ident',
  '!ident',
  'ident=yes',
  'binary',
  '-binary',
  '!binary',
  'mine',
  '-mine',
  'yours',
  'working-tree-encoding=UTF-16LE-BOM',
  'working-tree-encoding=utf8',
  '!working-tree-encoding',
]

/** Attributes set by mistake, or by an attacker. */
const oddStates = ['te!xt', '-', '=x', 'filter=rot', 'filter', '-filter', 'filter=a=b', 'text=', 'mine=on']

const macros = [
  '[attr]mine text eol=crlf',
  '[attr]mine -text yours',
  '[attr]yours ident mine',
  '[attr]',
  '[attr]binary text',
]

/** Makes the text of an attributes file. */
export function randomAttributes(random: Random, { isOdd }: { readonly isOdd: boolean }): string {
  const words = isOdd ? [...states, ...oddStates] : states
  const lines = Array.from({ length: 1 + random(5) }, () => {
    if (random(5) === 0) return oneOf(random, macros)
    const count = 1 + random(3)
    return [oneOf(random, patterns), ...Array.from({ length: count }, () => oneOf(random, words))].join(' ')
  })
  const start = isOdd && random(6) === 0 ? '\uFEFF' : ''
  return start + lines.join(isOdd && random(4) === 0 ? '\r\n' : '\n') + oneOf(random, ['', '\n'])
}

const pieces = [
  'a',
  'tide table',
  '\n',
  '\n',
  '\r\n',
  '\r\n',
  '\r',
  '$Id$',
  '$Id: abc $',
  '$Id: a b c $',
  '$Id:\n$',
  '$Id: x',
  '$',
  'é',
  '\u{1F6A2}',
  '\t',
  '\x1b',
]
const oddPieces = ['\0', '\x1a', '\x01', '\x7f', '\uFEFF']

/** Generates the text of a file. Git reads past the end of an empty keyword, so there is none. */
export function randomText(random: Random): string {
  const words = random(4) === 0 ? [...pieces, ...oddPieces] : pieces.filter(piece => random(3) > 0 || piece === 'a')
  return Array.from({ length: random(12) }, () => oneOf(random, words))
    .join('')
    .replaceAll('$Id:$', '$Id$')
}

/** Makes git's settings. */
export function randomSettings(random: Random): [key: string, value: string][] {
  const settings: [string, string][] = []
  if (random(2) === 0) settings.push(['core.autocrlf', oneOf(random, ['true', 'false', 'input', 'yes', 'INPUT'])])
  if (random(3) === 0) settings.push(['core.eol', oneOf(random, ['lf', 'crlf', 'native'])])
  if (random(4) === 0) settings.push(['core.ignorecase', 'true'])
  if (random(5) === 0) settings.push(['core.safecrlf', oneOf(random, ['true', 'warn', 'false'])])
  return settings
}
