/** Rounds and formats numbers as PHP does, so that results are equal. */

/** Maximum significant digits. Source: PHP's setting `precision`. */
const precision = 14

/** Writes a number with at most 14 digits, very large and small ones with an exponent. */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'NAN'
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [mantissa = '', exponentText = '0'] = value.toExponential(precision - 1).split('e')
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < precision) return withoutZeros(value.toPrecision(precision), exponent)
  const digits = mantissa.replace(/\.?0+$/, '')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
}

function withoutZeros(text: string, exponent: number): string {
  const plain = text.includes('e') ? Number(text).toFixed(Math.max(0, precision - 1 - exponent)) : text
  return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain
}

/** Rounds half away from zero at a decimal place; a negative one rounds to tens, hundreds ... */
export function roundTo(value: number, places: number): number {
  const digits = Math.trunc(places)
  if (!Number.isFinite(value) || digits > 300) return value
  if (digits < -300) return 0
  const [mantissa = '0', exponent = '0'] = String(Math.abs(value)).split('e')
  const rounded = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`))
  const [whole = '0', shift = '0'] = String(rounded).split('e')
  return Math.sign(value) * Number(`${whole}e${Number(shift) - digits}`)
}
