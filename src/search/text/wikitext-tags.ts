/** Tags and comments of wikitext. */

import { prefixLength } from './markup-words.ts'
import { isPower } from './power.ts'
import { galleryLine, silentTags, tag, verbatimTags } from './wikitext-patterns.ts'
import { closeFrame, deepest, emit, matchAt, type Reader } from './wikitext-reader.ts'

/** Reads a comment or a tag; false if the angle bracket is text. */
export function readAngle(reader: Reader): boolean {
  const { text, at } = reader
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4)
    reader.at = end < 0 ? text.length : end + 3
    return true
  }
  const found = matchAt(tag, reader)
  if (found === null) return false
  const [whole, slash, name] = found as unknown as [string, string, string]
  reader.at += whole.length
  if (isPower(text, at, reader.at)) emit(reader, '^')
  enterTag(reader, name.toLowerCase(), slash === '/', whole.endsWith('/>'))
  return true
}

function enterTag(reader: Reader, name: string, isEnd: boolean, isEmpty: boolean): void {
  if (name === 'ref') readRef(reader, isEnd, isEmpty)
  else if (!isEnd && !isEmpty && (silentTags.has(name) || verbatimTags.has(name))) readRawTag(reader, name)
  else if (name === 'gallery' && !isEnd) readGallery(reader)
  else if (!/^(?:b|i|u|s|em|strong|sup|sub|span|small|big|nowiki|abbr|a|font|tvar)$/.test(name)) emit(reader, ' ')
}

function readRef(reader: Reader, isEnd: boolean, isEmpty: boolean): void {
  if (isEnd) closeFrame(reader, ({ kind }) => kind === 'ref')
  else if (!isEmpty && reader.frames.length < deepest) reader.frames.push({ kind: 'ref' })
}

function readRawTag(reader: Reader, name: string): void {
  const { text, at, unclosed } = reader
  const end = unclosed.has(name) ? -1 : indexOfEndTag(text, name, at)
  if (end < 0) {
    unclosed.add(name)
    return
  }
  if (verbatimTags.has(name)) emit(reader, text.slice(at, end))
  else emit(reader, ' ')
  reader.at = end
}

function indexOfEndTag(text: string, name: string, at: number): number {
  const pattern = new RegExp(`</${name}\\s{0,10}>`, 'gi')
  pattern.lastIndex = at
  return pattern.exec(text)?.index ?? -1
}

function readGallery(reader: Reader): void {
  const end = reader.unclosed.has('gallery') ? -1 : indexOfEndTag(reader.text, 'gallery', reader.at)
  if (end < 0) {
    reader.unclosed.add('gallery')
    return
  }
  for (const written of reader.text.slice(reader.at, end).split('\n')) {
    const prefix = prefixLength(written.trimStart(), reader.words.files)
    const line = prefix === 0 ? written : `File:${written.trimStart().slice(prefix)}`
    galleryLine.lastIndex = 0
    const found = galleryLine.exec(`${line}\n`)
    if (found !== null) reader.writer.link({ target: `File:${found[1]}`, syntax: 'title' })
    const caption = found === null ? '' : line.slice(found[0].length).replace(/^\|/, '')
    if (caption !== '') reader.writer.add('auxiliary', `${caption.replace(/\[\[|\]\]|'{2,}/g, '')}\n`)
  }
  reader.at = end
}
