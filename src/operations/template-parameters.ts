/** Lists the parameters of a template, for editors: from its TemplateData, or else from its source. */

import { WikiError } from '../core/errors.ts'
import { shownText } from './access/hidden.ts'
import { templateData } from './rendering/template-layouts.ts'
import { latestOf, parseWrittenTitle } from './resources/find-page.ts'
import { redirectTarget } from './resources/redirect.ts'
import type { Wiki } from './wiki.ts'

export interface TemplateParameter {
  readonly name: string
  /** Display name; "" if there is none. */
  readonly label: string
  readonly description: string
  readonly status: 'required' | 'suggested' | 'optional' | 'deprecated'
}

export interface TemplateParameters {
  readonly title: string
  readonly description: string
  readonly parameters: readonly TemplateParameter[]
}

/** Maximum number of parameters, and maximum characters of each text. */
const maxParameters = 300
const maxCharacters = 500

type Fields = Readonly<Record<string, unknown>>

/**
 * Lists the parameters of a template, in the order of its TemplateData. Source: MediaWiki's TemplateData extension.
 *
 * Errors: apierror-invalidtitle, apierror-missingtitle.
 */
export async function templateParameters(
  { store }: Wiki,
  { title }: { readonly title: string },
): Promise<TemplateParameters> {
  const { key, text } = parseWrittenTitle(title, store.titles)
  const page = store.findPage(key)
  if (page === undefined) throw new WikiError('apierror-missingtitle', { params: [text] })
  const data = await templateData(store, key)
  if (data !== null) {
    const { params, paramOrder } = data
    const own = fieldsOf(params)
    const order = Array.isArray(paramOrder) ? paramOrder.filter(name => isOwn(own, name)) : []
    const names = [...new Set<string>([...order, ...Object.keys(own)])]
    const parameters = listed(names, name => fieldsOf(own[name]))
    return { title: page.title, description: textOf(data.description), parameters }
  }
  const latest = latestOf(store, redirectTarget(store, page)?.page ?? page)
  const source = shownText(latest, await store.text(latest))
  return { title: page.title, description: '', parameters: askedFor(source) }
}

/** JSON may contain anything, so names that are not strings are ignored. */
function isOwn(fields: Fields, name: unknown): name is string {
  return typeof name === 'string' && Object.hasOwn(fields, name)
}

/** A name that is too long is left out, because a truncated one would be another parameter's. */
function listed(names: readonly string[], about: (name: string) => Fields): TemplateParameter[] {
  const shown = names.filter(name => name !== '' && name.length <= maxCharacters).slice(0, maxParameters)
  return shown.map(name => parameterOf(name, about(name)))
}

function parameterOf(name: string, fields: Fields): TemplateParameter {
  const isDeprecated = fields.deprecated !== undefined && fields.deprecated !== false
  const status =
    fields.required === true
      ? 'required'
      : fields.suggested === true
        ? 'suggested'
        : isDeprecated
          ? 'deprecated'
          : 'optional'
  return { name, label: textOf(fields.label), description: textOf(fields.description), status }
}

/** Lists the parameters used in a source: `{{{width|}}}`. */
function askedFor(source: string): TemplateParameter[] {
  const names = new Set<string>()
  for (const [, name = ''] of source.matchAll(/\{\{\{([^{}|<>\n]{1,100})[|}]/g)) names.add(name.trim())
  names.delete('')
  return listed([...names], () => ({}))
}

/** Returns a text, or the text in one of several languages. */
function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : Object.values(fieldsOf(value))[0]
  return typeof text === 'string' ? text.slice(0, maxCharacters) : ''
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
