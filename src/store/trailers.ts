/**
 * What a commit's message says beside its words: marks in trailers, which `docs/architecture.md` lists. The comment of a
 * revision is the message without them.
 */

/** Marks of a revision, as its commit carries them. */
export interface Marks {
  readonly minor: boolean
  readonly bot: boolean
  /** Hash of the commit it reverts; "" where it reverts one that it does not name; null where it reverts none. */
  readonly reverts: string | null
}

export interface Message extends Marks {
  /** The edit summary. */
  readonly comment: string
}

const trailerLine = /^(Wiki-[A-Za-z]+): *(.*)$/
const gitRevert = /^This reverts commit ([0-9a-f]{7,40})\b/m

/** Reads a commit message. */
export function parseMessage(message: string): Message {
  const { body, trailers } = splitTrailers(message)
  const reverts = trailers.get('Wiki-Reverts') ?? gitRevert.exec(body)?.[1] ?? null
  return {
    comment: trailers.get('Wiki-Comment') === 'none' ? '' : body,
    minor: trailers.get('Wiki-Minor') === 'true',
    bot: trailers.get('Wiki-Bot') === 'true',
    reverts,
  }
}

/** Our trailers are the lines of the last paragraph that start with `Wiki-`; other trailers there belong to the comment. */
function splitTrailers(message: string): { body: string; trailers: Map<string, string> } {
  const text = (message.includes('\r') ? message.replaceAll('\r\n', '\n') : message).trim()
  const trailers = new Map<string, string>()
  if (!text.includes('Wiki-')) return { body: text, trailers }
  const start = text.lastIndexOf('\n\n') + 1
  const paragraph = start === 0 ? text : text.slice(start + 1)
  if (start === 0 || !paragraph.includes('Wiki-')) return { body: text, trailers }
  const kept: string[] = []
  for (const line of paragraph.split('\n')) {
    const match = trailerLine.exec(line)
    if (match) trailers.set(match[1] as string, (match[2] as string).trim())
    else kept.push(line)
  }
  return { body: `${text.slice(0, start + 1)}${kept.join('\n')}`.trim(), trailers }
}

/**
 * Writes a commit message that reads back as the comment and the marks. An empty comment leaves the subject for git's sake
 * and says so; a comment that itself ends in lines like our trailers is shielded by one more.
 */
export function serializeMessage(message: Message, subject: string): string {
  const comment = message.comment.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd').trim()
  const trailers: string[] = []
  if (comment === '') trailers.push('Wiki-Comment: none')
  if (message.minor) trailers.push('Wiki-Minor: true')
  if (message.bot) trailers.push('Wiki-Bot: true')
  if (message.reverts !== null) trailers.push(`Wiki-Reverts: ${message.reverts}`)
  const body = comment === '' ? subject : comment
  if (trailers.length === 0 && parseMessage(body).comment !== body) trailers.push('Wiki-Comment: given')
  return trailers.length === 0 ? `${body}\n` : `${body}\n\n${trailers.join('\n')}\n`
}
