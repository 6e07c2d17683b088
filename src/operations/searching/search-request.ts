/** Parses a search request: a namespace before the words, `all:`, and filters with their titles resolved. */

import { WikiError } from '../../core/errors.ts'
import { findNamespace, type TitleRules } from '../../core/title.ts'
import { prefixValue } from '../../search/query/candidates.ts'
import { filtersIn, parseQuery, type Query, type QueryFilter, withFilters } from '../../search/query/query.ts'
import type { Language } from '../../search/words/language.ts'
import type { Store } from '../../store/store.ts'
import { categoryTerm, linkTerm, templateTerm } from './link-terms.ts'

/** Maximum offset. Skipped results are found and read again for each part. */
export const maxSkipped = 2000

export interface SearchQuery {
  readonly q: string
  /** 1 to 100; 50 if omitted. */
  readonly limit?: number | undefined
  /** Number of results to skip; 0 if omitted, at most `maxSkipped`. */
  readonly offset?: number | undefined
  /** Namespaces to search if the query names none; those of wiki.json if omitted. */
  readonly namespaces?: readonly number[] | undefined
  /**
   * Of titles: `beginning` finds those that begin with the query, in order of their keys; `words` also finds those with a word that
   * does, and similar ones, the most linked first. `beginning` if omitted.
   */
  readonly match?: 'beginning' | 'words' | undefined
  /** Absolute URL of the API, for URLs of thumbnails. */
  readonly base?: string | undefined
  /**
   * Milliseconds to wait for an index that is being built, longer if only a few pages are missing. After that the
   * available part is searched.
   */
  readonly patience?: number | undefined
  /**
   * `source` cuts excerpts out of the page's source, as MediaWiki does; `words` out of the words that readers see, unless the query has
   * conditions on the source. `source` if omitted.
   */
  readonly excerpts?: 'source' | 'words' | undefined
}

/** A parsed search. */
export interface SearchRequest {
  readonly query: Query
  readonly namespaces: readonly number[]
}

/** Parses a search. A namespace before the words, or `all:`, overrides the namespaces of the wiki. Errors: wiki-usage. */
export function readSearch(
  { q, namespaces }: SearchQuery,
  { titles, config }: Store,
  language: Language,
): SearchRequest {
  const { words, place } = readPlace(q, titles)
  const query = parseQuery(words, language)
  const usual = place ?? namespaces ?? config.searchedNamespaces
  const read = (filter: QueryFilter): QueryFilter => readFilter(filter, titles)
  const filters = query.filters.map(read)
  const choices = query.choices.map(choice => withFilters(choice, read))
  if (filtersIn(choices).some(({ kind }) => kind === 'source'))
    throw new WikiError('wiki-usage', {
      params: ['insource: cannot be one of several choices'],
      hint: 'Write the choice as a pattern: insource:/this|that/',
    })
  const within = filters.find(({ kind, negated }) => kind === 'prefix' && !negated)
  const searched = within === undefined ? usual : [Number(within.value.slice(0, within.value.indexOf(':')))]
  return { query: { ...query, filters, choices }, namespaces: searched }
}

/** Parses a namespace before the words. */
export function readPlace(q: string, titles: TitleRules): { words: string; place: readonly number[] | undefined } {
  const words = q.replace(/^[\s:]+/, '')
  const colon = words.indexOf(':')
  const name = colon === -1 ? '' : words.slice(0, colon).trim()
  const rest = words.slice(colon + 1)
  if (name.toLowerCase() === 'all') return { words: rest, place: [...titles.namespaces.keys()].filter(id => id >= 0) }
  const namespace = name === '' ? undefined : findNamespace(name, titles)
  return namespace === undefined ? { words, place: undefined } : { words: rest, place: [namespace] }
}

const terms: Readonly<Record<'category' | 'link' | 'template', (name: string, titles: TitleRules) => string>> = {
  category: categoryTerm,
  link: linkTerm,
  template: templateTerm,
}

function readFilter(filter: QueryFilter, titles: TitleRules): QueryFilter {
  if (filter.kind === 'source') return filter
  if (filter.kind !== 'prefix') return { ...filter, value: terms[filter.kind](filter.value, titles) }
  const { words, place } = readPlace(filter.value, titles)
  return { ...filter, value: prefixValue(place?.[0] ?? 0, words.trim()) }
}
