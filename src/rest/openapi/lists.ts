/** Describes the lists of pages and files, and the feeds. */

import { contentModels } from '../../core/content-models.ts'
import { mediaTypes } from '../../core/file.ts'
import { feedFormats } from '../../http/feed.ts'
import { jsonResponse, type RouteDescription } from './describe.ts'
import { flag, id, listOf, nullable, object, text } from './schemas.ts'

const count = { type: 'integer', minimum: 0 }
const next = { next: { ...nullable(text), description: 'Route of the next part; null at the end' } }
const paging = {
  limit: { description: 'At most this many; 100 if omitted', schema: { ...id, maximum: 500 } },
  after: { description: 'Cursor: the last title of the previous part', schema: text },
} as const
const bad = ['badinteger', 'outofrange', 'badbool', 'badvalue'] as const

/** One schema for all formats, because MediaWiki's validator uses that of the first type for every response. */
const feedBody = { oneOf: [text, { type: 'object' }] }
const feedContent = {
  'application/atom+xml': feedBody,
  'application/rss+xml': feedBody,
  'application/feed+json': feedBody,
} as const

export const lists = {
  pages: {
    name: 'listPages',
    summary: 'Pages in order of their titles',
    tag: 'Pages',
    parameters: {
      prefix: { description: 'Beginning of the title, in any case', schema: text },
      namespace: { description: 'Id of the namespace', schema: { type: 'integer' } },
      redirects: { description: 'Only redirects, or none', schema: flag },
      ...paging,
    },
    responses: {
      200: jsonResponse(
        'Pages',
        object({
          pages: listOf(
            object({
              ...{ id, key: text, title: text, latest: object({ id, timestamp: text }) },
              content_model: { type: 'string', enum: Object.keys(contentModels) },
              redirect: { ...nullable(text), description: 'Title of the target of a redirect' },
              size: count,
            }),
          ),
          ...next,
        }),
      ),
    },
    errors: bad,
  },
  files: {
    name: 'listFiles',
    summary: 'Media files in order of their titles',
    tag: 'Files',
    parameters: {
      prefix: { description: 'Beginning of the titles, in any case, with or without `File:`', schema: text },
      ...paging,
    },
    responses: {
      200: jsonResponse(
        'Files',
        object({
          files: listOf(
            object({
              ...{ title: text, path: text, mediatype: { type: 'string', enum: mediaTypes }, mime: text, size: count },
              latest: object({ timestamp: text, user: object({ id: nullable(id), name: nullable(text) }) }),
            }),
          ),
          ...next,
        }),
      ),
    },
    errors: bad,
  },
  feed: {
    name: 'readFeed',
    summary: 'The latest changes as a feed: of the wiki, a page, a user, or the members of a category',
    tag: 'History',
    parameters: {
      format: {
        description: 'Atom (RFC 4287), JSON Feed 1.1, or RSS 2.0',
        schema: { type: 'string', enum: feedFormats },
      },
      title: { description: 'Title of the only page', schema: text },
      user: { description: 'Exact name of the user', schema: text },
      category: { description: 'Name of the category, with or without its namespace', schema: text },
    },
    responses: {
      200: {
        description: 'The feed',
        content: feedContent,
      },
    },
    errors: ['badvalue', 'rest-invalid-title', 'rest-nonexistent-title'],
  },
  actionFeed: {
    name: 'readActionFeed',
    summary: 'The same feeds at the URLs of MediaWiki’s action API; other actions do not exist here',
    tag: 'History',
    parameters: {
      action: {
        description: 'Changes of the wiki, or of a user',
        schema: { type: 'string', enum: ['feedrecentchanges', 'feedcontributions'] },
        isRequired: true,
      },
      feedformat: { description: 'RSS if omitted', schema: { type: 'string', enum: feedFormats } },
      target: { description: 'Title of the only page; a category for its members', schema: text },
      user: { description: 'Exact name of the user', schema: text },
    },
    responses: { 200: { description: 'The feed', content: feedContent } },
    errors: ['badvalue', 'missingparam', 'wiki-no-action-api', 'rest-invalid-title', 'rest-nonexistent-title'],
  },
} as const satisfies Readonly<Record<string, RouteDescription>>
