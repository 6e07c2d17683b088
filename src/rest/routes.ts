/**
 * The routing table. Routes of MediaWiki follow its REST API reference,
 * https://www.mediawiki.org/wiki/API:REST_API/Reference.
 */

import { historyTag, linkTag, pageTag } from '../http/conditional.ts'
import { keeping } from '../http/response.ts'
import { changes } from './handlers/changes.ts'
import { fileDeletion, fileUpload } from './handlers/file-writes.ts'
import { fileBytes, fileMetadata, fileThumbnail, mediaLinks } from './handlers/files.ts'
import { type Handler, missingWhereInvalid } from './handlers/handler.ts'
import { pageHtml, pageWithHtml, redirectTag, revisionHtml, revisionWithHtml } from './handlers/html.ts'
import { wikitextOfHtml } from './handlers/html-transform.ts'
import { category, linksHere, linksOut, pageList } from './handlers/links.ts'
import { pageLint, revisionLint } from './handlers/lint.ts'
import { actionFeed, feed, files as listedFiles, pages as listedPages } from './handlers/lists.ts'
import { pageDeletion, pageMove, pageRestoration, pageUndo } from './handlers/page-actions.ts'
import { authorship, history, historyCount, languageLinks, pageBare, pageSource } from './handlers/pages.ts'
import { readingPage } from './handlers/reading.ts'
import { orRestbase } from './handlers/restbase.ts'
import { comparison, revisionBare, revisionSource, textComparison, textMerge } from './handlers/revisions.ts'
import { apiRoot, discovery, specification, specificationRoot } from './handlers/roots.ts'
import { pageSearch, searchDescription, titleSearch } from './handlers/search.ts'
import { sessionEnd, sessionStart, sessionState } from './handlers/session.ts'
import { styleSheet } from './handlers/style.ts'
import { htmlOfWikitext, lintOfWikitext, unknownTransform } from './handlers/transforms.ts'
import { pageCreation, pageUpdate } from './handlers/writes.ts'
import { actions } from './openapi/actions.ts'
import { changeLists } from './openapi/changes.ts'
import type { RouteDescription } from './openapi/describe.ts'
import { files } from './openapi/files.ts'
import { linkRoutes } from './openapi/links.ts'
import { lists } from './openapi/lists.ts'
import { pages } from './openapi/pages.ts'
import { revisions } from './openapi/revisions.ts'
import { search } from './openapi/search.ts'
import { roots, sessions } from './openapi/sessions.ts'
import {
  htmlToWikitext,
  otherTransform,
  type TransformPlace,
  wikitextToHtml,
  wikitextToLint,
} from './openapi/transforms.ts'
import type { Route, RouteTable } from './route.ts'

const unsaved = 'private,no-cache,s-maxage=0'
const saved = 'private,must-revalidate,s-maxage=0'

/** Routes of a transform: alone, for a title, and for a revision. */
function transforms(path: string, handler: Handler, describe: (place: TransformPlace) => RouteDescription): Route[] {
  const places = { '': path, ForPage: `${path}/{title}`, ForRevision: `${path}/{title}/{revision}` }
  return Object.entries(places).map(([place, path]) => {
    return { method: 'POST', path, handler, cache: unsaved, about: describe(place as TransformPlace) }
  })
}

/** Routes of MediaWiki's REST API reference, newer ones of MediaWiki, and additions. */
const apiRoutes: readonly Route[] = [
  { method: 'GET', path: '/search', handler: searchDescription, about: search.description },
  { method: 'GET', path: '/search/page', handler: pageSearch, about: search.pages },
  {
    method: 'GET',
    path: '/search/title',
    handler: titleSearch,
    about: search.titles,
  },
  { method: 'POST', path: '/page', handler: pageCreation, about: pages.creation, cache: saved, writes: 'edit' },
  {
    method: 'GET',
    path: '/page/{title}',
    handler: orRestbase(pageSource),
    about: pages.source,
    tag: (latest, store) => pageTag(store, latest),
  },
  {
    method: 'PUT',
    path: '/page/{title}',
    handler: pageUpdate,
    about: pages.update,
    cache: saved,
    writes: 'edit',
  },
  {
    method: 'DELETE',
    path: '/page/{title}',
    handler: pageDeletion,
    about: actions.deletion,
    cache: saved,
    writes: 'delete',
  },
  {
    method: 'POST',
    path: '/page/{title}/move',
    handler: pageMove,
    about: actions.move,
    cache: saved,
    writes: 'edit',
  },
  {
    method: 'POST',
    path: '/page/{title}/restore',
    handler: pageRestoration,
    about: actions.restoration,
    cache: saved,
    writes: 'delete',
  },
  {
    method: 'POST',
    path: '/page/{title}/undo',
    handler: pageUndo,
    about: actions.undo,
    cache: saved,
    writes: 'edit',
  },
  {
    method: 'GET',
    path: '/page/{title}/bare',
    handler: orRestbase(pageBare),
    about: pages.bare,
    tag: (latest, store) => pageTag(store, latest),
  },
  {
    method: 'GET',
    path: '/page/{title}/with_html',
    handler: pageWithHtml,
    about: pages.withHtml,
    ages: true,
    tag: redirectTag('with_html'),
  },
  {
    method: 'GET',
    path: '/page/{title}/html',
    handler: pageHtml,
    about: pages.html,
    ages: true,
    tag: redirectTag('html'),
  },
  {
    method: 'GET',
    path: '/page/{title}/links/language',
    handler: missingWhereInvalid(languageLinks),
    about: pages.languages,
    tag: linkTag,
  },
  { method: 'GET', path: '/page/{title}/links/media', handler: mediaLinks, about: pages.media },
  {
    method: 'GET',
    path: '/page/{title}/lint',
    handler: pageLint,
    about: pages.lint,
    tag: linkTag,
  },
  ...transforms('/transform/wikitext/to/html', htmlOfWikitext, wikitextToHtml),
  ...transforms('/transform/html/to/wikitext', wikitextOfHtml, htmlToWikitext),
  ...transforms('/transform/wikitext/to/lint', lintOfWikitext, wikitextToLint),
  ...transforms('/transform/{from}/to/{to}', unknownTransform, otherTransform),
  { method: 'GET', path: '/file/{title}', handler: fileMetadata, about: files.metadata },
  {
    method: 'PUT',
    path: '/file/{title}',
    handler: fileUpload,
    about: files.upload,
    cache: saved,
    writes: 'upload',
  },
  {
    method: 'DELETE',
    path: '/file/{title}',
    handler: fileDeletion,
    about: files.deletion,
    cache: saved,
    writes: 'delete',
  },
  {
    method: 'GET',
    path: '/page/{title}/history',
    handler: missingWhereInvalid(history),
    about: pages.history,
    tag: historyTag,
  },
  {
    method: 'GET',
    path: '/page/{title}/authorship',
    handler: missingWhereInvalid(authorship),
    about: pages.authorship,
    tag: historyTag,
  },
  {
    method: 'GET',
    path: '/page/{title}/history/counts/{type}',
    handler: missingWhereInvalid(historyCount),
    about: pages.counts,
    tag: historyTag,
  },
  { method: 'GET', path: '/pages', handler: listedPages, about: lists.pages },
  { method: 'GET', path: '/files', handler: listedFiles, about: lists.files },
  { method: 'GET', path: '/feed', handler: feed, about: lists.feed },
  { method: 'GET', path: '/changes', handler: changes, about: changeLists.changes },
  { method: 'GET', path: '/page/{title}/links/here', handler: linksHere, about: linkRoutes.here },
  { method: 'GET', path: '/page/{title}/links/out', handler: linksOut, about: linkRoutes.out },
  { method: 'GET', path: '/category/{name}', handler: category, about: linkRoutes.category },
  { method: 'GET', path: '/lists/{name}', handler: pageList, about: linkRoutes.list },
  {
    method: 'GET',
    path: '/revision/{id}/bare',
    handler: orRestbase(revisionBare),
    about: revisions.bare,
  },
  {
    method: 'GET',
    path: '/revision/{id}',
    handler: orRestbase(revisionSource),
    about: revisions.source,
  },
  {
    method: 'GET',
    path: '/revision/{id}/html',
    handler: revisionHtml,
    about: revisions.html,
    ages: true,
  },
  {
    method: 'GET',
    path: '/revision/{id}/with_html',
    handler: revisionWithHtml,
    about: revisions.withHtml,
    ages: true,
  },
  { method: 'GET', path: '/revision/{id}/lint', handler: revisionLint, about: revisions.lint },
  { method: 'GET', path: '/revision/{from}/compare/{to}', handler: comparison, about: revisions.comparison },
  { method: 'POST', path: '/merge', handler: textMerge, about: revisions.merge, cache: unsaved },
  { method: 'POST', path: '/compare', handler: textComparison, about: revisions.texts, cache: unsaved },
]

/** Additional routes: a cookie in place of a token. */
const sessionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/session',
    handler: sessionState,
    about: sessions.state,
    cache: keeping.never,
    session: true,
  },
  {
    method: 'POST',
    path: '/session',
    handler: sessionStart,
    about: sessions.start,
    cache: keeping.never,
    session: true,
  },
  { method: 'DELETE', path: '/session', handler: sessionEnd, about: sessions.end, cache: keeping.never, session: true },
]

/** Routes that describe the API. */
const specificationRoutes: readonly Route[] = [
  { method: 'GET', path: '/specs/v0/module/-', handler: specification, about: roots.specification },
  {
    method: 'GET',
    path: '/specs/v0/module/content/v1',
    handler: specification,
    about: { ...roots.specification, name: 'getContentSpecification' },
  },
  {
    method: 'GET',
    path: '/openapi.json',
    handler: specification,
    about: { ...roots.specification, name: 'getOpenApi' },
  },
  { method: 'GET', path: '/specs/v0/discovery', handler: discovery, about: roots.discovery },
]

/** Bytes of media files, beside the API. API responses link to them. */
const fileRoutes: readonly Route[] = [
  { method: 'GET', path: '/{name}', handler: fileBytes, about: files.bytes },
  { method: 'GET', path: '/thumb/{name}/{width}', handler: fileThumbnail, about: files.thumbnail },
]

/** URLs of browser pages, as descriptions of files contain them. */
const readingRoutes: readonly Route[] = [
  { method: 'GET', path: '/{title*}', handler: readingPage, about: files.reading },
]

/** Style sheets of pages. */
const styleRoutes: readonly Route[] = [{ method: 'GET', path: '/style.css', handler: styleSheet, about: roots.style }]

/** Feeds under their URLs in MediaWiki's action API. */
const actionRoutes: readonly Route[] = [
  { method: 'GET', path: '/api.php', handler: actionFeed, about: lists.actionFeed },
]

/** Entry points for clients that only know the server's name. */
const rootRoutes: readonly Route[] = [
  { method: 'GET', path: '', handler: apiRoot, about: roots.apiRoot },
  { method: 'GET', path: '/', handler: apiRoot, about: roots.apiRoot },
]

/** Redirects from the API's own URL to its description. Below MediaWiki's mounts these are 404, as recorded. */
const specificationRoots: readonly Route[] = ['', '/'].map(path => ({
  method: 'GET',
  path,
  handler: specificationRoot,
  about: roots.specificationRoot,
}))
const discoveryRoots: readonly Route[] = ['/specs', '/specs/'].map(path => ({
  method: 'GET',
  path,
  handler: specificationRoot,
  about: roots.discoveryRoot,
}))

/** Mount points of the API: our own, and those that MediaWiki's clients use, including the module's name. */
const apiMounts = [
  '/v1',
  '/rest.php/v1',
  '/w/rest.php/v1',
  '/content/v1',
  '/rest.php/content/v1',
  '/w/rest.php/content/v1',
] as const
const rootMounts = ['/rest.php', '/w/rest.php', ''] as const

/** All routes. */
export const routeTables: readonly RouteTable[] = [
  { mounts: apiMounts, routes: [...apiRoutes, ...sessionRoutes, ...specificationRoutes] },
  { mounts: ['/v1', '/content/v1'], routes: specificationRoots },
  { mounts: ['/files'], routes: fileRoutes },
  { mounts: ['/wiki'], routes: readingRoutes },
  { mounts: ['/w', ''], routes: actionRoutes },
  { mounts: [''], routes: styleRoutes },
  { mounts: rootMounts, routes: [...specificationRoutes, ...discoveryRoots, ...rootRoutes] },
]
