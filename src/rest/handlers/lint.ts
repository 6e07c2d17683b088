/** Lints pages and revisions. The objects are those of Extension:Linter's REST routes. */

import { linkTag } from '../../http/conditional.ts'
import { lintPage, lintRevision } from '../../operations/lint-page.ts'
import { findRedirect } from '../../operations/render-page.ts'
import { integerParam, requiredParam } from '../../operations/resources/params.ts'
import { pageRoute, withoutHost } from '../../operations/resources/routes.ts'
import type { Reply, RestRequest } from './handler.ts'
import { followsRedirects, redirectReply } from './html.ts'

/** Lists the problems of a page's latest text. */
export async function pageLint(request: RestRequest): Promise<Reply> {
  const title = requiredParam('title', request.path.title)
  const follows = followsRedirects(request)
  const { page, redirect } = await findRedirect(request.wiki, { title, exact: true })
  if (follows && redirect !== null) {
    const target = withoutHost(pageRoute(request.base, redirect, '/lint'))
    return redirectReply(request, target, linkTag(page.latest))
  }
  return { body: await lintPage(request.wiki, { title }) }
}

/** Lists the problems of a revision's text. */
export async function revisionLint({ wiki, path }: RestRequest): Promise<Reply> {
  return { body: await lintRevision(wiki, { id: integerParam('id', path.id ?? '') }) }
}
