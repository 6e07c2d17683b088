import { defaultConfig } from '../../src/core/config.ts'
import { parseTitle, titleRules } from '../../src/core/title.ts'
import type { WikiConfig } from '../../src/core/wiki-config.ts'
import { createExpander } from '../../src/wikitext/expand/expander.ts'
import type { Expander, ExpanderOptions } from '../../src/wikitext/expansion/expansion.ts'
import { createSourceCache } from '../../src/wikitext/expansion/source-cache.ts'
import type { WikiSource } from '../../src/wikitext/wiki-source.ts'

/** A wiki of these pages, by key. */
export function wikiOf(pages: Readonly<Record<string, string>>, config: Partial<WikiConfig> = {}): WikiSource {
  return {
    config: { ...defaultConfig(), name: 'Harbour', ...config },
    pages: async titles =>
      titles.map(title =>
        Object.hasOwn(pages, title.key)
          ? {
              title,
              text: pages[title.key]!,
              model: 'wikitext',
              id: 7,
              revision: 40,
              timestamp: '2024-02-29T13:05:09Z',
              user: 'Ada',
            }
          : null,
      ),
    exist: async titles => titles.map(({ key }) => Object.hasOwn(pages, key)),
    files: async names => names.map(() => null),
    statistics: async () => ({
      pages: 1234567,
      articles: 12,
      files: 3,
      edits: 4,
      users: 5,
      activeUsers: 6,
      admins: 7,
    }),
    links: async links => links.map(() => null),
  }
}

export interface Setting extends Partial<Omit<ExpanderOptions, 'title' | 'config'>> {
  readonly title?: string
  readonly pages?: Readonly<Record<string, string>>
  readonly config?: Partial<WikiConfig>
}

/** Repeats a step with an expander until all its requests are fulfilled. */
export async function withExpander<Outcome>(
  { title = 'Tide tables', pages = {}, config = {}, ...rest }: Setting,
  run: (expander: Expander) => Outcome,
): Promise<Outcome> {
  const wiki = wikiOf(pages, config)
  const sourceCache = createSourceCache(wiki)
  for (;;) {
    const expander = createExpander({
      title: parseTitle(title, titleRules(wiki.config)),
      config: wiki.config,
      sourceCache,
      tags: new Set(['ref', 'nowiki', 'poem']),
      now: new Date('2024-03-05T07:08:09Z'),
      server: 'http://wiki.example',
      page: null,
      ...rest,
    })
    const outcome = run(expander)
    if (!sourceCache.isIncomplete()) return outcome
    await sourceCache.fetch()
  }
}

/** Expands a text as a page. */
export function expand(text: string, setting: Setting = {}): Promise<string> {
  return withExpander(setting, expander => {
    return expander.expandToText(expander.preprocess(text).nodes, expander.pageFrame(text))
  })
}
