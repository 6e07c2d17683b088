/** Search, of pages and of titles. */

import { limitParam, requiredParam } from '../../operations/params.ts'
import { searchPages, searchTitles } from '../../operations/search-pages.ts'
import type { Query } from '../params.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Source: SPEC 4.1. */
export async function pageSearch({ wiki, query }: RestRequest): Promise<Reply> {
  return { body: await searchPages(wiki, searchParams(query)) }
}

/** Source: SPEC 4.2. */
export async function titleSearch({ wiki, query }: RestRequest): Promise<Reply> {
  return { body: await searchTitles(wiki, searchParams(query)) }
}

function searchParams(query: Query): { q: string; limit: number } {
  return { q: requiredParam('q', query('q')), limit: limitParam(query('limit')) }
}
