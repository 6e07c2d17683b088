/** Access tokens: an admin creates and revokes them, and ends sessions. */

import { scopeNames, usualScopes } from '../../../core/scopes.ts'
import { localOwner } from '../../../http/sign-in-code.ts'
import { createToken, listTokens, type NewToken, revokeToken, type Token } from '../../../operations/tokens.ts'
import { specialAddress } from '../../addresses.ts'
import { html, type Markup } from '../../markup.ts'
import { type Done, withDone } from '../../parts/done-notice.ts'
import { checkField } from '../../parts/fields.ts'
import { notice } from '../../parts/notice.ts'
import type { View, WebReply, WebRequest } from '../../request.ts'
import { adminOf, type Form, formFault, isAdmin, readShortForm, savedReply, senderFields } from '../../writing.ts'
import { csrfField, sessionsPart } from './sessions.ts'

/** Lists the tokens for an admin. */
export async function tokensPage(request: WebRequest): Promise<WebReply> {
  return { view: await tokensView(request, null) }
}

async function tokensView(request: WebRequest, message: Markup | null, form: Form | null = null): Promise<View> {
  const { words, wiki } = request
  const about = { title: words.text('tokensTitle'), unlisted: true, personal: true }
  if (!isAdmin(request))
    return {
      ...about,
      body: html`${message}${notice(words.say('adminOnly', html`<code>wiki token</code>`))}${form === null ? null : newTokenForm(request, form)}`,
    }
  const { tokens } = await listTokens(wiki)
  return {
    ...about,
    body: html`${message}${tokenTable(request, tokens)}${newTokenForm(request, form)}${sessionsPart(request)}`,
  }
}

function tokenTable(request: WebRequest, tokens: readonly Token[]): Markup {
  const { words } = request
  if (tokens.length === 0) return html`<p>${words.say('noTokens')}</p>`
  const rows = tokens.map(
    ({
      id,
      name,
      bot,
      created,
      expires,
    }) => html`<tr><td><bdi>${name}</bdi>${bot ? html` (${words.say('botEdits')})` : null}</td><td>${words.time(created)}</td><td>${expires === null ? '–' : words.time(expires)}</td>
<td><form method="post" action="${specialAddress('Tokens')}">${csrfField(request)}<input type="hidden" name="id" value="${id}"><button type="submit" name="do" value="revoke" aria-label="${words.text('revokeToken', name)}">${words.say('revoke')}</button></form></td></tr>`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${words.say('tokensTitle')}"><table class="tokens"><thead><tr><th scope="col">${words.say('tokenAuthor')}</th><th scope="col">${words.say('tokenCreated')}</th><th scope="col">${words.say('tokenExpires')}</th><th scope="col"><span class="hidden">${words.say('revoke')}</span></th></tr></thead><tbody>${rows}</tbody></table></div>`
}

/** `form` is a form that was refused; its words stay. */
function newTokenForm(request: WebRequest, form: Form | null): Markup {
  const { words } = request
  return html`<h2>${words.say('newToken')}</h2><form class="action" method="post" action="${specialAddress('Tokens')}">
<label>${words.say('tokenAuthor')} <input name="name" value="${form?.text('name')}" required maxlength="255" dir="auto"></label>
<label>${words.say('email')} <input name="email" type="email" value="${form?.text('email')}" maxlength="320"></label>
<label>${words.say('tokenDays')} <input name="days" type="number" min="1" max="36500" value="${form?.text('days') ?? '90'}"></label>
<fieldset class="choices"><legend>${words.say('tokenScopes')}</legend>${scopeNames.map(name => checkField(`scope-${name}`, form?.isChecked(`scope-${name}`) ?? usualScopes.includes(name), name))}</fieldset>
${checkField('bot', form?.isChecked('bot') ?? false, words.say('botEdits'))}${senderFields(request)}
<p class="actions"><button type="submit" name="do" value="create" class="primary">${words.say('newToken')}</button></p></form>`
}

/** Creates or revokes a token, or ends sessions. A new token is shown once, in the response. */
export async function changeTokens(request: WebRequest): Promise<WebReply> {
  const form = await readShortForm(request)
  try {
    const { sessionHeaders } = await adminOf(request, form)
    const action = form.text('do')
    if (action === 'create')
      return { view: await tokensView(request, newTokenNotice(request, await made(request, form))) }
    const done = await doneBy(request, action, form)
    const address = specialAddress('Tokens')
    return savedReply(request, done === null ? address : withDone(address, done), sessionHeaders())
  } catch (thrown) {
    const { sentence, ...fault } = formFault(request, thrown)
    const shown = form.text('do') === 'create' ? form : null
    return { view: { ...(await tokensView(request, notice(sentence, 'error'), shown)), ...fault } }
  }
}

async function doneBy({ wiki, access }: WebRequest, action: string, form: Form): Promise<Done | null> {
  if (action === 'revoke') {
    await revokeToken(wiki, form.text('id'))
    return 'revoked'
  }
  if (action === 'end-session') {
    access.sessions.endListed(form.text('id'))
    return 'session-ended'
  }
  if (action !== 'end-sessions') return null
  access.sessions.endAll(localOwner)
  return 'sessions-ended'
}

function made({ wiki }: WebRequest, form: Form): Promise<NewToken> {
  const days = form.text('days').trim()
  return createToken(wiki, {
    name: form.text('name'),
    address: form.text('email').trim(),
    bot: form.isChecked('bot'),
    scopes: scopeNames.filter(name => form.isChecked(`scope-${name}`)),
    expires: days === '' ? undefined : `${days}d`,
  })
}

function newTokenNotice({ words }: WebRequest, { name, token }: NewToken): Markup {
  return notice(html`<p>${words.say('tokenMade', html`<bdi>${name}</bdi>`)}</p><p><code>${token}</code></p>`)
}
