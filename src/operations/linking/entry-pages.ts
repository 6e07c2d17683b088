/** Pages that readers find without a link. */

import type { WikiConfig } from '../../core/wiki-config.ts'

/** Returns true for the main page, and for the pages that Gollum shows around every page. */
export function isEntryPage(
  { mainPage }: Pick<WikiConfig, 'mainPage'>,
  { title, path }: { readonly title: string; readonly path: string },
): boolean {
  return title === mainPage || /(?:^|\/)(?:Home|README|index|_[^/]+)\.[^./]+$/i.test(path)
}
