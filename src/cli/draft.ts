/** The text of an edit: from a file, from stdin, or from the editor. */

import { createReadStream, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { contentModels, isContentModel } from '../core/content-models.ts'
import { isWikiError, WikiError } from '../core/errors.ts'
import { emptyText } from '../operations/editing/empty-text.ts'
import type { Context } from './context.ts'
import { systemReason } from './report.ts'
import { mostInput } from './terminal/io.ts'

export interface DraftOptions {
  /** Value of `--file`. */
  readonly file: string | undefined
  /** Initial text of the editor. */
  readonly text: string
  readonly title: string
  readonly model: string
}

export interface Draft {
  readonly source: string
  /** Deletes the temporary file once the text is saved. */
  discard(): void
}

/** Returns the text to save; null if the editor made no change. Errors: wiki-usage. */
export async function readDraft(context: Context, options: DraftOptions): Promise<Draft | null> {
  const { decode, discardText, editText, keepText } = await import('./editor.ts')
  if (options.file !== undefined) {
    const bytes = await readBytes(context, options.file)
    const source = decode(bytes, options.file === '-' ? 'stdin' : options.file)
    if (options.file !== '-' || !context.io.stdin.isTTY) return { source, discard: () => {} }
    // Text typed at the terminal exists nowhere else.
    return { source, discard: forgetter(context, keepText(source, fileName(options)), discardText) }
  }
  const { text, changed, path } = await editText(context, options.text, fileName(options))
  if (!changed) return null
  return { source: text, discard: forgetter(context, path, discardText) }
}

/** Makes an error name the file with the text, until the text is discarded. */
function forgetter(context: Context, path: string, discardText: (path: string) => void): () => void {
  context.storeDraft(path)
  return () => {
    discardText(path)
    context.storeDraft(undefined)
  }
}

/**
 * Refuses a text without visible characters, unless `--allow-empty` is given: an editor that saved nothing, or a
 * program that failed before it wrote to stdin, must not blank a page. Errors: wiki-empty-text.
 */
export function refuseEmpty(
  draft: Draft,
  source: string,
  options: { title: string; allowEmpty?: boolean | undefined },
): void {
  const { title, allowEmpty = false } = options
  if (allowEmpty || source.trim() !== '') return
  // An empty text is not worth keeping.
  if (draft.source.trim() === '') draft.discard()
  throw emptyText(title)
}

/** Maximum bytes of a text that is converted or checked without being saved: the largest `limits.source`. */
export const longestText = 16 * 1024 * 1024

/** Reads a file that the user names, up to a maximum of bytes; `-` is stdin. Errors: wiki-usage. */
export async function readBytes({ io }: Context, file: string, most = mostInput): Promise<Uint8Array> {
  const name = file === '-' ? 'stdin' : file
  if (file === '-') return upTo(most, await io.stdin.bytes(), name)
  const path = resolve(io.cwd, file)
  try {
    if (!statSync(path).isFile()) return await readEndless(path, most, name)
    return statSync(path).size > most ? upTo(most, null, name) : readFileSync(path)
  } catch (cause) {
    if (isWikiError(cause)) throw cause
    throw new WikiError('wiki-usage', { params: [`Cannot read ${file}: ${systemReason(cause)}`], cause })
  }
}

/** A pipe and a device may never end. */
async function readEndless(path: string, most: number, name: string): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of createReadStream(path)) {
    size += chunk.length
    if (size > most) return upTo(most, null, name)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function upTo(most: number, bytes: Uint8Array | null, name: string): Uint8Array {
  if (bytes !== null && bytes.length <= most) return bytes
  throw new WikiError('wiki-usage', { params: [`${name} is larger than ${most} bytes`] })
}

/** Editors choose the syntax by the extension. */
function fileName({ title, model }: DraftOptions): string {
  const name = title.replace(/[^\p{L}\p{N}.-]+/gu, '_').slice(0, 60)
  const ending = isContentModel(model) ? contentModels[model].extensions[0] : model === 'html' ? 'html' : 'wiki'
  return name.endsWith(`.${ending}`) ? name : `${name}.${ending}`
}
