/** Jobs that may take long and run in worker threads, and the messages between a worker and its owner. */

import type { ContentModel } from '../../core/content-models.ts'
import type { WikiError } from '../../core/errors.ts'
import type { Title } from '../../core/title.ts'
import type { MarkedMerge, MergeUnit } from '../../diff/merge.ts'
import type { HtmlToWikitextOptions, TemplateLayout } from '../../html2wt/index.ts'
import type { LinkTarget, WrittenLink } from '../../links/link.ts'
import type { TextRange } from '../../search/query/match.ts'
import type { QueryFilter } from '../../search/query/query.ts'
import type { DistinctLinks, FoundLinks, Lint, ReaderForm, Rendered, SaveOptions } from '../../wikitext/index.ts'
import type { SourcePage, WikiStatistics } from '../../wikitext/wiki-source.ts'
import type { ComparedText } from '../comparing/comparison.ts'
import type { ConflictPlace, ConflictTexts } from '../comparing/conflict-places.ts'
import type { PatchedFile } from '../comparing/file-patch.ts'
import type { Edits, MergedEdits } from '../comparing/merge-edits.ts'
import type { WordAuthors } from '../comparing/word-authors.ts'
import type { FileWithMetadata } from '../resources/file-object.ts'
import type { LongPlace, ResultSlice } from './long-results.ts'

/** Client that a job counts for, "" for internal jobs. Clients take turns in the queue. */
interface ClientJob {
  readonly client: string
}

/**
 * Cause of a limit error that is unrelated to the job: the pool was full, or closed. The same job may succeed later.
 */
export const notStarted = 'not started'

/** The page that a text belongs to, and its revision. */
export interface PageOfText {
  readonly id: number
  readonly revision: number
  readonly timestamp: string
  /** True for a text that may become the page's next revision: magic words still read the latest one. */
  readonly isUnsaved?: boolean
}

/** A text and its options. All of it can be sent to a worker. */
export interface RenderJob extends ClientJob {
  readonly task: 'html' | 'lint'
  readonly text: string
  readonly model: ContentModel
  readonly title: string
  readonly flavor: 'view' | 'edit'
  readonly bodyOnly: boolean
  /** Scheme and host of absolute URLs; "" if they begin with a slash. */
  readonly server: string
  readonly page: PageOfText | null
  /** Form of the text inside a page of the site; absent for a document of its own. */
  readonly reading?: ReaderForm | undefined
}

/** HTML to convert to wikitext. */
export interface BackJob extends ClientJob, Omit<HtmlToWikitextOptions, 'wiki' | 'settings'> {
  readonly task: 'wikitext'
  readonly html: string
  readonly layouts: ReadonlyMap<string, TemplateLayout>
}

/** Wikitext to transform on save. */
export interface SaveJob extends ClientJob, Pick<SaveOptions, 'user' | 'now'> {
  readonly task: 'saving'
  readonly text: string
  readonly page: Title
}

/** Two texts to compare. The result is the comparison as JSON. */
export interface CompareJob extends ClientJob {
  readonly task: 'comparison'
  readonly from: ComparedText
  readonly to: ComparedText
  /** Approximate maximum bytes of the result; that of a response if omitted. */
  readonly maxBytes?: number | undefined
}

/** Two edits to merge. */
export interface MergeJob extends ClientJob {
  readonly task: 'merge'
  readonly edits: Edits
}

/** A file whose patch to write. */
export interface PatchJob extends ClientJob {
  readonly task: 'patch'
  readonly file: PatchedFile
}

/** Two texts based on a third one, whose conflicts to find. */
export interface ConflictJob extends ClientJob, ConflictTexts {
  readonly task: 'conflict'
}

/** Two texts based on a third one, to merge with conflict markers. */
export interface MarkedMergeJob extends ClientJob {
  readonly task: 'marked-merge'
  readonly base: string
  readonly mine: string
  readonly theirs: string
  readonly by: MergeUnit
}

/** A text whose links to find. */
export interface LinksJob extends ClientJob {
  readonly task: 'links'
  readonly text: string
  /** Language of the wiki, whose words count besides the English ones. */
  readonly language: string
  readonly model: 'wikitext' | 'markdown'
}

/** A text whose links to find without their places, each once. */
export interface DistinctLinksJob extends ClientJob, Pick<LinksJob, 'text' | 'model' | 'language'> {
  readonly task: 'distinct-links'
  /** Maximum number of links. */
  readonly most: number
}

/** A text, and conditions of a search on its source. */
export interface PlacesJob extends ClientJob {
  readonly task: 'places'
  readonly text: string
  readonly filters: readonly QueryFilter[]
  readonly most: number
}

/** A page whose words are traced through revisions, oldest first. The worker requests their texts. */
export interface AuthorshipJob extends ClientJob {
  readonly task: 'authorship'
  readonly title: string
  readonly revisions: readonly { readonly id: number; readonly size: number }[]
  readonly maxRemembered: number
  readonly maxJson: number
}

/** Jobs that need nothing from the wiki. */
export type TextJob =
  | CompareJob
  | PatchJob
  | MergeJob
  | ConflictJob
  | MarkedMergeJob
  | LinksJob
  | DistinctLinksJob
  | PlacesJob

/** Jobs that request templates, titles and files of the wiki. */
export type EngineJob = RenderJob | BackJob | SaveJob

export type Job = EngineJob | TextJob | AuthorshipJob

/** Jobs of a task. */
export type JobOf<Task extends Job['task']> = Job & { readonly task: Task }

/**
 * Results of the tasks: HTML with page metadata, problems, wikitext, the text to store, JSON, a merged text or a conflict, the places of conflicts, links, places,
 * authors.
 */
export interface JobResults {
  readonly html: Rendered
  readonly lint: readonly Lint[]
  readonly wikitext: string
  readonly saving: string
  readonly comparison: string
  readonly patch: string
  readonly merge: MergedEdits
  readonly conflict: readonly (string | ConflictPlace)[]
  readonly 'marked-merge': MarkedMerge
  readonly links: FoundLinks | null
  readonly 'distinct-links': DistinctLinks | null
  readonly places: readonly TextRange[] | null
  readonly authorship: WordAuthors<string>
}

export type JobResult = JobResults[Job['task']]

/** The wiki as a job sees it: like `WikiSource`, but every value can be sent to a worker. */
export interface RawSource {
  readonly pages: (titles: readonly Title[]) => Promise<readonly (SourcePage | null)[]>
  readonly exist: (titles: readonly Title[]) => Promise<readonly (boolean | 'redirect')[]>
  readonly files: (names: readonly string[]) => Promise<readonly (FileWithMetadata | null)[]>
  readonly statistics: (none: readonly []) => Promise<WikiStatistics>
  readonly links: (links: readonly WrittenLink[]) => Promise<readonly (LinkTarget | null)[]>
}

export type QueryKind = keyof RawSource | 'texts'

/** From the owner to the worker. */
export type ToWorker =
  | { readonly type: 'run'; readonly job: Job; readonly configText: string }
  | { readonly type: 'reply'; readonly id: number; readonly result: unknown }

/** From the worker to its owner. */
export type FromWorker =
  | { readonly type: 'query'; readonly id: number; readonly kind: QueryKind; readonly params: readonly unknown[] }
  /** A slice of a long text or list of the result that follows. */
  | { readonly type: 'slice'; readonly slice: ResultSlice }
  | {
      readonly type: 'done'
      readonly result: JobResult
      readonly places: readonly LongPlace[]
      /** Size of the worker's heap. */
      readonly heapBytes: number
    }
  | {
      readonly type: 'failed'
      readonly heapBytes: number
      /** Key, params and data of a `WikiError`; the message of any other error. */
      readonly error: Pick<WikiError, 'params' | 'data'> & { readonly code: string | null; readonly text: string }
    }

/** From the worker's process to its owner: a message of the worker, or its exit. */
export type FromProcess = FromWorker | { readonly type: 'crashed'; readonly isMemory: boolean; readonly text: string }
