/**
 * Reads and writes commit messages. Properties of a revision are trailers, listed in `docs/reference/storage.md`; its comment is the
 * message without them.
 */

import { type HideablePart, hideableParts } from '../../core/wiki-config.ts'

/** Flags of a revision, from the trailers of its commit. */
export interface RevisionTrailers {
  readonly minor: boolean
  readonly bot: boolean
  /** Hash of the commit it reverts; "" if it reverts one that it does not name; null if it reverts none. */
  readonly reverts: string | null
}

export interface Message extends RevisionTrailers {
  /** The edit summary. */
  readonly comment: string
  /** Layout into which its commit moves the wiki's files; missing if it does not. */
  readonly layout?: string | undefined
  /** Path at which its commit restores a deleted page; missing where it does not. */
  readonly restored?: string | undefined
  /** Path of a page that moves to the one new path of its commit; missing if the commit does not say so. */
  readonly moved?: string | undefined
  /** The revision in the wiki that it was imported from; missing for revisions made here. */
  readonly origin?: Origin | undefined
}

/** A revision of another wiki, as far as a commit has no field for it. */
export interface Origin {
  /** Its id there; null if it had none. */
  readonly revision: number | null
  /** Name of an author who is neither a user of the wiki nor an IP address; otherwise null. */
  readonly user: string | null
  /** Its content model there, if it is not one of ours. */
  readonly model: string | null
  readonly hidden: readonly HideablePart[]
  /** Path of the page whose revision it is, if it does not change the text; otherwise null. */
  readonly unchanged: string | null
  /** Former path of its page if content model and text change at once, so that it stays one page. */
  readonly moved: string | null
}

const trailerLine = /^(Wiki-[A-Za-z]+): *(?! )([^\n]*)$/
const gitRevert = /^This reverts commit ([0-9a-f]{7,40})\b/m
const gitRevertsAll = /^This reverts commit ([0-9a-f]{7,40})(?:, reversing\nchanges made to ([0-9a-f]{7,40}))?/gm

/** A reverted commit, from the message of `git revert`. Source: git's sequencer.c, `do_pick_commit`. */
export interface GitRevert {
  /** Its hash, or the beginning of it. */
  readonly commit: string
  /** For a merge the parent whose text returns; null for any other commit. */
  readonly mainline: string | null
}

/** Returns the commits that a `git revert` message names. */
export function gitReverts(message: string): GitRevert[] {
  return [...message.matchAll(gitRevertsAll)].map(([, commit = '', mainline = null]) => ({ commit, mainline }))
}

/** Quick test for messages that may contain more than a comment. */
const marked = /\r|Wiki-|This reverts commit/

/** Reads a commit message. */
export function parseMessage(message: string): Message {
  if (!marked.test(message)) return { comment: message.trim(), minor: false, bot: false, reverts: null }
  const { body, trailers } = splitTrailers(message)
  const reverts = trailers.get('Wiki-Reverts') ?? gitRevert.exec(body)?.[1] ?? null
  return {
    comment: commentOf(trailers.get('Wiki-Comment'), body),
    minor: trailers.get('Wiki-Minor') === 'true',
    bot: trailers.get('Wiki-Bot') === 'true',
    reverts,
    ...(originTrailers.some(name => trailers.has(name)) && { origin: originOf(trailers) }),
  }
}

/** Path of the page that a message declares its commit a revision of, without a change; null if it names none. */
export function unchangedPath(message: string): string | null {
  return message.includes('\nWiki-Unchanged:') ? (parseMessage(message).origin?.unchanged ?? null) : null
}

/** Former path of a page with another text, as a message declares it; null if it names none. */
export function movedPath(message: string): string | null {
  return message.includes('\nWiki-Moved:') ? splitTrailers(message).trailers.get('Wiki-Moved') || null : null
}

/** Path at which a message declares that its commit restores a deleted page; null if it names none. */
export function restoredPath(message: string): string | null {
  return message.includes('\nWiki-Restored:') ? (splitTrailers(message).trailers.get('Wiki-Restored') ?? null) : null
}

/** Layout into which a message declares that its commit moves the wiki's files; null if it names none. */
export function newLayout(message: string): string | null {
  return message.includes('\nWiki-Layout:') ? (splitTrailers(message).trailers.get('Wiki-Layout') ?? null) : null
}

/** `none`, or the comment as a JSON string if the message could not hold it unchanged. */
function commentOf(trailer: string | undefined, body: string): string {
  if (trailer === 'none') return ''
  if (trailer === undefined || !trailer.startsWith('"')) return body
  try {
    return String(JSON.parse(trailer))
  } catch {
    return body
  }
}

const originTrailers = ['Wiki-Revision', 'Wiki-User', 'Wiki-Model', 'Wiki-Hidden', 'Wiki-Unchanged']

function originOf(trailers: ReadonlyMap<string, string>): Origin {
  const revision = trailers.get('Wiki-Revision') ?? ''
  const hidden = (trailers.get('Wiki-Hidden') ?? '').split(' ')
  return {
    revision: /^[1-9]\d{0,13}$/.test(revision) ? Number(revision) : null,
    user: trailers.get('Wiki-User') || null,
    model: trailers.get('Wiki-Model') || null,
    hidden: hideableParts.filter(part => hidden.includes(part)),
    unchanged: trailers.get('Wiki-Unchanged') || null,
    moved: trailers.get('Wiki-Moved') || null,
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
  const lines: string[] = []
  for (const line of paragraph.split('\n')) {
    const match = trailerLine.exec(line)
    if (match) trailers.set(match[1] as string, (match[2] as string).trim())
    else lines.push(line)
  }
  return { body: `${text.slice(0, start + 1)}${lines.join('\n')}`.trim(), trailers }
}

/**
 * Writes a commit message that reads back as the comment and the trailers. For an empty comment the subject stays, for git's sake,
 * with a trailer that says so; a comment whose end looks like our trailers gets one more trailer to shield it.
 */
export function serializeMessage(message: Message, subject: string): string {
  const comment = message.comment.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd').trim()
  return assemble(comment, { ...message, comment }, subject)
}

/** The same for a comment that must read back with every character, as those of imported revisions must. */
export function serializeExactly(message: Message, subject: string): string {
  const comment = message.comment.replaceAll('\0', '\ufffd')
  const text = assemble(comment, message, subject)
  if (parseMessage(text).comment === comment) return text
  return assemble(oneLine(comment) || subject, message, subject, [`Wiki-Comment: ${quote(comment)}`])
}

function assemble(comment: string, message: Message, subject: string, first: readonly string[] = []): string {
  const body = comment === '' ? subject : comment
  const trailers = [...first, ...(comment === '' ? ['Wiki-Comment: none'] : []), ...trailerLines(message)]
  if (trailers.length === 0 && parseMessage(body).comment !== body) trailers.push('Wiki-Comment: given')
  return trailers.length === 0 ? `${body}\n` : `${body}\n\n${trailers.join('\n')}\n`
}

function trailerLines({ minor, bot, reverts, layout, moved, restored, origin }: Message): string[] {
  const rows: [name: string, value: string | number | null | undefined][] = [
    ['Wiki-Minor', minor ? 'true' : null],
    ['Wiki-Bot', bot ? 'true' : null],
    ['Wiki-Reverts', reverts],
    ['Wiki-Layout', layout],
    ['Wiki-Restored', restored],
    ['Wiki-Revision', origin === undefined ? null : (origin.revision ?? 'none')],
    ['Wiki-User', origin?.user],
    ['Wiki-Model', origin?.model],
    ['Wiki-Hidden', origin?.hidden.join(' ') || null],
    ['Wiki-Unchanged', origin?.unchanged],
    ['Wiki-Moved', moved ?? origin?.moved],
  ]
  return rows.flatMap(([name, value]) => (value === null || value === undefined ? [] : [`${name}: ${value}`]))
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** A JSON string with the line separators escaped that JSON leaves unescaped. */
function quote(text: string): string {
  return JSON.stringify(text)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('\x85', '\\u0085')
}
