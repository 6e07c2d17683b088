/** Converts HTML to wikitext. */

import { withLineEndsOf } from '../core/line-ends.ts'
import { parseRedirect } from '../core/redirect.ts'
import { parseTitle } from '../core/title.ts'
import { type SiteSettings, siteOf } from '../wikitext/site.ts'
import type { FragmentNode } from '../wikitext/tree/node.ts'
import type { WikiSource } from '../wikitext/wiki-source.ts'
import { compareTrees } from './compare.ts'
import { pageContext } from './context.ts'
import { valueTrial } from './elements/values.ts'
import { tidyForeign } from './foreign/tidy-foreign.ts'
import { type Layout, layoutOf } from './layout.ts'
import { markNeededTags } from './needed-tags.ts'
import { isElement, isTag, lastContent } from './node-queries.ts'
import { writeChildren } from './nodes.ts'
import { notesOf } from './notes.ts'
import { settleQuoteGuards } from './quote-guards.ts'
import { readTree } from './read-tree.ts'
import { restoreData } from './reader-html.ts'
import type { TemplateLayout } from './template-layout.ts'
import { moveRedirect, tidy } from './tidy.ts'
import { emptyGap, finish, type Writer } from './writer.ts'

export { calledTemplates, type TemplateLayout } from './template-layout.ts'

export interface HtmlToWikitextOptions {
  /** Site settings, for wikis that change the defaults. */
  readonly settings?: SiteSettings | undefined
  readonly title: string
  readonly wiki: Pick<WikiSource, 'config'> & {
    /** Preferred layouts of templates, by page key. `calledTemplates` lists the keys to look up. */
    readonly layouts?: ReadonlyMap<string, TemplateLayout> | undefined
  }
  /** True to set lists off by blank lines where there is no original. */
  readonly setsListsApart?: boolean | undefined
  /** The page before the edit: its source, and the edit HTML made from it. Unchanged parts keep their source. */
  readonly original?: { readonly source: string; readonly html: string } | undefined
}

/**
 * Returns true if a new page ends with lines that start with a space. Such a last line also gets a line break. Source:
 * Parsoid PreHandler.
 */
function endsWithLines(tree: FragmentNode, before: FragmentNode | null): boolean {
  const last = lastContent(tree)
  return before === null && last !== undefined && isElement(last, 'pre') && !isTag(last) && last.attributes.size === 0
}

/** Layout of new content in a page whose source is known. */
const pageLayout: Layout = { isPrinted: false, setsListsApart: true, hasSections: true }

/** Keeps a first list item that begins with the word of redirects from becoming one. */
function asNoRedirect(text: string, language: string): string {
  return parseRedirect(text, language) === null ? text : text.replace('#', '# ')
}

/** Converts HTML to wikitext. Accepts a document or the content of a body. Throws `rest-invalid-title`. */
export function htmlToWikitext(html: string, options: HtmlToWikitextOptions): string {
  const { title, wiki, settings, original, setsListsApart = false } = options
  const site = siteOf(wiki.config, settings)
  const page = parseTitle(title, site.rules)
  if (original !== undefined && original.html === html) return original.source
  const tree = readTree(html)
  const before = original === undefined ? null : readTree(original.html)
  if (before !== null) restoreData(tree, before)
  const isRedirect = html.includes('mw:PageProp/redirect') && moveRedirect(tree)
  tidyForeign(tree)
  tidy(tree, { isEdited: before !== null })
  markNeededTags(tree)
  if (before !== null) tidy(before)
  const writer: Writer = {
    site,
    title: page.text,
    original: original === undefined || before === null ? null : compareTrees(tree, before, original.source),
    layout: before === null ? layoutOf(tree, html, { setsListsApart }) : pageLayout,
    out: [],
    gap: emptyGap(),
    hasOutput: false,
    isLineStart: true,
    lineHead: '',
    isAddressOpen: false,
    isFirstLine: true,
    hasLink: false,
    openLink: '',
    tail: '',
    children: writeChildren,
    notes: notesOf(tree),
    noteUse: { open: new Set(), written: new Set(), left: 2_000_000 },
    layouts: wiki.layouts ?? new Map(),
    isRead: valueTrial(site),
    parse: readTree,
  }
  writer.children(writer, tree, pageContext)
  // The end of a page ends its last line.
  writer.gap.min = 0
  const content = settleQuoteGuards(finish(writer)) + (setsListsApart && endsWithLines(tree, before) ? '\n' : '')
  const text = isRedirect ? content : asNoRedirect(content, site.language)
  return original === undefined ? text : withLineEndsOf(original.source, text)
}
