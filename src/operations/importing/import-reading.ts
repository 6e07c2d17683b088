/** First half of an import: turns the items of a dump into texts and records, or reasons to skip them. */

import { isIP } from 'node:net'
import { parseConfig } from '../../core/config.ts'
import { type ContentModel, isContentModel } from '../../core/content-models.ts'
import { WikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseTitle, type Title, type TitleRules, titleRules } from '../../core/title.ts'
import type { HideablePart } from '../../core/wiki-config.ts'
import type { DumpContributor, DumpItem, DumpPage, DumpRevision, DumpSite } from '../../dump/dump.ts'
import { type PathRules, pathOfFile, pathOfTitle, pathRules } from '../../store/format/paths.ts'
import type { Origin } from '../../store/format/trailers.ts'
import type { PackedObject } from '../../store/git/pack-writer.ts'
import type { Import } from '../../store/import/import.ts'
import type { Store } from '../../store/store.ts'
import { authorsOf, type ImportedAuthor } from './import-authors.ts'
import { settingsOfSite } from './import-settings.ts'
import { modelOfText, titleOfPage } from './import-titles.ts'

/** A page or file that an import changed or skipped, with the reason. */
export interface ImportProblem {
  readonly title: string
  readonly reason: string
}

/** Totals of the reading. */
export interface ReadingSummary {
  pages: number
  revisions: number
  /** Revisions that the wiki already has. */
  known: number
  /** Original ids of revisions with hidden or lost parts. */
  hidden: number[]
  /** Pages whose titles are spelt differently here. */
  renamed: ImportProblem[]
  /** Skipped pages, the first thousand, and the total number of their revisions. */
  skipped: ImportProblem[]
  skippedPages: number
  skippedRevisions: number
  /** Number of texts in additional slots, which a file cannot store. */
  otherSlots: number
  /** New text of wiki.json; null if it is unchanged. */
  settings: string | null
  /** Time of the last revision, seconds since 1970. */
  lastTime: number
  /** Existing pages that did not come from the dump. */
  existing: string[]
}

export interface ReadingOptions {
  readonly store: Store
  /** Destination of texts and records; null to count only. */
  readonly session: Import | null
  /** Allows existing pages. */
  readonly merge: boolean
  /** Handling of the site's settings: `take` them, `add` missing ones, `leave` them. */
  readonly settings: 'take' | 'add' | 'leave'
}

/** Uploader of a media file, from the dump. */
export interface Upload {
  readonly time: number
  readonly author: ImportedAuthor
  readonly comment: string
  readonly isExplicit: boolean
}

/** The page whose revisions are being read. */
interface OpenPage {
  readonly title: Title
  readonly exists: boolean
  text: PackedObject | null
}

const listLimit = 1000
/** Maximum number of existing pages listed in the error. */
const existingLimit = 20

export class Reading {
  readonly summary: ReadingSummary = {
    pages: 0,
    revisions: 0,
    known: 0,
    hidden: [],
    renamed: [],
    skipped: [],
    skippedPages: 0,
    skippedRevisions: 0,
    otherSlots: 0,
    settings: null,
    lastTime: 0,
    existing: [],
  }
  /** By the key of the file's title. */
  readonly uploads = new Map<string, Upload>()
  rules: TitleRules
  readonly #options: ReadingOptions
  #paths: PathRules
  /** Pages read so far, with their ids, because a dump may return to a page. */
  readonly #seen = new Map<string, number | null>()
  #site: DumpSite | null = null
  #authorOf = authorsOf(null)
  #page: OpenPage | null = null

  constructor(options: ReadingOptions) {
    this.#options = options
    this.rules = options.store.titles
    this.#paths = pathRules(options.store.config)
  }

  async take(item: DumpItem): Promise<void> {
    if (item.kind === 'site') this.#takeSite(item.site)
    else if (item.kind === 'page') this.#takePage(item.page)
    else if (item.kind === 'revision') await this.#takeRevision(item.revision)
    else if (this.#page !== null) this.#addUpload(this.#page.title, item.upload, true)
  }

  #takeSite(site: DumpSite): void {
    const { store, settings } = this.#options
    this.#site = site
    this.#authorOf = authorsOf(site)
    if (settings === 'leave') return
    const text = settingsOfSite(site, store.configText, { takesAll: settings === 'take' })
    if (text === store.configText) return
    this.summary.settings = text
    this.rules = titleRules(parseConfig(text))
    this.#paths = pathRules(parseConfig(text))
  }

  #takePage(page: DumpPage): void {
    this.#page = null
    const found = titleOfPage(page, this.#site, this.rules)
    if (found.title === null) {
      if (found.namespace !== undefined)
        throw new WikiError('wiki-import-namespaces', {
          params: [found.namespace],
          hint: 'Add the namespaces of the dump to wiki.json with: --settings',
        })
      this.#skip(page.title, found.reason)
      return
    }
    const { title } = found
    const seen = this.#seen.get(title.key)
    if (seen !== undefined && seen !== page.id) {
      this.#skip(page.title, `another page of the dump has the title ${title.text} here`)
      return
    }
    if (seen === undefined) this.#countPage(page, title)
    this.#page = { title, exists: this.#exists(title), text: null }
  }

  #skip(title: string, reason: string): void {
    this.summary.skippedPages++
    if (this.summary.skipped.length < listLimit) this.summary.skipped.push({ title, reason })
  }

  #countPage(page: DumpPage, title: Title): void {
    this.#seen.set(title.key, page.id)
    this.summary.pages++
    const isRespelt = title.name.replaceAll('_', ' ') !== page.title.slice(page.title.length - title.name.length)
    if (isRespelt && this.summary.renamed.length < listLimit)
      this.summary.renamed.push({ title: page.title, reason: `it is ${title.text} here` })
  }

  /** A wiki that takes the dump's settings contains at most the first page of `wiki init`, which the dump may replace. */
  #exists({ key }: Title): boolean {
    const { store, settings } = this.#options
    return settings !== 'take' && store.findPage(key) !== undefined
  }

  async #takeRevision(revision: DumpRevision): Promise<void> {
    const { summary } = this
    const page = this.#page
    if (page === null) {
      summary.skippedRevisions++
      return
    }
    if (this.#isImported(page.title, revision)) {
      summary.known++
      return
    }
    if (page.exists && !this.#options.merge) this.#refuseExisting(page.title.text)
    if (page.title.namespace === namespaceIds.file) this.#addUpload(page.title, revision, false)
    summary.revisions++
    summary.otherSlots += revision.otherSlots
    summary.lastTime = Math.max(summary.lastTime, revision.time)
    if (hiddenPartsOf(revision).length > 0 && revision.id !== null) summary.hidden.push(revision.id)
    if (this.#options.session !== null) await this.#keep(this.#options.session, page, revision)
  }

  /** Returns true if an earlier import added the revision. */
  #isImported({ key }: Title, { id, time, contributor }: DumpRevision): boolean {
    const { store } = this.#options
    if (id === null || store.revisionCount === 0) return false
    const { author, user } = this.#authorOf(contributor)
    const name = user ?? author.name
    return store.originals(id).some(original => {
      const page = store.pageById(original.page)
      if (page === undefined || Date.parse(original.timestamp) !== time * 1000) return false
      // A page may have been moved since. If the author has no unique address, the title must be equal as well.
      if (author.address === '') return original.user.name === name && (isIP(name) !== 0 || page.key === key)
      return original.user.id !== null && store.addressOf(original.user.id) === author.address.toLowerCase()
    })
  }

  #refuseExisting(title: string): void {
    const { existing } = this.summary
    if (existing.at(-1) !== title) existing.push(title)
    if (existing.length > existingLimit) this.checkExisting()
  }

  /** Throws `wiki-import-exists` if pages of the dump exist and merging was not requested. */
  checkExisting(): void {
    const { existing } = this.summary
    if (existing.length === 0) return
    const shown = existing.slice(0, 5).join(', ')
    throw new WikiError('wiki-import-exists', {
      params: [existing.length > 5 ? `${shown} and others` : shown],
      hint: 'Add the revisions of the dump to those pages with: --merge',
    })
  }

  async #keep(session: Import, page: OpenPage, revision: DumpRevision): Promise<void> {
    const model = modelOfText(revision.model, page.title)
    const path = this.#pathOf(page.title, model)
    const { text, convertedFor } = await session.addText(path, fileOfText(revision.text ?? ''), page.text)
    page.text = text
    const { author, user } = this.#authorOf(revision.contributor)
    session.addRecord([revision.time, revision.id ?? 0], {
      kind: 'revision',
      key: page.title.key,
      blob: text.hash,
      convertedFor,
      time: revision.time,
      author,
      comment: revision.comment ?? '',
      model,
      minor: revision.minor,
      origin: originOf(revision, user, model),
    })
  }

  /** Returns the future path of the revision, as far as it is known before everything is read. */
  #pathOf(title: Title, model: ContentModel): string {
    const { store, settings } = this.#options
    const page = settings === 'take' ? undefined : store.findPage(title.key)
    return page?.model === model ? page.path : pathOfTitle(title, model, this.#paths)
  }

  /** Future path of a media file. */
  filePath(key: string): string {
    const existing = this.#options.store.findFile(key)?.path
    return existing ?? pathOfFile(parseTitle(key, this.#paths.titles), this.#paths)
  }

  /** The first revision of a file's page names the uploader, unless the dump does. */
  #addUpload(
    title: Title,
    { time, contributor, comment }: { time: number; contributor: DumpContributor; comment: string | null },
    isExplicit: boolean,
  ): void {
    const earlier = this.uploads.get(title.key)
    const isBetter =
      earlier === undefined || (isExplicit ? !earlier.isExplicit || time > earlier.time : time < earlier.time)
    if (!isBetter || (earlier?.isExplicit && !isExplicit)) return
    const author = this.#authorOf(contributor)
    this.uploads.set(title.key, { time, author, comment: comment ?? '', isExplicit })
  }
}

function originOf(revision: DumpRevision, user: string | null, model: ContentModel): Origin {
  const name = revision.model
  return {
    revision: revision.id !== null && revision.id > 0 ? revision.id : null,
    user,
    model: name === null || (isContentModel(name) && name === model) ? null : name.replace(/[\s\p{Cc}]+/gu, ' '),
    hidden: hiddenPartsOf(revision),
    unchanged: null,
    moved: null,
  }
}

function hiddenPartsOf({ text, comment, contributor }: DumpRevision): HideablePart[] {
  const hidden: HideablePart[] = []
  if (text === null) hidden.push('text')
  if (contributor.kind === 'hidden') hidden.push('user')
  if (comment === null) hidden.push('comment')
  return hidden
}

/**
 * Returns the text of a page as stored in its file, without an added line feed. Sizes and hashes then equal those of
 * the other wiki, which its clients know.
 */
function fileOfText(text: string): Buffer {
  return Buffer.from(text)
}
