/** White space around arguments and names in braces. */

/** Returns true for white space that is removed around arguments: not for a no-break or an ideographic space, which are content. */
function isSpace(unit: number): boolean {
  return unit === 32 || (unit > 8 && unit < 12) || unit === 13 || unit === 0
}

/** Removes white space at both ends. Source: PHP trim, which MediaWiki applies to named arguments and to those of functions. */
export function trimArgument(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}
