/** Marks links to missing pages, to redirects, and to the page itself. */

import type { Title } from '../../core/title.ts'
import type { ElementNode } from '../tree/node.ts'
import type { Step } from '../tree/walk.ts'
import { addType } from './types.ts'

/** Existence of the pages that `linkedTitles` lists. */
export interface KnownPages {
  readonly exists: (title: Title) => boolean
  readonly isRedirect: (title: Title) => boolean
}

/** Marks links. */
export function markLinks(steps: readonly Step[], page: Title, { exists, isRedirect }: KnownPages): void {
  for (const { element: link } of steps) {
    if (link.name !== 'a') continue
    const { link: title } = link.data
    if (title !== undefined && title.key === page.key) markSelf(link)
    else if (title !== undefined && !exists(title)) markRed(link, title.text)
    else if (title !== undefined && isRedirect(title)) addClass(link, 'mw-redirect')
  }
}

/** The target pages of a page's links. */
export function linkedTitles(steps: readonly Step[]): Title[] {
  const titles: Title[] = []
  for (const { element: link } of steps) if (link.data.link !== undefined) titles.push(link.data.link)
  return titles
}

function markSelf(link: ElementNode): void {
  link.attributes.delete('title')
  const hasFragment = link.attributes.get('href')!.includes('#')
  addClass(link, hasFragment ? 'mw-selflink-fragment' : 'mw-selflink selflink')
}

/** Marks a link to a missing page. */
export function markRed(link: ElementNode, title: string): void {
  const [path, fragment] = splitAt(link.attributes.get('href')!, '#')
  link.attributes.set('href', `${path}?action=edit&redlink=1${fragment}`)
  addClass(link, 'new')
  addType(link, 'mw:LocalizedAttrs')
  const message = `{"lang":"x-page","key":"red-link-title","params":[${JSON.stringify(title)}]}`
  link.attributes.set('data-mw-i18n', `{"title":${message}}`)
}

function splitAt(text: string, character: string): [before: string, rest: string] {
  const index = text.indexOf(character)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index)]
}

function addClass({ attributes }: ElementNode, name: string): void {
  const present = attributes.get('class')
  attributes.set('class', present ? `${present} ${name}` : name)
}
