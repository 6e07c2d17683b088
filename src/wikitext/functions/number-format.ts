/** Formats numbers for a language digit by digit, because they may exceed machine numbers. */

import type { Locale, NumberSigns } from '../expansion/locale.ts'
import { betweenMarkers } from '../expansion/markers.ts'

const plainNumber = /(\d+)(?:\.(\d+))?/g

/** Writes the numbers in a text with the language's digits, separators and decimal sign. */
export function formatNumber(text: string, locale: Locale): string {
  const signs = locale.numbers()
  return betweenMarkers(text, piece =>
    piece.replace(plainNumber, (_, whole: string, fraction: string | undefined) => {
      const tail = fraction === undefined ? '' : signs.decimal + translate(fraction, signs)
      return translate(grouped(whole, signs), signs) + tail
    }),
  )
}

/** The same without separators. */
export function formatDigits(text: string, locale: Locale): string {
  const signs = locale.numbers()
  return betweenMarkers(text, piece =>
    piece.replace(
      plainNumber,
      (_, whole: string, fraction: string | undefined) =>
        translate(whole, signs) + (fraction === undefined ? '' : signs.decimal + translate(fraction, signs)),
    ),
  )
}

/** Parses a number in the language's format to plain digits. */
export function parseFormattedNumber(text: string, locale: Locale): string {
  const { group, decimal, digits } = locale.numbers()
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
