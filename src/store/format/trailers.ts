/**
 * Reads and writes commit messages. Marks are trailers, which `docs/reference/storage.md` lists, and the comment of a
 * revision is the message without them.
 */

import { type HideablePart, hideableParts } from '../../core/wiki-config.ts'

/** Marks of a revision, as its commit carries them. */
export interface Marks {
  readonly minor: boolean
  readonly bot: boolean
  /** Hash of the commit it reverts; "" if it reverts one that it does not name; null if it reverts none. */
  readonly reverts: string | null
}

export interface Message extends Marks {
  /** The edit summary. */
  readonly comment: string
  /** Layout that its commit brings the wiki's files into; missing where it does not. */
  readonly layout?: string | undefined
  /** Path at which its commit restores a deleted page; missing where it does not. */
  readonly restored?: string | undefined
  /** Path that a page leaves for the one new path of its commit; missing where the commit does not say so. */
  readonly moved?: string | undefined
  /** The revision in the wiki that it was imported from; missing for revisions made here. */
  readonly origin?: Origin | undefined
}

/** A revision of another wiki, as far as a commit has no place of its own for it. */
export interface Origin {
  /** Its id there; null if it had none. */
  readonly revision: number | null
  /** Name of an author who is none of the wiki's users and no IP address either; null for everybody else. */
  readonly user: string | null
  /** Its content model there, where that is none of ours. */
  readonly model: string | null
  readonly hidden: readonly HideablePart[]
  /** Path of the page that it is a revision of, where it does not change the text; else null. */
  readonly unchanged: string | null
  /** Path that its page leaves where it gets another content model and another text at once, so that it stays one page. */
  readonly moved: string | null
}

const trailerLine = /^(Wiki-[A-Za-z]+): *(?! )(.*)$/
const gitRevert = /^This reverts commit ([0-9a-f]{7,40})\b/m
const gitRevertsAll = /^This reverts commit ([0-9a-f]{7,40})(?:, reversing\nchanges made to ([0-9a-f]{7,40}))?/gm

/** A reverted commit, from the message of `git revert`. Source: git's sequencer.c, `do_pick_commit`. */
export interface GitRevert {
  /** Its hash, or the beginning of it. */
  readonly commit: string
  /** For a merge the parent whose text is back; null for any other commit. */
  readonly mainline: string | null
}

/** Returns the commits that a message of `git revert` names. */
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

/** Path of the page that a message says its commit is a revision of, without changing it; null if it names none. */
export function unchangedPath(message: string): string | null {
  return message.includes('\nWiki-Unchanged:') ? (parseMessage(message).origin?.unchanged ?? null) : null
}

/** Path that a message says its page leaves, with another text; null if it names none. */
export function movedPath(message: string): string | null {
  return message.includes('\nWiki-Moved:') ? splitTrailers(message).trailers.get('Wiki-Moved') || null : null
}

/** Path at which a message says its commit restores a deleted page; null if it names none. */
export function restoredPath(message: string): string | null {
  return message.includes('\nWiki-Restored:') ? (splitTrailers(message).trailers.get('Wiki-Restored') ?? null) : null
}

/** Layout that a message says its commit brings the wiki's files into; null if it names none. */
export function newLayout(message: string): string | null {
  return message.includes('\nWiki-Layout:') ? (splitTrailers(message).trailers.get('Wiki-Layout') ?? null) : null
}

/** `none`, or the comment itself as a JSON string, where the message could not hold it as it is. */
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
  return assemble(comment, { ...message, comment }, subject)
}

/** The same for a comment that must read back with every character, as those of another wiki must. */
export function serializeExactly(message: Message, subject: string): string {
  const comment = message.comment.replaceAll('\0', '\ufffd')
  const text = assemble(comment, message, subject)
  if (parseMessage(text).comment === comment) return text
  return assemble(oneLine(comment) || subject, message, subject, [`Wiki-Comment: ${quote(comment)}`])
}

function assemble(comment: string, message: Message, subject: string, first: readonly string[] = []): string {
  const body = comment === '' ? subject : comment
  const trailers = [...first, ...(comment === '' ? ['Wiki-Comment: none'] : []), ...markTrailers(message)]
  if (trailers.length === 0 && parseMessage(body).comment !== body) trailers.push('Wiki-Comment: given')
  return trailers.length === 0 ? `${body}\n` : `${body}\n\n${trailers.join('\n')}\n`
}

function markTrailers({ minor, bot, reverts, layout, moved, restored, origin }: Message): string[] {
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

/** A JSON string without the line ends that JSON leaves as they are. */
function quote(text: string): string {
  return JSON.stringify(text)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('\x85', '\\u0085')
}
