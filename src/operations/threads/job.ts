/** Jobs that may take long and run in worker threads, and the messages between a worker and its owner. */

import type { ContentModel } from '../../core/content-models.ts'
import type { WikiError } from '../../core/errors.ts'
import type { Title } from '../../core/title.ts'
import type { MarkedMerge, MergeUnit } from '../../diff/merge.ts'
import type { HtmlToWikitextOptions, TemplateLayout } from '../../html2wt/index.ts'
import type { LinkTarget, WrittenLink } from '../../links/link.ts'
import type { TextRange } from '../../search/query/match.ts'
import type { QueryFilter } from '../../search/query/query.ts'
import {
  contentToHtml,
  type DistinctLink,
  distinctLinks,
  type Effort,
  type FoundLinks,
  findMarkdownLinks,
  findWikitextLinks,
  type Lint,
  lintWikitext,
  type ReaderForm,
  type Rendered,
  type SaveOptions,
  saveWikitext,
  type WikiSource,
} from '../../wikitext/index.ts'
import type { SourcePage, WikiStatistics } from '../../wikitext/wiki-source.ts'
import type { ComparedText } from '../comparing/comparison.ts'
import type { ConflictPlace, ConflictTexts } from '../comparing/conflict-places.ts'
import type { PatchedFile } from '../comparing/file-patch.ts'
import type { Edits, MergedEdits } from '../comparing/merge-edits.ts'
import type { WordAuthors } from '../comparing/word-authors.ts'
import type { KnownFile } from '../resources/file-object.ts'
import type { TextPlace } from './long-results.ts'

/** Client that a job runs for: its address, or "" for internal jobs. Clients take turns in the queue. */
interface Asked {
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
export interface RenderJob extends Asked {
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
export interface BackJob extends Asked, Omit<HtmlToWikitextOptions, 'wiki' | 'settings'> {
  readonly task: 'wikitext'
  readonly html: string
  readonly layouts: ReadonlyMap<string, TemplateLayout>
}

/** Wikitext to transform on save. */
export interface SaveJob extends Asked, Pick<SaveOptions, 'user' | 'now'> {
  readonly task: 'saving'
  readonly text: string
  readonly page: Title
}

/** Two texts to compare. The result is the comparison as JSON. */
export interface CompareJob extends Asked {
  readonly task: 'comparison'
  readonly from: ComparedText
  readonly to: ComparedText
  /** Approximate maximum bytes of the result; that of a response if omitted. */
  readonly maxBytes?: number | undefined
}

/** Two edits to merge. */
export interface MergeJob extends Asked {
  readonly task: 'merge'
  readonly edits: Edits
}

/** A file whose patch to write. */
export interface PatchJob extends Asked {
  readonly task: 'patch'
  readonly file: PatchedFile
}

/** Two texts based on a third one, whose conflicts to find. */
export interface ConflictJob extends Asked, ConflictTexts {
  readonly task: 'conflict'
}

/** Two texts based on a third one, to merge with conflict markers. */
export interface MarkedMergeJob extends Asked {
  readonly task: 'marked-merge'
  readonly base: string
  readonly mine: string
  readonly theirs: string
  readonly by: MergeUnit
}

/** A text whose links to find. */
export interface LinksJob extends Asked {
  readonly task: 'links'
  readonly text: string
  /** Language of the wiki, whose words count besides the English ones. */
  readonly language: string
  readonly model: 'wikitext' | 'markdown'
}

/** A text whose links to find without their places, each once. */
export interface DistinctLinksJob extends Asked, Pick<LinksJob, 'text' | 'model' | 'language'> {
  readonly task: 'distinct-links'
  /** Maximum number of links. */
  readonly most: number
}

/** A text, and conditions of a search on its source. */
export interface PlacesJob extends Asked {
  readonly task: 'places'
  readonly text: string
  readonly filters: readonly QueryFilter[]
  readonly most: number
}

/** A page whose words are traced through revisions, oldest first. The worker requests their texts. */
export interface AuthorshipJob extends Asked {
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
  readonly links: LinkParts | null
  readonly 'distinct-links': readonly DistinctLink[] | null
  readonly places: readonly TextRange[] | null
  readonly authorship: WordAuthors<string>
}

export type JobResult = JobResults[Job['task']]

/** The wiki as a job sees it: like `WikiSource`, but every value can be sent to a worker. */
export interface RawSource {
  readonly pages: (titles: readonly Title[]) => Promise<readonly (SourcePage | null)[]>
  readonly exist: (titles: readonly Title[]) => Promise<readonly (boolean | 'redirect')[]>
  readonly files: (names: readonly string[]) => Promise<readonly (KnownFile | null)[]>
  readonly statistics: (none: readonly []) => Promise<WikiStatistics>
  readonly links: (links: readonly WrittenLink[]) => Promise<readonly (LinkTarget | null)[]>
}

export type Question = keyof RawSource | 'texts'

/** From the owner to the worker. */
export type ToThread =
  | { readonly say: 'run'; readonly job: Job; readonly configText: string }
  | { readonly say: 'answer'; readonly question: number; readonly answer: unknown }

/** From the worker to its owner. */
export type FromThread =
  | { readonly say: 'ask'; readonly question: number; readonly kind: Question; readonly about: readonly unknown[] }
  /** A slice of a long text of the result that follows. */
  | { readonly say: 'text'; readonly text: string }
  | {
      readonly say: 'done'
      readonly result: JobResult
      readonly places: readonly TextPlace[]
      /** Size of the worker's heap. */
      readonly heapBytes: number
    }
  | {
      readonly say: 'failed'
      readonly heapBytes: number
      /** Key, params and data of a `WikiError`; the message of any other error. */
      readonly error: Pick<WikiError, 'params' | 'data'> & { readonly code: string | null; readonly text: string }
    }

/** From the worker's process to its owner: a message of the worker, or its exit. */
export type FromProcess = FromThread | { readonly say: 'broken'; readonly isMemory: boolean; readonly text: string }

/** Sources that a job queries. */
export interface JobSources {
  readonly wiki: WikiSource
  readonly texts: (ids: readonly number[]) => Promise<readonly string[]>
}

/** Runs a job of any kind. Errors: those of the functions it calls. */
export async function runJob(job: Job, { wiki, texts }: JobSources): Promise<JobResult> {
  if (job.task === 'comparison') return runComparison(job)
  if (job.task === 'patch') return (await import('../comparing/file-patch.ts')).patchOfFile(job.file)
  if (job.task === 'links') return partsOf(await findLinks(job))
  if (job.task === 'distinct-links') return findDistinctLinks(job)
  if (job.task === 'places')
    return (await import('../../search/query/pattern.ts')).satisfyingPlaces(job.text, job.filters, job.most)
  if (job.task === 'merge') return (await import('../comparing/merge-edits.ts')).mergeEdits(job.edits)
  if (job.task === 'conflict') return (await import('../comparing/conflict-places.ts')).findConflictPlaces(job)
  if (job.task === 'marked-merge') return mergeMarked(job)
  if (job.task === 'authorship') return runAuthorship(job, texts)
  return runEngineJob(job, wiki)
}

/** Merges texts, with conflict markers. Errors: wiki-texts-too-complex. */
export async function mergeMarked({
  base,
  mine,
  theirs,
  by,
}: Omit<MarkedMergeJob, 'task' | 'client'>): Promise<MarkedMerge> {
  const [{ mergeWithMarks }, { createWorkLimit }] = await Promise.all([
    import('../../diff/merge.ts'),
    import('../../diff/work-limit.ts'),
  ])
  return mergeWithMarks(base, mine, theirs, { by, work: createWorkLimit(), labels: { mine: 'mine', theirs: 'theirs' } })
}

/** Finds the links of a text; null if it is too long. */
export async function findLinks({
  text,
  model,
  language,
}: Pick<LinksJob, 'text' | 'model' | 'language'>): Promise<FoundLinks | null> {
  return model === 'markdown' ? findMarkdownLinks(text) : findWikitextLinks(text, language)
}

/** Links as JSON, a thousand in each part: their owner reads one part after the other, and serves other requests between them. */
export interface LinkParts {
  readonly links: readonly string[]
  readonly computed: readonly string[]
}

const linksOfPart = 1000

function partsOf(found: FoundLinks | null): LinkParts | null {
  const inParts = (all: readonly unknown[]): string[] =>
    Array.from({ length: Math.ceil(all.length / linksOfPart) }, (_, at) =>
      JSON.stringify(all.slice(at * linksOfPart, (at + 1) * linksOfPart)),
    )
  return found && { links: inParts(found.links), computed: inParts(found.computed) }
}

/** Finds the links of a text without their places; null if it is too long. */
export async function findDistinctLinks(
  job: Pick<DistinctLinksJob, 'text' | 'model' | 'language' | 'most'>,
): Promise<readonly DistinctLink[] | null> {
  const found = await findLinks(job)
  return found === null ? null : distinctLinks(job.text, found.links, job.most)
}

/** Maximum bytes of texts that a job requests at a time. */
const textsAtOnce = 1024 * 1024

async function runAuthorship({ revisions, ...job }: AuthorshipJob, texts: JobSources['texts']) {
  const { writeWordAuthors } = await import('../comparing/word-authors.ts')
  const inOrder = async function* () {
    let ids: number[] = []
    let size = 0
    for (const [at, revision] of revisions.entries()) {
      ids.push(revision.id)
      size += revision.size
      if (size < textsAtOnce && ids.length < 100 && at < revisions.length - 1) continue
      yield* await texts(ids)
      ids = []
      size = 0
    }
  }
  return writeWordAuthors({ ...job, ids: revisions.map(({ id }) => id), texts: inOrder() })
}

async function runComparison({ from, to, maxBytes }: CompareJob): Promise<string> {
  const { compare } = await import('../comparing/comparison.ts')
  return JSON.stringify(compare(from, to, maxBytes))
}

/** Runs a rendering job. Throws `rest-invalid-title`, and `EffortExceeded` if its effort is limited. */
export async function runEngineJob(
  job: EngineJob,
  wiki: WikiSource,
  { effort = null }: { readonly effort?: Effort | null } = {},
): Promise<JobResults[EngineJob['task']]> {
  if (job.task === 'wikitext') return runBack(job, wiki)
  if (job.task === 'saving') return saveWikitext(job.text, { ...job, title: job.page, wiki })
  const { task, text, model, title, flavor, bodyOnly, server, page, reading } = job
  if (task === 'lint') return lintWikitext(text, { title, wiki, effort })
  // Editors use their own styles.
  const stylesheets = flavor === 'view' && server !== '' ? [`${server}/style.css`] : []
  const settings =
    reading === undefined ? { sections: !bodyOnly, stylesheets } : { sections: model === 'wikitext', elementIds: false }
  return contentToHtml(text, model, { title, wiki, flavor, bodyOnly, server, page, settings, effort, reading })
}

async function runBack({ html, layouts, client: _, ...options }: BackJob, { config }: WikiSource): Promise<string> {
  const { htmlToWikitext } = await import('../../html2wt/index.ts')
  return htmlToWikitext(html, { ...options, wiki: { config, layouts } })
}
