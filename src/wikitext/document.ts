/** The whole HTML document around a page's body. */

import { createHash } from 'node:crypto'
import type { Title } from '../core/title.ts'
import { directionOf } from './expansion/languages.ts'
import { escapeTitle } from './sanitize/urls.ts'

/** The version of the specification that the HTML follows. */
const htmlVersion = '2.8.0'

/** Metadata of a page in its HTML document. */
export interface DocumentMetadata {
  readonly title: Title
  /** Source of the revision; its SHA-1 is written. */
  readonly source: string
  /** Language code of the content. */
  readonly language: string
  /** Null for a text that is not a revision of a page. */
  readonly page: {
    readonly id: number
    readonly revision: number
    readonly timestamp: string
    /** True for a text other than the revision's: the document does not name the revision. */
    readonly isUnsaved?: boolean
  } | null
  /** Id of the revision before; absent for the first one. */
  readonly previous?: number
  readonly isMainPage: boolean
  /** `http://host:port`; '' for addresses that begin with a slash. */
  readonly server: string
  /** Addresses of the server's style sheets. */
  readonly stylesheets?: readonly string[]
}

/**
 * Writes the document around the HTML of a body's children.
 * Source: MediaWiki DOM specification 2.8.0, Page.
 */
export function writeDocument(body: string, metadata: DocumentMetadata): string {
  const { page, server } = metadata
  const redirect = `${server}/wiki/Special:Redirect/`
  const about = page === null || page.isUnsaved ? '' : attribute('about', `${redirect}revision/${page.revision}`)
  const prefix = 'dc: http://purl.org/dc/terms/ mw: http://mediawiki.org/rdf/'
  return (
    `<!DOCTYPE html>\n<html${attribute('prefix', prefix)}${about}>` +
    `<head${attribute('prefix', `mwr: ${redirect}`)}>${headOf(metadata)}</head>` +
    `<body${bodyAttributes(metadata)}>${body}</body></html>`
  )
}

/** Maximum length of the part of a document before its content, UTF-16 units. */
const headLength = 16_384

/** Reads the scheme and host of a document's URLs from its revision; '' if it names neither. */
export function serverOfDocument(html: string): string {
  const about = /<html\b[^<>]*\sabout="(https?:\/\/[\w.:[\]-]{1,253})\/wiki\/Special:Redirect\/revision\//
  return about.exec(html.slice(0, headLength))?.[1] ?? ''
}

/** Reads the revision, and the SHA-1 of its source, that a document for editors names; null for any other HTML. */
export function namedRevision(html: string): { readonly id: number; readonly sha1: string } | null {
  const head = html.slice(0, headLength)
  const id = /<html\b[^<>]*\sabout="[^"<>]*\/revision\/([1-9]\d{0,14})"/.exec(head)?.[1]
  const sha1 = /<meta property="mw:revisionSHA1" content="([\da-f]{40})"/.exec(head)?.[1]
  const isForEditors = html.includes(' data-parsoid=')
  return id === undefined || sha1 === undefined || !isForEditors ? null : { id: Number(id), sha1 }
}

function headOf(metadata: DocumentMetadata): string {
  const { page, previous, server, title } = metadata
  const wiki = `${server}/wiki/`
  return [
    '<meta charset="utf-8"/>',
    property('mw:pageId', `${page?.id ?? 0}`),
    property('mw:pageNamespace', `${title.namespace}`),
    previous === undefined ? '' : `<link rel="dc:replaces"${attribute('resource', `mwr:revision/${previous}`)}/>`,
    property('mw:revisionSHA1', createHash('sha1').update(metadata.source).digest('hex')),
    page === null || page.isUnsaved ? '' : property('dc:modified', new Date(page.timestamp).toISOString()),
    metadata.isMainPage ? property('isMainPage', 'true') : '',
    property('mw:htmlVersion', htmlVersion),
    property('mw:html:version', htmlVersion),
    `<link rel="dc:isVersionOf"${attribute('href', wiki + escapeTitle(title.key))}/>`,
    `<base${attribute('href', wiki)}/>`,
    `<title>${escapeText(title.text)}</title>`,
    ...(metadata.stylesheets ?? []).map(href => `<link rel="stylesheet"${attribute('href', href)}/>`),
    `<meta http-equiv="content-language"${attribute('content', metadata.language)}/>`,
    '<meta http-equiv="vary" content="Accept"/>',
  ].join('')
}

function bodyAttributes({ language }: DocumentMetadata): string {
  const direction = directionOf(language)
  const classes = `mw-content-${direction} sitedir-${direction} ${direction} mw-body-content parsoid-body mediawiki mw-parser-output`
  return [
    attribute('id', 'mwAA'),
    attribute('lang', language),
    attribute('class', classes),
    attribute('dir', direction),
    attribute('data-mw-html-version', htmlVersion),
  ].join('')
}

function property(name: string, content: string): string {
  return `<meta${attribute('property', name)}${attribute('content', content)}/>`
}

function attribute(name: string, value: string): string {
  return ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
