/** Targets of a page's links as terms of the search index, resolved like everywhere else. */

import { findNamespace, parseTitle, type TitleRules } from '../../core/title.ts'
import type { WrittenLink } from '../../links/link.ts'
import { decodePath, hasPictureExtension } from '../../links/names.ts'
import { titleOfPath } from '../../links/resolve.ts'
import type { PageLink } from '../../search/text/page-text.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { linkTargets, titlesOnly } from '../naming/wiki-names.ts'
import { linkTerm, pageNames } from './link-terms.ts'

/** Targets of links, folded. */
export interface LinkTerms {
  /** Titles of the targets; of a missing one, its name as a title. */
  readonly links: readonly string[]
  /** Names by which links find their targets. A page that gets or loses one changes where they lead. */
  readonly linkNames: readonly string[]
}

/** Creates the reader of links for one state of a wiki. Most links of wikitext can only be titles, and need no look-up. */
export function linkReader(store: Store): (page: PageEntry, links: readonly PageLink[]) => Promise<LinkTerms> {
  const { mayBeName } = titlesOnly(store)
  const { titles } = store
  return async (page, links) => {
    const isNamed = ({ syntax, target }: PageLink) => syntax !== 'title' || mayBeName(target)
    const named = links.filter(link => isNamed(link) && !hasNamespace(link, titles))
    const found = await linkTargets(
      store,
      named.map((link): WrittenLink => ({ ...link, from: page.key })),
    )
    const targets = new Map(named.map((link, at) => [link, found[at]]))
    const termOf = (link: PageLink): string => {
      const target = targets.get(link)
      const key = target == null || target.kind === 'missing' ? null : target.key
      return linkTerm(key === null ? missingTitle(link, target != null) : titleOf(key, titles), titles)
    }
    return {
      links: [...new Set(links.map(termOf))].filter(term => term !== ''),
      linkNames: [...new Set(named.flatMap(namesOf))],
    }
  }
}

/** A file without a title has a key that starts with a colon. */
function titleOf(key: string, titles: TitleRules): string {
  return key.startsWith(':') ? key : parseTitle(key, titles).text
}

function hasNamespace({ target, syntax }: PageLink, titles: TitleRules): boolean {
  const colon = target.indexOf(':')
  return syntax !== 'path' && colon >= 0 && (colon === 0 || findNamespace(target.slice(0, colon), titles) !== undefined)
}

function missingTitle({ target, second, syntax }: PageLink, isSecond: boolean): string {
  if (syntax === 'title') return target
  const path = decodePath(isSecond && second !== undefined ? second : target)
  if (hasPictureExtension(path)) return `File:${path.slice(path.lastIndexOf('/') + 1)}`
  return titleOfPath(path, syntax)
}

/** Lists the names by which a link may find its target: the last part of its path, or that of the folder. */
function namesOf({ target, second }: PageLink): string[] {
  return [target, ...(second === undefined ? [] : [second])].flatMap(part => pageNames(decodePath(part)))
}
