/**
 * Special pages and actions that only redirect, for existing links and bookmarks. Source: MediaWiki's special pages of
 * these names.
 */

import { WikiError } from '../../../core/errors.ts'
import { namespaceIds } from '../../../core/namespaces.ts'
import { findNamespace, parseTitle } from '../../../core/title.ts'
import { findSession } from '../../../http/access.ts'
import { revisionObject } from '../../../operations/read-revision.ts'
import { parseWrittenTitle, writtenTitle } from '../../../operations/resources/find-page.ts'
import { mainPageTitle } from '../../../operations/resources/main-page.ts'
import { integerParam } from '../../../operations/resources/params.ts'
import { fileRoute } from '../../../operations/resources/routes.ts'
import { anchorPart, apiBase, pageAddress, specialAddress } from '../../addresses.ts'
import { redirectReply, type WebHandler, type WebReply, type WebRequest } from '../../request.ts'

function lead(address: string): WebReply {
  return redirectReply(302, address)
}

/** `Special:PageHistory/T` and similar ones redirect to an action of the page. */
export function redirectToAction(action: string | undefined): WebHandler {
  return async ({ title }) => lead(pageAddress(title, { action }))
}

/** `?action=delete` redirects to the special page with the same form. */
export function redirectToSpecial(name: string): WebHandler {
  return async ({ title }) => lead(specialAddress(`${name}/${title}`))
}

/** `Special:PermanentLink/5` redirects to the revision. Errors: badinteger, rest-nonexistent-revision. */
export async function permanentLink({ wiki, title }: WebRequest): Promise<WebReply> {
  return lead(revisionAddress(wiki, title))
}

function revisionAddress({ store }: WebRequest['wiki'], text: string): string {
  const id = integerParam('oldid', text)
  const entry = store.revision(id, { deleted: true })
  if (entry === undefined) throw new WikiError('rest-nonexistent-revision', { params: [id] })
  return pageAddress(revisionObject(store, entry).page.key, { oldid: id })
}

/** `Special:FilePath/Tide.svg` redirects to the file's bytes. Errors: rest-nonexistent-title, rest-invalid-title. */
export async function filePath({ wiki, title }: WebRequest): Promise<WebReply> {
  const prefix = wiki.store.titles.namespaces.get(namespaceIds.file)?.name ?? 'File'
  const { key, namespace } = parseTitle(title, wiki.store.titles)
  const asked = namespace === namespaceIds.file ? key : parseTitle(`${prefix}:${title}`, wiki.store.titles).key
  if (wiki.store.findFile(asked) === undefined) throw new WikiError('rest-nonexistent-title', { params: [asked] })
  return lead(fileRoute(apiBase(), asked.slice(asked.indexOf(':') + 1)))
}

/** `Special:Categories` redirects to the list of category pages. */
export async function categories(): Promise<WebReply> {
  return lead(specialAddress('AllPages', { ns: namespaceIds.category }))
}

/** `Special:MyContributions` redirects to the edits of the signed-in user. */
export async function myContributions({ access, event }: WebRequest): Promise<WebReply> {
  const session = findSession(access, event.req.headers)
  const address =
    session === null
      ? specialAddress('UserLogin', { returnto: 'Special:MyContributions' })
      : specialAddress('Contributions', { user: session.user.name })
  return redirectReply(302, address)
}

/** `Special:Redirect/revision/5`, `page/3`, `file/Tide.svg`, `user/Ada`. Errors: rest-no-match, badinteger, rest-nonexistent-revision. */
export async function redirectPage(request: WebRequest): Promise<WebReply> {
  const { wiki, title } = request
  const [kind = '', ...rest] = title.split('/')
  const value = rest.join('/')
  if (kind === 'revision') return lead(revisionAddress(wiki, value))
  if (kind === 'file') return filePath({ ...request, title: value })
  if (kind === 'user' && value !== '') return lead(specialAddress('Contributions', { user: value }))
  const page = kind === 'page' ? wiki.store.pageById(integerParam('page', value)) : undefined
  if (page === undefined) throw new WikiError('rest-no-match', { params: [`Special:Redirect/${title}`.slice(0, 200)] })
  return lead(pageAddress(page.key))
}

/** `/index.php?title=T&action=history`, `?curid=3`, `?oldid=5`, `?search=x`. Source: MediaWiki's `index.php`, which bookmarks and other wikis name. */
export function indexAddress({ wiki, title, search, query }: WebRequest): WebReply {
  const { store } = wiki
  const others = Object.fromEntries([...new URLSearchParams(search)].filter(([name]) => !ofIndex.has(name)))
  const page = numbered(query('curid'), id => store.pageById(id))
  if (page !== undefined) return redirectReply(301, pageAddress(page.key, others))
  if (title !== '') return redirectReply(301, pageAddress(title, others))
  if (query('search') !== undefined) return redirectReply(301, specialAddress('Search', others))
  const revision = numbered(query('oldid') ?? query('diff'), id => store.revision(id, { deleted: true }))
  if (revision !== undefined) return redirectReply(301, pageAddress(revisionObject(store, revision).page.key, others))
  return redirectReply(307, pageAddress(mainPageTitle(store)))
}

const ofIndex: ReadonlySet<string> = new Set(['title', 'curid'])

function numbered<Found>(text: string | undefined, find: (id: number) => Found): Found | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? find(Number(text)) : undefined
}

/**
 * Returns the URL of a section whose number sign was encoded; null for a title without one. Errors: apierror-invalidtitle if there is no
 * such page, because no title can have the sign.
 */
export function sectionAddress({ wiki: { store }, title, search }: WebRequest): string | null {
  const hash = title.indexOf('#')
  if (hash === -1 || findNamespace(title.split(':', 1)[0] ?? '', store.titles) === namespaceIds.special) return null
  const name = title.slice(0, hash)
  const page = name.trim() === '' ? undefined : store.findPage(writtenTitle(store, name).key)
  if (page === undefined) return parseWrittenTitle(title, store.titles).key
  return `${pageAddress(page.key)}${search}${anchorPart(title.slice(hash + 1))}`
}
