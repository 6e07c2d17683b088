/** Describes the routes of searches. */

import { jsonResponse, type RouteDescription } from './describe.ts'
import { named, text } from './schemas.ts'

const parameters = {
  q: { description: 'What to search for', schema: { ...text, minLength: 1 }, isRequired: true },
  limit: {
    description: 'Maximum number of results',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  },
} as const
const match = {
  description:
    '`words` also finds titles with a word that starts with the text, and similar ones, the most linked first',
  schema: { type: 'string', enum: ['beginning', 'words'], default: 'beginning' },
} as const
const errors = ['missingparam', 'badinteger', 'outofrange', 'badvalue'] as const

export const search = {
  description: {
    name: 'describeSearch',
    summary: 'Description of the search for browsers',
    tag: 'Search',
    parameters: {
      ctype: {
        description: 'Content type of the response; any other value means OpenSearch',
        schema: { ...text, default: 'application/opensearchdescription+xml' },
      },
    },
    responses: {
      200: {
        description: 'An OpenSearch description',
        content: { 'application/opensearchdescription+xml': text, 'application/xml': text },
      },
    },
    errors: ['badvalue'],
  },
  pages: {
    name: 'searchPages',
    summary: 'Pages whose titles or texts contain the searched words',
    tag: 'Search',
    parameters,
    responses: { 200: jsonResponse('Pages, the best first', named('SearchResults')) },
    errors: [...errors, 'wiki-search-building'],
  },
  titles: {
    name: 'searchTitles',
    summary: 'Pages whose titles start with the typed text',
    tag: 'Search',
    parameters: { ...parameters, match },
    responses: { 200: jsonResponse('Pages in order of their titles', named('SearchResults')) },
    errors,
  },
} as const satisfies Readonly<Record<string, RouteDescription>>
