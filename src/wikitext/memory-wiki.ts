/** A wiki in memory: pages and files as plain objects, so that the engine runs without a repository. */

import { defaultConfig } from '../core/config.ts'
import type { ContentModel } from '../core/content-models.ts'
import { parseRedirect } from '../core/redirect.ts'
import { parseTitle, possibleTitle, type Title, type TitleRules, titleRules } from '../core/title.ts'
import type { WikiConfig } from '../core/wiki-config.ts'
import { dialectOf } from '../links/dialect.ts'
import type { WrittenLink } from '../links/link.ts'
import { type LinkNames, linkNames, type Named } from '../links/names.ts'
import { type LinkPlace, resolveLink } from '../links/resolve.ts'
import type { FileMetadata, SourcePage, WikiSource } from './wiki-source.ts'

export interface MemoryWiki {
  /** Texts by title, as people write titles. */
  readonly pages?: Readonly<Record<string, string>>
  readonly files?: readonly FileMetadata[]
  /** Settings; defaults for those missing. */
  readonly config?: Partial<WikiConfig>
}

/** Makes a wiki of pages and files. Throws `rest-invalid-title` for an invalid title. */
export function memoryWiki({ pages = {}, files = [], config: settings = {} }: MemoryWiki = {}): WikiSource {
  const config: WikiConfig = { ...defaultConfig(), ...settings }
  const rules = titleRules(config)
  const sources = Object.entries(pages).map(([title, text], index) =>
    sourceOf(parseTitle(title, rules), text, index + 1),
  )
  const byKey = new Map(sources.map(page => [page.title.key, page]))
  const byName = new Map(files.map(file => [file.name, file]))
  const existence = (title: Title): boolean | 'redirect' => {
    const page = byKey.get(title.key)
    if (page === undefined) return title.namespace === 6 && byName.has(title.name)
    return page.model === 'wikitext' && parseRedirect(page.text, rules.language) !== null ? 'redirect' : true
  }
  const named = [
    ...sources.map(({ title: { key } }): Named => ({ kind: 'page', key, path: `${key}.wiki` })),
    ...files.map(({ name }): Named => ({ kind: 'file', key: `File:${name}`, path: name })),
  ]
  const names = linkNames(named, { dashes: () => false })
  return {
    config,
    pages: async titles => titles.map(title => byKey.get(title.key) ?? null),
    exist: async titles => titles.map(existence),
    files: async names => names.map(name => byName.get(name) ?? null),
    statistics: async () => ({
      pages: sources.length,
      articles: sources.filter(page => page.title.namespace === 0).length,
      files: files.length,
      edits: sources.length,
      users: 1,
      activeUsers: 1,
      admins: 1,
    }),
    links: async links => links.map(link => resolveLink(link, placeOf(link, { config, rules, names }))),
  }
}

/** Every page is at the top, in a file named by its title. */
function placeOf(
  { from, syntax }: WrittenLink,
  { config, rules, names }: { config: WikiConfig; rules: TitleRules; names: LinkNames },
): LinkPlace {
  const dialect = dialectOf(config.links, { isMarkdown: syntax !== 'title', isGollum: false, isVault: false })
  const keyOf = (target: string) => possibleTitle(target, rules)?.key ?? null
  return { path: `${from}.wiki`, dialect, names, keyOf }
}

const models: readonly [ending: string, model: ContentModel][] = [
  ['.json', 'json'],
  ['.css', 'css'],
  ['.js', 'javascript'],
]

function sourceOf(title: Title, text: string, id: number): SourcePage {
  const model = models.find(([ending]) => title.name.endsWith(ending))?.[1] ?? 'wikitext'
  return { title, text, model, id, revision: id, timestamp: '1970-01-01T00:00:00Z', user: '' }
}
