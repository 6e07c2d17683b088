/** Reads a MediaWiki XML export as a stream, versions 0.3 to 0.11. Memory is bounded by one revision's text. */

import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { SaxesParser } from 'saxes'
import { WikiError } from '../core/errors.ts'
import { BrokenPackage } from './broken-package.ts'
import { decompress } from './decompress.ts'
import type { DumpItem } from './dump.ts'
import { BrokenPart, DumpBuilder } from './dump-builder.ts'
import { BrokenText, utf8Pieces } from './utf8-pieces.ts'

export interface DumpSource {
  /** Path of the file, or its bytes. */
  readonly file: string | AsyncIterable<Uint8Array>
  /** Name used in messages; the file's name if omitted. */
  readonly name?: string | undefined
  /** Maximum unpacked bytes of a compressed file; derived from its size if omitted. */
  readonly maxBytes?: number | undefined
  /** Called with the number of bytes of the file read. */
  readonly progress?: ((bytes: number) => void) | undefined
}

/** Maximum characters without a tag, or of one element's text. */
const maxTextLength = 64 * 1024 * 1024
/** Maximum depth of elements; an export has six levels. */
const maxDepth = 32
/** Maximum attributes of one element. */
const maxAttributes = 64

/**
 * Reads a dump, compressed or not; its items come in batches. Throws `wiki-bad-dump`, with file and line, if it is incomplete
 * or invalid.
 */
export async function* readDump({ file, name, progress, maxBytes }: DumpSource): AsyncIterable<readonly DumpItem[]> {
  const shown = name ?? (typeof file === 'string' ? basename(file) : 'the dump')
  const chunks = typeof file === 'string' ? createReadStream(file, { highWaterMark: 256 * 1024 }) : file
  const parser = new DumpParser()
  try {
    for await (const piece of utf8Pieces(decompress(counted(chunks, progress), { maxBytes }))) {
      parser.write(piece)
      const items = parser.builder.take()
      if (items.length > 0) yield items
    }
    parser.end()
  } catch (error) {
    throw refusal(error, shown, parser.line)
  }
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  progress: DumpSource['progress'],
): AsyncIterable<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    yield chunk
    bytes += chunk.length
    progress?.(bytes)
  }
}

function refusal(error: unknown, name: string, line: number): unknown {
  const bad = (at: number, problem: string) =>
    new WikiError('wiki-bad-dump', {
      params: [name, at, problem],
      cause: error,
      ...(error instanceof BrokenPackage && error.hint !== undefined && { hint: error.hint }),
    })
  if (error instanceof BrokenText) return bad(line + error.line, error.message)
  if (error instanceof BrokenPackage || error instanceof BrokenPart) return bad(line, error.message)
  // The parser's own messages begin with the position.
  const [, at, problem] = error instanceof Error ? (/^(\d+):\d+: (.*)$/s.exec(error.message) ?? []) : []
  return at === undefined ? error : bad(Number(at), `it is not well-formed XML: ${problem}`)
}

class DumpParser {
  readonly builder = new DumpBuilder()
  readonly #parser = new SaxesParser({ xmlns: false, position: true })
  /** Position of the last tag or text: a token without an end would fill the memory. */
  #lastEvent = 0
  #depth = 0
  #attributes = 0

  constructor() {
    const { builder } = this
    this.#parser.on('opentagstart', () => {
      this.#attributes = 0
    })
    this.#parser.on('attribute', () => {
      if (++this.#attributes > maxAttributes) throw new BrokenPart('an element has too many attributes')
    })
    this.#parser.on('opentag', ({ name, attributes }) => {
      this.#lastEvent = this.#parser.position
      if (++this.#depth > maxDepth) throw new BrokenPart(`its elements nest deeper than ${maxDepth}`)
      builder.open(name, attributes, this.#parser.line)
    })
    this.#parser.on('closetag', () => {
      this.#lastEvent = this.#parser.position
      this.#depth--
      builder.close(this.#parser.line)
    })
    const addText = (text: string) => {
      this.#lastEvent = this.#parser.position
      builder.text(text, maxTextLength)
    }
    this.#parser.on('text', addText)
    this.#parser.on('cdata', addText)
    this.#parser.on('doctype', () => {
      throw new BrokenPart('it has a document type declaration, which no export has')
    })
  }

  get line(): number {
    return this.#parser.line
  }

  write(text: string): void {
    this.#parser.write(text)
    if (this.#parser.position - this.#lastEvent > maxTextLength)
      throw new BrokenPart(`a text is longer than ${maxTextLength / 1024 / 1024} MiB`)
  }

  end(): void {
    if (!this.builder.isEnded) throw new BrokenPart('it ends before </mediawiki>')
    this.#parser.close()
  }
}
