/** Describes the routes of pages and their history. */

import { countTypes, historyFilters } from '../../core/revision.ts'
import { htmlResponse, jsonResponse, type ParameterDescription, type RouteDescription, redirects } from './describe.ts'
import { flag, listOf, named, nullable, object, text } from './schemas.ts'

/** Title of a page, in a path. */
export const title: ParameterDescription = {
  description: 'Title of a page; a slash in it is written %2F',
  schema: { ...text, minLength: 1 },
}
export const redirect: ParameterDescription = {
  description: 'Follow a redirect page; no returns the page itself',
  schema: {
    ...text,
    enum: ['no', 'yes', 'false', 'true', '0', '1', 'n', 'y', 'f', 't', 'off', 'on', ''],
    default: 'yes',
  },
}
export const flavor: ParameterDescription = {
  description: 'For reading (stash also stores it), or with annotations for the conversion back to wikitext',
  schema: { ...text, enum: ['view', 'edit', 'stash', 'fragment'], default: 'view' },
}
export const stash: ParameterDescription = {
  description: 'Store the source of the HTML for a day, under its ETag',
  schema: redirect.schema,
}
/** Id of a revision, in a query. */
const revision = (description: string): ParameterDescription => ({
  description,
  schema: { type: 'integer', minimum: 1 },
})

/** Source: MediaWiki 1.43 PageHistoryCountHandler, where 0 means no revision. */
const countedRevision = (description: string): ParameterDescription => ({
  description,
  schema: { type: 'integer', minimum: 0 },
})

const missing = ['rest-nonexistent-title', 'missingparam', 'badvalue'] as const
const invalid = ['rest-invalid-title', 'badbool'] as const
export const notWritten = [
  'rest-body-validation-error',
  'rest-extraneous-body-fields',
  'rest-json-body-parse-error',
  'rest-bad-content-model',
  'apierror-no-direct-editing',
  'apierror-invalidtitle',
  'apierror-pagecannotexist',
  'apierror-contenttoobig',
  'invalid-json-data',
  'rest-badtoken',
  'rest-cross-origin-anon-write',
  'rest-write-denied',
  'wiki-bot-denied',
  'apierror-permissiondenied',
  'protectedpagetext',
  'wiki-login-required',
  'wiki-unknown-token',
  'wiki-repository-busy',
  'wiki-locked',
  'wiki-work-limit',
  'wiki-taken-out',
  'wiki-uncommitted',
  'rest-request-body-expected',
  'rest-body-too-large',
  'rest-unsupported-content-type',
] as const

const edit = {
  source: text,
  comment: nullable(text),
  content_model: nullable(text),
  minor: flag,
  bot: flag,
  token: nullable(text),
}

export const pages = {
  creation: {
    name: 'createPage',
    summary: 'Create a page',
    tag: 'Pages',
    body: object({ ...edit, title: text }, ['content_model', 'minor', 'bot', 'token']),
    responses: { 201: jsonResponse('The new page', named('PageSource')) },
    errors: [...notWritten, 'apierror-articleexists'],
  },
  update: {
    name: 'updatePage',
    summary: 'Save a text as the next revision of a page, or as the first one of a new page',
    tag: 'Pages',
    parameters: { title },
    body: object(
      {
        ...edit,
        latest: nullable(object({ id: { type: 'integer' }, timestamp: text }, ['timestamp'])),
      },
      ['content_model', 'minor', 'bot', 'token', 'latest'],
    ),
    responses: {
      200: jsonResponse('The page as it is now', named('PageSource')),
      201: jsonResponse('The new page', named('PageSource')),
    },
    errors: [
      ...notWritten,
      'rest-update-cannot-create-page',
      'edit-conflict',
      'rest-nonexistent-revision',
      'rest-nonexistent-title-revision',
      'wiki-not-utf8',
      'apierror-missingtitle',
      'missingparam',
    ],
  },
  source: {
    name: 'readPageSource',
    summary: 'A page with its source',
    tag: 'Pages',
    parameters: { title, redirect },
    responses: { 200: jsonResponse('The page', named('PageSource')), ...redirects.title },
    errors: [...missing, ...invalid],
  },
  bare: {
    name: 'readPageBare',
    summary: 'A page without its source',
    tag: 'Pages',
    parameters: { title, redirect },
    responses: { 200: jsonResponse('The page', named('PageBare')), ...redirects.title },
    errors: [...missing, ...invalid],
  },
  withHtml: {
    name: 'readPageWithHtml',
    summary: 'A page with its HTML',
    tag: 'Pages',
    parameters: { title, redirect, flavor, stash },
    responses: { 200: jsonResponse('The page', named('PageWithHtml')), ...redirects.title, ...redirects.page },
    errors: [...missing, ...invalid],
  },
  html: {
    name: 'readPageHtml',
    summary: 'The HTML of a page',
    tag: 'Pages',
    parameters: { title, redirect, flavor, stash },
    responses: { 200: htmlResponse('A document'), ...redirects.title, ...redirects.page },
    errors: [...missing, ...invalid],
  },
  languages: {
    name: 'listPageLanguages',
    summary: 'Pages on the same topic in other languages',
    tag: 'Pages',
    parameters: { title },
    responses: { 200: jsonResponse('Pages by language code', listOf(named('PageLanguage'))), ...redirects.title },
    errors: missing,
  },
  media: {
    name: 'listPageFiles',
    summary: 'Files that a page shows',
    tag: 'Files',
    parameters: { title },
    responses: { 200: jsonResponse('Files by name', named('PageFiles')) },
    errors: [...missing, 'rest-media-too-many-links'],
  },
  lint: {
    name: 'lintPage',
    summary: 'Problems of the wikitext of a page',
    tag: 'Pages',
    parameters: { title, redirect },
    responses: {
      200: jsonResponse('Problems, with their positions', listOf(named('Lint'))),
      ...redirects.title,
      ...redirects.page,
    },
    errors: [...missing, ...invalid],
  },
  history: {
    name: 'readPageHistory',
    summary: 'Revisions of a page, newest first: the latest ones, or those around one',
    tag: 'History',
    parameters: {
      title,
      older_than: revision('Only revisions that are older than this one'),
      newer_than: revision('Only the nearest revisions that are newer than this one'),
      filter: { description: 'Only revisions of this kind', schema: { ...text, enum: historyFilters } },
    },
    responses: { 200: jsonResponse('At most 20 revisions', named('HistorySegment')), ...redirects.title },
    errors: [
      ...missing,
      'badinteger',
      'rest-pagehistory-incompatible-params',
      'rest-pagehistory-param-range-error',
      'rest-nonexistent-title-revision',
    ],
  },
  authorship: {
    name: 'readPageAuthorship',
    summary: 'The revision that introduced each word of a page; restored text keeps its original one',
    tag: 'History',
    parameters: { title },
    responses: {
      200: jsonResponse('Lines of the source, in parts by revision', named('Authorship')),
      ...redirects.title,
    },
    errors: [...missing, 'rest-permission-denied-revision', 'rest-resource-limit-exceeded'],
  },
  counts: {
    name: 'countPageHistory',
    summary: 'Number of edits of a kind, or of editors, of a page',
    tag: 'History',
    parameters: {
      title,
      type: {
        description: 'Kind of count. Deprecated: anonedits, botedits, revertededits',
        schema: { ...text, enum: [...countTypes, 'temporary', 'anonedits', 'botedits', 'revertededits'] },
      },
      from: countedRevision('Count only between this revision and the one in `to`: for edits and editors; 0 for all'),
      to: countedRevision('See `from`'),
    },
    responses: { 200: jsonResponse('The count, up to a limit', named('HistoryCount')), ...redirects.title },
    errors: [
      ...missing,
      'badinteger',
      'rest-pagehistorycount-parameters-invalid',
      'rest-nonexistent-revision',
      'rest-nonexistent-title-revision',
      'rest-pagehistorycount-too-many-revisions',
    ],
  },
} as const satisfies Readonly<Record<string, RouteDescription>>
