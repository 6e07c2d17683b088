/** The words of Markdown, line by line: linear in the text. */

import { type Decode, readEntity } from './entities.ts'
import { listAddresses, type PageMatter, type PageText, type PageTextWriter, pageTextWriter } from './page-text.ts'
import { isPower } from './power.ts'
import { readAttributes } from './read-aloud.ts'
import { inlineTags } from './wikitext-patterns.ts'

const fence = /^ {0,3}(`{3,}|~{3,})/
const heading = /^ {0,3}#{1,6}(?:[ \t]+|$)/
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/
const tableRule = /^[ \t:|-]+$/
const definition =
  /^ {0,3}\[(?!\^)[^\]]{1,200}\]:[ \t]*<?([^\s<>]{1,1000})>?(?:[ \t]+(?:"([^"]{1,300})"|'([^']{1,300})'|\(([^()]{1,300})\)))?/
const codeSpan = /(`{1,20})(?!`)(.{1,5000}?[^`])\1(?!`)/y
const footnote = /^ {0,3}\[\^[^\]]{1,200}\]:[ \t]*/
const comment = /^ {0,3}<!--/
const reference = /\s(?:href|src)=(?:"([^"]{1,1000})"|'([^']{1,1000})'|([^"'\s>]{1,1000}))/i
/** Source: CommonMark 0.31, section 4.6, start condition 6. */
const htmlBlock =
  /^ {0,3}<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i
const indented = /^(?: {4}| {0,3}\t)/
/** Lists, notes and definitions go on in indented lines. */
const listItem = /^(?:[-*+:>!]|\d{1,9}[.)]|\[\^|===)/
const listMarker = /^[ \t]{0,200}(?:>[ \t]?)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?:\[[ xX]\][ \t]+)?/

const wikiLink = /!?\[\[([^[\]{}|<>\n]{1,400})(?:\|([^[\]\n]{0,400}))?\]\]/y
const linkEnd =
  /\]\((?:<([^<>\n]{0,1000})>|([^\s()]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,200})?))(?:\s+(?:"([^"\n]{0,300})"|'([^'\n]{0,300})'))?\s*\)/y
const referenceEnd = /\]\[[^[\]\n]{0,200}\]/y
/** A sign below the line, as some dialects write it. */
const subscript = /~([^~\s]{1,50})~(?!~)/y
const htmlTag =
  /<\/?[A-Za-z](?:"[^"<\n]{0,1000}"|'[^'<\n]{0,1000}'|[^<>\n"']){0,1000}>|<\/?[A-Za-z][^<>\n]{0,1000}>|<(?:[a-z]{2,10}:|[\w.]+@)[^<>\s]{1,1000}>/y

/** Reads the words of Markdown, and of its front matter. Source: CommonMark 0.31. */
export function readMarkdown(source: string, matter: PageMatter | null, decode: Decode): PageText {
  const writer = pageTextWriter(decode)
  const state: State = { isLead: true, fence: null, isComment: false, isHtml: false, isList: false, mayBeCode: true }
  if (matter?.image && isPicture(matter.image)) writer.picture(matter.image)
  for (const row of matter?.rows ?? []) writer.add('auxiliary', `${row.join(': ')}\n`)
  const lines = (matter?.text ?? source).split(/\r\n?|\n/)
  for (const [index, line] of lines.entries()) readLine(line.trimEnd(), lines[index + 1] ?? '', state, writer)
  return writer.result()
}

interface State {
  isLead: boolean
  /** Fence of the open code block; null outside of code. */
  fence: string | null
  /** True in a comment of several lines. */
  isComment: boolean
  /** True in a list, whose items go on in indented lines. */
  isList: boolean
  /** True if an indented line would be code: it follows a blank line or code, and no list. */
  mayBeCode: boolean
  /** True in a block of HTML, in which signs of Markdown are text. */
  isHtml: boolean
}

function readLine(written: string, next: string, state: State, writer: PageTextWriter): void {
  const part = state.isLead ? 'lead' : 'body'
  const line = state.fence === null ? withoutComment(written, state) : written
  const fenceRun = fence.exec(line)?.[1]
  state.isHtml = line.trim() !== '' && (state.isHtml || htmlBlock.test(line))
  const isCode = state.fence === null && state.mayBeCode && indented.test(line)
  if (!isCode && line.trim() !== '') state.mayBeCode = false
  else if (line.trim() === '' && !state.isList) state.mayBeCode = true
  if (line.trim() !== '' && !/^\s/.test(line)) state.isList = listItem.test(line)
  if (isCode) writer.add(part, `${line}\n`)
  else if (state.isHtml && state.fence === null) {
    readInline(line, writer, text => writer.add(part, text), readHtml)
    writer.add(part, '\n')
  } else if (state.fence !== null) {
    if (fenceRun?.startsWith(state.fence)) state.fence = null
    else writer.add(part, `${line}\n`)
  } else if (fenceRun !== undefined) state.fence = fenceRun
  else if (heading.test(line)) readHeading(line.replace(heading, '').replace(/[ \t]#{1,20}$/, ''), state, writer)
  else if (line.trim() !== '' && isUnderline(next)) readHeading(line, state, writer)
  else if (definition.test(line)) readDefinition(line, writer)
  else if (!underline.test(line) && !tableRule.test(line)) {
    readInline(line.replace(footnote, '').replace(listMarker, ''), writer, text => writer.add(part, text))
    writer.add(part, '\n')
  }
}

/** Reads the target of links elsewhere, and the title that they have. */
function readDefinition(line: string, writer: PageTextWriter): void {
  const [, target = '', double, single, inside] = definition.exec(line) ?? []
  nameTarget(target, writer)
  sayTitle(double ?? single ?? inside, writer)
}

/** Adds the title of a link or picture, which is shown beside it. */
function sayTitle(title: string | undefined, writer: PageTextWriter): void {
  if (title) writer.add('auxiliary', `${writer.decode(title)}\n`)
}

/** Returns what a line shows: a comment at the beginning of a line may end in a later one. */
function withoutComment(line: string, state: State): string {
  if (!state.isComment && !comment.test(line)) return line
  const end = line.indexOf('-->')
  state.isComment = end < 0
  return state.isComment ? '' : line.slice(end + 3)
}

function isUnderline(line: string): boolean {
  return /^ {0,3}(?:={1,1000}|-{2,1000})\s*$/.test(line)
}

function readHeading(line: string, state: State, writer: PageTextWriter): void {
  readInline(line, writer, text => writer.add('heading', text))
  writer.endHeading()
  state.isLead = false
}

/** Symbols that are not shown. */
const unread: Readonly<Record<string, string>> = { '|': ' ', '*': '', '`': '' }

const plain = /[^!<[\]*`&|\\~]+/y

/** Tags that are shown instead of read. Source: https://github.github.com/gfm/#disallowed-raw-html-extension- */
const shownTag = /^<\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)[\s/>]/i

type ReadMarkup = typeof readMarkup

function readInline(
  line: string,
  writer: PageTextWriter,
  emit: (text: string) => void,
  read: ReadMarkup = readMarkup,
): void {
  for (let at = 0; at < line.length; ) {
    const token = read(line, at, writer) ?? readRun(line, at)
    emit(token.text)
    at = token.end
  }
}

/** Within HTML only tags and character references are markup. */
function readHtml(line: string, at: number, writer: PageTextWriter): { text: string; end: number } | null {
  const character = line[at]!
  if (character === '<' || character === '&') return readMarkup(line, at, writer)
  return character === '[' || character === '!' || character === '*' || character === '`' || character === '|'
    ? { text: character, end: at + 1 }
    : null
}

/** Reads words up to the next symbol, without the web addresses among them. */
function readRun(line: string, at: number): { text: string; end: number } {
  plain.lastIndex = at
  if (!plain.test(line)) return { text: unread[line[at]!] ?? line[at]!, end: at + 1 }
  const last = plain.lastIndex
  let [text, end] = ['', at]
  for (const address of listAddresses(line, at, last)) {
    text += `${line.slice(end, address.start)} `
    end = address.end
  }
  return { text: text + line.slice(end, last), end: Math.max(end, last) }
}

/** Reads markup at an offset of a line; null if there is none. */
function readMarkup(line: string, at: number, writer: PageTextWriter): { text: string; end: number } | null {
  const character = line[at]!
  if (character === '<') return readTag(line, at, writer)
  if (character === '&') return readEntity(line, at, writer.decode)
  if (character === '`') return readCode(line, at)
  if (character === '~') return readSubscript(line, at)
  if (character === '[' || character === '!') return readLinkStart(line, at, writer)
  if (character === ']') return readLinkEnd(line, at, writer)
  if (character === '\\') return { text: line[at + 1] ?? '', end: at + 2 }
  return null
}

/** Code has no markup and no character references. */
function readCode(line: string, at: number): { text: string; end: number } | null {
  const found = matchAt(codeSpan, line, at)
  return found && { text: found[2]!, end: at + found[0].length }
}

function readSubscript(line: string, at: number): { text: string; end: number } | null {
  const found = line[at - 1] === '~' ? null : matchAt(subscript, line, at)
  return found && { text: found[1]!, end: at + found[0].length }
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(line)
}

function readTag(line: string, at: number, writer: PageTextWriter): { text: string; end: number } | null {
  if (line.startsWith('<!--', at)) {
    const end = line.indexOf('-->', at)
    return { text: '', end: end < 0 ? line.length : end + 3 }
  }
  const found = shownTag.test(line.slice(at, at + 20)) ? null : matchAt(htmlTag, line, at)
  if (found === null) return null
  const end = at + found[0].length
  const address = reference
    .exec(found[0])
    ?.slice(1)
    .find(value => value !== undefined)
  if (address !== undefined) nameTarget(address, writer)
  readAttributes(found[0], writer)
  const [, name = ''] = /^<\/?([A-Za-z][\w-]*)/.exec(found[0]) ?? []
  if (isPower(line, at, end)) return { text: '^', end }
  return { text: inlineTags.test(name.toLowerCase()) ? '' : ' ', end }
}

function readLinkStart(line: string, at: number, writer: PageTextWriter): { text: string; end: number } | null {
  const found = matchAt(wikiLink, line, at)
  if (found !== null) {
    const [whole, target, shown] = found as unknown as [string, string, string | undefined]
    nameLink(target, shown, writer)
    return { text: shown ?? target.replace(/^:/, ''), end: at + whole.length }
  }
  return line[at] === '[' || line[at + 1] === '[' ? { text: '', end: at + (line[at] === '!' ? 2 : 1) } : null
}

function readLinkEnd(line: string, at: number, writer: PageTextWriter): { text: string; end: number } {
  const link = matchAt(linkEnd, line, at)
  if (link === null) return { text: '', end: at + (matchAt(referenceEnd, line, at)?.[0].length ?? 1) }
  nameTarget(link[1] ?? link[2] ?? '', writer)
  sayTitle(link[3] ?? link[4], writer)
  return { text: '', end: at + link[0].length }
}

function nameTarget(target: string, writer: PageTextWriter): void {
  if (isPicture(target)) writer.link({ target, syntax: 'path' })
  else if (!/^[a-z][a-z0-9+.-]*:\/\/|^mailto:|^#/i.test(target)) {
    const path = target.replace(/[?#].*$/s, '')
    if (path !== '') writer.link({ target: path, syntax: 'path' })
  }
}

function nameLink(target: string, shown: string | undefined, writer: PageTextWriter): void {
  const [name, second] = [target, shown].map(part => part?.replace(/#.*$/s, '').trim())
  if (name) writer.link({ target: name, syntax: 'name', ...(second && { second }) })
}

/** True for an address of a picture of this wiki. */
function isPicture(target: string): boolean {
  return /\.(?:jpe?g|png|gif|svg|webp|tiff?|avif)$/i.test(target) && !/^[a-z][a-z0-9+.-]*:\/\//i.test(target)
}
