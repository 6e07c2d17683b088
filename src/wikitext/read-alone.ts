/** Reads a piece of wikitext without a wiki, to find out how it would be read on a page. */

import { readAlone } from './convert.ts'
import { standardExtensions } from './extensions/standard.ts'
import { readTitle } from './links/target.ts'
import { memoryWiki } from './memory-wiki.ts'
import type { Site } from './site.ts'
import type { FragmentNode } from './tree/node.ts'

/** Returns a function that reads pieces of wikitext; templates and files are unknown to it. */
export function pieceReader(site: Site): (text: string) => FragmentNode {
  const fixed = { site, title: readTitle('Page', site)!, wiki: memoryWiki(), extensions: standardExtensions() }
  const now = new Date(0)
  return text => readAlone(text, { ...fixed, now, server: '', thumbnailWidth: 250, lints: false, page: null })
}
