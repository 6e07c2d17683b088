/** Errors of Cite: their keys and their HTML. */

import { type ElementNode, element } from '../../tree/node.ts'

/** An error: MediaWiki's message key and its parameters. */
export interface CiteError {
  readonly key: `cite_error_${string}`
  readonly params?: readonly string[]
}

/** Makes the element of an error; messages.ts fills in its text. */
export function errorNode(error: CiteError): ElementNode {
  const text = { key: error.key, params: error.params ?? [] }
  const message = { '/': { lang: 'x-user', key: 'cite_error', params: [{ text }] } }
  return element('span', [
    ['class', 'error mw-ext-cite-error'],
    ['typeof', 'mw:I18n'],
    ['data-mw-i18n', JSON.stringify(message)],
  ])
}

/** Records errors in an element's `data-mw` and marks it. */
export function noteErrors(node: ElementNode, errors: readonly CiteError[]): void {
  if (errors.length === 0) return
  const { errors: noted, ...mw } = node.data.mw ?? {}
  node.data.mw = { ...mw, errors: [...((noted as CiteError[] | undefined) ?? []), ...errors] }
  const type = node.attributes.get('typeof') ?? ''
  if (!type.split(' ').includes('mw:Error')) node.attributes.set('typeof', `${type} mw:Error`.trim())
}

/** Keeps the first of equal errors. */
export function distinctErrors(errors: readonly CiteError[]): CiteError[] {
  return [...new Map(errors.map(error => [JSON.stringify([error.key, error.params]), error])).values()]
}
