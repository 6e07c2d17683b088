/** A commit message that a hook has changed, with the trailers that the wiki reads. */

const ours = /^Wiki-[A-Za-z]+: /
const trailer = /^[A-Za-z][\w-]*: /

/**
 * Returns the changed message with our trailers in its last paragraph, where they are read, whatever a hook added after them. A
 * hook may add trailers of its own, and change every other word.
 */
export function keepTrailers(before: string, after: string): string {
  if (after === before) return before
  const lines = lastParagraph(before).filter(line => ours.test(line))
  if (lines.length === 0) return after
  const own = new Set(lines)
  const rest = after
    .replace(/\r\n/g, '\n')
    .split('\n')
    .filter(line => !own.has(line))
    .join('\n')
    .trim()
  if (rest === '') return ''
  const last = lastParagraph(rest)
  const isBlock = rest.includes('\n\n') && last.every(line => trailer.test(line))
  return `${rest.replace(/\n{3,}/g, '\n\n')}${isBlock ? '\n' : '\n\n'}${lines.join('\n')}\n`
}

function lastParagraph(message: string): string[] {
  return (message.trim().split(/\n\n+/).at(-1) ?? '').split('\n')
}
