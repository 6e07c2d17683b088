/** The whole HTML document around a page's body. */

import { createHash } from 'node:crypto'
import type { Title } from '../core/title.ts'
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
  /** `data-parsoid` of the body, if it is wanted. */
  readonly bodyData?: string
}

/** Languages written from right to left. Source: MediaWiki's language data, `rtl`. */
const rightToLeft: ReadonlySet<string> = new Set(
  'aeb-arab ar arc arq ary arz azb bcc bgn bqi ckb dv fa glk ha-arab he kk-arab kk-cn khw ks ks-arab ku-arab lki lrc luz mzn nqo pnb ps sd sdh skr-arab ug ug-arab ur uz-arab yi'.split(
    ' ',
  ),
)

/** Returns the writing direction of a language. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(language.toLowerCase()) ? 'rtl' : 'ltr'
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

function bodyAttributes({ language, bodyData }: DocumentMetadata): string {
  const direction = directionOf(language)
  const classes = `mw-content-${direction} sitedir-${direction} ${direction} mw-body-content parsoid-body mediawiki mw-parser-output`
  return [
    attribute('id', 'mwAA'),
    attribute('lang', language),
    attribute('class', classes),
    attribute('dir', direction),
    attribute('data-mw-html-version', htmlVersion),
    bodyData === undefined ? '' : attribute('data-parsoid', bodyData),
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
