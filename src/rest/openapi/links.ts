/** Describes the routes of links, and of lists of pages by links. */

import { linkLists } from '../../operations/link-lists.ts'
import { linkKinds } from '../../operations/linking/table-parts.ts'
import { leavingKinds } from '../../operations/page-links.ts'
import { jsonResponse, type RouteDescription } from './describe.ts'
import { title } from './pages.ts'
import { flag, id, listOf, nullable, object, text } from './schemas.ts'

const count = { type: 'integer', minimum: 0 } as const
const kind = { type: 'string', enum: [...linkKinds] } as const
const anyKind = { type: 'string', enum: [...linkKinds, ...leavingKinds] } as const
const part = { total: count, next: { ...nullable(text), description: 'URL of the next part; null at the end' } }
const paging = {
  limit: { description: 'At most this many; 100 if omitted', schema: { ...id, maximum: 500 } },
  after: { description: 'Cursor from the route of the next part', schema: text },
}
const ofKind = { kind: { description: 'Only links of this kind', schema: kind } }
const through = {
  ...nullable(text),
  description: 'Title of the template that contains it; null if the page itself does',
}
const redirect = { ...nullable(text), description: 'Title of the redirect through which it leads there' }
const bad = ['badinteger', 'outofrange', 'badvalue', 'rest-invalid-title'] as const

export const linkRoutes = {
  here: {
    name: 'listLinksHere',
    summary: 'Pages that link to a title, even if it has no page',
    tag: 'Links',
    parameters: { title, ...ofKind, ...paging },
    responses: {
      200: jsonResponse(
        'Pages, by their titles',
        object({ links: listOf(object({ id, key: text, title: text, kind, redirect, through })), ...part }),
      ),
    },
    errors: bad,
  },
  out: {
    name: 'listLinks',
    summary: 'Pages, files, templates and categories that a page links to',
    tag: 'Links',
    parameters: { title, kind: { ...ofKind.kind, schema: anyKind }, ...paging },
    responses: {
      200: jsonResponse(
        'Links, by title; links outside the wiki, and to sections, only if their kind is requested',
        object({ links: listOf(object({ key: text, title: text, kind: anyKind, exists: flag, through })), ...part }),
      ),
    },
    errors: [...bad, 'apierror-missingtitle', 'rest-permission-denied-revision'],
  },
  category: {
    name: 'listCategoryMembers',
    summary: 'Members of a category, subcategories first',
    tag: 'Links',
    parameters: {
      name: { description: 'Name of the category, with or without its namespace', schema: text },
      ...paging,
    },
    responses: {
      200: jsonResponse(
        'Members',
        object({
          key: text,
          title: text,
          exists: { ...flag, description: 'False if the category has no page of its own' },
          members: listOf(
            object({
              key: text,
              title: text,
              kind: { type: 'string', enum: ['page', 'subcategory', 'file'] },
              through,
            }),
          ),
          ...part,
        }),
      ),
    },
    errors: bad,
  },
  list: {
    name: 'listPagesByLinks',
    summary: 'Pages and titles by their links: orphaned, wanted, uncategorized and others',
    tag: 'Links',
    parameters: {
      name: { description: 'Name of the list', schema: { type: 'string', enum: Object.keys(linkLists) } },
      namespace: { description: 'Id of the namespace; articles if omitted', schema: { type: 'integer' } },
      ...paging,
    },
    responses: {
      200: jsonResponse(
        'Members, by value and then by title',
        object({
          list: text,
          pages: listOf(
            object({ key: text, title: text, pages: count, bytes: count, target: text }, ['pages', 'bytes', 'target']),
          ),
          ...part,
        }),
      ),
    },
    errors: bad,
  },
} as const satisfies Readonly<Record<string, RouteDescription>>
