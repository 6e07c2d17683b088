/** The rights of a page's reader, so that no control leads to a refusal. */

import { namespaceIds } from '../core/namespaces.ts'
import { possibleTitle, type Title } from '../core/title.ts'
import { defaultModel, modelOfTitle } from '../operations/editing/edit.ts'
import type { Wiki } from '../operations/wiki.ts'
import { specialAddress } from './addresses.ts'
import { html, type Markup } from './markup.ts'
import type { WebRequest } from './request.ts'

/** Returns true if the reader of this page may write, after signing in, the page or the media file with a key. */
export function canWrite(request: WebRequest, key: string): boolean {
  return request.options.readOnly !== true && (!isGuarded(request, key) || request.isOwner())
}

/** Returns true for a file that only an owner may change. A title without a page means the file that it had, or would get. */
export function isGuarded({ wiki: { store } }: WebRequest, key: string): boolean {
  const page = store.findPage(key)
  if (page !== undefined && page.namespace !== namespaceIds.file) return store.isGuarded(page.path)
  const past = page === undefined ? store.deletedPages(key).slice(0, 1) : [page]
  const found = [...past, store.findFile(key)].filter(one => one !== undefined)
  if (found.length > 0) return found.some(({ path }) => store.isGuarded(path))
  const title = possibleTitle(key, store.titles)
  return title !== null && title.namespace >= 0 && isGuardedNew(store, title)
}

/** To find the file of a new page takes a look at hundreds of others, which most titles do not need: their names are in no table. */
function isGuardedNew(store: Wiki['store'], title: Title): boolean {
  const { root } = store.config
  const name = `${root === '' ? '' : `${root}/`}${title.name}.md`
  const [neighbour] = store.pages()
  const maybe = modelOfTitle(title) !== 'wikitext' || store.isGuarded(name) || neighbour?.path.endsWith('.mdx') === true
  return maybe && store.isGuarded(store.newPath(title, defaultModel(title, store)))
}

/** Says why the reader may not write the page with a key. */
export function whyNot({ words, options }: WebRequest, key: string): Markup {
  if (options.readOnly === true) return words.say('readOnlyServer')
  const signIn = specialAddress('UserLogin', { returnto: key })
  return words.say('ownersFile', html`<code>editableFiles</code>`, html`<a href="${signIn}">${words.say('signIn')}</a>`)
}
