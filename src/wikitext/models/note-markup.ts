/** Markup of other Markdown programs around links: comments of Obsidian, boxes of MkDocs, diagrams of Azure and Gollum. */

import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'

/** `[[_TOC_]]` and `[[toc]]` request a table of contents, which every page has anyway. */
export const contentsRequest = /^\s*(?:_TO(?:C|SP)_|toc)\s*(?:\||$)/i
/** `[[include:Page]]` of Gollum embeds a page. */
export const includePrefix = /^\s*include:\s*(?=\S)/
/** The request of Python-Markdown and others, alone in its paragraph. */
const contentsLine = /^\[TOC\]\s*$/i

/**
 * A comment of Obsidian: a block between two lines, or words within one. `%%NAME%%` stays, because programs fill in such names.
 * Source: https://help.obsidian.md/syntax
 */
const commentAt = /%%(?=[^%\n]{0,1000}(?:\s|\[\[))[^%\n]{1,1000}%%/y
const commentFence = /^%%\s*$/
/** A diagram. Source: https://learn.microsoft.com/azure/devops/project/wiki/markdown-guidance */
const diagramStart = /^ {0,3}:::+[ \t]*(mermaid)[ \t]*$/
const diagramEnd = /^ {0,3}:::+[ \t]*$/
const fence = /^ {0,3}(`{3,}|~{3,})/
/**
 * The first line of a box, whose content is indented: an admonition, one that opens, or a tab.
 * Source: https://python-markdown.github.io/extensions/admonition/, https://squidfunk.github.io/mkdocs-material/reference/admonitions,
 * https://squidfunk.github.io/mkdocs-material/reference/content-tabs
 */
const boxStart = /^(!!!|\?\?\?\+?)[ \t]{0,9}([\w-]{1,30})(?: +[\w-]{1,30}){0,9}(?:[ \t]{1,9}"([^\n]{0,500})")?[ \t]*$/
const tabStart = /^(===)!?\+?[ \t]{1,9}"([^\n]{1,500})"[ \t]*$/
/** Columns by which the content of a box is indented. */
export const boxIndent = 4
/** Maximum levels of blocks around a box; deeper ones stay text. */
const maxLevel = 40

/** A box as its first line describes it. */
export interface BoxStart {
  readonly kind: string
  /** Markdown; null if the box has its kind's name, "" if it has no title. */
  readonly title: string | null
  /** State in which a reader finds it; null if it always shows its content. */
  readonly fold: 'open' | 'closed' | null
}

/** Reads the first line of a box, without the spaces before it; null for any other line. */
export function readBoxStart(line: string): BoxStart | null {
  const [, tab, name = ''] = tabStart.exec(line) ?? []
  if (tab !== undefined) return { kind: 'tab', title: name, fold: null }
  const [, sign, kind = '', title] = boxStart.exec(line) ?? []
  if (sign === undefined) return null
  return {
    kind: kind.toLowerCase(),
    title: title ?? null,
    fold: sign === '!!!' ? null : sign === '???' ? 'closed' : 'open',
  }
}

/** The name of a kind of box, as its title. */
export function kindTitle(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
}

/** Adds the rules to markdown-it. */
export function addNoteMarkup(parser: MarkdownIt): void {
  parser.block.ruler.before('fence', 'note_blocks', blockRule, { alt: ['paragraph'] })
  parser.block.ruler.before('fence', 'boxes', boxRule, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  parser.inline.ruler.before('text', 'note_comment', commentRule)
}

function blockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineAt = (line: number) => state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line])
  const first = lineAt(startLine)
  if (contentsLine.test(first)) {
    if (!silent) state.line = startLine + 1
    return true
  }
  const end = commentFence.test(first) ? commentFence : diagramStart.test(first) ? diagramEnd : null
  if (end === null) return false
  const line = endOf(state, { startLine, endLine, end, lineAt })
  if (line === null) return false
  if (silent) return true
  if (end === diagramEnd) {
    const token = state.push('fence', 'code', 0)
    token.info = 'mermaid'
    token.content = state.getLines(startLine + 1, line, 0, true)
    token.map = [startLine, line + 1]
  }
  state.line = line + 1
  return true
}

/** The lines of a box are those further in, as far as they are read in its container. */
function boxRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.sCount[startLine]! - state.blkIndent >= boxIndent || state.level > maxLevel) return false
  const start = state.bMarks[startLine]! + state.tShift[startLine]!
  if (!'!?='.includes(state.src[start] ?? ' ')) return false
  const box = readBoxStart(state.src.slice(start, state.eMarks[startLine]))
  if (box === null) return false
  let end = startLine + 1
  for (let line = end; line < endLine; line++) {
    if (state.isEmpty(line)) continue
    if (state.sCount[line]! - state.blkIndent < boxIndent) break
    end = line + 1
  }
  if (end === startLine + 1) return false
  if (!silent) pushBox(state, box, { startLine, end })
  return true
}

function pushBox(state: StateBlock, box: BoxStart, { startLine, end }: { startLine: number; end: number }): void {
  const { parentType, lineMax } = state
  const open = state.push('box_open', box.fold === null ? 'div' : 'details', 1)
  open.attrs = [['class', `markdown-alert markdown-alert-${box.kind}`]]
  if (box.fold === 'open') open.attrs.push(['open', ''])
  open.map = [startLine, end]
  if (box.title !== '' || box.fold !== null) pushTitle(state, box, startLine)
  state.blkIndent += boxIndent
  state.parentType = 'blockquote'
  state.lineMax = end
  state.md.block.tokenize(state, startLine + 1, end)
  Object.assign(state, { parentType, lineMax, line: end })
  state.blkIndent -= boxIndent
  state.push('box_close', open.tag, -1)
}

function pushTitle(state: StateBlock, { kind, title, fold }: BoxStart, line: number): void {
  const tag = fold === null ? 'p' : 'summary'
  state.push('box_title_open', tag, 1).attrs = [['class', 'markdown-alert-title']]
  const inline = state.push('inline', '', 0)
  inline.content = title || kindTitle(kind)
  inline.map = [line, line + 1]
  inline.children = []
  state.push('box_title_close', tag, -1)
}

/** Containers of a text in which no line ends a block, so that many starts without an end take linear time. */
const withoutEnd = new WeakMap<StateBlock, Set<string>>()

interface BlockSearch {
  readonly startLine: number
  readonly endLine: number
  readonly end: RegExp
  readonly lineAt: (line: number) => string
}

/** Returns the line that ends a block; null if there is none. */
function endOf(state: StateBlock, { startLine, endLine, end, lineAt }: BlockSearch): number | null {
  const endless = withoutEnd.get(state) ?? new Set()
  const container = `${end} ${endLine} ${state.level}`
  if (endless.has(container)) return null
  for (let line = startLine + 1; line < endLine; line++) if (end.test(lineAt(line))) return line
  withoutEnd.set(state, endless.add(container))
  return null
}

function commentRule(state: StateInline): boolean {
  if (state.src[state.pos] !== '%') return false
  commentAt.lastIndex = state.pos
  if (!commentAt.test(state.src)) return false
  state.pos = commentAt.lastIndex
  return true
}

/** Returns the ranges of comments and diagrams, which contain no links. */
export function silentRanges(text: string): { readonly start: number; readonly end: number }[] {
  if (!text.includes('%%') && !text.includes(':::')) return []
  const found: { start: number; end: number }[] = []
  let open: { start: number; end: RegExp } | null = null
  let code: string | null = null
  for (const { line, at } of linesOf(text)) {
    const fenceRun = fence.exec(line)?.[1]
    if (open !== null) {
      if (open.end.test(line)) {
        found.push({ start: open.start, end: at + line.length })
        open = null
      }
    } else if (code !== null) {
      if (fenceRun?.startsWith(code)) code = null
    } else if (fenceRun !== undefined) code = fenceRun
    else if (commentFence.test(line)) open = { start: at, end: commentFence }
    else if (diagramStart.test(line)) open = { start: at, end: diagramEnd }
    else found.push(...commentsIn(line, at))
  }
  return found
}

function* commentsIn(line: string, base: number) {
  for (let at = line.indexOf('%%'); at !== -1; at = line.indexOf('%%', at + 2)) {
    commentAt.lastIndex = at
    if (!commentAt.test(line)) continue
    yield { start: base + at, end: base + commentAt.lastIndex }
    at = commentAt.lastIndex - 2
  }
}

function* linesOf(text: string): Generator<{ line: string; at: number }> {
  let at = 0
  for (const line of text.split('\n')) {
    yield { line, at }
    at += line.length + 1
  }
}
