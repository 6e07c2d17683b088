/**
 * The index at one moment: commit, pages, settings and hidden parts. It does not follow the branch, so that a whole response is
 * made from one state, whatever is written meanwhile.
 */

import type { WikiConfig } from '../../core/wiki-config.ts'
import type { PathRules } from '../format/paths.ts'
import type { FormerIds } from './former-ids.ts'
import type { LiveIndex } from './live-index.ts'
import type { RevisionIndex } from './revision-index.ts'

/** Index and settings of a store. */
export type IndexSource = Pick<
  LiveIndex,
  | 'index'
  | 'config'
  | 'rules'
  | 'formerIds'
  | 'arrivals'
  | 'folder'
  | 'refresh'
  | 'shareCheck'
  | 'verify'
  | 'readAhead'
  | 'rebuild'
  | 'provisional'
  | 'clearLeftovers'
  | 'close'
>

export class PinnedIndex implements IndexSource {
  index!: RevisionIndex
  config!: WikiConfig
  rules!: PathRules
  formerIds!: FormerIds
  arrivals!: number
  readonly folder: string
  readonly #source: IndexSource

  /** Pins the current state of the source. The index stays readable until `close`. */
  constructor(source: IndexSource) {
    this.#source = source
    this.folder = source.folder
    this.#pin()
  }

  #pin(): void {
    const { index, config, rules, formerIds, arrivals } = this.#source
    this.formerIds = formerIds
    this.arrivals = arrivals
    this.index = index
    this.config = config
    this.rules = rules
    index.hold()
  }

  /** Does nothing, unless the index is damaged: then it cannot be used. */
  async refresh(): Promise<void> {
    if (this.index.isDamaged) await this.#renew(this.#source.refresh())
  }

  async rebuild(): Promise<void> {
    await this.#renew(this.#source.rebuild())
  }

  async #renew(done: Promise<void>): Promise<void> {
    await done
    this.index.release()
    this.#pin()
  }

  close(): void {
    this.index.release()
  }

  shareCheck(): () => void {
    return () => {}
  }

  clearLeftovers(): void {}

  verify(): Promise<void> {
    return this.#source.verify()
  }

  readAhead(): Promise<void> {
    return this.#source.readAhead()
  }

  provisional(): ReturnType<IndexSource['provisional']> {
    return this.#source.provisional()
  }
}
