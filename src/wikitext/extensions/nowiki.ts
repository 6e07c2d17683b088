/** `<nowiki>`: text that is not read as wikitext. */

import { element } from '../tree/node.ts'
import type { Extension } from './extension.ts'
import { plainText } from './plain-text.ts'

/** The extension of `<nowiki>`. Source: MediaWiki DOM specification 2.8.0, Nowiki blocks. */
export const nowiki: Extension = {
  tags: ['nowiki'],
  render({ body, bodyOffset, range }) {
    const node = element('span', [['typeof', 'mw:Nowiki']], plainText(body ?? '', bodyOffset))
    node.data.range = range
    return [node]
  },
}
