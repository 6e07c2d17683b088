/** Transforms wikitext on save: `subst:`, signatures, and links with a derived label. */

import type { Title } from '../../core/title.ts'
import type { Expanding } from '../expansion/expanding.ts'
import type { ExpanderOptions } from '../expansion/expansion.ts'
import { maxExpansionDepth } from '../expansion/limits.ts'
import { createSourceCache } from '../expansion/source-cache.ts'
import { dateFormats, wikiDate, zoneLabel } from '../functions/date-formats.ts'
import { write } from '../functions/time-format.ts'
import { preprocess } from '../preprocess/preprocess.ts'
import type { WikiSource } from '../wiki-source.ts'
import { expandingOf } from './expander.ts'
import { frameOf } from './frame.ts'
import { expandNodes } from './nodes.ts'
import { completeLinks } from './pipe-trick.ts'

export interface PreSaveOptions {
  readonly title: Title
  readonly wiki: WikiSource
  /** The user who saves. The signature of an anonymous user links to their contributions. */
  readonly user: { readonly name: string; readonly isAnonymous: boolean }
  /** Names of extension tags, lower case, whose content stays unchanged. */
  readonly tags: ReadonlySet<string>
  readonly now: Date
  /** IANA name of the time zone of signatures; UTC by default. */
  readonly timeZone?: string
  /** Replaces `~~~`; a link to the user unless given. */
  readonly signature?: string
  /** Origin of the wiki's addresses; "" unless given. */
  readonly server?: string
}

/**
 * Returns the text to store: `{{subst:...}}` is expanded, `~~~~` is signed, `[[Page (of some kind)|]]` is completed, and white
 * space at the end is removed. Everything else stays unchanged.
 *
 * Source: MediaWiki help pages on substitution, signatures and the pipe trick; Parser::preSaveTransform.
 */
export async function preSaveTransform(text: string, options: PreSaveOptions): Promise<string> {
  const standIn = unusedCharacter(text)
  const plain = text.replaceAll('\r\n', '\n').replaceAll(reserved, standIn)
  const sourceCache = createSourceCache(options.wiki)
  for (let round = 0; ; round++) {
    const context = expandingOf(savingOptions(options, sourceCache))
    const saved = transform(context, plain, options)
    if (!sourceCache.isIncomplete() || round > maxExpansionDepth) return saved.replaceAll(standIn, reserved)
    await sourceCache.fetch()
  }
}

/** The character reserved for the expansion. If the text contains it, it is preserved. */
const reserved = '\u007f'

/** A character without a meaning that does not occur in the text. */
function unusedCharacter(text: string): string {
  for (let code = 0xfdd0; code < 0xfdef; code++) {
    const character = String.fromCharCode(code)
    if (!text.includes(character)) return character
  }
  return '\ufdef'
}

function savingOptions(options: PreSaveOptions, sourceCache: ExpanderOptions['sourceCache']): ExpanderOptions {
  const { title, wiki, tags, now, server = '', timeZone } = options
  const { config } = wiki
  const fixed = { title, config, sourceCache, tags, now, server, page: null, purpose: 'save' as const }
  return timeZone === undefined ? fixed : { ...fixed, timeZone }
}

function transform(context: Expanding, text: string, options: PreSaveOptions): string {
  const frame = frameOf(text, options.title)
  const { nodes } = preprocess(frame.text, { tags: context.tags, inclusion: 'page', variants: context.variants })
  const expanded = expandNodes(context, nodes, frame)
  const completed = completeLinks(sign(expanded, context, options), options.title)
  return withoutEnd(context.markers.restore(completed).text)
}

/** Removes white space of ASCII and NUL at the end. Source: PHP, rtrim. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\n\r\0\v'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

function sign(text: string, { language, locale }: Expanding, options: PreSaveOptions): string {
  if (!text.includes('~~~')) return text
  const date = wikiDate(options.now, options.timeZone)
  const time = `${write(dateFormats(language).both, date, locale)} (${zoneLabel(date)})`
  const signature = options.signature ?? userLink(options.user)
  const meanings = new Map([
    ['~~~', signature],
    ['~~~~', `${signature} ${time}`],
    ['~~~~~', time],
  ])
  return text.replace(/~{3,5}/g, tildes => meanings.get(tildes)!)
}

function userLink({ name, isAnonymous }: PreSaveOptions['user']): string {
  if (isAnonymous) return `[[Special:Contributions/${name}|${name}]]`
  return `[[User:${name}|${name}]] ([[User talk:${name}|talk]])`
}
