/** Returns the sentence about an object that git cannot read. */
export function unreadMessage(blob: string): string {
  return `Its object ${blob} is missing from the repository, or damaged; git fsck lists such objects`
}
