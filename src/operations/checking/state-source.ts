/** The renderer's queries about a wiki in one state: pages include others as that state has them. */

import { modelOfPath } from '../../core/content-models.ts'
import { parseRedirect } from '../../core/redirect.ts'
import type { Title } from '../../core/title.ts'
import type { SourcePage } from '../../wikitext/wiki-source.ts'
import { rawSource } from '../rendering/wiki-source.ts'
import type { WikiFiles } from '../resources/file-object.ts'
import { insideRoot } from '../resources/link-dialect.ts'
import { sourceOfFile } from '../resources/source.ts'
import type { LinkedState } from './page-links.ts'

/** Serves a state. Media, statistics and the magic words about revisions are those of the wiki as it is. */
export function stateSource(wiki: WikiFiles, linked: LinkedState): ReturnType<typeof rawSource> {
  const { store } = wiki
  const current = rawSource(wiki)
  const textOf = async ({ key }: Title): Promise<readonly [path: string, text: string] | null> => {
    const path = linked.pathOf(key)
    const text = path === undefined ? null : await linked.state.text(path)
    return path === undefined || text === null ? null : [path, text]
  }
  return {
    ...current,
    pages: titles =>
      Promise.all(
        titles.map(async (title): Promise<SourcePage | null> => {
          const [path, file] = (await textOf(title)) ?? [null, '']
          const model = path === null ? undefined : modelOfPath(path)
          if (model === undefined) return null
          const page = store.findPage(title.key)
          const latest = page === undefined ? undefined : store.revision(page.latest)
          const { id = 0, timestamp = unknownTime } = latest ?? {}
          return { title, text: sourceOfFile(file), model, id: page?.id ?? 0, revision: id, timestamp, user: '' }
        }),
      ),
    exist: titles =>
      Promise.all(
        titles.map(async title => {
          const [path, text] = (await textOf(title)) ?? [linked.pathOf(title.key), '']
          return path !== undefined && (parseRedirect(text, store.titles.language) === null || 'redirect')
        }),
      ),
    links: async links =>
      links.map(link => {
        const path = linked.pathOf(link.from)
        return linked.resolver.target(link, path === undefined ? link.from : insideRoot(path, store.config.root))
      }),
  }
}

const unknownTime = '1970-01-01T00:00:00Z'
