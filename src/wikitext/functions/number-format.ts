/** Numbers as a language writes them, digit by digit: they may be longer than a machine number. */

import { betweenMarkers } from '../expand/markers.ts'
import { isLanguageTag } from './languages.ts'

interface NumberSigns {
  readonly group: string
  readonly decimal: string
  /** The ten digits. */
  readonly digits: readonly string[]
  /** Digits before the separator begins to be written. */
  readonly minimum: number
  /** Digits of the group next to the decimal sign, and of those before it. */
  readonly sizes: readonly [number, number]
}

/** Languages that write no separator before the fifth digit. Source: CLDR, minimumGroupingDigits 2. */
const fromFiveDigits: ReadonlySet<string> = new Set(['bg', 'es', 'et', 'hu', 'it', 'lv', 'pl', 'pt-pt', 'sl'])

function numberSigns(language: string): NumberSigns {
  const locale = isLanguageTag(language) ? language : 'en'
  const format = new Intl.NumberFormat(locale, { useGrouping: true })
  const parts = format.formatToParts(12_345_678_901.5)
  const sign = (type: string, fallback: string) => parts.find(part => part.type === type)?.value ?? fallback
  const groups = parts.filter(({ type }) => type === 'integer')
  const digits = Array.from({ length: 10 }, (_, digit) =>
    new Intl.NumberFormat(locale, { useGrouping: false }).format(digit),
  )
  return {
    group: sign('group', ','),
    decimal: sign('decimal', '.'),
    digits,
    minimum: fromFiveDigits.has(language) ? 5 : 4,
    sizes: [groups.at(-1)?.value.length ?? 3, groups.at(-2)?.value.length ?? 3],
  }
}

const plainNumber = /(\d+)(?:\.(\d+))?/g

/** Writes the numbers in a text with the language's digits, separators and decimal sign. */
export function formatNumber(text: string, language: string): string {
  const signs = numberSigns(language)
  return betweenMarkers(text, piece =>
    piece.replace(plainNumber, (_, whole: string, fraction: string | undefined) => {
      const tail = fraction === undefined ? '' : signs.decimal + translate(fraction, signs)
      return translate(grouped(whole, signs), signs) + tail
    }),
  )
}

/** The same without separators. */
export function formatDigits(text: string, language: string): string {
  const signs = numberSigns(language)
  return betweenMarkers(text, piece =>
    piece.replace(
      plainNumber,
      (_, whole: string, fraction: string | undefined) =>
        translate(whole, signs) + (fraction === undefined ? '' : signs.decimal + translate(fraction, signs)),
    ),
  )
}

/** Reads a number as the language writes it back to plain digits. */
export function parseFormattedNumber(text: string, language: string): string {
  const { group, decimal, digits } = numberSigns(language)
  const plain = digits[0] === '0' ? text : [...text].map(sign => digitOf(sign, digits)).join('')
  return plain.replaceAll(group, '').replaceAll(decimal, '.').replaceAll('\u2212', '-')
}

function digitOf(sign: string, digits: readonly string[]): string {
  const digit = digits.indexOf(sign)
  return digit === -1 ? sign : String(digit)
}

function grouped(whole: string, { group, minimum, sizes }: NumberSigns): string {
  if (whole.length < minimum) return whole
  const [last, others] = sizes
  const groups = [whole.slice(-last)]
  let end = whole.length - last
  const parts: string[] = []
  for (; end > 0; end -= others) parts.push(whole.slice(Math.max(0, end - others), end))
  return [...parts.reverse(), ...groups].join(group)
}

function translate(text: string, { digits }: NumberSigns): string {
  return digits[0] === '0' ? text : text.replace(/\d/g, digit => digits[Number(digit)]!)
}
