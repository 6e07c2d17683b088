/** Returns the text that a part of a URL encodes; the part itself, if it is not valid percent-encoding, as a user may write it. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
