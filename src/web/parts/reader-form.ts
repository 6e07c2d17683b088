/** Rendering options for a text shown in a page. */

import type { ReaderForm } from '../../operations/show-page.ts'
import { pageAddress, pageBase } from '../addresses.ts'
import type { WebRequest } from '../request.ts'

/** Returns the options for a page. With `key` null, sections have no edit links. */
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
