/** Reads the preferred layout of templates from TemplateData, on the template's page or its documentation page. */

import type { TemplateLayout } from '../../html2wt/index.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { shownText } from '../access/hidden.ts'
import { latestOf } from '../resources/find-page.ts'
import { redirectTarget } from '../resources/redirect.ts'

/** Reads the layouts of templates, by page key; templates without one are omitted. */
export async function templateLayouts(store: Store, keys: readonly string[]): Promise<Map<string, TemplateLayout>> {
  const places = keys.flatMap(key => placesOf(store, key).map(page => ({ key, page })))
  const layouts = new Map<string, TemplateLayout>()
  let next = 0
  for await (const [revision, text] of store.texts(places.map(({ page }) => latestOf(store, page)))) {
    const { key } = places[next++]!
    const layout = layouts.has(key) ? null : layoutIn(shownText(revision, text))
    if (layout !== null) layouts.set(key, layout)
  }
  return layouts
}

/** Returns the template's page and its documentation page; for a redirect, those of its target. */
function placesOf(store: Store, key: string): PageEntry[] {
  const page = store.findPage(key)
  const target = page && redirectTarget(store, page)?.page
  const meant = target ?? page
  return [meant, meant && store.findPage(`${meant.key}/doc`)].filter(found => found?.redirect === null) as PageEntry[]
}

/** Returns the TemplateData of a template, from its page or its documentation; null if it is missing or unreadable. */
export async function templateData(store: Store, key: string): Promise<Readonly<Record<string, unknown>> | null> {
  for await (const [revision, text] of store.texts(placesOf(store, key).map(page => latestOf(store, page)))) {
    const data = dataIn(shownText(revision, text))
    if (data !== null) return data
  }
  return null
}

function layoutIn(text: string): TemplateLayout | null {
  const data = dataIn(text)
  return data === null ? null : layoutOf(data)
}

/** Reads `<templatedata>`; null if it is missing or unreadable. */
function dataIn(text: string): Readonly<Record<string, unknown>> | null {
  const start = /<templatedata\s*>/i.exec(text)
  const end = start === null ? -1 : text.slice(start.index).search(/<\/templatedata\s*>/i)
  if (start === null || end < 0) return null
  try {
    const data: unknown = JSON.parse(text.slice(start.index + start[0].length, start.index + end))
    return isRecord(data) ? data : null
  } catch {
    return null
  }
}

function layoutOf(data: Readonly<Record<string, unknown>>): TemplateLayout {
  const { format, paramOrder, params } = data
  const order = Array.isArray(paramOrder) ? paramOrder.filter(isText).slice(0, maxParameters) : []
  const aliases = isRecord(params) ? Object.entries(params).slice(0, maxParameters).flatMap(aliasesOf) : []
  return { format: isText(format) ? format : null, order, aliases: new Map(aliases) }
}

/** Maximum number of parameters read for one template. */
const maxParameters = 2000

function aliasesOf([name, parameter]: [string, unknown]): [alias: string, name: string][] {
  if (!isRecord(parameter) || !Array.isArray(parameter.aliases)) return []
  return parameter.aliases.filter(isText).map(alias => [alias, name])
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
