/** Tags and comments of wikitext. */

import { prefixLength } from './markup-words.ts'
import { isPower } from './power.ts'
import { readAttributes } from './read-aloud.ts'
import {
  decodedTags,
  galleryCaption,
  galleryFile,
  inlineTags,
  quotedTag,
  silentTags,
  tag,
  verbatimTags,
} from './wikitext-patterns.ts'
import { closeFrame, deepest, emit, matchAt, type Reader } from './wikitext-reader.ts'

/** Reads a comment or a tag; false if the angle bracket is text. */
export function readAngle(reader: Reader): boolean {
  const { text, at } = reader
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4)
    reader.at = end < 0 ? text.length : end + 3
    return true
  }
  const found = matchAt(quotedTag, reader) ?? matchAt(tag, reader)
  if (found === null) return false
  const [whole, slash, name] = found as unknown as [string, string, string]
  reader.at += whole.length
  readAttributes(whole, reader.writer)
  if (isPower(text, at, reader.at)) emit(reader, '^')
  enterTag(reader, name.toLowerCase(), slash === '/', whole.endsWith('/>'))
  return true
}

function enterTag(reader: Reader, name: string, isEnd: boolean, isEmpty: boolean): void {
  if (name === 'ref') readRef(reader, isEnd, isEmpty)
  else if (!isEnd && !isEmpty && (silentTags.has(name) || verbatimTags.has(name))) readRawTag(reader, name)
  else if (name === 'gallery') isEnd ? leaveGallery(reader) : enterGallery(reader, isEmpty)
  else if (!inlineTags.test(name)) emit(reader, ' ')
}

function readRef(reader: Reader, isEnd: boolean, isEmpty: boolean): void {
  if (isEnd) closeFrame(reader, ({ kind }) => kind === 'ref')
  else if (!isEmpty && reader.frames.length < deepest) {
    reader.frames.push({ kind: 'ref' })
    emit(reader, ' ')
  }
}

function readRawTag(reader: Reader, name: string): void {
  const { text, at, unclosed } = reader
  const end = unclosed.has(name) ? -1 : indexOfEndTag(text, name, at)
  if (end < 0) {
    unclosed.add(name)
    return
  }
  if (verbatimTags.has(name))
    emit(reader, decodedTags.has(name) ? reader.writer.decode(text.slice(at, end)) : text.slice(at, end))
  else emit(reader, ' ')
  reader.at = end
}

function indexOfEndTag(text: string, name: string, at: number): number {
  const pattern = new RegExp(`</${name}\\s{0,10}>`, 'gi')
  pattern.lastIndex = at
  return pattern.exec(text)?.index ?? -1
}

/** A gallery without an end is text. */
function enterGallery(reader: Reader, isEmpty: boolean): void {
  const { text, at, frames, unclosed } = reader
  if (isEmpty || frames.length >= deepest || unclosed.has('gallery')) return
  if (indexOfEndTag(text, 'gallery', at) < 0) {
    unclosed.add('gallery')
    return
  }
  const opening = text.slice(text.lastIndexOf('<', at - 1), at)
  const [, double, single, bare] = galleryCaption.exec(opening) ?? []
  frames.push({ kind: 'gallery' })
  emit(reader, `${double ?? single ?? bare ?? ''}\n`)
}

function leaveGallery(reader: Reader): void {
  closeFrame(reader, ({ kind }) => kind === 'gallery')
}

/** Names the file of a line, and closes what the line before left open. */
export function readGalleryLine(reader: Reader): void {
  const { frames, writer, words } = reader
  frames.length = frames.findLastIndex(({ kind }) => kind === 'gallery') + 1
  const found = matchAt(galleryFile, reader)
  if (found === null || found[1]!.startsWith('</')) return
  const name = found[1]!.slice(prefixLength(found[1]!, words.files)).trim()
  writer.link({ target: `File:${name}`, syntax: 'title' })
  reader.at += found[0].length
}
