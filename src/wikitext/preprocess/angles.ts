/** Parses the constructs that begin with `<`: comments, extension tags, inclusion tags. */

import type { Comment, ExtensionTag, Inclusion, InclusionName, PreNode, PreprocessOptions } from './nodes.ts'

/** Failed searches, recorded so that no text is searched twice for the same thing. */
export interface AngleMemory {
  readonly text: string
  readonly options: PreprocessOptions
  /** Names without a further closing tag. */
  readonly unclosed: Set<string>
  /** True if there is no further `>`. */
  noMoreEnds: boolean
  /** True if only the text between onlyinclude tags is read. */
  readonly onlyInclude: boolean
}

const inclusionNames: ReadonlySet<string> = new Set<InclusionName>(['noinclude', 'includeonly', 'onlyinclude'])
const nameAt = /\/?[^\s/>]{1,40}(?=[\s>]|\/>)/y
const onlyIncludeOpen = '<onlyinclude>'
const onlyIncludeClose = '</onlyinclude>'

/** Prepares the parsing of a text. */
export function angleMemory(text: string, options: PreprocessOptions): AngleMemory {
  const onlyInclude =
    options.inclusion === 'transcluded' && text.includes(onlyIncludeOpen) && text.includes(onlyIncludeClose)
  return { text, options, unclosed: new Set(), noMoreEnds: false, onlyInclude }
}

/**
 * Parses the construct at a `<`. A number is the offset after a tag that is only text; undefined means that the `<` is text.
 *
 * Source: MediaWiki Preprocessor ABNF; Preprocessor_Hash of 1.43 for tags without an end.
 */
export function readAngle(memory: AngleMemory, at: number): PreNode | number | undefined {
  const { text } = memory
  if (text.startsWith('!--', at + 1)) return readComment(text, at)
  if (memory.onlyInclude && text.startsWith(onlyIncludeClose, at)) return skipToOnlyInclude(memory, at)
  nameAt.lastIndex = at + 1
  const name = nameAt.exec(text)?.[0]
  if (name === undefined || memory.noMoreEnds) return undefined
  const role = roleOf(name.toLowerCase(), memory.options)
  if (role === undefined) return undefined
  const end = text.indexOf('>', at + 1 + name.length)
  if (end === -1) {
    memory.noMoreEnds = true
    return undefined
  }
  if (role === 'tag') return inclusionTag(name.toLowerCase(), at, end + 1)
  return readElement(memory, { name: name.toLowerCase(), role, at, nameEnd: at + 1 + name.length, end })
}

/** Skips the text before the first `<onlyinclude>`, or after one is closed. */
export function skipToOnlyInclude({ text }: AngleMemory, at: number): Inclusion {
  const open = text.indexOf(onlyIncludeOpen, at)
  const end = open === -1 ? text.length : open + onlyIncludeOpen.length
  return { kind: 'inclusion', name: 'onlyinclude', form: 'dropped', start: at, end }
}

function readComment(text: string, at: number): Comment {
  const end = text.indexOf('-->', at + 4)
  return { kind: 'comment', start: at, end: end === -1 ? text.length : end + 3, closed: end !== -1 }
}

type Role = 'tag' | 'dropped' | 'extension'

/** Returns the role of a tag in this pass; `name` includes the slash of a closing tag. */
function roleOf(name: string, { inclusion, tags }: PreprocessOptions): Role | undefined {
  const bare = name.startsWith('/') ? name.slice(1) : name
  if (inclusionNames.has(bare)) {
    const isTransparent = (bare === 'includeonly') === (inclusion === 'transcluded')
    if (!isTransparent) return bare === name ? 'dropped' : undefined
    return 'tag'
  }
  return bare === name && tags.has(name) ? 'extension' : undefined
}

function inclusionTag(name: string, start: number, end: number): Inclusion {
  const isClose = name.startsWith('/')
  const bare = (isClose ? name.slice(1) : name) as InclusionName
  return { kind: 'inclusion', name: bare, form: isClose ? 'close' : 'open', start, end }
}

interface OpenTag {
  readonly name: string
  readonly role: Role
  readonly at: number
  readonly nameEnd: number
  /** Offset of its `>`. */
  readonly end: number
}

function readElement(memory: AngleMemory, tag: OpenTag): PreNode | number {
  const { text } = memory
  const isSelfClosed = text[tag.end - 1] === '/'
  if (isSelfClosed) return elementNode(tag, tag.end + 1, null, 0)
  const close = memory.unclosed.has(tag.name) ? undefined : findClose(text, tag.name, tag.end + 1)
  if (close !== undefined)
    return elementNode(tag, close.end, { start: tag.end + 1, end: close.start }, close.end - close.start)
  memory.unclosed.add(tag.name)
  if (tag.role === 'dropped') return elementNode(tag, text.length, { start: tag.end + 1, end: text.length }, 0)
  return tag.end + 1
}

function elementNode(
  tag: OpenTag,
  end: number,
  body: ExtensionTag['body'],
  closeWidth: number,
): Inclusion | ExtensionTag {
  const start = tag.at
  if (tag.role === 'dropped') {
    return { kind: 'inclusion', name: tag.name as InclusionName, form: 'dropped', start, end }
  }
  const attributesEnd = body === null ? tag.end - 1 : tag.end
  const attributes = { start: tag.nameEnd, end: attributesEnd }
  return { kind: 'extension', name: tag.name, start, end, attributes, body, closeWidth }
}

/** Finds `</name>`, in any case and with white space before its end. */
function findClose(text: string, name: string, from: number): { start: number; end: number } | undefined {
  for (let start = text.indexOf('</', from); start !== -1; start = text.indexOf('</', start + 2)) {
    const nameEnd = start + 2 + name.length
    if (text.slice(start + 2, nameEnd).toLowerCase() !== name) continue
    const end = skipSpace(text, nameEnd)
    if (text[end] === '>') return { start, end: end + 1 }
  }
  return undefined
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\n\r\f\v'.includes(text[at]!)) at++
  return at
}
