/** Bullets at line starts become lists and their items. */

import { type ItemToken, isTransparent, noAttributes, type OpenToken, type Token } from '../tokenize/token.ts'

/** The open lists, inside one table cell or outside of all tables. */
interface Lists {
  /** Bullets of the innermost open item. */
  bullets: string
  /** Elements to be closed, the innermost last. */
  readonly open: string[]
  /** Open inline tags of the item's line: a colon inside them does not end a term. */
  openTags: number
  openBlocks: number
  atLineEnd: boolean
  /** Tokens since the end of the line. The next item determines their position. */
  held: Token[]
}

interface Bullet {
  readonly list: string
  readonly item: string
}

const bulletTags: Readonly<Record<string, Bullet>> = {
  '*': { list: 'ul', item: 'li' },
  '#': { list: 'ol', item: 'li' },
  ';': { list: 'dl', item: 'dt' },
  ':': { list: 'dl', item: 'dd' },
}

const blockNames: ReadonlySet<string> = new Set(
  `address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4
  h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul caption`.split(/\s+/),
)

interface State {
  lists: Lists | null
  /** Lists around the open tables. */
  readonly outer: (Lists | null)[]
  readonly out: Token[]
}

/** Turns bullets into lists. Source: MediaWiki BlockLevelPass, Parsoid's cases of lists. */
export function resolveLists(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(token => token.kind === 'item')) return tokens
  const state: State = { lists: null, outer: [], out: [] }
  for (const token of tokens) {
    if (token.kind === 'item') addItem(state, token)
    else if (state.lists === null) addOutside(state, token)
    else addInside(state, state.lists, token)
  }
  if (state.lists !== null) closeLists(state)
  return state.out
}

function addOutside(state: State, token: Token): void {
  if (token.kind === 'open' && token.name === 'table' && state.outer.length > 0) state.outer.push(null)
  else if (token.kind === 'close' && token.name === 'table' && state.outer.length > 0) state.lists = state.outer.pop()!
  state.out.push(token)
}

function addInside(state: State, lists: Lists, token: Token): void {
  if (token.kind === 'open' && token.name !== 'table') lists.openTags++
  else if (token.kind === 'close' && lists.openTags > 0) lists.openTags--
  if (token.kind === 'close' && endsLists(state, lists, token)) return
  if (lists.atLineEnd) {
    if (isTransparent(token)) {
      lists.held.push(token)
      return
    }
    closeLists(state)
    addOutside(state, token)
    return
  }
  addToLine(state, lists, token)
}

function addToLine(state: State, lists: Lists, token: Token): void {
  if (token.kind === 'newline') {
    lists.atLineEnd = true
    lists.held.push(token)
    lists.openTags = 0
    return
  }
  if (token.kind === 'open' && token.name === 'table') {
    state.outer.push(lists)
    state.lists = null
  } else if (token.kind === 'open' && blockNames.has(token.name)) {
    lists.openBlocks++
  }
  state.out.push(token)
}

/** Returns true for a closing tag of a table, or of a block that was open before the list. */
function endsLists(state: State, lists: Lists, token: Token & { kind: 'close' }): boolean {
  if (token.name === 'table') {
    closeLists(state)
    if (state.outer.length > 0) state.lists = state.outer.pop()!
    state.out.push(token)
    return true
  }
  if (!blockNames.has(token.name)) return false
  if (lists.openBlocks > 0) {
    lists.openBlocks--
    if (!lists.atLineEnd) {
      state.out.push(token)
      return true
    }
  }
  closeLists(state)
  state.out.push(token)
  return true
}

function closeLists(state: State): void {
  const lists = state.lists!
  popTags(state, lists, lists.open.length)
  for (const token of lists.held) state.out.push(token)
  state.lists = null
}

/** Closes elements, the innermost first. */
function popTags({ out }: State, lists: Lists, count: number): void {
  for (let left = count; left > 0; left--) out.push(closeTag(lists.open.pop()!))
}

function addItem(state: State, token: ItemToken): void {
  state.lists ??= { bullets: '', open: [], openTags: 0, openBlocks: 0, atLineEnd: false, held: [] }
  const { lists } = state
  if (token.inline) {
    const isTerm = lists.open.at(-1) === 'dt' && lists.openTags === 0 && lists.bullets.endsWith(';')
    if (!isTerm) {
      state.out.push({ kind: 'text', text: ':', start: token.start, end: token.end })
      return
    }
  }
  const target = token.inline ? `${lists.bullets.slice(0, -1)}:` : token.bullets
  placeItem(state, lists, { ...token, bullets: target })
  Object.assign(lists, { bullets: target, atLineEnd: false, held: [], openBlocks: 0 })
}

function placeItem(state: State, lists: Lists, token: ItemToken): void {
  const { bullets } = token
  const shared = sharedPrefix(lists.bullets, bullets)
  if (shared === lists.bullets.length && shared === bullets.length) {
    sameLevel(state, lists, token)
    return
  }
  const isSwitch = isTermPair(lists.bullets[shared], bullets[shared])
  popTags(state, lists, 2 * (lists.bullets.length - shared) - (isSwitch ? 2 : 0))
  let level = shared
  if (isSwitch) {
    switchItem(state, lists, token, bulletTags[bullets[shared]!]!.item)
    level++
  } else if (shared > 0 && bullets.length === shared) {
    switchItem(state, lists, token, bulletTags[bullets[shared - 1]!]!.item)
  } else {
    release(state, lists)
  }
  const first = level
  for (; level < bullets.length; level++) pushList(state, lists, token, { level, first })
}

function sameLevel(state: State, lists: Lists, token: ItemToken): void {
  switchItem(state, lists, token, bulletTags[token.bullets.at(-1)!]!.item)
}

/** Ends the open item and begins the next one in the same list. */
function switchItem(state: State, lists: Lists, token: ItemToken, item: string): void {
  popTags(state, lists, 1)
  release(state, lists)
  const parsoid = token.inline ? { stx: 'row' } : {}
  state.out.push(openTag(item, token.start, token.end, parsoid))
  lists.open.push(item)
}

/** Releases the tokens held between items. */
function release({ out }: State, lists: Lists): void {
  for (const token of lists.held) out.push(token)
  lists.held = []
}

/** The item of the first new list also closes over the bullets before it. */
function pushList({ out }: State, lists: Lists, token: ItemToken, { level, first }: Level): void {
  const { list, item } = bulletTags[token.bullets[level]!]!
  const has = token.start !== -1
  const start = has ? token.start + level : -1
  const from = level === first ? token.start : start
  out.push(openTag(list, from, from), openTag(item, from, has ? start + 1 : -1))
  lists.open.push(list, item)
}

interface Level {
  readonly level: number
  /** The outermost level that this item opens. */
  readonly first: number
}

/** Length of the common prefix of two runs of bullets. */
function sharedPrefix(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

function isTermPair(one: string | undefined, other: string | undefined): boolean {
  return (one === ';' && other === ':') || (one === ':' && other === ';')
}

function openTag(name: string, start: number, end: number, parsoid: Record<string, unknown> = {}): OpenToken {
  return { kind: 'open', name, attributes: noAttributes, syntax: 'wiki', data: { parsoid }, start, end }
}

function closeTag(name: string): Token {
  return { kind: 'close', name, syntax: 'wiki', start: -1, end: -1 }
}
