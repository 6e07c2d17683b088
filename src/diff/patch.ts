/**
 * Parses patches as git, `diff -u` and `wiki compare --unified` write them, and applies them to texts. Source: POSIX
 * diff -u; git-diff(1).
 */

import { applyPatch, parsePatch, type StructuredPatch } from 'diff'
import { WikiError } from '../core/errors.ts'
import { createWorkLimit, type WorkLimit } from './work-limit.ts'

/** Changes to one file. */
export interface FilePatch {
  /** Path from the repository's top. */
  readonly path: string
  /** `create`: the file does not exist before; `delete`: it does not exist after. */
  readonly kind: 'create' | 'edit' | 'delete'
  readonly hunks: StructuredPatch
}

/** Maximum bytes of a patch, and maximum files in it. */
export const maxPatchBytes = 16 * 1024 * 1024
const maxFiles = 10_000

const noFile = '/dev/null'

/** Git's version at the end of a mail from `git format-patch`; its first line looks like a deleted line. */
const mailSignature = /^-- \n\d{1,3}\.\d{1,4}.{0,80}$/gm

/**
 * Parses a patch. Errors: wiki-bad-patch for a text that is not a patch, is too large, or contains a change that texts
 * cannot have: a move, a copy, another mode, binary content, two changes of one file.
 */
export function readPatch(text: string): FilePatch[] {
  if (Buffer.byteLength(text) > maxPatchBytes) throw bad(`it has more than ${maxPatchBytes} bytes`)
  const files = parse(text).map(readFile)
  if (files.length === 0)
    throw bad('it changes no file', 'Patches are written by git diff, diff -u and wiki compare --unified')
  if (files.length > maxFiles) throw bad(`it changes more than ${maxFiles} files`)
  const paths = new Set<string>()
  for (const { path } of files) {
    if (paths.has(path)) throw bad(`it changes ${path} twice`)
    paths.add(path)
  }
  return files
}

function parse(text: string): StructuredPatch[] {
  try {
    return parsePatch(text.replace(mailSignature, '')).filter(file => file.hunks.length > 0 || file.isGit === true)
  } catch (error) {
    throw bad((error as Error).message, undefined, error)
  }
}

function readFile(file: StructuredPatch): FilePatch {
  const [from, to] = namesOf(file)
  if (from === null && to === null) throw bad('a part of it names no file')
  const path = (to ?? from)!
  const hint = 'A page is moved by: wiki page move'
  if (file.isRename || file.isCopy || (from !== null && to !== null && from !== to))
    throw bad(`it moves or copies ${from}`, hint)
  if (file.isBinary) throw bad(`${path} is binary in it`)
  if (file.oldMode !== file.newMode && file.oldMode !== undefined && file.newMode !== undefined)
    throw bad(`it changes the mode of ${path}`)
  if (file.hunks.length === 0) throw bad(`it has no lines for ${path}`)
  const kind = from === null ? 'create' : to === null ? 'delete' : 'edit'
  return { path, kind, hunks: file }
}

/** Paths before and after, without the prefixes `a/` and `b/`; null if there is no file. */
function namesOf({ oldFileName, newFileName }: StructuredPatch): [from: string | null, to: string | null] {
  const [from, to] = [oldFileName || noFile, newFileName || noFile]
  const isPrefixed = (from === noFile || from.startsWith('a/')) && (to === noFile || to.startsWith('b/'))
  const pathOf = (name: string) => (name === noFile ? null : isPrefixed ? name.slice(2) : name)
  return [pathOf(from), pathOf(to)]
}

/**
 * Applies the changes of one file; null if they do not match. Lines may have moved, but those of the patch must exist
 * unchanged. An insertion without context matches only an empty text, because its position is unknown in any other.
 * Throws `wiki-texts-too-complex`; several files may share a limit.
 */
export function applyFilePatch(
  text: string,
  { kind, hunks }: FilePatch,
  limit: WorkLimit = createWorkLimit(),
): string | null {
  if (text !== '' && hunks.hunks.some(({ lines }) => !lines.some(line => /^[- ]/.test(line)))) return null
  const applied = applyPatch(text, hunks, {
    compareLine: (_, line, __, content) => {
      limit.count(1 + (line.length === content.length ? line.length >> 4 : 0))
      return line === content
    },
  })
  if (applied === false || (kind === 'delete' && applied !== '')) return null
  return applied
}

function bad(reason: string, hint?: string, cause?: unknown): WikiError {
  return new WikiError('wiki-bad-patch', { params: [reason], ...(hint !== undefined && { hint }), cause })
}
