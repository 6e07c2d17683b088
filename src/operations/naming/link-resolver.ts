/** A wiki's pages and files by name, in its current or a future state, and the link resolution among them. */

import { parseTitle, possibleTitle, type Title } from '../../core/title.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import {
  type Dialect,
  type DialectSigns,
  dialectOf,
  gollumTitles,
  isGollumPage,
  spacesAreDashes,
} from '../../links/dialect.ts'
import type { LinkTarget, WrittenLink } from '../../links/link.ts'
import { isAddress, linkNames, type Named, wantedOf } from '../../links/names.ts'
import { type LinkPlace, resolveExactly, resolveLink } from '../../links/resolve.ts'
import { type LinkForm, type LinkRange, readTarget, type Site, siteOf, writtenTarget } from '../../wikitext/index.ts'

/** The page that contains a link. */
export interface LinkingPage {
  readonly title: Title
  /** Path of its file from the root of the wiki. */
  readonly path: string
}

/** The texts of a link. */
export interface LinkText {
  readonly form: LinkForm
  /** Decoded, in Markdown. */
  readonly target: string
  readonly second?: string | undefined
}

/** The page or file that a link leads to. */
export interface LinkDestination {
  /** Key of the title; for a file that is neither page nor media, a colon and its path. */
  readonly key: string
  /** True if the second part is the target. */
  readonly isSecond: boolean
  /** True if the target is a title; false for a path or a name. */
  readonly isTitle: boolean
  /** Text after `#`, as written; for a name, the id of the heading. */
  readonly fragment: string
  /** True if other pages or files match as well. */
  readonly isAmbiguous: boolean
}

/** Data that only some links need, because it is expensive. */
export interface Extras {
  /** All files that are neither pages nor media, with paths from the root of the wiki. */
  readonly others: readonly Named[]
  /** Aliases in front matter, by key. */
  readonly aliases: ReadonlyMap<string, readonly string[]>
}

export interface LinkResolver {
  /** True if `[[text|target]]` of Markdown starts with the text. */
  readonly isTextFirst: boolean
  /** Returns true if a space in a name may stand for a dash of the file's name. */
  readonly spacesAreDashes: () => boolean
  readonly titleOf: (key: string) => Title
  /** Returns true if a name without a folder fits other files than the one at the path as well: the program decides what is meant. */
  readonly isSharedName: (name: string, path: string) => boolean
  readonly named: (key: string) => Named | undefined
  /** Returns false for a wikitext target that can only be a title, so that names are not needed. */
  readonly mayBeName: (target: string) => boolean
  /** Returns false for a link that can only be a title. */
  readonly needsNames: (link: WrittenLink) => boolean
  /** Builds in steps what `exactly` needs for paths and names, or with `isWhole` what `target` and `resolve` need, too. */
  readonly prepare: (options: { readonly isWhole: boolean }) => Generator<void, void>
  /** Resolves a link that names its target exactly; null for any other. */
  readonly exactly: (link: WrittenLink, path: string) => LinkTarget | null
  /** Resolves a link of the page at this path from the root of the wiki; null if it leads nowhere. */
  readonly target: (link: WrittenLink, path: string) => LinkTarget | null
  /**
   * Returns the target of a link; null if it leads to no page or file of this wiki. A wikitext link may lead to a
   * missing page.
   */
  readonly resolve: (link: LinkText, linkingPage: LinkingPage) => LinkDestination | null
  /** Parses a wikitext target; null if it is invalid. */
  readonly read: (link: LinkText, linkingPage: LinkingPage) => ReturnType<typeof readTarget>
}

type Resolve = (link: WrittenLink, path: string) => LinkTarget | null

interface TargetRules {
  readonly site: Site
  readonly mayBeName: LinkResolver['mayBeName']
  readonly named: LinkResolver['named']
  readonly target: Resolve
}

/** Inputs of a look-up of names besides the pages and files. */
export interface ResolverRules {
  readonly config: WikiConfig
  readonly isVault: boolean
  /** If missing, the pages decide. */
  readonly isGollum?: boolean
}

/** Builds the look-up of these pages and files. Takes time and memory proportional to their number. */
export function linkResolver(
  entries: readonly Named[],
  { config, isVault, isGollum: isGollumWiki }: ResolverRules,
  extras: Extras | null = null,
): LinkResolver {
  let isDashed: boolean | null = null
  const spelling = { dashes: () => (isDashed ??= spacesAreDashes(config.links, signs(), pagePaths(entries))) }
  const names = linkNames(entries, spelling)
  const all = extras === null ? names : linkNames([...withAliases(entries, extras.aliases), ...extras.others], spelling)
  const isGollum = isGollumWiki ?? gollumTitles.some(title => isGollumPage(names.withKey(title)?.path ?? ''))
  const signs = (): DialectSigns => ({ isGollum, isVault })
  const site = siteOf(config)
  const dialects = {
    markdown: dialectOf(config.links, { ...signs(), isMarkdown: true }),
    wikitext: dialectOf(config.links, { ...signs(), isMarkdown: false }),
  }
  // In a MediaWiki-style wiki a red link is never a path, so no index is needed.
  const needsNames = ({ syntax, target }: WrittenLink) => syntax !== 'title' || mayBePath(target, dialects.wikitext)
  const resolveBy = resolversFor(dialects, site, needsNames)
  const exactly = resolveBy(resolveExactly, names)
  const anyhow = resolveBy(resolveLink, all)
  const named: LinkResolver['named'] = key => names.withKey(key) ?? all.withKey(key)
  const mayBeName = (target: string) => mayBePath(target, dialects.wikitext)
  const rules: TargetRules = {
    site,
    named,
    mayBeName,
    target: (link, path) => exactly(link, path) ?? anyhow(link, path),
  }
  return {
    isTextFirst: dialects.markdown.textFirst,
    spacesAreDashes: spelling.dashes,
    titleOf: key => parseTitle(key, site.rules),
    isSharedName: (name, path) => {
      const file = name.replace(/#.*/s, '')
      const isBare = !file.includes('/') && wantedOf(file).stem !== wantedOf(path).stem
      return isBare && all.alike(file).some(other => other.kind !== 'other' && other.path !== path)
    },
    named,
    mayBeName,
    needsNames,
    *prepare({ isWhole }) {
      yield* names.prepare({ isPathOnly: true })
      if (isWhole) yield* all.prepare()
    },
    exactly,
    target: rules.target,
    read: (link, linkingPage) => readTarget(link.target, { form: link.form, site, page: linkingPage.title }),
    resolve: (link, linkingPage) =>
      link.form === 'path' || link.form === 'name'
        ? markdownLink(rules, link, linkingPage)
        : wikitextLink(rules, link, linkingPage),
  }
}

function* pagePaths(entries: readonly Named[]): Iterable<string> {
  for (const { kind, path } of entries) if (kind === 'page') yield path.replace(/\.[^./]*$/, '')
}

/** Returns a function that applies a way of resolving links to the links of the wiki's dialects, among some names. */
function resolversFor(
  dialects: { readonly markdown: Dialect; readonly wikitext: Dialect },
  site: Site,
  needsNames: LinkResolver['needsNames'],
) {
  const keyOf = (target: string) => possibleTitle(target.replace(/^:/, ''), site.rules)?.key ?? null
  return (
    resolve: (link: WrittenLink, place: LinkPlace) => LinkTarget | null,
    names: ReturnType<typeof linkNames>,
  ): Resolve =>
    (link, path) => {
      if (!needsNames(link)) return null
      const dialect = link.syntax === 'title' ? dialects.wikitext : dialects.markdown
      return resolve(link, { path, dialect, names, keyOf })
    }
}

/** Returns false for a wikitext link that can only be a title. */
function mayBePath(target: string, dialect: Dialect): boolean {
  return dialect.names || (dialect.paths && /\.[a-z][a-z0-9]{0,9}(?:#|$)/i.test(target))
}

function withAliases(entries: readonly Named[], aliases: Extras['aliases']): readonly Named[] {
  if (aliases.size === 0) return entries
  return entries.map(entry => {
    const own = aliases.get(entry.key)
    return own === undefined ? entry : { ...entry, aliases: own }
  })
}

function markdownLink(
  { target: resolve }: TargetRules,
  link: LinkText,
  linkingPage: LinkingPage,
): LinkDestination | null {
  const { form, target, second } = link
  if (form === 'path' && isAddress(target)) return null
  const written = { from: linkingPage.title.key, target, syntax: form === 'path' ? 'path' : 'name', second } as const
  return destinationOf(resolve(written, linkingPage.path))
}

function destinationOf(found: LinkTarget | null): LinkDestination | null {
  if (found === null || found.kind === 'missing') return null
  const { key, isTextFirst: isSecond, fragment, rivals } = found
  return { key, isSecond, isTitle: false, fragment, isAmbiguous: rivals.length > 0 }
}

function wikitextLink(
  { site, named, mayBeName, target: resolve }: TargetRules,
  link: LinkText,
  linkingPage: LinkingPage,
): LinkDestination | null {
  const read = readTarget(link.target, { form: link.form, site, page: linkingPage.title })
  if (read === null) return null
  const { key, text, namespace } = read.title
  const hash = link.target.indexOf('#')
  const fragment = hash === -1 ? '' : link.target.slice(hash + 1)
  const title = { key, isSecond: false, isTitle: true, fragment, isAmbiguous: false }
  if (link.form !== 'link' || namespace !== 0 || !mayBeName(text) || named(key) !== undefined) return title
  const destination = destinationOf(
    resolve({ from: linkingPage.title.key, target: text, syntax: 'title' }, linkingPage.path),
  )
  return destination === null ? title : { ...destination, fragment }
}

/** Returns the texts of a link. */
export function linkText(text: string, range: LinkRange): LinkText {
  const { form, second } = range
  const target = writtenTarget(text, range)
  return { form, target, ...(second !== null && { second: writtenTarget(text, { ...range, ...second }) }) }
}
