/** Writes the index during numbering: each page, revision, commit, author and file gets its record. */

import { isIP } from 'node:net'
import { modelOfPath } from '../../core/content-models.ts'
import { isWikiError } from '../../core/errors.ts'
import { mediaFormats } from '../../core/file.ts'
import { isHiddenPath, isMediaText, type PathRules, titleOfPath } from '../format/paths.ts'
import { type Origin, parseMessage } from '../format/trailers.ts'
import type { CommitChanges } from '../git/backend.ts'
import { lessHistory, maxFiles, maxRevisions, tooLarge } from '../git/size-limits.ts'
import { addDeletion, addFileChange, addFileDeletion, deletedAt, deletedWith } from './deletions.ts'
import type { RecordWriter } from './numbering.ts'
import { flagBits, type PageRow, type RevisionFlag } from './records.ts'
import type { RevisionIndex } from './revision-index.ts'

/** Earlier revisions among which a reverted text is searched. Source: MediaWiki $wgManualRevertSearchRadius. */
const revertRadius = 15

/** Characters of a comment, and of an author's name and address, that the index keeps. Git allows any number. */
const [longestComment, longestName] = [65_536, 1000]

/** Ids used before the history was rewritten: after this commit ids continue from these. */
export interface Era {
  /** Last common commit of the old and the new chain; null if nothing is left of the old one. */
  readonly after: string | null
  readonly revision: number
  readonly page: number
}

export interface RecordWriterOptions {
  readonly rules: PathRules
  readonly eras: readonly Era[]
}

/** A commit with its record. */
interface WrittenCommit {
  readonly ordinal: number
  readonly origin: Origin | undefined
  /** Flags of its revisions: a sum of `flagBits`. */
  readonly flags: number
  /** The editor, see `People.editor`; null if hidden. */
  readonly editor: number | null
}

/** Opens the index for writing, in the order of numbering. */
export class IndexRecordWriter implements RecordWriter {
  readonly #index: RevisionIndex
  readonly #options: RecordWriterOptions
  /** Ordinals of the commits written since the last one of the chain. */
  readonly #commits = new Map<string, WrittenCommit>()
  /** Pages whose latest text changed. */
  readonly changedPages = new Set<number>()
  readonly changedFiles = new Set<number>()
  /** Ordinals of authors by the identities in commits. */
  readonly #authors = new Map<string, number>()

  constructor(index: RevisionIndex, options: RecordWriterOptions) {
    this.#index = index
    this.#options = options
    if (index.state.tip === null) this.#startEra(null)
  }

  pageAt(path: string): number | undefined {
    return this.#index.pages.atPath(path)
  }

  lastBlob(page: number): string {
    return this.#index.log.blobOf(this.#index.pages.at(page).latest)
  }

  addPage(path: string): number {
    this.#checkSize()
    const first = this.#index.revisionCount
    const blank = { first, latest: first, edits: 0, redirect: null, deleted: false, deletedBy: null }
    return this.#index.pages.push({ ...blank, path, ...pageName(path, this.#options.rules) })
  }

  movePage(page: number, path: string): void {
    const row = this.#index.pages.at(page)
    this.#index.pages.set(page, { ...row, path, ...pageName(path, this.#options.rules) })
  }

  deletePage(page: number, blob: string, commit: CommitChanges): void {
    const deletedBy = this.#written(commit).ordinal
    const row = { ...this.#index.pages.at(page), deleted: true, deletedBy }
    this.#index.pages.set(page, row)
    addDeletion(this.#index, page, blob)
    this.changedPages.delete(page)
  }

  restorePage(path: string, blob: string, isNamed: boolean): number | undefined {
    const page = deletedWith(this.#index, path, blob) ?? (isNamed ? deletedAt(this.#index, path) : undefined)
    if (page === undefined) return undefined
    this.#index.pages.set(page, { ...this.#index.pages.at(page), deleted: false, deletedBy: null })
    return page
  }

  addRevision(page: number, path: string, blob: string, commit: CommitChanges): void {
    const row = this.#index.pages.at(page)
    const previous = row.edits === 0 ? null : row.latest
    const { ordinal, origin, flags, editor } = this.#written(commit, { isRevision: true })
    // Hidden texts are all alike, so equality does not make one a revert of another.
    const mayRevert = previous !== null && !origin?.hidden.includes('text')
    const revision = this.#index.log.addRevision({
      page,
      previous,
      commit: ordinal,
      blob,
      size: 0,
      sequence: row.edits + 1,
      model: modelOf(path),
      flags: mayRevert && this.#index.log.wasBlob(blob, previous, revertRadius) ? flags | flagBits.reverted : flags,
    })
    if (editor !== null) this.#index.editors.add(page, editor)
    if (origin?.revision != null) this.#index.originals.add(origin.revision, revision)
    this.#index.pages.set(page, { ...row, latest: revision, edits: row.edits + 1 })
    this.changedPages.add(page)
  }

  setFile(path: string, blob: string, commit: CommitChanges): void {
    const { ordinal } = this.#written(commit)
    const row = { path, key: fileKey(path, this.#options.rules), blob, size: 0, commit: ordinal }
    addFileChange(this.#index, path, ordinal)
    const existing = this.#index.files.atPath(path)
    if (existing === undefined) this.#checkSize()
    else this.#index.files.set(existing, row)
    this.changedFiles.add(existing ?? this.#index.files.push(row))
  }

  moveFile(from: string, to: string, commit: CommitChanges): void {
    const existing = this.#index.files.atPath(from)
    if (existing === undefined) return
    this.#index.files.set(existing, {
      ...this.#index.files.at(existing),
      path: to,
      key: fileKey(to, this.#options.rules),
    })
    addFileChange(this.#index, to, this.#written(commit).ordinal)
  }

  deleteFile(path: string, commit: CommitChanges): void {
    const existing = this.#index.files.atPath(path)
    if (existing === undefined) return
    const row = this.#index.files.at(existing)
    this.#index.files.set(existing, { ...row, deleted: true })
    addFileDeletion(this.#index, row.key, this.#written(commit).ordinal)
    this.changedFiles.delete(existing)
  }

  /** Called for each page and file, because one commit may add millions. Errors: wiki-too-large. */
  #checkSize(): void {
    const { pages, files } = this.#index
    if (pages.count + files.count >= maxFiles) throw tooLarge(`the limit of ${maxFiles} pages and files`)
  }

  endCommit(commit: CommitChanges): void {
    if (this.#index.revisionCount > maxRevisions) throw tooLarge(`the limit of ${maxRevisions} revisions`, lessHistory)
    this.#written(commit)
    this.#commits.clear()
    this.#startEra(commit.hash)
  }

  #written(commit: CommitChanges, { isRevision = false } = {}): WrittenCommit {
    const earlier = this.#commits.get(commit.hash)
    if (earlier !== undefined) return earlier
    const { comment, minor, bot, reverts, origin } = parseMessage(commit.message)
    // A chain commit that changes no page or file is recorded only for its position on the chain.
    const isEmpty = commit.changes.length === 0 && !isRevision
    const author = isEmpty ? 0 : this.#authorOf(commit, origin)
    const hidden = origin?.hidden ?? []
    const ordinal = this.#index.log.addCommit(
      {
        hash: commit.hash,
        time: commit.time,
        author,
        minor,
        bot,
        reverts: reverts !== null,
        onChain: commit.onChain,
        hidden,
      },
      isEmpty ? '' : cut(comment, longestComment),
    )
    const editor = isEmpty ? null : this.#index.people.editor(author)
    const isAnonymous = editor !== null && editor % 2 === 1
    const flags = { reverted: reverts !== null, minor, bot, anonymous: isAnonymous, hidden: hidden.length > 0 }
    const written = { ordinal, origin, flags: bitsOf(flags), editor: hidden.includes('user') ? null : editor }
    this.#commits.set(commit.hash, written)
    return written
  }

  #authorOf(commit: CommitChanges, origin: Origin | undefined): number {
    const authorName = cut(commit.authorName, longestName)
    const authorAddress = cut(commit.authorAddress, longestName)
    const identity = `${authorName}\n${authorAddress}`
    const existing = origin === undefined ? this.#authors.get(identity) : undefined
    if (existing !== undefined) return existing
    const { name, address } = authorOf({ authorName, authorAddress }, origin)
    const ordinal = this.#index.people.authorOrdinal(name, address)
    if (origin === undefined) this.#authors.set(identity, ordinal)
    return ordinal
  }

  /** Ids jump if the history was rewritten, and only ever upwards. */
  #startEra(after: string | null): void {
    if (this.#options.eras.length === 0) return
    const { state, revisionCount, pages } = this.#index
    let { revisionJumps, pageJumps } = state
    for (const era of this.#options.eras) {
      if (era.after !== after) continue
      if (era.revision > this.#index.revisionId(revisionCount))
        revisionJumps = [...revisionJumps, { ordinal: revisionCount, id: era.revision }]
      if (era.page > this.#index.pageId(pages.count)) pageJumps = [...pageJumps, { ordinal: pages.count, id: era.page }]
    }
    this.#index.state = { ...state, revisionJumps, pageJumps }
  }
}

function bitsOf(flags: Readonly<Record<RevisionFlag, boolean>>): number {
  let bits = 0
  for (const [flag, bit] of flagEntries) if (flags[flag]) bits |= bit
  return bits
}

const flagEntries = Object.entries(flagBits) as readonly [RevisionFlag, number][]

/**
 * Returns the kind of a path for numbering. It uses location and extension alone, so that ids do not depend on the interpretation
 * of titles.
 */
export function kindOfPath(path: string, root: string): 'page' | 'file' | null {
  if (root !== '' && !path.startsWith(`${root}/`)) return null
  const inside = root === '' ? path : path.slice(root.length + 1)
  if (path === 'wiki.json' || isHiddenPath(inside) || inside.includes('\ufffd')) return null
  if (modelOfPath(path) !== undefined && !isMediaText(inside)) return 'page'
  return Object.hasOwn(mediaFormats, extensionOf(path)) ? 'file' : null
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase()
}

function modelOf(path: string): PageRow['model'] {
  return modelOfPath(path) ?? 'wikitext'
}

/** Returns the title fields of a page's row. The key is "" if the path makes no legal title. */
export function pageName(path: string, rules: PathRules): Pick<PageRow, 'key' | 'namespace' | 'model'> {
  const meaning = meaningOf(path, rules)
  return { key: meaning?.title.key ?? '', namespace: meaning?.title.namespace ?? 0, model: modelOf(path) }
}

/** Key of a media file's title; "" if the path makes no legal one. */
export function fileKey(path: string, rules: PathRules): string {
  return meaningOf(path, rules)?.title.key ?? ''
}

function meaningOf(path: string, rules: PathRules) {
  try {
    return titleOfPath(path, rules)
  } catch (error) {
    if (isWikiError(error)) return null
    throw error
  }
}

/** The result retains nothing of a longer text. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length)).toString()
}

/** Name and folded address; no address where the author is none of the wiki's users. */
function authorOf(
  commit: Pick<CommitChanges, 'authorName' | 'authorAddress'>,
  origin: Origin | undefined,
): { name: string; address: string | null } {
  const name = printable(cut(origin?.user ?? commit.authorName, longestName))
  const isNobody = origin?.user != null || origin?.hidden.includes('user') || isAddress(name)
  return { name, address: isNobody ? null : foldAddress(commit.authorAddress, name) }
}

/** Node's own test is expensive, and most names have a letter that no IP address has. */
function isAddress(name: string): boolean {
  return /^[0-9a-f.:]+$/i.test(name) && isIP(name) !== 0
}

/** Addresses are case-insensitive; authors without one are distinguished by name. */
function foldAddress(address: string, name: string): string {
  return address.trim() === '' ? `name:${name}` : address.trim().toLowerCase()
}

function printable(name: string): string {
  return name.replace(/[\p{Cc}]/gu, '').trim()
}
