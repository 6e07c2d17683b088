/** Runs jobs of each kind, in a worker or on the main thread. */

import type { MarkedMerge } from '../../diff/merge.ts'
import {
  contentToHtml,
  type DistinctLinks,
  distinctLinks,
  type Effort,
  type FoundLinks,
  findMarkdownLinks,
  findWikitextLinks,
  type Lint,
  lintWikitext,
  type Rendered,
  saveWikitext,
  type WikiSource,
} from '../../wikitext/index.ts'
import type {
  AuthorshipJob,
  BackJob,
  CompareJob,
  DistinctLinksJob,
  Job,
  JobOf,
  JobResult,
  JobResults,
  LinksJob,
  MarkedMergeJob,
  RenderJob,
} from './job.ts'

/** Sources that a job queries. */
export interface JobSources {
  readonly wiki: WikiSource
  readonly texts: (ids: readonly number[]) => Promise<readonly string[]>
}

type Runner<Task extends Job['task']> = (job: JobOf<Task>, sources: JobSources) => Promise<JobResults[Task]>

/** Functions that run the jobs, by task. Modules that few jobs need are loaded by them. */
const runners: { readonly [Task in Job['task']]: Runner<Task> } = {
  html: (job, { wiki }) => render(job, wiki),
  lint: (job, { wiki }) => lint(job, wiki),
  wikitext: (job, { wiki }) => runBackJob(job, wiki),
  saving: (job, { wiki }) => saveWikitext(job.text, { ...job, title: job.page, wiki }),
  comparison: runComparison,
  patch: async ({ file }) => (await import('../comparing/file-patch.ts')).patchOfFile(file),
  merge: async ({ edits }) => (await import('../comparing/merge-edits.ts')).mergeEdits(edits),
  conflict: async job => (await import('../comparing/conflict-places.ts')).findConflictPlaces(job),
  'marked-merge': mergeMarked,
  links: findLinks,
  'distinct-links': findDistinctLinks,
  places: async ({ text, filters, most }) =>
    (await import('../../search/query/pattern.ts')).satisfyingPlaces(text, filters, most),
  authorship: runAuthorship,
}

/** Runs a job of any kind. Errors: those of the functions that it calls. */
export async function runJob(job: Job, sources: JobSources): Promise<JobResult> {
  const run = runners[job.task] as (job: Job, sources: JobSources) => Promise<JobResult>
  return run(job, sources)
}

/** Renders a text, or finds its problems. Throws `rest-invalid-title`, and `EffortExceeded` if its effort is limited. */
export function runRenderJob(
  job: RenderJob,
  wiki: WikiSource,
  effort: Effort | null = null,
): Promise<JobResults[RenderJob['task']]> {
  return job.task === 'lint' ? lint(job, wiki, effort) : render(job, wiki, effort)
}

async function lint(
  { text, title }: RenderJob,
  wiki: WikiSource,
  effort: Effort | null = null,
): Promise<readonly Lint[]> {
  return lintWikitext(text, { title, wiki, effort })
}

async function render(job: RenderJob, wiki: WikiSource, effort: Effort | null = null): Promise<Rendered> {
  const { text, model, title, flavor, bodyOnly, server, page, reading } = job
  // Editors use their own styles.
  const stylesheets = flavor === 'view' && server !== '' ? [`${server}/style.css`] : []
  // The ids are for edits of the HTML, which its conversion tells from other HTML by them.
  const settings =
    reading === undefined
      ? { sections: !bodyOnly, stylesheets, elementIds: model === 'wikitext' }
      : { sections: model === 'wikitext', elementIds: false }
  return contentToHtml(text, model, { title, wiki, flavor, bodyOnly, server, page, settings, effort, reading })
}

/** Converts HTML to wikitext. */
export async function runBackJob(
  { html, layouts, client: _, ...options }: BackJob,
  { config }: WikiSource,
): Promise<string> {
  const { htmlToWikitext } = await import('../../html2wt/index.ts')
  return htmlToWikitext(html, { ...options, wiki: { config, layouts } })
}

/** Merges texts, with conflict markers. Errors: wiki-texts-too-complex. */
export async function mergeMarked({
  base,
  mine,
  theirs,
  by,
}: Omit<MarkedMergeJob, 'task' | 'client'>): Promise<MarkedMerge> {
  const [{ mergeWithMarkers }, { createWorkLimit }] = await Promise.all([
    import('../../diff/merge.ts'),
    import('../../diff/work-limit.ts'),
  ])
  return mergeWithMarkers(base, mine, theirs, {
    by,
    work: createWorkLimit(),
    labels: { mine: 'mine', theirs: 'theirs' },
  })
}

/** Finds the links of a text; null if it is too long. */
export async function findLinks({
  text,
  model,
  language,
}: Pick<LinksJob, 'text' | 'model' | 'language'>): Promise<FoundLinks | null> {
  return model === 'markdown' ? findMarkdownLinks(text) : findWikitextLinks(text, language)
}

/** Finds the links of a text without their places; null if it is too long. */
export async function findDistinctLinks(
  job: Pick<DistinctLinksJob, 'text' | 'model' | 'language' | 'most'>,
): Promise<DistinctLinks | null> {
  const found = await findLinks(job)
  return found === null ? null : distinctLinks(job.text, found, job.most)
}

/** Maximum bytes of texts that a job requests at a time. */
const textsAtOnce = 1024 * 1024

async function runAuthorship({ revisions, ...job }: AuthorshipJob, { texts }: JobSources) {
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
