/**
 * Renders and lints unsaved texts. Source: MediaWiki REST API reference, "Convert wikitext to HTML" and "Convert
 * wikitext to lint errors".
 */

import { WikiError } from '../core/errors.ts'
import type { PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { type RenderId, uuidOf } from './caches/stash.ts'
import { namedModel } from './editing/edit.ts'
import { type Lint, lintEntry } from './lint-page.ts'
import { lintSource, type RenderedText, type RenderQuery, renderEntry, renderIdOf, renderText } from './render-page.ts'
import { latestOf, parsePossibleTitle } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

export interface TransformQuery {
  /** Null to use the text of the revision, or the page's latest one. */
  readonly wikitext: string | null
  /** Content model of `wikitext`; wikitext if omitted. */
  readonly model?: string | undefined
  /** Title under which the text is parsed, whether or not the page exists; the main page's if omitted. */
  readonly title?: string | undefined
  /** Id of the revision whose text is used if none is given. */
  readonly revision?: number | undefined
}

export interface TransformedText extends RenderedText {
  /** Id of the revision of the text; null for the caller's own text. */
  readonly revision: number | null
  /** Id of the stashed HTML; null if it is not stashed. */
  readonly stashed: RenderId | null
}

/** A stored text, or one of the caller's. */
type Source =
  | { readonly text: null; readonly page: PageEntry; readonly revision: RevisionEntry }
  | { readonly text: string; readonly title: string; readonly page: PageEntry | undefined }

/**
 * Renders a text under a title.
 *
 * Errors: rest-bad-content-model, rest-transform-missing-text, apierror-invalidtitle, apierror-pagecannotexist,
 * rest-nonexistent-title, rest-specified-revision-unavailable.
 */
export async function transformToHtml(wiki: Wiki, query: TransformQuery & RenderQuery): Promise<TransformedText> {
  const source = await findSource(wiki.store, query)
  if (source.text === null) {
    const { html, language } = await renderEntry(wiki, source, query)
    const { id } = source.revision
    return { html, language, revision: id, stashed: query.stash ? { revision: id, uuid: uuidOf(html) } : null }
  }
  const latest = source.page === undefined ? null : latestOf(wiki.store, source.page)
  const model = namedModel(query.model) ?? 'wikitext'
  const { html, language } = await renderText(wiki, { ...source, model, latest }, query)
  const stashed = query.stash ? renderIdOf(html, { ...source, page: null }) : null
  return { html, language, revision: null, stashed }
}

/** Unit of the offsets of lint problems: UTF-8 bytes, characters, or UTF-16 units. */
export const offsetTypes = ['byte', 'char', 'ucs2'] as const
export type OffsetType = (typeof offsetTypes)[number]

const lengths: Readonly<Record<Exclude<OffsetType, 'ucs2'>, (text: string) => number>> = {
  byte: text => Buffer.byteLength(text),
  char: text => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0),
}

/** Converts the offsets of problems to another unit. They are sorted, so each part of the text is measured once. */
function recount(lints: readonly Lint[], text: string, type: OffsetType): readonly Lint[] {
  if (type === 'ucs2') return lints
  const places = [...new Set(lints.flatMap(({ dsr: [start, end] }) => [start, end]))].sort((a, b) => a - b)
  const counted = new Map<number, number>()
  let [at, count] = [0, 0]
  for (const place of places) {
    count += lengths[type](text.slice(at, place))
    counted.set(place, count)
    at = place
  }
  return lints.map(({ type, dsr: [start, end, open, close], templateInfo, params }) => {
    return { type, dsr: [counted.get(start)!, counted.get(end)!, open, close], templateInfo, params }
  })
}

/** Lints a text. Errors: those of `transformToHtml`. */
export async function transformToLint(
  wiki: Wiki,
  query: TransformQuery & { readonly offsetType?: OffsetType },
): Promise<readonly Lint[]> {
  const { offsetType = 'ucs2' } = query
  const source = await findSource(wiki.store, query)
  if (source.text === null) {
    return recount(await lintEntry(wiki, source), await wiki.store.text(source.revision), offsetType)
  }
  const lints = await lintSource(wiki, { text: source.text, title: source.title })
  return recount(lints, source.text, offsetType)
}

async function findSource(store: Store, { wikitext, title, revision }: TransformQuery): Promise<Source> {
  await store.refresh()
  if (wikitext === null && title === undefined) throw new WikiError('rest-transform-missing-text')
  const { key, text } = parsePossibleTitle(title ?? store.config.mainPage, store.titles)
  const page = store.findPage(key)
  const meant = revision === undefined ? undefined : revisionOf(store, revision)
  if (wikitext !== null) return { text: wikitext, title: text, page }
  if (meant !== undefined) return { text: null, page: store.pageById(meant.page)!, revision: meant }
  if (page === undefined) throw new WikiError('rest-nonexistent-title', { params: [text] })
  return { text: null, page, revision: latestOf(store, page) }
}

function revisionOf(store: Store, id: number): RevisionEntry {
  const revision = store.revision(id)
  if (revision === undefined) throw new WikiError('rest-specified-revision-unavailable', { params: [id] })
  return revision
}
