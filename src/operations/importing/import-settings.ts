/** Converts the site information of a dump to settings of the wiki. */

import { configFile, parseConfig, setConfigValue } from '../../core/config.ts'
import { isWikiError } from '../../core/errors.ts'
import { namespaceIds, namespacesOf } from '../../core/namespaces.ts'
import { parseTitle, titleRules } from '../../core/title.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import type { DumpSite } from '../../dump/dump.ts'

/**
 * Returns the text of wiki.json with the settings of the site; if `takesAll` is false, only with missing namespaces and a missing
 * name. Throws `wiki-bad-config` for an invalid namespace.
 */
export function settingsOfSite(site: DumpSite, json: string, { takesAll }: { readonly takesAll: boolean }): string {
  const hasName = json.trim() !== '' && parseConfig(json).name !== ''
  const rows: [key: keyof WikiConfig, value: string][] = [
    ['name', takesAll || !hasName ? siteName(site) : ''],
    ['language', takesAll && languageCode.test(site.language) ? site.language : ''],
    ['capitalization', takesAll && site.isCaseSensitive ? 'case-sensitive' : ''],
  ]
  let text = json
  for (const [key, value] of rows) if (value !== '') text = setConfigValue(text, key, value)
  text = withNamespaces(site, text)
  return takesAll ? withMainPage(site, text) : text
}

const languageCode = /^[a-z]{2,12}(?:-[a-z0-9]{1,12}){0,5}$/i

function siteName(site: DumpSite): string {
  return site.name
    .replace(/[\p{Cc}\p{Surrogate}]/gu, '')
    .slice(0, 100)
    .trim()
}

/** Adds the namespaces that are missing, and the names under which the site shows the standard ones. */
function withNamespaces(site: DumpSite, text: string): string {
  const config = parseConfig(text.trim() === '' ? '{}' : text, configFile)
  const namespaces = namespacesOf(config)
  const added: Record<string, unknown> = {}
  for (const { id, name } of site.namespaces) {
    const namespace = namespaces.get(id)
    const shown = name.replaceAll(' ', '_')
    if (id === namespaceIds.main || name === '' || config.namespaces[id] !== undefined) continue
    if (namespace?.name === shown || (namespace?.aliases.includes(shown) && isProject(id))) continue
    added[id] = { name, aliases: [], ...(namespace === undefined && { subpages: true }) }
  }
  if (Object.keys(added).length === 0) return text
  return setConfigValue(text, 'namespaces', JSON.stringify({ ...config.namespaces, ...added }))
}

function isProject(id: number): boolean {
  return id === namespaceIds.project || id === namespaceIds.projectTalk
}

/** Maximum characters of a URL that are examined. */
const longestAddress = 2_000

/** A site's base is the URL of its main page. */
function withMainPage(site: DumpSite, text: string): string {
  const config = parseConfig(text.trim() === '' ? '{}' : text, configFile)
  const segment = /\/wiki\/([^?#]+)$|[?&]title=([^&#]+)/
    .exec(site.base.slice(0, longestAddress))
    ?.slice(1)
    .find(Boolean)
  try {
    const title = parseTitle(decodeURIComponent(segment ?? ''), titleRules(config))
    return title.text === config.mainPage ? text : setConfigValue(text, 'mainPage', title.text)
  } catch (error) {
    if (isWikiError(error) || error instanceof URIError) return text
    throw error
  }
}
