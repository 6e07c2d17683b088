/** Cached data of the wiki, read synchronously while a page is converted, and the open requests. */

import { withLineFeeds } from '../../core/line-ends.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseRedirect } from '../../core/redirect.ts'
import type { Title } from '../../core/title.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import type { LinkTarget, WrittenLink } from '../../links/link.ts'
import type { FileMetadata, SourcePage, WikiSource, WikiStatistics } from '../wiki-source.ts'

/** Maximum page texts, and files, that one conversion requests. Further ones count as missing. */
export const maxRequests = 20_000
/** Maximum titles whose existence is requested: a page may be one long list of links. */
export const maxTitles = 1_000_000

/** Synchronous results; undefined means that the data is unknown, and the next `fetch` requests it. */
export interface SourceCache {
  readonly page: (title: Title) => SourcePage | null | undefined
  readonly exists: (title: Title) => boolean | undefined
  /** True for a page that is known to be a redirect; requests nothing. */
  readonly isRedirect: (title: Title) => boolean
  /** `name` in URL form without `File:`. */
  readonly file: (name: string) => FileMetadata | null | undefined
  readonly statistics: () => WikiStatistics | undefined
  /** Target of a link that is not a title, such as a path. */
  readonly target: (link: WrittenLink) => LinkTarget | null | undefined
  /** True if unknown data was requested. */
  readonly isIncomplete: () => boolean
  /** Requests all unknown data, in one batch of each kind. */
  readonly fetch: () => Promise<void>
}

/** Creates an empty cache for a wiki. */
export function createSourceCache(wiki: WikiSource): SourceCache {
  const pages = memory<Title, SourcePage | null>(
    title => title.key,
    titles => textsOf(wiki, titles),
    null,
    maxRequests,
  )
  const existence = memory<Title, boolean | 'redirect'>(title => title.key, wiki.exist, false, maxTitles)
  const files = memory<string, FileMetadata | null>(name => name, wiki.files, null, maxRequests)
  const statistics = memory<'', WikiStatistics>(
    () => '',
    async () => [await wiki.statistics()],
    noStatistics,
    1,
  )
  const targets = memory<WrittenLink, LinkTarget | null>(
    ({ from, target, syntax, second = null }) => JSON.stringify([from, syntax, target, second]),
    wiki.links,
    null,
    maxRequests,
  )
  const all = [pages, existence, files, statistics, targets]
  return {
    page: pages.ask,
    exists: title => {
      const page = pages.peek(title)
      // A file may have no description page, and still exist.
      if (page != null || (page === null && title.namespace !== namespaceIds.file)) return page !== null
      const answer = existence.ask(title)
      return answer === undefined ? undefined : answer !== false
    },
    isRedirect: title => existence.peek(title) === 'redirect' || isRedirectPage(pages.peek(title), wiki.config),
    file: files.ask,
    statistics: () => statistics.ask(''),
    target: targets.ask,
    isIncomplete: () => all.some(one => one.isIncomplete()),
    fetch: async () => {
      await Promise.all(all.map(one => one.fetch()))
    },
  }
}

async function textsOf(wiki: WikiSource, titles: readonly Title[]): Promise<readonly (SourcePage | null)[]> {
  const pages = await wiki.pages(titles)
  return pages.map(page => {
    const text = withLineFeeds(page?.text ?? '')
    return page === null || page.text === text ? page : { ...page, text }
  })
}

function isRedirectPage(page: SourcePage | null | undefined, { language }: WikiConfig): boolean {
  return page?.model === 'wikitext' && parseRedirect(page.text, language) !== null
}

const noStatistics: WikiStatistics = {
  pages: 0,
  articles: 0,
  files: 0,
  edits: 0,
  users: 0,
  activeUsers: 0,
  admins: 0,
}

interface Memory<Question, Answer> {
  readonly ask: (question: Question) => Answer | undefined
  readonly peek: (question: Question) => Answer | undefined
  readonly isIncomplete: () => boolean
  readonly fetch: () => Promise<void>
}

function memory<Question, Answer>(
  keyOf: (question: Question) => string,
  fetchAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  beyondBudget: Answer,
  most: number,
): Memory<Question, Answer> {
  const answers = new Map<string, Answer>()
  const open = new Map<string, Question>()
  let left = most
  return {
    ask(question) {
      const key = keyOf(question)
      const answer = answers.get(key)
      if (answer !== undefined || open.has(key)) return answer
      if (left <= 0) return beyondBudget
      left--
      open.set(key, question)
      return undefined
    },
    peek: question => answers.get(keyOf(question)),
    isIncomplete: () => open.size > 0,
    async fetch() {
      if (open.size === 0) return
      const questions = [...open]
      const results = await fetchAll(questions.map(([, question]) => question))
      for (const [index, [key]] of questions.entries()) answers.set(key, results[index] ?? beyondBudget)
      open.clear()
    },
  }
}
