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
/** A box or a tab, whose content is indented. Source: https://squidfunk.github.io/mkdocs-material/reference/admonitions */
const boxStart = /^(?:!!!|\?\?\?\+?)[ \t]+([A-Za-z]{1,30})[^"\n]{0,100}(?:"([^"\n]{0,200})")?[ \t]*$/
const tabStart = /^===!?\+?[ \t]+"([^"\n]{1,200})"[ \t]*$/
const indent = '    '
/** Maximum boxes inside each other. Deeper ones stay text, because each level reads its lines again. */
const maxLevels = 8

/** Adds the rules to markdown-it. */
export function addNoteMarkup(parser: MarkdownIt): void {
  parser.block.ruler.before('fence', 'note_blocks', blockRule, { alt: ['paragraph'] })
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

/**
 * Writes boxes and tabs as quotes, whose content CommonMark reads; an indented text is code for it. With `keepsLength` offsets stay, and
 * an empty line ends a quote.
 */
export function withQuotedBoxes(text: string, { keepsLength = false, level = 1 } = {}): string {
  if (level > maxLevels) return text
  if (!/^(?:!!!|\?\?\?|===)/m.test(text)) return text
  const lines = text.split('\n')
  let code: string | null = null
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const fenceRun = fence.exec(line)?.[1]
    if (code !== null) code = fenceRun?.startsWith(code) ? null : code
    else if (fenceRun !== undefined) code = fenceRun
    else if (/^[!?=]/.test(line)) at = quoteBox(lines, at, { keepsLength, level })
  }
  return lines.join('\n')
}

interface BoxPlace {
  readonly keepsLength: boolean
  /** 1 for a box in no other one. */
  readonly level: number
}

/** Quotes the box that starts at a line; returns its last line. */
function quoteBox(lines: string[], start: number, { keepsLength, level }: BoxPlace): number {
  const line = lines[start]!
  const [, kind, title = ''] = boxStart.exec(line) ?? []
  const [, tab] = tabStart.exec(line) ?? []
  if (kind === undefined && tab === undefined) return start
  let end = start + 1
  while (end < lines.length && (lines[end]!.startsWith(indent) || lines[end]!.trim() === '')) end++
  while (lines[end - 1]!.trim() === '') end--
  if (end === start + 1) return start
  const heading = tab === undefined ? `>[!${kind}]${title === '' ? '' : ` ${title}`}` : `>**${tab}**`
  lines[start] = heading.padEnd(line.length)
  const inside = withQuotedBoxes(
    lines
      .slice(start + 1, end)
      .map(each => each.slice(indent.length))
      .join('\n'),
    { keepsLength, level: level + 1 },
  ).split('\n')
  for (const [at, content] of inside.entries()) {
    const isEmpty = content.trim() === ''
    lines[start + 1 + at] = isEmpty ? (keepsLength ? lines[start + 1 + at]! : '>') : `>   ${content}`
  }
  return end - 1
}
