/** The changes of the whole wiki. */

import { recentChanges } from '../../operations/recent-changes.ts'
import { endOfDate, parseDate } from '../../operations/resources/dates.ts'
import { boundedInteger, optionalBoolean, optionalInteger, optionalMoment } from '../../operations/resources/params.ts'
import type { Reply, RestRequest } from './handler.ts'

/** Query parameters that the routes in a response repeat. */
const filters = ['limit', 'user', 'since', 'until', 'title', 'prefix', 'namespace', 'minor', 'bot'] as const

/** An addition to MediaWiki's REST API; its action API has `list=recentchanges`. */
export async function changes({ wiki, base, query }: RestRequest): Promise<Reply> {
  const given = filters.flatMap(name => {
    const text = query(name)
    return text === undefined ? [] : [[name, text] as const]
  })
  const limit = query('limit')
  const body = await recentChanges(wiki, {
    base,
    olderThan: query('older_than'),
    newerThan: query('newer_than'),
    limit: limit === undefined ? undefined : boundedInteger('limit', limit, { min: 1, max: 500 }),
    user: query('user'),
    since: optionalMoment('since', query('since'), parseDate),
    until: optionalMoment('until', query('until'), endOfDate),
    title: query('title'),
    prefix: query('prefix'),
    namespace: optionalInteger('namespace', query('namespace')),
    minor: optionalBoolean('minor', query('minor')),
    bot: optionalBoolean('bot', query('bot')),
    filters: Object.fromEntries(given),
  })
  return { body }
}
