/** A rendered page as blocks, for terminals and other output that is not HTML. */

import { type Flow, htmlToBlocks } from '../html2md/index.ts'
import { type RenderQuery, renderPage, renderRevision, renderText } from './render-page.ts'
import type { TitleQuery } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'
import { readWorkPage } from './work-tree/work-page.ts'

export type { Flow, ListItem, Phrasing, Table } from '../html2md/index.ts'

export interface PageBlocksQuery extends TitleQuery {
  /** Id of the revision that is shown; the latest one if omitted. */
  readonly at?: number | undefined
  /** True for the file in the work tree. */
  readonly work?: boolean | undefined
}

export interface PageBlocks {
  readonly key: string
  readonly title: string
  /** Id of the revision; null for a file of the work tree. */
  readonly revision: number | null
  /** Blocks of a Markdown syntax tree (mdast), notes last. */
  readonly blocks: readonly Flow[]
}

/**
 * Renders a page and returns its blocks. A redirect itself is shown. Errors: as `renderPage` and `renderRevision`; for a
 * work-tree file as `readWorkPage`.
 */
export async function pageBlocks(wiki: Wiki, query: PageBlocksQuery): Promise<PageBlocks> {
  const { key, title, revision, html } = await rendered(wiki, query)
  return { key, title, revision, blocks: htmlToBlocks(html, { key }) }
}

const form: RenderQuery = { flavor: 'view', bodyOnly: true }

async function rendered(wiki: Wiki, query: PageBlocksQuery): Promise<Omit<PageBlocks, 'blocks'> & { html: string }> {
  await wiki.store.refresh()
  if (query.work) {
    const { key, title, text, model } = await readWorkPage(wiki.store, query.title)
    const { html } = await renderText(wiki, { text, model, title }, form)
    return { key, title, revision: null, html }
  }
  if (query.at !== undefined) {
    const { revision, html } = await renderRevision(wiki, { ...form, id: query.at })
    return { key: revision.page.key, title: revision.page.title, revision: revision.id, html }
  }
  const { page, html } = await renderPage(wiki, { ...query, ...form })
  return { key: page.key, title: page.title, revision: page.latest.id, html }
}
