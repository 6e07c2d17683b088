/** Runs the final steps on a page, in order, once all of it has been read. */

import type { Title } from '../core/title.ts'
import type { ConvertedPage } from './convert.ts'
import type { Extension } from './extensions/extension.ts'
import { resolveRedLinks } from './links/path-links.ts'
import { fillMessages } from './messages.ts'
import { markEmpty } from './passes/empty.ts'
import { addHeadingIds, type TocEntry } from './passes/headings.ts'
import { linkedTitles, markLinks } from './passes/red-links.ts'
import { wrapSections } from './passes/sections.ts'
import { bindSpaces } from './passes/spaces.ts'
import { placeToc } from './passes/toc.ts'
import { eachFragment } from './passes/walk.ts'
import { collectReferences, type PageReferences } from './references.ts'

import type { Site } from './site.ts'
import { stepsOf } from './tree/walk.ts'

export interface FinishOptions {
  /** The page's text. */
  readonly text: string
  readonly title: Title
  readonly site: Site
  readonly extensions: readonly Extension[]
  readonly sections: boolean
  /** If true, errors have their message, and not only its key. */
  readonly messages: boolean
}

export interface FinishedPage extends ConvertedPage {
  readonly title: Title
  readonly references: PageReferences
  readonly toc: readonly TocEntry[]
}

/** Runs the final steps on a page. */
export async function finishPage(page: ConvertedPage, options: FinishOptions): Promise<FinishedPage> {
  const { body, context, sourceCache, expander } = page
  const { title, text } = options
  for (const extension of options.extensions) await extension.finish?.(body, context)
  const steps = stepsOf(body)
  const links = linkedTitles(steps)
  for (const link of links) sourceCache.exists(link)
  if (sourceCache.isIncomplete()) await sourceCache.fetch()
  await resolveRedLinks(steps, { page: title, sourceCache, site: options.site })
  const toc = addHeadingIds(steps)
  const references = collectReferences(steps, expander.properties)
  markLinks(steps, title, { exists: link => sourceCache.exists(link) ?? false, isRedirect: sourceCache.isRedirect })
  eachFragment(body, steps, bindSpaces)
  if (options.messages) fillMessages(steps)
  markEmpty(body)
  if (options.sections) {
    wrapSections(body, text)
    placeToc(body, steps, toc.length)
  }
  return { ...page, title, references, toc }
}
