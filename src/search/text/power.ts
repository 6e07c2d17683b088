/** Powers, which people search for as `2^256`. */

/** Returns true if the tag from `start` to `end` makes the number after it a power: `2<sup>256</sup>`. */
export function isPower(text: string, start: number, end: number): boolean {
  return /^<sup[\s>]/i.test(text.slice(start, start + 5)) && isDigit(text[start - 1]) && isDigit(text[end])
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && /\d/.test(character)
}
