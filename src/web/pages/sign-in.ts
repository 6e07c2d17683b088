/** Signing in, by the link that the server printed on this machine or by a token, and signing out. */

import { isWikiError, type WikiError } from '../../core/errors.ts'
import { type BegunSession, beginSession, checkOrigin, endSession, findSession } from '../../http/access.ts'
import { proofFor } from '../../http/proof.ts'
import { retryHeaders } from '../../http/retry-after.ts'
import { mainPageTitle } from '../../operations/resources/main-page.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { withDone } from '../parts/done-notice.ts'
import { notice } from '../parts/notice.ts'
import { redirectReply, type View, type WebReply, type WebRequest } from '../request.ts'
import { formError, readShortForm, redirectInto, userOf } from '../writing.ts'

/** Maximum bytes of a title. */
const longestTitle = 255

/**
 * Shows who is signed in, or a sign-in form. Opening the link alone signs nobody in, because programs follow links too.
 */
export async function signInPage(request: WebRequest): Promise<WebReply> {
  return { view: signInView(request, request.query('returnto') ?? '', null) }
}

/** `back` is the title to return to, "" for none. Source: MediaWiki's `returnto`. */
function signInView(request: WebRequest, back: string, error: WikiError | null): View {
  const { words, access, event } = request
  const session = findSession(access, event.req.headers)
  const isAgain = access.signIn?.isGood(request.query('code') ?? '') === true
  const body =
    session === null || isAgain
      ? signInForms(request, back)
      : html`<p>${words.say('signedInAs', html`<bdi>${session.user.name}</bdi>`)}</p>
<form method="post" action="${specialAddress('UserLogout')}"><input type="hidden" name="token" value="${session.csrfToken}"><button type="submit">${words.say('signOut')}</button></form>`
  const above = error === null ? null : notice(formError(request, error), 'error')
  return {
    title: session?.user.name ?? words.text('signIn'),
    unlisted: true,
    personal: true,
    body: html`${above}${body}`,
    ...(error !== null && { status: error.status, headers: retryHeaders(error) }),
  }
}

function signInForms(request: WebRequest, back: string): Markup {
  const { words, access, query } = request
  const { signIn } = access
  const code = query('code') ?? ''
  const returnField = back === '' ? null : html`<input type="hidden" name="returnto" value="${back}">`
  if (signIn !== null && code !== '' && signIn.isGood(code)) {
    return html`<form class="action" method="post" action="${specialAddress('UserLogin')}"><input type="hidden" name="code" value="${code}">${returnField}
<p class="actions"><button type="submit" class="primary">${words.say('signInAs', html`<bdi>${signIn.owner.name}</bdi>`)}</button></p></form>`
  }
  return html`${code === '' ? null : notice(words.say('codeIsOld'), 'warning')}
<form class="action" method="post" action="${specialAddress('UserLogin')}">${returnField}
<label>${words.say('accessToken')} <input type="password" name="login" autocomplete="current-password" required spellcheck="false"></label>
<p class="meta">${words.say('tokenHint', html`<code>wiki token create "Ada Example"</code>`)}</p>
<p class="actions"><button type="submit" class="primary">${words.say('signIn')}</button></p></form>${newLinkForm(request, returnField)}`
}

/** The user at this machine has no token, and the link works once: the server prints another one. */
function newLinkForm({ words, access }: WebRequest, returnField: Markup | null): Markup | null {
  if (access.signIn?.isPrinted() !== true) return null
  return html`<form class="action" method="post" action="${specialAddress('UserLogin')}">${returnField}<p>${words.say('newLinkHint')}</p>
<p class="actions"><button type="submit" name="do" value="link">${words.say('newLink')}</button></p></form>`
}

/** Begins a session. Other sites may not do this, because they could sign the reader in as their own user. */
export async function signIn(request: WebRequest): Promise<WebReply> {
  const form = await readShortForm(request)
  const { access, client, event } = request
  try {
    checkOrigin(event.req.headers, client)
    if (form.text('do') === 'link') return printLink(request, form.text('returnto'))
    const { id } = userOf(request, form.text('code') || form.text('login').trim())
    const begun = await beginSession(access, event.req.headers, client, id)
    return redirectInto(begun, withDone(pageAfter(request, form.text('returnto'), begun), 'signed-in'))
  } catch (error) {
    if (!isWikiError(error)) throw error
    return { view: signInView(request, form.text('returnto'), error) }
  }
}

/** A title always leads to this server, whatever it contains. The owner's pages get the proof that signing in is. */
function pageAfter({ access, wiki }: WebRequest, back: string, { id }: BegunSession): string {
  const isOwners = /^Special:(?:Settings|Tokens)$/.test(back)
  return pageAddress(back || mainPageTitle(wiki.store), isOwners ? { proof: proofFor(access.key, id) } : {})
}

function printLink(request: WebRequest, back: string): WebReply {
  const { signIn } = request.access
  const view = signInView(request, back, null)
  if (signIn?.isPrinted() !== true) return { view }
  // Anybody may send this form, and a terminal shows the link.
  signIn.renew(Buffer.byteLength(back) <= longestTitle ? back : '')
  return { view: { ...view, body: html`${notice(request.words.say('linkPrinted'))}${view.body}` } }
}

/** Ends the session. */
export async function signOut(request: WebRequest): Promise<WebReply> {
  const { access, client, event, wiki } = request
  checkOrigin(event.req.headers, client)
  const headers = { 'set-cookie': await endSession(access, event.req.headers, client) }
  return redirectReply(303, withDone(pageAddress(mainPageTitle(wiki.store)), 'signed-out'), headers)
}
