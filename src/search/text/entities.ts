/** Character references in texts, so that a word is found however it is written. */

/** Decodes the character references in a text, by HTML's names. Other text stays as it is. */
export type Decode = (text: string) => string

const entity = /&(?:#\d{1,10}|#[xX][0-9a-fA-F]{1,8}|[\p{L}][\p{L}0-9]{1,31});/uy

/** Reads a character reference at an offset; null if there is none, or an unknown one. */
export function readEntity(
  text: string,
  at: number,
  decode: Decode,
): { readonly text: string; readonly end: number } | null {
  entity.lastIndex = at
  const whole = entity.exec(text)?.[0]
  if (whole === undefined) return null
  const decoded = decode(whole)
  return decoded === whole ? null : { text: decoded, end: at + whole.length }
}
