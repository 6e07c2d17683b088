/** The form in which the engine writes a text that stands in a page of ours. */

import type { ReaderForm } from '../../operations/show-page.ts'
import { pageAddress, pageBase } from '../addresses.ts'
import type { WebRequest } from '../request.ts'

/** Returns the form for a page; `key` null leaves out the links to the sections' sources. */
export function readerForm({ words }: WebRequest, key: string | null): ReaderForm {
  return {
    base: pageBase,
    sections: key === null ? null : `${pageAddress(key, { action: 'edit' })}&section=`,
    words: {
      edit: words.text('editSectionShort'),
      editSection: words.text('editSection', '$1'),
      table: words.text('tableNumber', '$1'),
      properties: words.text('pageProperties'),
    },
  }
}
