/**
 * Reads the words of wikitext in one pass without backtracking, in linear time for any text. It expands no templates and lays
 * out no tables, and takes a thousandth of the engine's time.
 */

import { type Decode, readEntity } from './entities.ts'
import { isOption, type MarkupWords, prefixLength } from './markup-words.ts'
import { addressEnd, listAddresses, type PageText, pageTextWriter } from './page-text.ts'
import { readAttributes } from './read-aloud.ts'
import {
  altOption,
  anyOption,
  behaviourSwitch,
  cellAttributes,
  description,
  descriptionCall,
  fileOption,
  galleryOption,
  linkTarget,
  parameterName,
  pictureValue,
  templateName,
} from './wikitext-patterns.ts'
import { closeFrame, deepest, emit, endOfRun, isLineStart, matchAt, moveTo, type Reader } from './wikitext-reader.ts'
import { readAngle, readGalleryLine } from './wikitext-tags.ts'

/** Reads the words of wikitext. */
export function readWikitext(text: string, words: MarkupWords, decode: Decode): PageText {
  const writer = pageTextWriter(decode)
  const reader: Reader = { text, words, writer, frames: [], at: 0, heading: null, isLead: true, unclosed: new Set() }
  if (isLineStart(reader)) readLineStart(reader)
  while (reader.at < text.length) step(reader)
  endHeading(reader)
  return writer.result()
}

const steps: Readonly<Record<string, (reader: Reader) => boolean>> = {
  '\n': readLineFeed,
  '<': readAngle,
  '{': openBraces,
  '}': closeBraces,
  '[': openBrackets,
  ']': closeBrackets,
  '|': readPipe,
  '!': readExclamation,
  "'": readQuotes,
  '&': readReference,
  _: readSwitch,
  '~': reader => skipRun(reader, '~', 3),
}

/** Characters that may be markup; everything between them is text. */
const plain = /[^\n<{}[\]|!'&_~]+/y

function step(reader: Reader): void {
  const { text, at, heading } = reader
  if (heading !== null && at >= heading.end) {
    leaveHeading(reader)
    return
  }
  const handle = steps[text[at]!]
  if (handle !== undefined) {
    if (!handle(reader)) emit(reader, text[reader.at++]!)
    return
  }
  plain.lastIndex = at
  plain.test(text)
  const end = heading === null ? plain.lastIndex : Math.min(plain.lastIndex, heading.end)
  const mayName = text.slice(at, end).includes(':')
  for (const address of mayName ? listAddresses(text, at, end) : []) {
    emit(reader, text.slice(reader.at, address.start))
    moveTo(reader, address.end)
  }
  emit(reader, text.slice(reader.at, end))
  reader.at = Math.max(reader.at, end)
}

// Lines

function readLineFeed(reader: Reader): boolean {
  emit(reader, '\n')
  reader.at++
  while (reader.frames.at(-1)?.kind === 'external') reader.frames.pop()
  readLineStart(reader)
  return true
}

function readLineStart(reader: Reader): void {
  const { text, at } = reader
  const first = text[at]
  if (reader.frames.some(({ kind }) => kind === 'gallery')) readGalleryLine(reader)
  else if (first === '=') openHeading(reader)
  else if (first === '{' && text[at + 1] === '|') openTable(reader)
  else if (first === '|' && reader.frames.at(-1)?.kind === 'table') readTableLine(reader)
  else if (first === '-' && text.startsWith('----', at)) reader.at = endOfRun(text, at, '-')
  else if (first !== undefined && '*#:;'.includes(first) && reader.frames.length === 0) skipListMarkers(reader)
}

function skipListMarkers(reader: Reader): void {
  const { text } = reader
  if (/^#redirect/i.test(text.slice(reader.at, reader.at + 9))) return
  while (reader.at < text.length && '*#:; '.includes(text[reader.at]!)) reader.at++
}

function openHeading(reader: Reader): void {
  const { text, at } = reader
  const feed = text.indexOf('\n', at)
  const next = feed < 0 ? text.length : feed
  const start = endOfRun(text, at, '=')
  let end = next
  while (end > start && /[ \t\r]/.test(text[end - 1]!)) end--
  if (end <= start || text[end - 1] !== '=') return
  while (end > start && text[end - 1] === '=') end--
  if (end === start) return
  // Unclosed constructs end at a heading, so that broken markup does not hide a section.
  reader.frames.splice(0, reader.frames.length, ...reader.frames.filter(({ kind }) => kind === 'table'))
  Object.assign(reader, { at: start, heading: { end, next }, isLead: false })
}

function leaveHeading(reader: Reader): void {
  reader.at = Math.max(reader.at, reader.heading!.next)
  endHeading(reader)
}

function endHeading(reader: Reader): void {
  reader.heading = null
  reader.writer.endHeading()
}

function skipRun(reader: Reader, character: string, least: number): boolean {
  const end = endOfRun(reader.text, reader.at, character)
  if (end - reader.at < least) return false
  reader.at = end
  return true
}

function readQuotes(reader: Reader): boolean {
  return skipRun(reader, "'", 2)
}

function readSwitch(reader: Reader): boolean {
  const found = matchAt(behaviourSwitch, reader)
  if (found === null) return false
  reader.at += found[0].length
  return true
}

function readReference(reader: Reader): boolean {
  const found = readEntity(reader.text, reader.at, reader.writer.decode)
  if (found === null) return false
  emit(reader, found.text)
  reader.at = found.end
  return true
}

// Tables

function openTable(reader: Reader): void {
  if (reader.frames.length < deepest) reader.frames.push({ kind: 'table' })
  skipLine(reader)
}

/** The rest of the line is attributes, of a table or a row. */
function skipLine(reader: Reader): void {
  const feed = reader.text.indexOf('\n', reader.at)
  const end = feed < 0 ? reader.text.length : feed
  readAttributes(reader.text.slice(reader.at, end), reader.writer)
  reader.at = end
}

function readTableLine(reader: Reader): void {
  const next = reader.text[reader.at + 1]
  if (next === '-') skipLine(reader)
  else if (next === '}') {
    reader.at += 2
    reader.frames.pop()
  } else {
    reader.at += next === '+' ? 2 : 1
    skipCellAttributes(reader)
  }
}

function skipCellAttributes(reader: Reader): void {
  const found = matchAt(cellAttributes, reader)
  if (found === null) return
  readAttributes(` ${found[0]}`, reader.writer)
  reader.at += found[0].length
}

function readExclamation(reader: Reader): boolean {
  if (reader.frames.at(-1)?.kind !== 'table') return false
  const isDouble = reader.text[reader.at + 1] === '!'
  if (!isDouble && !isLineStart(reader)) return false
  emit(reader, ' ')
  reader.at += isDouble ? 2 : 1
  skipCellAttributes(reader)
  return true
}

function readPipe(reader: Reader): boolean {
  const top = reader.frames.at(-1)
  emit(reader, top?.kind === 'template' ? '\n' : ' ')
  if (top?.kind === 'template') readParameter(reader)
  else if (top?.kind === 'file' || top?.kind === 'gallery') skipFileOption(reader, top.kind)
  else if (top?.kind === 'table') {
    reader.at += reader.text[reader.at + 1] === '|' ? 2 : 1
    skipCellAttributes(reader)
  } else reader.at++
  return true
}

// Braces

function openBraces(reader: Reader): boolean {
  const { text, at, frames } = reader
  if (text[at + 1] !== '{') return false
  if (frames.length >= deepest) {
    reader.at = endOfRun(text, at, '{')
    return true
  }
  if (text[at + 2] === '{' && text[at + 3] !== '{') return openArgument(reader)
  return openTemplate(reader)
}

function openArgument(reader: Reader): boolean {
  reader.frames.push({ kind: 'argument', isAuxiliary: false })
  reader.at += 3
  const name = /[^{}|[\]<>\n]{0,100}/y
  reader.at += matchAt(name, reader)![0].length
  return true
}

/** A template named as a pipe is one. */
const pipeCall = '{{!}}'

function openTemplate(reader: Reader): boolean {
  if (reader.text.startsWith(pipeCall, reader.at)) {
    moveTo(reader, reader.at + pipeCall.length)
    return true
  }
  readDescription(reader)
  const isBox = isLineStart(reader) && (hasLineEndInside(reader) || standsAlone(reader))
  const name = matchAt(templateName, reader)
  reader.frames.push({ kind: 'template', isAuxiliary: isBox })
  reader.at += name === null ? 2 : name[0].length
  if (name !== null) nameTemplate(reader, name[1]!)
  return true
}

/** Hatnotes (other meanings of the title, problems of the page) have lines of their own. */
function standsAlone({ text, at }: Reader): boolean {
  const feed = text.indexOf('\n', at)
  let depth = 0
  for (const [token] of text.slice(at, feed < 0 ? undefined : feed).matchAll(/\{\{|\}\}|\S/g)) {
    if (token === '{{') depth++
    else if (token === '}}') depth--
    else if (depth <= 0) return false
  }
  return depth === 0
}

/** A box is written over several lines; a template on one line may be a part of the sentence. */
function hasLineEndInside({ text, at }: Reader): boolean {
  const feed = text.indexOf('\n', at)
  return feed >= 0 && !text.slice(at, feed).includes('}}')
}

function nameTemplate({ writer }: Reader, called: string): void {
  const name = called.replaceAll('_', ' ')
  if (!name.startsWith('#') && !description.test(name)) writer.template(name)
}

function readDescription(reader: Reader): void {
  const found = matchAt(descriptionCall, reader)
  if (found !== null && found[1]!.trim().toLowerCase() !== 'none') reader.writer.describe(found[1]!)
}

function readParameter(reader: Reader): void {
  const name = matchAt(parameterName, reader)
  reader.at += name === null ? 1 : name[0].length
  const picture = matchAt(pictureValue, reader)
  if (picture !== null) reader.at += picture[0].length
}

function closeBraces(reader: Reader): boolean {
  const { text, at } = reader
  if (text[at + 1] !== '}') return false
  const kind = reader.frames.findLast(({ kind }) => kind === 'template' || kind === 'argument')?.kind
  const isArgument = kind === 'argument' && text[at + 2] === '}'
  reader.at += isArgument ? 3 : 2
  if (kind !== undefined) closeFrame(reader, frame => frame.kind === kind)
  return true
}

// Brackets

function openBrackets(reader: Reader): boolean {
  const { text, at } = reader
  if (text[at + 1] === '[') return openLink(reader)
  const end = addressEnd(text, at + 1)
  if (end === null) return false
  if (reader.frames.length < deepest) reader.frames.push({ kind: 'external' })
  moveTo(reader, end)
  return true
}

function openLink(reader: Reader): boolean {
  const found = matchAt(linkTarget, reader)
  if (found === null) {
    reader.at += 2
    return true
  }
  const [whole, target, end] = found as unknown as [string, string, string]
  reader.at += whole.length
  const name = target.replace(/^:/, '').trim()
  const isFile = !target.startsWith(':') && prefixLength(target, reader.words.files) > 0
  if (isFile && !isMedia.test(name)) openFile(reader, end)
  else if (end === '|' && reader.text.startsWith(']]', reader.at)) emit(reader, name)
  else if (end === '|') openText(reader, target)
  else if (isShown(reader, target)) emit(reader, name)
  if (!name.startsWith('#') && name !== '') reader.writer.link({ target: target.replace(/#.*$/s, ''), syntax: 'title' })
  return true
}

/** A link to a file itself, which does not show it. */
const isMedia = /^media\s*:/i

/** Categories and language links do not appear in the text. */
function isShown({ words }: Reader, target: string): boolean {
  return !(languagePrefix.test(target) || (!target.startsWith(':') && prefixLength(target, words.categories) > 0))
}

const languagePrefix = /^[a-z]{2,3}(?:-[a-z]{2,8})?\s*:/i

function openText(reader: Reader, target: string): void {
  if (isShown(reader, target)) {
    if (reader.frames.length < deepest) reader.frames.push({ kind: 'link' })
    return
  }
  const close = /[^[\]\n]{0,400}\]\]/y
  reader.at += matchAt(close, reader)?.[0].length ?? 0
}

function openFile(reader: Reader, end: string): void {
  if (end !== '|') return
  if (reader.frames.length < deepest) reader.frames.push({ kind: 'file', isAuxiliary: true })
  reader.at--
}

/** The words of an alternative text are read, because it is shown where the picture is not. */
function skipFileOption(reader: Reader, kind: 'file' | 'gallery'): void {
  const isFile = kind === 'file'
  const option =
    matchAt(isFile ? fileOption : galleryOption, reader) ??
    (isFile ? localOption(reader) : null) ??
    matchAt(altOption, reader)
  reader.at += option === null ? 1 : option[0].length
}

function localOption(reader: Reader): RegExpExecArray | null {
  const option = reader.words.options.size === 0 ? null : matchAt(anyOption, reader)
  return option !== null && isOption(option[0].slice(1), reader.words) ? option : null
}

function closeBrackets(reader: Reader): boolean {
  const { text, at, frames } = reader
  const top = frames.at(-1)?.kind
  if (top === 'external') {
    frames.pop()
    reader.at++
    return true
  }
  if (text[at + 1] !== ']') return false
  reader.at += 2
  if (frames.some(({ kind }) => kind === 'link' || kind === 'file')) {
    closeFrame(reader, ({ kind }) => kind === 'link' || kind === 'file')
  }
  return true
}
