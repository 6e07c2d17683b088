/** Special pages about one page. Without a title they show a form for it, also if the page does not exist. */

import { isWikiError, type WikiError } from '../../../core/errors.ts'
import { errorMessageIn } from '../../../http/messages/messages.ts'
import { retryHeaders } from '../../../http/retry-after.ts'
import { specialAddress } from '../../addresses.ts'
import { attributes, html } from '../../markup.ts'
import { notice } from '../../parts/notice.ts'
import { redirectReply, type View, type WebReply, type WebRequest, type WebRoute } from '../../request.ts'
import type { WordKey } from '../../words/words.ts'

export interface TitleForm {
  /** Name of the special page in addresses. */
  readonly name: string
  /** Heading of the form. */
  readonly heading: WordKey
  /** Label of its field. */
  readonly label: WordKey
  /** Query parameter from which the special page reads its title. */
  readonly field?: string
}

/** Errors that another title can fix. */
const fixable = [
  'rest-invalid-title',
  'rest-nonexistent-title',
  'rest-nonexistent-revision',
  'badinteger',
  'apierror-articleexists',
] as const

/**
 * Wraps a route so that it asks for a missing title. `target` in the query is accepted as the title too. Source:
 * MediaWiki's special pages.
 */
export function withTitle(form: TitleForm, route: WebRoute): WebRoute {
  return { ...route, get: request => formOrPage(request, form, route) }
}

async function formOrPage(request: WebRequest, form: TitleForm, route: WebRoute): Promise<WebReply> {
  const { title, query, search } = request
  const target = (query('target') ?? '').trim()
  if (title === '' && target !== '') {
    const others = [...new URLSearchParams(search)].filter(([name]) => name !== 'target')
    return redirectReply(302, specialAddress(`${form.name}/${target}`, Object.fromEntries(others)))
  }
  const isMissing = title === '' && (query(form.field ?? '') ?? '').trim() === ''
  if (isMissing) return { view: formView(request, form, null) }
  try {
    return await route.get(request)
  } catch (error) {
    if (!fixable.some(code => isWikiError(error, code))) throw error
    return { view: formView(request, form, error as WikiError) }
  }
}

function formView({ words, title }: WebRequest, { name, heading, label }: TitleForm, error: WikiError | null): View {
  const message = error === null ? null : notice(errorMessageIn(words.language, error), 'error')
  return {
    ...(error !== null && { status: error.status, headers: retryHeaders(error) }),
    title: words.text(heading),
    unlisted: true,
    body: html`${message}<form class="action" action="${specialAddress(name)}">
<label>${words.say(label)} <input name="target" value="${title.replaceAll('_', ' ')}" required maxlength="300" dir="auto"${attributes({ autofocus: true })}></label>
<p class="actions"><button type="submit" class="primary">${words.say('goOn')}</button></p></form>`,
  }
}
