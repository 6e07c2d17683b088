/**
 * Git's conversion of a path's content, decided once from attributes and settings.
 * Source: git's convert.c, convert_attrs; gitattributes(5), "EFFECTS"; git-config(1), `core.autocrlf`, `core.eol`.
 */

import { platform } from 'node:os'
import { booleanOf } from '../../repository/config-text.ts'
import { lastValue, type ScopedEntry } from '../../repository/git-config.ts'
import type { Attributes, AttributeValue } from './attribute-lines.ts'

/**
 * Conversion of line ends. `text`: always; `guess`: only if the content looks like text, and the previous blob has no CR LF.
 * `crlf`: files have CR LF.
 */
export type LineEnds = { readonly kind: 'kept' } | { readonly kind: 'text' | 'guess'; readonly crlf: boolean }

/** Differences between the file and the blob of a path. */
export interface PathForm {
  readonly lineEnds: LineEnds
  /** True if `$Id$` is expanded in files. */
  readonly ident: boolean
  /** Encoding of files; null for UTF-8 and for unconverted bytes. */
  readonly encoding: string | null
  /** Name of the content filter. */
  readonly filter: string | null
  /** `core.safecrlf`: a file whose line ends would not survive the round trip is refused. */
  readonly isSafe: boolean
}

/** Decides the conversion of content at a path with these attributes. */
export function pathForm(attributes: Attributes, settings: readonly ScopedEntry[]): PathForm {
  const filter = attributes.get('filter')
  return {
    lineEnds: lineEndsOf(attributes, settings),
    ident: attributes.get('ident') === true,
    encoding: encodingOf(attributes.get('working-tree-encoding')),
    filter: typeof filter === 'string' ? filter : null,
    isSafe: booleanOf(lastValue(settings, 'core.safecrlf')) ?? false,
  }
}

/** Returns true if content at a path is the same in files and blobs. */
export function isPlain({ lineEnds, ident, encoding, filter }: PathForm): boolean {
  return lineEnds.kind === 'kept' && !ident && encoding === null && filter === null
}

/** Returns true if only git can convert: it has the filters, and the encodings. */
export function needsGit({ encoding, filter }: PathForm): boolean {
  return encoding !== null || filter !== null
}

type TextAttribute = 'text' | 'binary' | 'auto' | 'input' | null

function textOf(value: AttributeValue | undefined): TextAttribute {
  if (value === true) return 'text'
  if (value === false) return 'binary'
  return value === 'auto' || value === 'input' ? value : null
}

function lineEndsOf(attributes: Attributes, settings: readonly ScopedEntry[]): LineEnds {
  const text = textOf(attributes.get('text')) ?? textOf(attributes.get('crlf'))
  if (text === 'binary') return { kind: 'kept' }
  const wanted = lastValue(settings, 'core.autocrlf')
  const autocrlf = wanted?.toLowerCase() === 'input' ? 'input' : (booleanOf(wanted) ?? false)
  const eol = attributes.get('eol')
  if (eol === 'lf' || eol === 'crlf') return { kind: text === 'auto' ? 'guess' : 'text', crlf: eol === 'crlf' }
  if (text === 'input') return { kind: 'text', crlf: false }
  if (text !== null) return { kind: text === 'auto' ? 'guess' : 'text', crlf: isWindows(autocrlf, settings) }
  return autocrlf === false ? { kind: 'kept' } : { kind: 'guess', crlf: autocrlf === true }
}

/** Source: git's convert.c, text_eol_is_crlf. */
function isWindows(autocrlf: boolean | 'input', settings: readonly ScopedEntry[]): boolean {
  if (autocrlf !== false) return autocrlf === true
  const eol = lastValue(settings, 'core.eol')?.toLowerCase()
  return eol === 'crlf' || (eol !== 'lf' && platform() === 'win32')
}

/** Git refuses an encoding that is merely set or unset; the empty name leaves the refusal to git. */
function encodingOf(value: AttributeValue | undefined): string | null {
  if (typeof value === 'boolean') return ''
  return value == null || value === '' || /^utf-?8$/i.test(value) ? null : value
}
