/** Maps titles of a dump to titles of the wiki: namespaces are matched by number, because their names may differ. */

import { type ContentModel, isContentModel } from '../../core/content-models.ts'
import { isWikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseTitle, type Title, type TitleRules } from '../../core/title.ts'
import type { DumpPage, DumpSite } from '../../dump/dump.ts'
import { modelOfTitle } from '../editing/edit.ts'

/** A title, or the reason why there is none. */
export type ImportedTitle =
  | { readonly title: Title; readonly reason?: undefined }
  | {
      readonly title: null
      readonly reason: string /** Name of a namespace that the wiki lacks. */
      readonly namespace?: string
    }

/** Reads the title of a dump's page under the wiki's rules. */
export function titleOfPage(page: DumpPage, site: DumpSite | null, rules: TitleRules): ImportedTitle {
  const { namespace, name } = splitTitle(page, site)
  const own = rules.namespaces.get(namespace)
  if (own === undefined || namespace < 0) {
    const missing = site?.namespaces.find(({ id }) => id === namespace)?.name || `number ${namespace}`
    return { title: null, reason: `the wiki has no namespace ${missing}`, namespace: missing }
  }
  try {
    const title = parseTitle(own.name === '' ? name : `${own.name}:${name}`, rules)
    if (title.fragment !== '') return { title: null, reason: 'it has a number sign' }
    if (title.namespace === namespace) return { title }
    return { title: null, reason: 'its beginning is the name of a namespace here' }
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    return { title: null, reason: error.message.slice(error.message.lastIndexOf(': ') + 2) }
  }
}

/** Strips the namespace; old dumps identify it by name alone. */
function splitTitle({ title, namespace }: DumpPage, site: DumpSite | null): { namespace: number; name: string } {
  const colon = title.indexOf(':')
  const prefix = title.slice(0, Math.max(0, colon))
  if (namespace === null) {
    const named = colon > 0 ? site?.namespaces.find(({ name }) => name === prefix) : undefined
    return named === undefined ? { namespace: 0, name: title } : { namespace: named.id, name: title.slice(colon + 1) }
  }
  return { namespace, name: namespace === namespaceIds.main ? title : title.slice(colon + 1) }
}

/** Content models of MediaWiki extensions whose texts belong to one of ours. */
const modelsByName: readonly [name: RegExp, model: ContentModel][] = [
  [/css/i, 'css'],
  [/javascript/i, 'javascript'],
  [/json|wikibase|schema|gadgetdefinition|massmessage/i, 'json'],
  [/wikitext|^proofread/i, 'wikitext'],
]

/** Returns the content model of a text; for an unknown model of the dump, the nearest. */
export function modelOfText(name: string | null, title: Title): ContentModel {
  if (name === null) return modelOfTitle(title)
  if (isContentModel(name)) return name
  return modelsByName.find(([pattern]) => pattern.test(name))?.[1] ?? 'text'
}
