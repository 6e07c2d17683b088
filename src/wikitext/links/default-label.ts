/** Derives the label of a link without one. */

import type { Title } from '../../core/title.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import type { Site } from '../site.ts'
import { decodePercent, hasSubpages, type LinkTarget } from './target.ts'

/**
 * Returns the label of `[[source]]`: the target as written, without a leading colon and, on a page that can have them, the signs
 * of subpages.
 */
export function shownTarget(source: string, target: LinkTarget, page: Title, site: Site): string {
  const text = decodeEntities(decodePercent(source)).replace(/^\s*:/, '')
  if (target.kind === 'foreign') return text.replace(/^([^:]*:):/, '$1')
  if (target.kind !== 'page' || target.isPlain || !hasSubpages(page, site)) return text
  return shownSubpage(text, target.title) ?? text
}

/** `/name/` becomes its name; `../` and other targets are returned in full. Null for other targets. */
function shownSubpage(text: string, title: Title): string | null {
  const own = /^\/(.*[^/])\/+$/s.exec(text)
  if (own !== null) return own[1]!
  const [ups, rest = ''] = /^(?:\.\.\/)+(.*)$|^\.\.$/s.exec(text.trim()) ?? []
  if (ups === undefined) return null
  return /[^/]\/+$/.test(rest) ? rest.replace(/\/+$/, '') : title.text
}
