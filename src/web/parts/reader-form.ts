/** Rendering options for a text shown in a page. */

import type { ReaderForm } from '../../operations/show-page.ts'
import { pageAddress, pageBase, urlPrefix } from '../addresses.ts'
import type { WebRequest } from '../request.ts'

/**
 * Returns the options for a page; with `links`, sections have links to their sources. A link names the text that it was made
 * from, because in a later one its number may be that of another section.
 */
export function readerForm(
  { words }: WebRequest,
  links: { readonly key: string; readonly text: string | undefined } | null,
): ReaderForm {
  return {
    base: pageBase(),
    prefix: urlPrefix(),
    sections: links === null ? null : `${pageAddress(links.key, { action: 'edit', in: links.text })}&section=`,
    words: {
      edit: words.text('editSectionShort'),
      editSection: words.text('editSection', '$1'),
      table: words.text('tableNumber', '$1'),
      properties: words.text('pageProperties'),
    },
  }
}
