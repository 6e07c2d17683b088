/** Second half of an import: records, in order of time, become commits on top of a branch. */

import { isDeepStrictEqual } from 'node:util'
import { configFile } from '../../core/config.ts'
import type { ContentModel } from '../../core/content-models.ts'
import { WikiError } from '../../core/errors.ts'
import { parseTitle } from '../../core/title.ts'
import { commitContent, ident } from '../format/commit-content.ts'
import type { Author } from '../format/entries.ts'
import { type PathRules, pathOfFile, pathOfTitle } from '../format/paths.ts'
import { serializeExactly } from '../format/trailers.ts'
import { treeOfCommit } from '../git/objects.ts'
import type { ReadObject } from '../git/walk.ts'
import type { Conversion } from '../work-tree/conversion/conversion.ts'
import { isPlain } from '../work-tree/conversion/path-form.ts'
import type { FollowedPath } from '../work-tree/staged.ts'
import type { PackSeries } from './pack-series.ts'
import type { ImportedFile, ImportedItem, ImportedRevision } from './records.ts'
import { TreeBuilder } from './tree-builder.ts'

/** Path and content model of a page. */
export interface PagePlace {
  readonly path: string
  readonly model: ContentModel
}

export interface CommitSeriesOptions {
  readonly packs: PackSeries
  readonly read: ReadObject
  /** Commit to continue from; null if there is none yet. */
  readonly tip: string | null
  /** File rules of the future wiki. */
  readonly rules: PathRules
  readonly conversion: Conversion
  /** Paths of the wiki's pages and files before the import. */
  readonly pageAt: (key: string) => PagePlace | undefined
  readonly fileAt: (key: string) => string | undefined
}

export class CommitSeries {
  readonly #options: CommitSeriesOptions
  readonly #tree: TreeBuilder
  readonly #places = new Map<string, PagePlace>()
  /** First and last blob of every path that was changed. */
  readonly #changed = new Map<string, { before: string | null; after: string | null }>()
  #tip: string | null
  #last: ImportedItem | null = null
  /** The first commit; null if there is none. */
  first: string | null = null
  /** Number of commits. */
  count = 0
  /** Media files that were new or changed. */
  files = 0

  private constructor(options: CommitSeriesOptions, tree: TreeBuilder) {
    this.#options = options
    this.#tree = tree
    this.#tip = options.tip
  }

  static async begin(options: CommitSeriesOptions): Promise<CommitSeries> {
    const { read, tip } = options
    const tree = tip === null ? null : treeOfCommit((await read(tip)).content)
    return new CommitSeries(options, await TreeBuilder.open(read, tree))
  }

  /** The last commit. */
  get tip(): string | null {
    return this.#tip
  }

  /** The changes of all commits together. */
  get changed(): FollowedPath[] {
    return [...this.#changed].flatMap(([path, { before, after }]) =>
      before === after ? [] : [{ path, before, after }],
    )
  }

  /** Commits a new wiki.json. */
  async addSettings(text: string, author: Author, time: Date): Promise<void> {
    const { packs, conversion } = this.#options
    const content = Buffer.from(await conversion.toBlobOfMany(configFile, Buffer.from(text)))
    await this.#set(configFile, packs.add('blob', content).hash)
    this.#commit(ident(author, time), 'Settings of the imported wiki\n')
  }

  /** Commits a record; consecutive duplicates once. */
  async add(item: ImportedItem): Promise<void> {
    if (item.kind === 'file') await this.#addFile(item)
    else if (!isSame(item, this.#last)) await this.#addRevision(item)
    this.#last = item
  }

  async #addRevision(revision: ImportedRevision): Promise<void> {
    const { key, model, blob, author, time, comment, minor, origin } = revision
    const before = this.#places.get(key) ?? this.#options.pageAt(key)
    const path = before?.model === model ? before.path : this.#pathOf(key, model)
    await this.#checkForm(revision, path)
    const isMoved = before !== undefined && before.path !== path
    if (isMoved) await this.#set(before.path, null)
    if (before?.path !== path || !this.#places.has(key)) this.#places.set(key, { path, model })
    const isUnchanged = !(await this.#set(path, blob)) && !isMoved
    const message = { comment, minor, bot: false, reverts: null }
    const subject = `Edit ${key.replaceAll('_', ' ')}`
    const places = { unchanged: isUnchanged ? path : null, moved: isMoved ? before.path : null }
    const marked = { ...message, origin: { ...origin, ...places } }
    this.#commit(ident(author, new Date(time * 1000)), serializeExactly(marked, subject))
  }

  async #addFile(file: ImportedFile): Promise<void> {
    const { key, blob, author, time, comment } = file
    const { rules, fileAt } = this.#options
    const path = fileAt(key) ?? pathOfFile(parseTitle(key, rules.titles), rules)
    await this.#checkForm(file, path)
    if (!(await this.#set(path, blob))) return
    this.files++
    const message = serializeExactly(
      { comment, minor: false, bot: false, reverts: null },
      `Add ${key.replaceAll('_', ' ')}`,
    )
    this.#commit(ident(author, new Date(time * 1000)), message)
  }

  /** The path was predicted when the blob was made. It differs if the layout or the content model changed since. */
  async #checkForm({ convertedFor }: ImportedItem, path: string): Promise<void> {
    if (convertedFor === path) return
    const { conversion } = this.#options
    const form = await conversion.form(path)
    const made = convertedFor === null ? null : await conversion.form(convertedFor)
    if (made === null ? isPlain(form) : isDeepStrictEqual(form, made)) return
    throw new WikiError('wiki-conversion-failed', {
      params: [path, `it was converted as ${convertedFor ?? 'a path without attributes'}`],
      hint: 'Give all folders of the wiki the same git attributes during the import',
    })
  }

  #pathOf(key: string, model: ContentModel): string {
    const { rules } = this.#options
    return pathOfTitle(parseTitle(key, rules.titles), model, rules)
  }

  /** Sets the blob of a path. Returns false if the path has it already. */
  async #set(path: string, blob: string | null): Promise<boolean> {
    const before = await this.#tree.set(path, blob)
    if (before === blob) return false
    const earlier = this.#changed.get(path)
    if (earlier === undefined) this.#changed.set(path, { before, after: blob })
    else earlier.after = blob
    return true
  }

  #commit(who: string, message: string): void {
    const { packs } = this.#options
    const tree = this.#tree.write(packs)
    this.#tip = packs.add(
      'commit',
      commitContent({ tree, parent: this.#tip, author: who, committer: who, message }),
    ).hash
    this.first ??= this.#tip
    this.count++
  }
}

function isSame(item: ImportedRevision, last: ImportedItem | null): boolean {
  return (
    last?.kind === 'revision' &&
    item.origin.revision !== null &&
    last.origin.revision === item.origin.revision &&
    last.key === item.key &&
    last.time === item.time
  )
}
