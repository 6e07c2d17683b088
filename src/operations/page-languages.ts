/** Lists pages on the same topic in other languages. Source: MediaWiki REST API reference, "Get languages". */

import { isWikiError } from '../core/errors.ts'
import { parseTitle, type TitleRules } from '../core/title.ts'
import { type RenderQuery, renderEntry } from './render-page.ts'
import { findPage, latestOf, type TitleQuery } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

/** A link to another language. Source: MediaWiki REST API reference, "Page language object". */
export interface PageLanguage {
  readonly code: string
  /** Name of the language in that language. */
  readonly name: string
  readonly key: string
  readonly title: string
}

/**
 * Lists the pages that a page's language links lead to, by code; the first link of each language counts.
 *
 * Errors: rest-invalid-title, rest-nonexistent-title; `TitleRedirect`.
 */
export async function pageLanguages(
  wiki: Wiki,
  query: TitleQuery & Pick<RenderQuery, 'server'>,
): Promise<{
  readonly latest: { readonly id: number; readonly timestamp: string }
  readonly languages: PageLanguage[]
}> {
  const { store } = wiki
  await store.refresh()
  const page = findPage(store, query)
  const revision = latestOf(store, page)
  const { references } = await renderEntry(wiki, { page, revision }, query)
  const titles = new Map<string, string>()
  for (const { code, title } of references.languages) if (!titles.has(code)) titles.set(code, title)
  const languages = [...titles].map(([code, title]) => ({
    code,
    name: autonym(code),
    ...readTitle(title, store.titles),
  }))
  languages.sort((a, b) => (a.code < b.code ? -1 : 1))
  return { latest: { id: revision.id, timestamp: revision.timestamp }, languages }
}

/** The other wiki's title by this wiki's rules, because its own are unknown. */
function readTitle(title: string, rules: TitleRules): { key: string; title: string } {
  try {
    const { key, text } = parseTitle(title, rules)
    return { key, title: text }
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    const text = title.replace(/#.*$/s, '').replace(/[ _]+/g, ' ').trim()
    return { key: text.replaceAll(' ', '_'), title: text }
  }
}

/** Codes of wikis that Unicode knows under another code. */
const otherCodes: Readonly<Record<string, string>> = { als: 'gsw', 'be-x-old': 'be-tarask', 'fiu-vro': 'vro' }

/** Names that Unicode does not have, or only in English. */
const otherNames: Readonly<Record<string, string>> = {
  'bat-smg': 'žemaitėška',
  lzh: '文言',
  nan: '閩南語 / Bân-lâm-gú',
  no: 'norsk',
  'roa-rup': 'armãneashti',
  simple: 'Simple English',
  yue: '粵語',
  'zh-classical': '文言',
  'zh-min-nan': '閩南語 / Bân-lâm-gú',
  'zh-yue': '粵語',
}

function autonym(code: string): string {
  if (Object.hasOwn(otherNames, code)) return otherNames[code]!
  const standard = Object.hasOwn(otherCodes, code) ? otherCodes[code]! : code
  try {
    return new Intl.DisplayNames([standard], { type: 'language' }).of(standard) ?? code
  } catch {
    return code
  }
}
