/** The rights of a page's reader, so that no control leads to a refusal. */

import { possibleTitle } from '../core/title.ts'
import { defaultModel } from '../operations/editing/edit.ts'
import { specialAddress } from './addresses.ts'
import { html, type Markup } from './markup.ts'
import type { WebRequest } from './request.ts'

/** Returns true if the reader of this page may write, after signing in, the page or the media file with a key. */
export function canWrite(request: WebRequest, key: string): boolean {
  return request.options.readOnly !== true && (!isGuarded(request, key) || request.isOwner())
}

/** Returns true for a file that only an owner may change. A title without a page means the file that it had, or would get. */
export function isGuarded({ wiki: { store } }: WebRequest, key: string): boolean {
  const found = [store.findPage(key), store.findFile(key)].filter(one => one !== undefined)
  const [past] = found.length > 0 ? found : store.deletedPages(key)
  if (past !== undefined) return [...found, past].some(({ path }) => store.isGuarded(path))
  const title = possibleTitle(key, store.titles)
  return title !== null && title.namespace >= 0 && store.isGuarded(store.newPath(title, defaultModel(title, store)))
}

/** Says why the reader may not write the page with a key. */
export function whyNot({ words, options }: WebRequest, key: string): Markup {
  if (options.readOnly === true) return words.say('readOnlyServer')
  const signIn = specialAddress('UserLogin', { returnto: key })
  return words.say('ownersFile', html`<code>editableFiles</code>`, html`<a href="${signIn}">${words.say('signIn')}</a>`)
}
