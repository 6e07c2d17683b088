/** Options of a file link: the parts between its pipes after the title. */

import type { MediaOptionKey, MediaWords } from './magic-words.ts'

/** One part between the pipes of a file link. */
export interface MediaPart {
  /** As written in the page. */
  readonly source: string
  /** Its wikitext with templates expanded and comments removed, by which options are recognised. */
  readonly text: string
  /** Range in the page, UTF-16 units, without the pipes. */
  readonly start: number
  readonly end: number
}

/** One part and its meaning. `bogus`: an option that repeats or contradicts an earlier one. */
export interface MediaOption {
  readonly key: MediaOptionKey | 'caption' | 'bogus'
  /** Value of `$1`; the whole text of a caption. */
  readonly value: string
  readonly part: MediaPart
}

export type MediaFormat = 'thumbnail' | 'manualthumb' | 'framed' | 'frameless'
export type HorizontalAlignment = 'left' | 'right' | 'center' | 'none'

/** Options of a file link. */
export interface MediaOptions {
  /** Every part in its order. */
  readonly list: readonly MediaOption[]
  readonly format: MediaFormat | null
  readonly halign: HorizontalAlignment | null
  /** As in CSS: `text-top`. */
  readonly valign: string | null
  readonly border: boolean
  /** Pixels; null if none were given. */
  readonly width: number | null
  readonly height: number | null
  /** Factor of the default width; null if none was given. */
  readonly upright: number | null
  readonly caption: MediaPart | null
  /** Options with a value: alt, link, page ... */
  readonly values: ReadonlyMap<MediaOptionKey, MediaOption>
}

/** Factor of `upright` without a value. */
const plainUpright = 0.75

const formats: ReadonlySet<string> = new Set(['thumbnail', 'manualthumb', 'framed', 'frameless'])
const horizontal: ReadonlySet<string> = new Set(['left', 'right', 'center', 'none'])
const vertical: ReadonlySet<string> = new Set([
  'baseline',
  'sub',
  'super',
  'top',
  'text_top',
  'middle',
  'bottom',
  'text_bottom',
])

/** Options of which the last one counts; of all others the first one does. */
const lastWins: ReadonlySet<string> = new Set(['width', 'caption'])

/** Parses the parts of a file link. Galleries ignore formats and alignments. Source: Parsoid WikiLinkHandler::renderFile. */
export function readMediaOptions(
  parts: readonly MediaPart[],
  { words, formatless = false }: { words: MediaWords; formatless?: boolean },
): MediaOptions {
  const winners = new Map<string, MediaOption>()
  const list = parts.map(part => readOption(part, words))
  for (const option of list) {
    const slot = slotOf(option.key)
    if (formatless && (slot === 'format' || slot === 'halign')) continue
    if (!winners.has(slot) || lastWins.has(slot)) winners.set(slot, option)
  }
  const named = list.map(option => {
    const isSize = option.key === 'width'
    return isSize || winners.get(slotOf(option.key)) === option ? option : { ...option, key: 'bogus' as const }
  })
  return toOptions(named, winners)
}

/** Parses a width and a height: `100`, `100px`, `100x200px`, `x200px`; null if it is neither. */
function readSize(text: string): { width: number | null; height: number | null } | null {
  const [found, width = '', height = ''] = /^([0-9]*)(?:x([0-9]*))?\s*(?:px\s*)?$/.exec(text.trim()) ?? []
  if (found === undefined || width + height === '') return null
  return { width: readPixels(width), height: readPixels(height) }
}

/** Maximum pixels of a displayed file. */
const maxPixels = 100_000

function readPixels(digits: string): number | null {
  const pixels = digits === '' ? 0 : Number(digits)
  return pixels > 0 && pixels <= maxPixels ? pixels : null
}

/** Options of one slot exclude each other. */
function slotOf(key: MediaOption['key']): string {
  if (formats.has(key)) return 'format'
  if (horizontal.has(key)) return 'halign'
  return vertical.has(key) ? 'valign' : key
}

function readOption(part: MediaPart, words: MediaWords): MediaOption {
  const text = part.text.trim()
  const whole = words.whole.get(text)
  if (whole !== undefined) return { key: whole, value: '', part }
  for (const { key, text: prefix } of words.prefixes) {
    if (text.startsWith(prefix) && isValue(key, text.slice(prefix.length))) {
      return { key, value: text.slice(prefix.length).trim(), part }
    }
  }
  for (const { key, text: suffix } of words.suffixes) {
    if (text.endsWith(suffix) && isValue(key, text.slice(0, -suffix.length))) {
      return { key, value: text.slice(0, -suffix.length), part }
    }
  }
  return { key: 'caption', value: part.text, part }
}

function isValue(key: MediaOptionKey, value: string): boolean {
  if (key === 'width') return readSize(value) !== null
  return key !== 'upright' || /^[0-9]*(?:\.[0-9]*)?$/.test(value.trim())
}

function toOptions(list: readonly MediaOption[], winners: ReadonlyMap<string, MediaOption>): MediaOptions {
  const size = readSize(winners.get('width')?.value ?? '')
  const upright = winners.get('upright')
  return {
    list,
    format: (winners.get('format')?.key ?? null) as MediaFormat | null,
    halign: (winners.get('halign')?.key ?? null) as HorizontalAlignment | null,
    valign: winners.get('valign')?.key.replace('_', '-') ?? null,
    border: winners.has('border'),
    width: size?.width ?? null,
    height: size?.height ?? null,
    upright: upright === undefined ? null : Number(upright.value) || plainUpright,
    caption: winners.get('caption')?.part ?? null,
    values: valuesOf(winners),
  }
}

function valuesOf(winners: ReadonlyMap<string, MediaOption>): ReadonlyMap<MediaOptionKey, MediaOption> {
  const values = new Map<MediaOptionKey, MediaOption>()
  for (const option of winners.values()) {
    if (option.key !== 'caption' && option.key !== 'bogus') values.set(option.key, option)
  }
  return values
}
