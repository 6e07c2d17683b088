/**
 * Functions that set a page's properties or read those of other pages. Source: MediaWiki help page on magic words, Page
 * data.
 */

import { withLineFeeds } from '../../core/line-ends.ts'
import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import { readTitle } from '../expansion/titles.ts'
import { formatNumber } from './number-format.ts'
import { namedTitle } from './page-words.ts'
import { padded, timestampDigits, type ZonedDate, zonedDate } from './zoned-date.ts'

/** Metadata of a revision that magic words read. */
interface RevisionMetadata {
  readonly revision: number
  readonly timestamp: string
  readonly user: string
}

function revisionMetadata(call: FunctionCall): RevisionMetadata | undefined {
  const { context } = call
  const title = namedTitle(call)
  if (title === undefined) return undefined
  if (title.key === context.title.key) return context.page ?? undefined
  const page = title.namespace < 0 ? null : context.sourceCache.page(title)
  return page ?? undefined
}

function revisionWord(write: (metadata: RevisionMetadata) => string): (call: FunctionCall) => string {
  return call => {
    const metadata = revisionMetadata(call)
    return metadata === undefined ? '' : write(metadata)
  }
}

const revisionDate = (write: (date: ZonedDate) => string) =>
  revisionWord(({ timestamp }) => write(zonedDate(Date.parse(timestamp))))

/** A name from git may hold any characters, and none of them is markup. Source: MediaWiki's `wfEscapeWikiText`. */
function plainText(name: string): string {
  return withLineFeeds(name).replace(
    /[<>[\]{|}\r\n]|&(?=[#\w])|'(?=')|_(?=_)|~(?=~)|:(?=\/\/)|^[*#:;= ]/g,
    sign => `&#${sign.charCodeAt(0)};`,
  )
}

/** Words in capitals that may have a title as their argument. */
export const revisionTable: FunctionTable = {
  REVISIONID: revisionWord(({ revision }) => String(revision)),
  REVISIONDAY: revisionDate(date => String(date.day)),
  REVISIONDAY2: revisionDate(date => padded(date.day, 2)),
  REVISIONMONTH: revisionDate(date => padded(date.month, 2)),
  REVISIONMONTH1: revisionDate(date => String(date.month)),
  REVISIONYEAR: revisionDate(date => String(date.year)),
  REVISIONTIMESTAMP: revisionDate(timestampDigits),
  REVISIONUSER: revisionWord(({ user }) => plainText(user)),
  REVISIONSIZE: ({ context }) => (context.ownText === null ? '' : String(Buffer.byteLength(context.ownText))),
  PAGEID: pageId,
}

function pageId(call: FunctionCall): string {
  const { context } = call
  const title = namedTitle(call)
  if (title === undefined || title.namespace < 0) return title === undefined ? '' : '0'
  if (title.key === context.title.key) return String(context.page?.id ?? '')
  const page = context.sourceCache.page(title)
  return String(page?.id ?? 0)
}

function pageSize(call: FunctionCall): string {
  const { context } = call
  const title = readTitle(call.text(0), context.rules)
  if (title === undefined || title.namespace < 0) return '0'
  const size = String(Buffer.byteLength(textOf(call, title) ?? ''))
  return call.text(1).toUpperCase() === 'R' ? size : formatNumber(size, context.locale)
}

function textOf({ context }: FunctionCall, title: NonNullable<ReturnType<typeof readTitle>>): string | null {
  if (title.key === context.title.key && context.ownText !== null) return context.ownText
  const page = context.sourceCache.page(title)
  return page?.text ?? null
}

function displayTitle(call: FunctionCall): string {
  call.context.properties.displayTitle = call.text(0)
  return ''
}

function defaultSort(call: FunctionCall): string {
  const { properties } = call.context
  const isFixed = ['noreplace'].includes(call.text(1)) && properties.defaultSort !== null
  if (call.text(0) !== '' && !isFixed) properties.defaultSort = call.text(0)
  return ''
}

/** Functions whose names are in capitals. */
export const propertyTable: FunctionTable = {
  DISPLAYTITLE: displayTitle,
  DEFAULTSORT: defaultSort,
  DEFAULTSORTKEY: defaultSort,
  DEFAULTCATEGORYSORT: defaultSort,
  PAGESIZE: pageSize,
  PAGESINCATEGORY: () => '0',
  PAGESINCAT: () => '0',
  PAGESINNAMESPACE: () => '0',
  PAGESINNS: () => '0',
  NUMBERINGROUP: () => '0',
  NUMINGROUP: () => '0',
  PROTECTIONLEVEL: () => '',
  PROTECTIONEXPIRY: () => 'infinity',
  CASCADINGSOURCES: () => '',
}

const modelNames: Readonly<Record<string, string>> = {
  wikitext: 'wikitext',
  css: 'CSS',
  javascript: 'JavaScript',
  json: 'JSON',
  text: 'plain text',
  markdown: 'Markdown',
}

function contentModel(call: FunctionCall): string {
  const { context } = call
  const title = call.text(1) === '' ? context.title : readTitle(call.text(1), context.rules)
  const extension = /\.(css|js|json)$/.exec(title?.key ?? '')?.[1]
  const page = title === undefined || title.namespace < 0 ? null : context.sourceCache.page(title)
  const model = page?.model ?? (extension === 'js' ? 'javascript' : (extension ?? 'wikitext'))
  return call.text(0) === 'canonical' ? model : modelNames[model]!
}

/** Functions whose names begin with `#`. */
export const hashPageTable: FunctionTable = { contentmodel: contentModel }
