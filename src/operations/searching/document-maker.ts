/** Pages as documents of the search index: their words, and their link targets under canonical titles. Loads the engine. */

import { namespaceIds } from '../../core/namespaces.ts'
import { possibleTitle } from '../../core/title.ts'
import type { SearchDocument } from '../../search/segment/document.ts'
import type { PageLink } from '../../search/text/page-text.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { maxSourceBytes } from '../resources/source.ts'
import { isCategory, linkTerm, templateTerm } from './link-terms.ts'
import { readPageWords } from './page-words.ts'
import { pictureWords } from './picture-words.ts'
import type { DocumentFrame } from './search-documents.ts'
import { linkReader } from './search-links.ts'

/** A page and its text. */
export interface PageSource {
  readonly page: PageEntry
  readonly text: string
}

/** Creates the maker of documents for one state of a wiki. */
export function documentMaker(store: Store): (frame: DocumentFrame, source: PageSource) => Promise<SearchDocument> {
  const { titles } = store
  const readLinks = linkReader(store)
  return async (frame, { page, text }) => {
    const { title: ownTitle, ...read } = await readPageWords(store, text.slice(0, maxSourceBytes), page.model)
    const joins = ({ target }: PageLink): boolean => isCategory(target, titles)
    return {
      ...frame,
      ...read,
      ownTitle,
      // A member does not count as a link: else a large category would outrank every page.
      ...(await readLinks(
        page,
        read.links.filter(link => !joins(link)),
      )),
      categories: [...new Set(read.links.filter(joins).map(({ target }) => linkTerm(target, titles)))],
      pictures: pictureWords(text),
      templateKeys: [
        ...new Set(read.templates.flatMap(name => possibleTitle(name, titles, namespaceIds.template)?.key ?? [])),
      ],
      templates: [...new Set(read.templates.map(name => templateTerm(name, titles)))],
    }
  }
}
