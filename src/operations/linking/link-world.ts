/** A wiki's pages and files by name, as they are or as they will be, and what links lead to among them. */

import { parseTitle, possibleTitle, type Title } from '../../core/title.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import {
  dialectOf,
  gollumTitles,
  hasPageExtension,
  isGollumPage,
  linkNames,
  type Named,
  resolveLink,
} from '../../links/index.ts'
import { type LinkForm, type LinkRange, readTarget, type Site, siteOf, writtenTarget } from '../../wikitext/index.ts'

/** The page that holds a link. */
export interface Holder {
  readonly title: Title
  /** Path of its file from the root of the wiki. */
  readonly path: string
}

/** A link by its texts. */
export interface LinkText {
  readonly form: LinkForm
  /** Decoded, in Markdown. */
  readonly target: string
  readonly second?: string | undefined
}

/** The page or file that a link leads to. */
export interface Led {
  /** Key of the title. */
  readonly key: string
  /** True if the second part is the target. */
  readonly isSecond: boolean
  /** True if the target is a title, and false where it is a path or a name. */
  readonly isTitle: boolean
  /** True where other pages or files fit as well. */
  readonly isAmbiguous: boolean
}

export interface LinkWorld {
  /** True if `[[text|target]]` of Markdown has its text first. */
  readonly isTextFirst: boolean
  readonly titleOf: (key: string) => Title
  readonly named: (key: string) => Named | undefined
  /** Returns what a link on a page leads to; null if it leads to no page or file of this wiki. A link of wikitext may lead to a page that is missing. */
  readonly resolve: (link: LinkText, holder: Holder) => Led | null
  /** Reads a target of wikitext; null if it is none. */
  readonly read: (link: LinkText, holder: Holder) => ReturnType<typeof readTarget>
}

interface Known {
  readonly config: WikiConfig
  readonly site: Site
  readonly names: ReturnType<typeof linkNames>
  readonly isGollum: boolean
}

/** Builds the lookup of these pages and files. Time and memory grow with their number. */
export function linkWorld(entries: readonly Named[], config: WikiConfig): LinkWorld {
  const names = linkNames(entries)
  const isGollum = gollumTitles.some(title => isGollumPage(names.withKey(title)?.path ?? ''))
  const known: Known = { config, site: siteOf(config), names, isGollum }
  return {
    isTextFirst: dialectOf(config.links, { isGollum, isMarkdown: true }).textFirst,
    titleOf: key => parseTitle(key, known.site.rules),
    named: key => names.withKey(key),
    read: (link, holder) => readTarget(link.target, { form: link.form, site: known.site, page: holder.title }),
    resolve: (link, holder) =>
      link.form === 'path' || link.form === 'name'
        ? markdownLink(known, link, holder)
        : wikitextLink(known, link, holder),
  }
}

function markdownLink({ config, site, names, isGollum }: Known, link: LinkText, holder: Holder): Led | null {
  const { form, target, second } = link
  const written = { from: holder.title.key, target, syntax: form === 'path' ? 'path' : 'name', second } as const
  const found = resolveLink(written, {
    path: holder.path,
    dialect: dialectOf(config.links, { isGollum, isMarkdown: true }),
    names,
    keyOf: text => possibleTitle(text.replace(/^:/, ''), site.rules)?.key ?? null,
  })
  if (found === null || found.kind === 'missing') return null
  return { key: found.key, isSecond: found.isTextFirst, isTitle: false, isAmbiguous: found.rivals.length > 0 }
}

function wikitextLink({ config, site, names, isGollum }: Known, link: LinkText, holder: Holder): Led | null {
  const read = readTarget(link.target, { form: link.form, site, page: holder.title })
  if (read === null) return null
  const { key, text, namespace } = read.title
  const title = { key, isSecond: false, isTitle: true, isAmbiguous: false }
  if (link.form !== 'link' || namespace !== 0 || names.withKey(key) !== undefined) return title
  const dialect = dialectOf(config.links, { isGollum, isMarkdown: false })
  if (!dialect.names && !hasPageExtension(text)) return title
  const found = resolveLink(
    { from: holder.title.key, target: text, syntax: 'title' },
    {
      path: holder.path,
      dialect,
      names,
      keyOf: target => possibleTitle(target.replace(/^:/, ''), site.rules)?.key ?? null,
    },
  )
  if (found === null || found.kind === 'missing') return title
  return { key: found.key, isSecond: false, isTitle: false, isAmbiguous: found.rivals.length > 0 }
}

/** Returns the texts of a link of a page. */
export function linkText(text: string, range: LinkRange): LinkText {
  const { form, second } = range
  const target = writtenTarget(text, range)
  return { form, target, ...(second !== null && { second: text.slice(second.start, second.end) }) }
}
