/** What the engine, or the way back, is asked to do with one text, and what a thread and its owner say to each other about it. */

import type { ContentModel } from '../core/content-models.ts'
import type { Title } from '../core/title.ts'
import type { HtmlToWikitextOptions, TemplateLayout } from '../html2wt/index.ts'
import {
  contentToHtml,
  type Effort,
  type Lint,
  lintWikitext,
  type Rendered,
  type WikiSource,
} from '../wikitext/index.ts'
import type { SourcePage, WikiStatistics } from '../wikitext/wiki-source.ts'
import type { KnownFile } from './file-object.ts'

/** One text, and how it is to be read. All of it can be sent to a thread. */
export interface RenderJob {
  readonly task: 'html' | 'lint'
  readonly text: string
  readonly model: ContentModel
  readonly title: string
  readonly flavor: 'view' | 'edit'
  readonly bodyOnly: boolean
  /** Scheme and host that addresses begin with; "" if they begin with a slash. */
  readonly server: string
  readonly page: { readonly id: number; readonly revision: number; readonly timestamp: string } | null
}

/** HTML of which wikitext is to be made. */
export interface BackJob extends Omit<HtmlToWikitextOptions, 'wiki' | 'settings'> {
  readonly task: 'wikitext'
  readonly html: string
  readonly layouts: ReadonlyMap<string, TemplateLayout>
}

export type Job = RenderJob | BackJob

/** What a job gives: HTML with what is known of the page, its problems, or wikitext. */
export type JobResult = Rendered | readonly Lint[] | string

/** What is asked of a wiki while a job runs; as `WikiSource`, but all of it can be sent to a thread. */
export interface RawSource {
  readonly pages: (titles: readonly Title[]) => Promise<readonly (SourcePage | null)[]>
  readonly exist: (titles: readonly Title[]) => Promise<readonly (boolean | 'redirect')[]>
  readonly files: (names: readonly string[]) => Promise<readonly (KnownFile | null)[]>
  readonly statistics: (none: readonly []) => Promise<WikiStatistics>
}

export type Question = keyof RawSource

/** From the owner to the thread. */
export type ToThread =
  | { readonly say: 'run'; readonly job: Job; readonly configText: string }
  | { readonly say: 'answer'; readonly question: number; readonly answer: unknown }

/** From the thread to its owner. */
export type FromThread =
  | { readonly say: 'ask'; readonly question: number; readonly kind: Question; readonly about: readonly unknown[] }
  | { readonly say: 'done'; readonly result: JobResult }
  | {
      readonly say: 'failed'
      readonly error: { readonly code: string | null; readonly params: readonly string[]; readonly text: string }
    }

/** Has the engine do a job. Throws `rest-invalid-title`, and `EffortExceeded` where it may not take long. */
export async function runJob(
  job: Job,
  wiki: WikiSource,
  { effort = null }: { readonly effort?: Effort | null } = {},
): Promise<JobResult> {
  if (job.task === 'wikitext') return runBack(job, wiki)
  const { task, text, model, title, flavor, bodyOnly, server, page } = job
  if (task === 'lint') return lintWikitext(text, { title, wiki, effort })
  // Editors bring their own styles.
  const stylesheets = flavor === 'view' && server !== '' ? [`${server}/style.css`] : []
  const settings = { sections: !bodyOnly, stylesheets }
  return contentToHtml(text, model, { title, wiki, flavor, bodyOnly, server, page, settings, effort })
}

async function runBack({ html, layouts, ...options }: BackJob, { config }: WikiSource): Promise<string> {
  const { htmlToWikitext } = await import('../html2wt/index.ts')
  return htmlToWikitext(html, { ...options, wiki: { config, layouts } })
}
