/** Parses the target of a wikitext link as rendering does. */

import { namespaceIds } from '../../core/namespaces.ts'
import type { Title } from '../../core/title.ts'
import { readTitle, subpageTitle } from '../expansion/titles.ts'
import { shownTarget } from '../links/default-label.ts'
import { linkTarget } from '../links/target.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { protocolOf } from '../sanitize/urls.ts'
import type { Site } from '../site.ts'
import type { LinkForm, LinkRange } from './link-range.ts'

const templateNamespace = 10

/** The title of a target. */
export interface ReadTarget {
  readonly title: Title
  /** False for a file or a category: the link shows the file, or puts the page into the category. */
  readonly isShown: boolean
  /** Text of the link if it has none of its own. */
  readonly shown: string
}

/** Parses a target on a page; null for other wikis, special pages, places on the page, and invalid targets. */
export function readTarget(
  written: string,
  { form, site, page }: { readonly form: LinkForm; readonly site: Site; readonly page: Title },
): ReadTarget | null {
  if (form === 'link') return readLink(written, site, page)
  const isRelative = form === 'template' && /^\/|^\.\.\//.test(written)
  const relative = isRelative ? subpageTitle(written, page, site.rules) : undefined
  const title = relative ?? readTitle(written, site.rules, defaultNamespaces[form] ?? 0)
  return title === undefined || title.namespace < 0 ? null : { title, isShown: false, shown: '' }
}

const defaultNamespaces: Partial<Record<LinkForm, number>> = {
  template: templateNamespace,
  gallery: namespaceIds.file,
}

function readLink(written: string, site: Site, page: Title): ReadTarget | null {
  // `[[https://...]]` is an address in brackets.
  const target = protocolOf(written) === undefined ? linkTarget(written, site, page) : null
  if (target?.kind !== 'page' || target.title.namespace < 0) return null
  const { namespace } = target.title
  const isShown =
    target.isPlain || target.isMedia || (namespace !== namespaceIds.file && namespace !== categoryNamespace)
  return { title: target.title, isShown, shown: shownTarget(written, target, page, site) }
}

const categoryNamespace = 14

/** Returns a target in the form used for look-up; in Markdown and front matter, without escapes. */
export function writtenTarget(text: string, { form, start, end, enclosed }: LinkRange): string {
  const source = text.slice(start, end)
  if (enclosed === 'double') return source.replace(/\\(["\\/])/g, '$1')
  if (enclosed === 'single') return source.replaceAll("''", "'")
  if (form !== 'path') return source
  return decodeEntities(enclosed === 'quotes' ? source : source.replace(/\\([!-/:-@[-`{-~])/g, '$1'))
}
